// The library: runs the commands of the same names for a program, and returns their JSON documents.
import { resolve } from "node:path";
import type { Command, CommandSpec, Format, Result } from "./commands/command.js";
import { formatReport } from "./cli/destinations.js";
import { parseWords, readArguments } from "./cli/parse.js";
import { caught, wrongUsage } from "./failure.js";
import type { GuardName } from "./guard.js";
import { givenIn, readMachine, sleep, zone, type Io, type Machine } from "./io.js";
import { isFolder } from "./lib/files.js";
import type { DUES } from "./plan/inputs.js";
import type {
  DriftDocument,
  PlanDocument,
  PortalDocument,
  StatusDocument,
  ValidateDocument,
} from "./report/documents.js";
import { documentOf } from "./report/json-report.js";
import { PLAIN } from "./report/styles.js";

/** An AbortSignal, which not every program's types know. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : never;

/** Options that every function has. */
export interface RunOptions {
  /** The folder that paths start from, by default the working directory. */
  readonly cwd?: string;
  /** The environment variables, by default those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Texts to read in place of files, by path: desired-state files, and bases that they extend. */
  readonly files?: Readonly<Record<string, string>>;
  /** Interrupts the run, as Ctrl-C does. */
  readonly signal?: Signal;
  /** Receives what the command writes to standard error, such as why it waits. */
  readonly notice?: (text: string) => void;
}

/** Options of functions that call portals, as docs/network.md describes them. */
export interface NetworkOptions extends RunOptions {
  /** Only portals with a matching name. */
  readonly only?: string | readonly string[];
  /** Portals to process in parallel, by default 8. */
  readonly concurrency?: number;
  /** Timeout of a request in seconds. */
  readonly timeout?: number;
  /** A file with a private CA to trust (PEM). */
  readonly caFile?: string;
  /** A file with a client certificate (PEM). */
  readonly cert?: string;
  /** A file with the private key of the client certificate (PEM). */
  readonly key?: string;
}

export interface CheckOptions extends RunOptions, Pick<PlanOptions, "only" | "policy"> {}

export interface PlanOptions extends NetworkOptions {
  /** Guards whose changes are allowed. */
  readonly allow?: readonly GuardName[];
  /** Plan as of this time, such as `2026-12-05T18:00`, instead of now. */
  readonly at?: string;
  /** Only scheduled changes, or drift to revert. */
  readonly due?: readonly (typeof DUES)[number][];
  /** Only these settings and those below them. */
  readonly path?: string | readonly string[];
  /** Files and folders with policies to enforce, beside those of LINTEL_POLICY. */
  readonly policy?: string | readonly string[];
  /** Skip portals on hold instead of failing. */
  readonly skipHeld?: boolean;
  /** Compare with the state only, without a network. */
  readonly offline?: boolean;
  /** Compare with the live portal only. */
  readonly noState?: boolean;
}

/** Shown the plans before anything is sent; nothing is sent unless it returns true. */
export type Confirm = (portals: readonly PortalDocument[]) => boolean | Promise<boolean>;

export interface ApplyOptions extends Omit<PlanOptions, "at" | "offline" | "noState"> {
  /** Asked before anything is sent. Without it, apply sends what the files set. */
  readonly confirm?: Confirm;
  /** Apply to these portals first, and verify them: a number, or a pattern of names. */
  readonly canary?: number | string;
  /** Continue with other portals after an update that failed. */
  readonly keepGoing?: boolean;
  /** Maximum wait for another run in seconds, by default 120; 0 fails at once. */
  readonly wait?: number;
}

export interface DriftOptions extends NetworkOptions, Pick<PlanOptions, "path"> {
  /** Include settings that the files do not manage. */
  readonly all?: boolean;
}

export interface StatusOptions extends NetworkOptions {
  /** Do not contact the portals. */
  readonly offline?: boolean;
}

export interface RollbackOptions
  extends NetworkOptions, Pick<ApplyOptions, "allow" | "path" | "policy" | "wait"> {
  /** Asked before anything is sent. Without it, rollback sends its plan. */
  readonly confirm?: Confirm;
  /** The apply to return to, 0 for none. */
  readonly to?: number;
  /** Undo every apply since this time, such as `2h`. */
  readonly since?: string;
}

