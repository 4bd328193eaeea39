// Noun of this room: what is handed into the sealed engine, and what it tells of a run.

/** In a text of the outside, so that it is known wherever it comes to: no script has this by chance. */
export const MARK = /zq(?:\d+[a-z]|\[[^\]]*\])/i;

/** The question whose answer a text comes from. */
export function questionIn(text: string, answers: World["answers"]): string | undefined {
  const [mark = ""] = MARK.exec(text) ?? [];
  if (mark[2] === "[") return mark.slice(3, -1);
  return Object.keys(answers)[Number.parseInt(mark.slice(2), 10)];
}

export type Primitive = string | number | boolean | null;

export interface World {
  /** What the world outside says to a question, such as location.host. */
  readonly answers: Readonly<Record<string, Primitive>>;
  /** Names of the window that nobody has defined. */
  readonly missing: readonly string[];
  /** Milliseconds since 1970, and minutes west of Greenwich. */
  readonly now: number;
  readonly zone: number;
  /** Others call what they are handed at once, change it, and have every setting in what they give. */
  readonly isBusy: boolean;
  /** By place in the scripts, the way that is to be gone there; by 0, that errors of the way are passed over. */
  readonly forced: Readonly<Record<number, string>>;
  /** The first statements of functions that are called at the end. */
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

export interface At {
  readonly file: string;
  readonly line: number;
}

export interface Note extends At {
  readonly kind: "thrown" | "limit" | "script-error" | "hidden" | "foreign";
  readonly text: string;
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
  | { readonly reason: string };

export interface Report {
  /** At the end of the scripts, when promises are kept, and when all that waited has run. */
  readonly looks: readonly Look[];
  /** What was asked of the world, and where first. */
  readonly asked: readonly (readonly [string, At])[];
  /** By place, the ways that were gone there. */
  readonly came: readonly (readonly [number, readonly string[]])[];
  readonly notes: readonly Note[];
  /** By setting, the statement that gave it its value. */
  readonly placed: Readonly<Record<string, number>>;
}
