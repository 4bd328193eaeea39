// Core type: the outcome of a run.
import { hasErrors, type Diagnostic } from "./diagnostic.js";
import { EXIT, type Exit, type Failure } from "./failure.js";

/** A folder that a command line names, and its files. */
export interface NamedFolder {
  readonly folder: string;
  readonly files: readonly string[];
}

/** The settings that plans would change: without a value so far, with another one, and back to their default. */
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
  /** The unusable files, each with its first error, which may be in a base. */
  readonly invalidFiles?: ReadonlyMap<string, Diagnostic>;
  /** The portals' parts of the JSON document. */
  readonly portals?: readonly object[];
  /** Absent if a portal has no plan, because the sum is unknown. */
  readonly sends?: Sends;
  /** Files that no report may overwrite, if other than `files`. */
  readonly inputs?: readonly string[];
  /** The command's own keys of the JSON document. */
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

/** Combines exit statuses: the highest of failed portals; 2 if none failed and some would change. */
export function rollUp(exits: readonly Exit[]): Exit {
  const failed = exits.filter((exit) => exit !== EXIT.done && exit !== EXIT.pending);
  const highest = failed.toSorted((one, other) => other - one)[0];
  return highest ?? (exits.includes(EXIT.pending) ? EXIT.pending : EXIT.done);
}
