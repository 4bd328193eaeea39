// A program's call → the stories that the commands tell, and their results as plain data.
import packageFacts from "../package.json" with { type: "json" };
import type { RuleCode } from "./document/check/rules/all.js";
import type { Diagnostic, DiagnosticCode as ProblemCode } from "./diagnostic.js";
import { checkFile } from "./document/check/check-file.js";
import {
  applyAll,
  diagnosticsOf,
  muster,
  planAll,
  resultOf,
  tellUnseen,
  type Bound,
} from "./run/fleet.js";
import type { Exit } from "./failure.js";
import type { GuardName } from "./guard.js";
import { openHttp, readingDoor, type Http } from "./http/http.js";
import { openPermits } from "./http/permits.js";
import { sleep, zone, type Io, readMachine, type Machine, type OwnProcess } from "./io.js";
import { rollUp } from "./outcome.js";
import type { Options } from "./plan/inputs.js";
import type { PortalResult } from "./plan/result.js";
import type { Tools } from "./run/portal.js";
import { shellWord } from "./text.js";
import { openSignIns } from "./session/sign-ins.js";

/** Every code that a diagnostic may have. */
export type DiagnosticCode = ProblemCode | RuleCode;

/** Node's own `process`, or what a test has in its place. */
export interface Surroundings extends OwnProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

export interface CheckOptions {
  readonly process: Surroundings;
}

export interface PlanOptions extends CheckOptions {
  /** The guards to open. */
  readonly allow?: readonly GuardName[];
  readonly send?: Options["send"];
  readonly compareWith?: Options["compareWith"];
  /** How many portals at a time; 8 when left out. */
  readonly concurrency?: number;
  /** Ends the run as an interrupt does. */
  readonly signal?: AbortSignal;
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
  /** How long to wait for whoever holds a lock, in milliseconds; 60,000 when left out. */
  readonly lockTimeoutMs?: number;
  /** Whether to wait where an earlier update may still arrive, rather than fail; true when left out. */
  readonly mayWait?: boolean;
}

export interface Results {
  readonly portals: readonly PortalResult[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the command would exit with. */
  readonly exit: Exit;
}

/** Every problem of a desired-state file; none where it is fit to be planned. */
export async function check(file: string, options: CheckOptions): Promise<readonly Diagnostic[]> {
  return (await checkFile(file, ioOf(options))).diagnostics;
}

/** What an apply would do; changes nothing. */
export async function plan(files: readonly string[], options: PlanOptions): Promise<Results> {
  return run("plan", files, options, readingDoor, async (tools, bound) => {
    const prospects = await muster(files, tools);
    const members = await planAll(prospects, tools, wishesOf(options), bound);
    tellUnseen(tools);
    return resultsOf(
      members.map((member) => resultOf(member, "changes")),
      diagnosticsOf(members),
    );
  });
}

/** Makes portals as their files want them. */
export async function apply(files: readonly string[], options: ApplyOptions): Promise<Results> {
  const { confirm, lockTimeoutMs = 60_000, mayWait = true } = options;
  const whole = (http: Http) => http;
  return run("apply", files, options, whole, async (tools, bound) => {
    const prospects = await muster(files, tools);
    const wishes = wishesOf(options);
    const applying = {
      wishes,
      lockTimeoutMs,
      mayWait,
      ...(confirm && {
        confirm: async (results: readonly PortalResult[]) => {
          // A program in JavaScript may return anything, and "no" is not a yes.
          const answer: unknown = await confirm(results);
          return answer === true;
        },
      }),
    };
    return resultsOf(await applyAll(prospects, tools, applying, bound), diagnosticsOf(prospects));
  });
}

async function run(
  command: string,
  files: readonly string[],
  options: PlanOptions,
  narrow: (whole: Http) => Http,
  story: (tools: Tools, bound: Bound) => Promise<Results>,
): Promise<Results> {
  const { notice = () => {}, concurrency = 8, ca, cert, key } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number from 1, and is ${concurrency}`);
  }
  const io = ioOf(options);
  const permits = options.compareWith === "last" ? undefined : openPermits(io);
  const whole = openHttp(io, {
    notice,
    ...(permits && { assertAllowed: permits.assertAllowed }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  });
  const http = narrow(whole);
  const tools: Tools = {
    io,
    http,
    signIns: openSignIns(io, http, { notice }),
    permits,
    toolVersion: packageFacts.version,
    run: `lintel ${command} ${files.slice(0, 3).map(shellWord).join(" ")}`,
    notice,
  };
  try {
    return await story(tools, { io, concurrency });
  } finally {
    await whole.close();
  }
}

function wishesOf({ allow = [], send = "known", compareWith = "live-and-last" }: PlanOptions) {
  return { allow, send, compareWith };
}

function resultsOf(portals: readonly PortalResult[], diagnostics: readonly Diagnostic[]): Results {
  return { portals, diagnostics, exit: rollUp(portals.map(({ exit }) => exit)) };
}

/** Nobody is asked, and nothing is printed. */
function ioOf({ process: own, signal }: CheckOptions & Pick<PlanOptions, "signal">): Io {
  let machine: Machine | undefined;
  const silent = { write: () => {}, isTerminal: false };
  return {
    env: own.env,
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
    signal: signal ?? new AbortController().signal,
    get machine() {
      return (machine ??= readMachine(own));
    },
  };
}
