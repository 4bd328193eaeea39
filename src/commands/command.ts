// What a command is: how people call it, and what it makes of a call.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { Outcome } from "../outcome.js";
import type { Made } from "../report/html/page.js";
import type { Paint } from "../report/text/paint.js";

export type Format =
  | "text"
  | "json"
  | "sarif"
  | "junit"
  | "github"
  | "gitlab"
  | "markdown"
  | "html";

export interface Option {
  readonly meaning: string;
  /** What the value is called in the help; an option without one is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly isRepeatable?: true;
  /** The values allowed; the first is what leaving the option out means. */
  readonly values?: readonly string[];
  /** Leaving it out means none of its values. */
  readonly hasNoDefault?: true;
}

export interface Spec {
  readonly name: string;
  readonly summary: string;
  /** The words after the name, such as "[FILE…]". */
  readonly operands: string;
  readonly mostOperands: number;
  readonly options: Readonly<Record<string, Option>>;
  /** The report formats that it has a use for; `text` first. */
  readonly formats: readonly Format[];
  readonly examples: readonly (readonly [call: string, meaning: string])[];
  /** --quiet leaves its report away where there is no problem; other reports are what was asked for. */
  readonly isOnlyAboutProblems?: true;
  /** What a shell offers after the command's name. */
  readonly completes?: "files" | "settings" | "versions" | "shells" | "topics";
  /** Loaded when it is called, so that no command pays for another. */
  load(): Promise<{ readonly run: Run }>;
}

export interface Call {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | true | readonly string[]>>;
  readonly destinations: readonly Destination[];
  readonly paint: Paint;
}

/** Where a report goes: standard output when no file is named. */
export interface Destination {
  readonly format: Format;
  readonly file?: string;
}

export interface Result {
  readonly outcome: Outcome;
  /** The report for people. */
  text(paint: Paint): string | Iterable<string>;
  /** For those commands whose formats name it. */
  markdown?(): Promise<string>;
  /** For those that have more to show than their diagnostics and their failure. */
  html?(made: Made): Promise<string>;
}

export type Run = (io: Io, call: Call) => Promise<Result>;

/** The number that an option holds, within its bounds. */
export function numberOf(
  call: Call,
  name: string,
  bounds: { readonly least: number; readonly most: number; readonly isWhole?: true },
): number | undefined {
  const text = valueOf(call, name);
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const { least, most, isWhole } = bounds;
  if (value >= least && value <= most && !(isWhole && !Number.isInteger(value))) return value;
  throw new Failure(
    "wrong-usage",
    `"${text}" is not a value of "--${name}".`,
    `Write a ${isWhole ? "whole " : ""}number from ${least} to ${most}.`,
  );
}

/** The value of an option that may be given once. */
export function valueOf(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === "string" ? value : undefined;
}