/**
 * Checks desired-state files, as `lintel validate` does.
 *
 * @example
 * const { diagnostics } = await check(["portal.yaml"]);
 * for (const { file, line, message } of diagnostics) console.log(`${file}:${line ?? 1}: ${message}`);
 *
 * @example
 * await check(["portal.yaml"], { files: { "portal.yaml": text } });
 */
export function check(
  files: readonly string[],
  options: CheckOptions = {},
): Promise<ValidateDocument> {
  return run("validate", files, options);
}

/**
 * Returns what an apply would change. Changes nothing.
 *
 * @example
 * const { portals } = await plan(["portals"], { only: "north-*" });
 * for (const { name, changes } of portals) console.log(name, changes.length);
 */
export function plan(files: readonly string[], options: PlanOptions = {}): Promise<PlanDocument> {
  return run("plan", files, options);
}

/**
 * Applies desired-state files to their portals, and verifies the result.
 *
 * @example
 * const { exitCode } = await apply(["portal.yaml"], {
 *   confirm: (portals) => portals.every(({ changes }) => changes.length <= 3),
 * });
 */
export function apply(files: readonly string[], options: ApplyOptions = {}): Promise<PlanDocument> {
  return run("apply", files, options);
}

/**
 * Returns what was changed outside Lintel since the last apply. Changes nothing.
 *
 * @example
 * const { portals } = await drift(["portals"]);
 * const changed = portals.filter(({ changes }) => changes.length > 0);
 */
export function drift(
  files: readonly string[],
  options: DriftOptions = {},
): Promise<DriftDocument> {
  return run("drift", files, options);
}

/**
 * Returns the status of portals: the last apply, a hold, pending changes, the next command.
 *
 * @example
 * const { portals } = await status(["portals"], { offline: true });
 * for (const { name, lastApply } of portals) console.log(name, lastApply?.time ?? "never");
 */
export function status(
  files: readonly string[],
  options: StatusOptions = {},
): Promise<StatusDocument> {
  return run("status", files, options);
}

/**
 * Returns portals to what they were before their last apply. They are on hold afterwards.
 *
 * @example
 * await rollback(["portal.yaml"], { to: 4, allow: ["overwrite-drift"] });
 */
export function rollback(
  files: readonly string[],
  options: RollbackOptions = {},
): Promise<PlanDocument> {
  return run("rollback", files, options);
}

/**
 * Writes a document that one of these functions returned as a report of the command line.
 *
 * @example
 * const planned = await plan(["portal.yaml"]);
 * await writeFile("plan.html", await render(planned, "html"));
 */
export async function render(document: ReportDocument, format: Format): Promise<string> {
  const ran = runs.get(document);
  if (!ran) {
    throw new TypeError(
      "render takes a document that check, plan, apply, drift, status or rollback has returned",
    );
  }
  const { command, spec, result, io } = ran;
  if (!spec.formats.some((each) => each === format)) {
    const message = `Unknown report "${format}" for "lintel ${command}".`;
    throw wrongUsage(message, `Reports: ${spec.formats.join(", ")}.`);
  }
  return formatReport(format, result, io, PLAIN);
}

export type ReportDocument = ValidateDocument | PlanDocument | DriftDocument | StatusDocument;

const COMMANDS = {
  validate: () => import("./commands/validate.js"),
  plan: () => import("./commands/plan.js"),
  apply: () => import("./commands/apply.js"),
  drift: () => import("./commands/drift.js"),
  status: () => import("./commands/status.js"),
  rollback: () => import("./commands/rollback/rollback.js"),
} as const satisfies Readonly<Record<string, () => Promise<Command>>>;

/** What `render` needs of the run that returned a document. */
const runs = new WeakMap<
  object,
  {
    readonly command: string;
    readonly spec: CommandSpec;
    readonly result: Result;
    readonly io: Io;
  }
>();

