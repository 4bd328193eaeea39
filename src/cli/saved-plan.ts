// Finds a saved plan among the arguments by its content, and checks the options that its apply needs.
import { resolve } from "node:path";
import { Failure, wrongUsage } from "../failure.js";
import { readFile, reasonOf } from "../lib/files.js";
import type { Io } from "../io.js";
import { GUARDS, type GuardName } from "../guard.js";
import type { Plan } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";
import { parseSaved, type Saved } from "../plan/saved.js";
import { formatPath } from "../settings.js";
import type { ParsedArguments } from "../commands/command.js";
import { shellWord } from "../lib/text.js";

/** Enough for hundreds of portals. */
const LARGEST_PLAN = 64 * 1024 * 1024;

export interface NamedPlan extends Saved {
  readonly place: string;
}

export function findSavedPlan(
  io: Io,
  { operands }: Pick<ParsedArguments, "operands">,
): NamedPlan | undefined {
  const plans = operands.flatMap((place) => {
    const saved = readSavedPlan(io, place);
    return saved ? [{ ...saved, place }] : [];
  });
  const [plan] = plans;
  if (plan && operands.length > 1) {
    throw wrongUsage(
      `"${plan.place}" is a saved plan, which stands for itself.`,
      `Name it alone:\n  lintel apply ${shellWord(plan.place)}`,
    );
  }
  return plan;
}

/** Undefined for a file that is no saved plan. */
export function readSavedPlan(io: Io, place: string): Saved | undefined {
  if (place === "-") return undefined;
  const limits = { largest: LARGEST_PLAN, links: "followed" } as const;
  try {
    return parseSaved(readFile(resolve(io.cwd, place), limits).toString(), place);
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The options to allow the plans' guards again, each after a space. */
export function allowWords(plans: readonly Plan[]): string {
  return openedIn(plans)
    .map((name) => ` --allow ${name}`)
    .join("");
}

function openedIn(plans: readonly Plan[]): GuardName[] {
  const opened = plans.flatMap(({ guards }) =>
    guards.filter(({ openedBy }) => openedBy?.by === "command-line").map(({ name }) => name),
  );
  return GUARDS.filter((name) => opened.includes(name));
}

/** An apply must allow its plan's guards again. */
export function assertAllowed(saved: NamedPlan, allow: readonly GuardName[]): void {
  const { place, options } = saved;
  const unknown = GUARDS.filter((name) => allow.includes(name) && !options.allow.includes(name));
  if (unknown.length > 0) {
    throw wrongUsage(
      `The plan "${place}" was made without ${unknown.map((name) => `--allow ${name}`).join(" ")}.`,
      `Make it again, and review it:\n  ${callAgain(saved, unknown)}`,
    );
  }
  const plans = saved.portals.map(({ plan }) => plan);
  const missing = openedIn(plans).filter((name) => !allow.includes(name));
  if (missing.length === 0) return;
  const allowed = missing.map((name) => `--allow ${name}`).join(" ");
  throw new Failure(
    "guarded",
    `The plan "${place}" was made with ${allowed}, and apply needs it too.`,
    `Run:\n  lintel apply ${shellWord(place)}${allowWords(plans)}`,
  );
}

/** Adds the command that makes a stale plan again. */
export function withPlanCall(result: PortalResult, saved: NamedPlan): PortalResult {
  const { failure } = result;
  if (failure?.code !== "plan-stale") return result;
  const help = `Nothing was sent. Make a new plan and apply that one. In a pipeline, start a new run:\n  ${callAgain(saved)}`;
  return { ...result, failure: { ...failure, help } };
}

function callAgain({ named, options, place }: NamedPlan, more: readonly GuardName[] = []): string {
  const { paths = [], due = [], allow, compareWith: _usual, ...forgotten } = options;
  // Compiles only if this command includes all options.
  forgotten satisfies Readonly<Record<string, never>>;
  const path = paths.map(formatPath);
  const allowed = [...new Set([...allow, ...more])];
  const call = planCall(named.files, { only: named.only, path, due, allow: allowed });
  return `${call} --save ${shellWord(place)}`;
}

type Picks = Readonly<Record<"only" | "path" | "due" | "allow", readonly string[]>>;

export function planCall(files: readonly string[], { only, path, due, allow }: Picks): string {
  const words = Object.entries({ only, path, due, allow }).flatMap(([name, values]) =>
    values.flatMap((value) => [`--${name}`, shellWord(value)]),
  );
  return ["lintel plan", ...files.map(shellWord), ...words].join(" ");
}
