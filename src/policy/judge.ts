// Checks a policy input: finds the paths that violate policies, and how.
import { createContext, runInContext, type Context } from "node:vm";
import { pointInto, type Json } from "../lib/json.js";
import type { Path } from "../settings.js";
import { timeAt, type PolicyInput } from "./policy-input.js";
import type { Condition, Policy } from "./policy.js";
import { Failure } from "../failure.js";
import { shellWord } from "../lib/text.js";

export interface Finding {
  readonly policy: Policy;
  readonly condition: Condition;
  /** The path of the wrong or missing value. */
  readonly path: Path;
  /** Continues the path: "is 120 and must be <= 60". */
  readonly how: string;
}

/** Only available with a plan; without one, policies about these are skipped. */
const OF_A_PLAN = ["changes", "time"];

/** Fails if a policy cannot be evaluated, so that it never counts as passed. `atMs` is the moment of a plan. */
export function judge(
  policies: readonly Policy[],
  given: PolicyInput,
  atMs?: number,
  longestMs = LONGEST_MS,
): Finding[] {
  return policies.flatMap((policy) => {
    const isOfPlan = [...policy.when, ...policy.must].some(({ path: [first = ""] }) =>
      OF_A_PLAN.includes(first),
    );
    if (isOfPlan && given.changes === undefined && atMs === undefined && !given.time) return [];
    const time = atMs === undefined ? given.time : timeAt(atMs, policy.timeZone);
    return ask(policy, { ...given, ...(time && { time }) }, longestMs);
  });
}

/** Policies that failed once are not evaluated again, because that would take as long. */
const unusable = new WeakMap<Policy, string>();

function ask(policy: Policy, given: PolicyInput, longestMs: number): Finding[] {
  const known = unusable.get(policy);
  if (known !== undefined) throw notAsked(policy, known);
  try {
    return bounded(() => findingsOf(policy, given as unknown as Json), longestMs);
  } catch (error) {
    if (!(error instanceof Unjudged)) throw error;
    unusable.set(policy, error.message);
    throw notAsked(policy, error.message);
  }
}

function notAsked({ name, file }: Policy, why: string): Failure {
  return new Failure(
    "policy-not-usable",
    `The policy "${name}" cannot be asked: ${why}.`,
    `A pattern that tries without end is the usual reason. Mend it, and try it:\n  lintel policy test ${shellWord(file)}`,
  );
}

function findingsOf(policy: Policy, given: Json): Finding[] {
  const isMeant = policy.when.every(({ path, check }) => {
    const value = pointInto(given, path);
    return value !== undefined && check(value).length === 0;
  });
  if (!isMeant) return [];
  return policy.must.flatMap((condition) => {
    const value = pointInto(given, condition.path);
    const finding = (path: Path, how: string): Finding => ({ policy, condition, path, how });
    if (value === undefined) return [finding(condition.path, "is not there")];
    const faults = condition.check(value);
    const found = new Map<string, Finding>();
    for (const { path, message } of faults) {
      const whole = [...condition.path, ...path];
      const key = JSON.stringify(whole);
      if (!found.has(key))
        found.set(key, finding(whole, `${shown(pointInto(given, whole))} ${message}`));
    }
    return [...found.values()];
  });
}

/** A short form of a value; "is 120 and". */
function shown(value: Json | undefined): string {
  if (value === undefined || (typeof value === "object" && value !== null)) return "";
  const text = JSON.stringify(value);
  return `is ${text.length > 60 ? `${text.slice(0, 59)}…` : text} and`;
}

/** A thousand times longer than a policy takes. */
export const LONGEST_MS = 1000;

/** Why a policy could not be evaluated. */
export class Unjudged extends Error {
  override name = "Unjudged";
}

let context: (Context & { work: () => unknown }) | undefined;

/**
 * Node stops a script that takes too long, even inside a regular expression. This is no sandbox: the work runs in our
 * own context, which is safe because a schema is data.
 */
export function bounded<T>(work: () => T, longestMs = LONGEST_MS): T {
  context ??= createContext({ work }) as Context & { work: () => unknown };
  context.work = work;
  try {
    return runInContext("work()", context, { timeout: longestMs }) as T;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new Unjudged(`it takes longer than ${longestMs} ms`);
    }
    // A schema that refers to itself endlessly.
    if (error instanceof RangeError) throw new Unjudged("its schema leads in a circle");
    throw error;
  }
}
