// A program's call → the stories that the commands tell, and their results as plain data.
import packageFacts from "../package.json" with { type: "json" };
import type { RuleCode } from "./document/check/rules/all.js";
import type { Diagnostic, DiagnosticCode as ProblemCode } from "./diagnostic.js";
import { Failure, type Exit } from "./failure.js";
import { GUARDS, type GuardName } from "./guard.js";
import { openHttp, readOnlyClient } from "./http/http.js";
import { openHostAllowlist } from "./http/host-allowlist.js";
import { givenIn, readMachine, sleep, zone, type Io, type Machine, type OwnProcess } from "./io.js";
import { rollUp } from "./outcome.js";
import type { Options } from "./plan/inputs.js";
import type { PortalResult } from "./plan/result.js";
import { applyPrepared, isToSend, preparedResult, prepareApplies } from "./apply/apply-fleet.js";
import { diagnosticsOf } from "./apply/each-portal.js";
import { planOptionsOf, planPortals } from "./apply/plan-portal.js";
import type { Member } from "./apply/portal-context.js";
import { plannedResult } from "./apply/portal-result.js";
import { UNWATCHED } from "./progress.js";
import { assertPoliciesUsable, checkByPolicies, openPolicyChecks } from "./apply/policy-checks.js";
import type { RunContext } from "./apply/run-context.js";
import { openSignIns } from "./session/sign-ins.js";
import { openStores } from "./state/open.js";
import { shellWord } from "./lib/text.js";

/** Every code that a diagnostic may have. */
export type DiagnosticCode = ProblemCode | RuleCode;

/** What of Node's `process` is used. */
export interface Surroundings extends OwnProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** An AbortSignal, which not every program's types know. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : never;

export interface PlanOptions {
  /** The guards to open. */
  readonly allow?: readonly GuardName[];
  readonly compareWith?: Options["compareWith"];
  /** Paths of policies to keep, beside those of LINTEL_POLICY. */
  readonly policies?: readonly string[];
  /** How many portals at a time; 8 when left out. */
  readonly concurrency?: number;
  /** Ends the run as an interrupt does. */
  readonly signal?: Signal;
  /** Told why the run waits, and what it could not do. */
  readonly notice?: (sentence: string) => void;
  /** In PEM: an authority to trust beside the usual ones, and a client certificate with its key. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface ApplyOptions extends PlanOptions {
  /** Shown every plan before anything is sent; without it, whatever the files want is applied. */
  readonly confirm?: (results: readonly PortalResult[]) => boolean | Promise<boolean>;
  /** The longest wait for another run, in milliseconds; 120,000 when left out, and 0 fails at once. */
  readonly waitMs?: number;
}

