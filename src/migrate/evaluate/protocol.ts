// Defines what the host hands to the sealed engine, and what a run reports back.

/** Stands in texts of the page, so that a value shows which answer it was made of. No script holds this by chance. */
export const MARK = /zq(?:\d+[a-z]|\[[^\]]*\])/i;

/** The question whose answer a text was made of. */
export function questionOf(text: string, answers: World["answers"]): string | undefined {
  const [mark = ""] = MARK.exec(text) ?? [];
  if (mark[2] === "[") return mark.slice(3, -1);
  return Object.keys(answers)[Number.parseInt(mark.slice(2), 10)];
}

/** What scripts look for, and most pages lack: storage is empty at first, and old browsers had more names. */
export const MAY_LACK =
  /^(?:(?:navigator|screen|\w+Storage)\.(?!(?:[gs]et|remove)Item|clear|key)[^.(]+|document\.(?:all|attachEvent|documentMode)|document\.(?:getElementById|querySelector)\(\)|\w+Storage\.getItem\(\))$/;

export type Primitive = string | number | boolean | null;

/** A page that a script may run in. */
export interface World {
  /** What the page answers to a question, such as location.host. */
  readonly answers: Readonly<Record<string, Primitive>>;
  /** Names that other scripts have defined, and what most pages lack. */
  readonly names: readonly string[];
  /** Milliseconds since 1970, and minutes west of Greenwich. */
  readonly now: number;
  readonly zone: number;
  /** Other scripts call what they are handed at once, change it, and set every setting. */
  readonly isBusy: boolean;
  /** By site, what to do there, independent of its value. */
  readonly forced: Readonly<Record<number, Force>>;
  /** What is read from null or undefined is made up, so that a forced way comes to its end. */
  readonly isLenient?: boolean;
}

export interface Force {
  /** "1" and "0" for a test, "x" for another result, "throw" for an error. */
  readonly way: string;
  /** From this visit of the site to that one, counted from 1. */
  readonly first: number;
  readonly last: number;
}

export interface Given extends World {
  /** Declared with let, const or class: no object holds them. */
  readonly lexical: readonly string[];
  readonly settings: readonly string[];
  /** What another script's object may hold. */
  readonly keys: readonly string[];
  readonly usual: string;
  /** The name under which the scripts find the hooks. */
  readonly hooks: string;
}

export interface Run {
  readonly scripts: readonly { readonly file: string; readonly code: string }[];
  readonly given: Given;
  /** Steps of the engine after which the run ends: the same number on each machine. */
  readonly steps: number;
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
  /** A module returns it, and no name of the page leads to it. */
  readonly isModule?: true;
  /** What it comes from, where other scripts make it. */
  readonly from?: string;
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, Seen>>;
}

export type Seen =
  | { readonly json: string }
  | { readonly odd: string }
  /** No value of a setting, or one that other scripts make. */
  | { readonly reason: string };

export interface Report {
  /** Of the engine, that the run took. */
  readonly steps: number;
  /** After the scripts, after promise jobs, and after each timer and event handler. */
  readonly looks: readonly Look[];
  /** The questions that the scripts asked, and where first. */
  readonly asked: readonly (readonly [string, At])[];
  readonly visited: readonly Visited[];
  /** What the settings were, in their order, at the conditions that the scripts came to. */
  readonly moments: readonly (readonly number[])[];
  /** Functions and catch clauses, by site. */
  readonly entered: readonly number[];
  readonly notes: readonly Note[];
}

/** What a run did at a site. */
export interface Visited {
  readonly id: number;
  readonly count: number;
  /** What was computed there, or the way that was taken. */
  readonly ways: readonly string[];
  /** The way of each visit, where a value decides. */
  readonly taken: string;
  /** What it was computed from. */
  readonly operands: readonly number[];
  /** An operand was made of an answer of the page. */
  readonly isMarked: boolean;
  /** By their place among all moments of the run. */
  readonly moments: readonly number[];
}