/** Parses the options as words of the command line, so that both have the same checks and messages. */
async function run<Document extends ReportDocument>(
  name: keyof typeof COMMANDS,
  files: readonly string[],
  { cwd, env, files: texts, signal, notice, confirm, ...options }: RunOptions & Asking,
): Promise<Document> {
  assertTypes(files, { cwd, env, files: texts, signal, notice, confirm });
  const unknown = Object.keys(options).find((option) => OF_COMMAND_LINE.includes(option));
  if (unknown !== undefined) throw new TypeError(`"${unknown}" is no option of the library.`);
  const io = ioOf({ cwd, env, files: texts, signal, notice });
  const command: Command = await COMMANDS[name]();
  const words = Object.entries<Value>({ ...options }).flatMap(([option, value]) =>
    wordsOf(option, value, command.spec.options),
  );
  const asks = "yes" in command.spec.options;
  if (confirm && !asks) throw new TypeError(`"confirm" is no option of ${name}.`);
  // Without a terminal both commands require an answer.
  const yes = asks && !confirm ? ["--yes"] : [];
  let thrown: { readonly error: unknown } | undefined;
  const ask = async (portals: readonly PortalDocument[]) => {
    try {
      return (await confirm?.(portals)) ?? false;
    } catch (error) {
      thrown = { error };
      throw error;
    }
  };
  try {
    const parsed = parseWords(name, command.spec, [...words, ...yes, "--", ...files]);
    const given = { ...readArguments(parsed), styles: PLAIN, ...(confirm && { confirm: ask }) };
    const result = await command.run(io, given);
    const document = documentOf(result.outcome);
    runs.set(document, { command: name, spec: command.spec, result, io });
    return document as unknown as Document;
  } catch (error) {
    throw thrown ? thrown.error : caught(error, io);
  }
}

/** Options of the commands that have no meaning here. */
const OF_COMMAND_LINE: readonly string[] = ["yes", "output", "json", "save", "load", "help"];

/** A program in JavaScript may pass anything. */
function assertTypes(files: unknown, options: Readonly<Record<string, unknown>>): void {
  if (!Array.isArray(files) || !files.every((file) => typeof file === "string")) {
    throw new TypeError("The first argument must be a list of paths.");
  }
  if (files.length === 0) throw new TypeError("The list of paths is empty.");
  for (const [name, [type, isFit]] of Object.entries(TYPES)) {
    const value = options[name];
    if (value !== undefined && !isFit(value)) throw new TypeError(`"${name}" must be ${type}.`);
  }
}

const TYPES: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  // A new folder would begin a new state there.
  cwd: ["an existing folder", (value) => typeof value === "string" && isFolder(value)],
  env: ["an object of texts", areTexts],
  files: ["an object of texts", areTexts],
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
  notice: ["a function", (value) => typeof value === "function"],
  confirm: ["a function", (value) => typeof value === "function"],
};

function areTexts(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Symbol.iterator in value) return false;
  return Object.values(value).every((each) => each === undefined || typeof each === "string");
}

interface Asking {
  readonly confirm?: Confirm;
}

type Value = string | number | boolean | undefined | readonly (string | number)[];

/** A false flag is left out. The parser refuses what the command does not have. */
function wordsOf(option: string, value: Value, known: CommandSpec["options"]): string[] {
  const name = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const about = known[name];
  if (value === undefined || (value === false && about && about.value === undefined)) return [];
  if (typeof value === "boolean" || !about) return [`--${name}`];
  return [value].flat().map((each) => `--${name}=${each}`);
}

type Given = { readonly [Name in keyof RunOptions]: RunOptions[Name] | undefined };

/** Nothing is printed and nothing is read from a terminal. */
function ioOf({ cwd = process.cwd(), env = process.env, files, signal, notice }: Given): Io {
  let machine: Machine | undefined;
  const texts = Object.entries(files ?? {}).map(
    ([path, text]) => [resolve(cwd, path), text] as const,
  );
  return {
    env: givenIn(env),
    cwd,
    files: new Map(texts),
    stdin: {
      read: () => Promise.resolve(new Uint8Array()),
      ask: () => Promise.resolve(undefined),
      askUnseen: () => Promise.resolve(undefined),
      isTerminal: false,
    },
    stdout: { write: () => {}, isTerminal: false },
    stderr: { write: (text) => notice?.(text), isTerminal: false },
    now: () => Date.now(),
    zone,
    random: () => Math.random(),
    sleep,
    signal: signal ?? new AbortController().signal,
    get machine() {
      return (machine ??= readMachine(process));
    },
  };
}
