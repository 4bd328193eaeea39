// A command: its spec, which is plain data, and the function that runs it.
import type { Io } from "../io.js";
import type { Outcome } from "../outcome.js";
import type { PortalDocument } from "../report/documents.js";
import type { Made } from "../report/html-page.js";
import type { Styles } from "../report/styles.js";

export type Format =
  | "text"
  | "json"
  | "jsonl"
  | "sarif"
  | "junit"
  | "github"
  | "gitlab"
  | "gitlab-plan"
  | "markdown"
  | "html";

export interface Option {
  /** A verb or a noun phrase of at most eight words. */
  readonly description: string;
  /** Other names without dashes, such as "y"; those of several letters are for habits from other tools. */
  readonly alias?: string | readonly string[];
  /** What the value is called in the help; an option without one is a switch. */
  readonly value?: string;
  /** May be given several times; one with `values` takes several of them between commas, too. */
  readonly isList?: true;
  /** The values allowed. */
  readonly values?: readonly string[];
  /** What a shell offers where other values are allowed, too. */
  readonly offers?: readonly string[];
  /** The value is a number within these bounds. */
  readonly number?: {
    readonly least: number;
    readonly most: number;
    readonly isWhole?: true;
    /** For help, where neither the default nor the least is a good one. */
    readonly example?: number;
  };
  readonly default?: string | number;
  /** The environment variable that gives the value when the call does not. */
  readonly variable?: string;
  /** The page of the manual that lists the values, in place of the help. */
  readonly valuesIn?: string;
  /** The page of the manual that describes the option, in place of the help of each command. */
  readonly describedIn?: string;
}

export type Options = Readonly<Record<string, Option>>;

type One<O extends Option> = O extends { number: object }
  ? number
  : O extends { values: readonly (infer Value)[] }
    ? Value
    : string;

/** What an option is in a call: a switch is true or false, a list may be empty. */
type Value<O extends Option> = O extends { value: string }
  ? O extends { isList: true }
    ? readonly One<O>[]
    : O extends { default: string | number }
      ? One<O>
      : One<O> | undefined
  : boolean;

export type Values<O extends Options> = { readonly [Name in keyof O]: Value<O[Name]> };

type Offers = readonly (readonly string[])[];

/** One action of a command, with those of the command's options that it takes. */
export interface ActionSpec {
  /** A verb or a noun phrase of at most eight words. */
  readonly summary: string;
  /** The operands after the action. */
  readonly operands: string;
  readonly options: readonly string[];
  readonly example: readonly [call: string, description: string];
}

/** From it come help, completion and the types of the parsed arguments. */
export interface CommandSpec {
  /** The operands after the name, such as "[FILE…]". */
  readonly operands: string;
  readonly options: Options;
  /** The report formats that it has a use for; `text` first. */
  readonly formats: readonly Format[];
  readonly examples: readonly (readonly [call: string, description: string])[];
  /** By the first operand, for a command whose actions have little in common. */
  readonly actions?: Readonly<Record<string, ActionSpec>>;
  /** What a shell offers for each operand, the last list for all that follow; a file where a list is empty. */
  readonly offers?: Offers | (() => Promise<Offers>);
}

export interface ParsedArguments<O extends Options = Options> {
  readonly operands: readonly string[];
  readonly options: Values<O>;
  /** The options that the call names; the others have their defaults. */
  readonly given: ReadonlySet<string>;
  readonly destinations: readonly Destination[];
  readonly styles: Styles;
  /** Asked in place of a person, where a program runs the command. */
  readonly confirm?: (portals: readonly PortalDocument[]) => boolean | Promise<boolean>;
}

/** Where a report goes: standard output when no file is named. */
export interface Destination {
  readonly format: Format;
  readonly file?: string;
}

export interface Result {
  readonly outcome: Outcome;
  /** The report for people. */
  text(styles: Styles): string;
  /** The same with nothing but what is wrong; for those that have more to report. */
  quiet?(styles: Styles): string;
  /** For those that have reported everything while it happened. */
  json?(): string;
  /** For those commands whose formats name it. */
  jsonl?(): string;
  markdown?(): Promise<string>;
  /** For those that have more to show than their diagnostics and their failure. */
  html?(made: Made): Promise<string>;
}

export type Run<O extends Options> = (io: Io, call: ParsedArguments<O>) => Promise<Result>;

/** What the file of a command exports. */
export interface Command {
  readonly spec: CommandSpec;
  // A method, so that a command may name its own options.
  run(io: Io, call: ParsedArguments): Promise<Result>;
}

/** The headings of the help, in its order. */
export const GROUPS = [
  "Begin",
  "Every day",
  "State and history",
  "Many portals and machines",
  "More",
] as const;

export interface Listed {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  /** A verb or a noun phrase of at most eight words. */
  readonly summary: string;
  /** The page of the manual that the help names. */
  readonly topic?: string;
  readonly load: () => Promise<Command>;
}
