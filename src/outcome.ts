// Core type: the outcome of a run.
import { hasErrors, type Diagnostic } from "./diagnostic.js";
import { EXIT, type Exit, type Failure } from "./failure.js";

/** A folder that a command line names, and its files. */
export interface NamedFolder {
  readonly folder: string;
  readonly files: readonly string[];
}

/** The settings that plans would change: those that have no value so far, that get another, and that go back to their default. */
export interface Sends {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

export interface Outcome {
  readonly command: string;
  readonly exit: Exit;
  readonly diagnostics: readonly Diagnostic[];
  readonly failure?: Pick<Failure, "code" | "message" | "help">;
  /** Why the run failed, without an error or a failure. */
  readonly why?: string;
  /** The files of the run, in order. */
  readonly files?: readonly string[];
  /** Those of them that cannot be used, and the first error of each, which may stand in a base. */
  readonly invalidFiles?: ReadonlyMap<string, Diagnostic>;
  /** The portals' parts of the JSON document. */
  readonly portals?: readonly object[];
  /** Absent where a portal has no plan, so that it is not known. */
  readonly sends?: Sends;
  /** Files that no report may replace, where `files` are not all. */
  readonly inputs?: readonly string[];
  /** What the command adds to its JSON document. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export function outcomeOfCheck(
  command: string,
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
): Outcome {
  return { command, exit: hasErrors(diagnostics) ? EXIT.invalid : EXIT.done, diagnostics, files };
}

export function outcomeOfFailure(command: string, failure: Failure): Outcome {
  const { code, message, help } = failure;
  return { command, exit: failure.exit, diagnostics: [], failure: { code, message, help } };
}

/** One exit status for many portals: the highest of those that failed; 2 where none failed and some change. */
export function rollUp(exits: readonly Exit[]): Exit {
  const failed = exits.filter((exit) => exit !== EXIT.done && exit !== EXIT.pending);
  const highest = failed.toSorted((one, other) => other - one)[0];
  return highest ?? (exits.includes(EXIT.pending) ? EXIT.pending : EXIT.done);
}
