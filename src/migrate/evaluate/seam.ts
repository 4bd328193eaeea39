// Noun of this room: what is handed into the sealed engine, and what it tells of a run.

/** In a text of the outside, so that it is known wherever it comes to: no script has this by chance. */
export const MARK = /zq(?:\d+[a-z]|\[[^\]]*\])/i;

export type Primitive = string | number | boolean | null;

/** What the world outside says to a question, such as location.host or lib.mode. */
export type Answer =
  /** Something that can be called, read and written, and of which nothing is known. */
  | { readonly is: "something" }
  /** The same, but with every setting in it. */
  | { readonly is: "settings" }
  | { readonly is: "undefined" }
  | { readonly is: "value"; readonly value: Primitive };

export interface World {
  readonly answers: Readonly<Record<string, Answer>>;
  /** Milliseconds since 1970, and minutes west of Greenwich. */
  readonly now: number;
  readonly zone: number;
  /** Which questions it answers otherwise than the plain world does. */
  readonly differs: readonly string[];
  /** By place in the scripts, the way that is to be gone there, whatever the answers are. */
  readonly forced: Readonly<Record<number, string>>;
  /** The first statements of functions that are called at the end, if others can. */
  readonly called: readonly number[];
}

/** What a run of scripts is given, beside the world. */
export interface Given extends World {
  /** Names that the scripts use and nothing defines. */
  readonly names: readonly string[];
  /** What they declare with let, const or class, which no object holds. */
  readonly lexical: readonly string[];
  readonly settings: readonly string[];
  readonly usual: string;
  /** The name under which the scripts find the hooks. */
  readonly hooks: string;
  /** What the configuration is called, where it is asked which statement changed it. */
  readonly probed?: string | undefined;
}

export interface Run {
  readonly scripts: readonly { readonly file: string; readonly code: string }[];
  readonly given: Given;
  /** A run that takes longer is given up. */
  readonly limitMs: number;
}

export interface Question {
  readonly file: string;
  readonly line: number;
  /** Something went by it; its properties were listed. */
  readonly isUsed?: true;
  readonly isListed?: true;
}

export interface Note {
  readonly kind: "thrown" | "limit" | "written-script" | "hidden" | "foreign" | "key";
  readonly line: number;
  readonly text: string;
  readonly file: string;
}

/** The configuration at one moment. */
export interface Look {
  /** Absent where there is none. */
  readonly name?: string;
  /** A module has it, and no name of the page leads to it. */
  readonly isModule?: true;
  /** Where it comes from others as a whole. */
  readonly from?: string;
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, Seen>>;
  /** After which function was called by others. */
  readonly called?: number;
}

export type Seen =
  | { readonly json: string }
  | { readonly odd: string }
  /** Nothing that settings have words for, or what comes from others. */
  | { readonly reason: string; readonly from?: string };

export interface Report {
  /** At the end of the scripts, when promises are kept, when the page has loaded, and afterwards. */
  readonly looks: readonly Look[];
  readonly asked: readonly (readonly [string, Question])[];
  /** By place, the ways that were gone there; for a computed key, the keys. */
  readonly came: readonly (readonly [number, readonly string[]])[];
  /** Other answers that the script seems to wait for. */
  readonly guesses: readonly (readonly [string, Primitive])[];
  readonly notes: readonly Note[];
  /** By setting, the statement that gave it its value. */
  readonly placed: Readonly<Record<string, number>>;
}