export interface Results {
  readonly portals: readonly PortalResult[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the command would exit with. */
  readonly exit: Exit;
}

export interface Library {
  /** Every problem of a desired-state file; none where it is fit to be planned. */
  readonly check: (
    file: string,
    options?: Pick<PlanOptions, "policies">,
  ) => Promise<readonly Diagnostic[]>;
  /** What an apply would do; changes nothing. */
  readonly plan: (files: readonly string[], options?: PlanOptions) => Promise<Results>;
  /** Makes portals as their files want them. */
  readonly apply: (files: readonly string[], options?: ApplyOptions) => Promise<Results>;
}

/** For the surroundings of a program; a test hands in others. */
export function openLibrary(own: Surroundings): Library {
  return {
    check: async (file, { policies = [] } = {}) => {
      const io = ioOf(own);
      const checks = openPolicyChecks(policies, io);
      const { diagnostics } = await checkByPolicies(file, io, checks);
      return [...(await checks.problems()), ...diagnostics];
    },
    plan: async (files, options = {}) => {
      await using run = await openRun(own, "plan", files, options);
      const members = await planPortals(run, files, planOptionsOf(options));
      return resultsOf(members.map(plannedResult), members);
    },
    apply: async (files, options = {}) => {
      await using run = await openRun(own, "apply", files, options);
      const { confirm, waitMs = 120_000 } = options;
      const waiting = { waitMs };
      const applying = { options: planOptionsOf(options), waiting };
      const prepared = await prepareApplies(run, files, applying);
      // A program in JavaScript may return anything, and "no" is not a yes.
      const isDeclined =
        confirm &&
        prepared.some(isToSend) &&
        ((await confirm(prepared.map(preparedResult))) as unknown) !== true;
      const applied = await applyPrepared(run, prepared, {
        waiting,
        isBound: confirm !== undefined,
        declined: isDeclined
          ? new Failure("declined", "Cancelled at the prompt. Nothing was applied.")
          : undefined,
      });
      return resultsOf(
        applied.map(({ result }) => result),
        prepared,
      );
    },
  };
}

function resultsOf(results: readonly PortalResult[], members: readonly Member<unknown>[]): Results {
  const exit = rollUp(results.map((each) => each.exit));
  return { portals: results, diagnostics: diagnosticsOf(members), exit };
}

const own = openLibrary(process);

export const check: Library["check"] = own.check;
export const plan: Library["plan"] = own.plan;
export const apply: Library["apply"] = own.apply;

async function openRun(
  own: Surroundings,
  command: "plan" | "apply",
  files: readonly string[],
  options: PlanOptions,
): Promise<RunContext & AsyncDisposable> {
  const { notice = () => {}, concurrency = 8, ca, cert, key } = options;
  assertUnderstood(files, concurrency, options);
  const io = ioOf(own, options.signal);
  const policies = openPolicyChecks(options.policies ?? [], io);
  await assertPoliciesUsable(policies);
  const allowlist = openHostAllowlist(io);
  const { assertAllowed } = allowlist;
  const client = openHttp(io, { notice, assertAllowed, ca, cert, key });
  const http = command === "plan" ? readOnlyClient(client) : client;
  const stores = openStores({ io, http, assertAllowed, ca });
  return {
    io,
    http,
    signIns: openSignIns(io, http, { notice }),
    allowlist,
    isOnline: options.compareWith !== "last",
    stores,
    toolVersion: packageFacts.version,
    atMs: io.now(),
    concurrency,
    progress: UNWATCHED,
    policies,
    command: `lintel ${command} ${files.slice(0, 3).map(shellWord).join(" ")}`,
    notice,
    async [Symbol.asyncDispose]() {
      await stores.close();
      await client.close();
    },
  };
}

/** A program in JavaScript may hand in anything; what nobody understands must not be taken for what is usual. */
function assertUnderstood(files: unknown, concurrency: number, options: PlanOptions): void {
  if (!Array.isArray(files) || !files.every((each) => typeof each === "string")) {
    throw new TypeError("files must be a list of paths");
  }
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number from 1, and is ${concurrency}`);
  }
  const { allow = [], compareWith = "live-and-last" } = options;
  if (!Array.isArray(allow)) throw new TypeError("allow must be a list of guards");
  assertAmong("allow", GUARDS, allow);
  assertAmong("compareWith", COMPARED_WITH, [compareWith]);
}

const COMPARED_WITH = [
  "live-and-last",
  "live",
  "last",
] as const satisfies readonly Options["compareWith"][];

function assertAmong(name: string, known: readonly string[], given: readonly string[]): void {
  const unknown = given.find((each) => !known.includes(each));
  if (unknown === undefined) return;
  throw new RangeError(`${name} takes ${known.join(", ")}, and is given "${unknown}"`);
}

/** Nobody is asked, and nothing is printed. */
function ioOf(own: Surroundings, signal: AbortSignal = new AbortController().signal): Io {
  let machine: Machine | undefined;
  const silent = { write: () => {}, isTerminal: false };
  return {
    env: givenIn(own.env),
    cwd: own.cwd(),
    stdin: {
      read: () => Promise.resolve(new Uint8Array()),
      ask: () => Promise.resolve(undefined),
      askUnseen: () => Promise.resolve(undefined),
      isTerminal: false,
    },
    stdout: silent,
    stderr: silent,
    now: () => Date.now(),
    zone,
    random: () => Math.random(),
    sleep,
    signal,
    get machine() {
      return (machine ??= readMachine(own));
    },
  };
}
