// Noun of this room: what can be known of a value without running anything, and why it is not known.
import type { Node } from "acorn";
import type { Stretch } from "./script.js";

/** Why a value is not known; continues "The value of … cannot be known: it …". */
export const REASONS = {
  host: "depends on the portal's address",
  page: "depends on the page that is open",
  browser: "depends on the browser",
  name: "uses a name that is not defined here",
  call: "comes from a call whose result the file does not show",
  changed: "is changed in place by a call",
  "handed-on": "is handed on to code that may change it",
  condition: "is set under a condition",
  loop: "is set in a loop",
  try: "is set where an error may get in between",
  function: "is set in a function, and whether and when that runs is not known",
  getter: "is computed by a getter or a setter",
  spread: "may come from a spread of something that is not known",
  alias: "is set through another name for the configuration",
  key: "may be set under a key that is not known",
  prototype: "may be inherited from something that is not known",
  deleted: "is deleted",
  hidden: "may be changed by code that is hidden in a text",
  unreached: "is set behind something that may end the script",
  code: "is a function",
  form: "is written in a way that is not computed here",
  depth: "nests too deep",
  size: "grows too large",
  limit: "stands in a script that makes more lists and texts than are computed here",
} as const;

export type Reason = keyof typeof REASONS;

export interface Why {
  readonly reason: Reason;
  readonly at: Stretch;
}

export interface Plain {
  readonly kind: "plain";
  readonly value: string | number | boolean | null | undefined;
  /** It holds only where the portal is opened over https. */
  readonly isAssumed: boolean;
}

/** A text that begins so and goes on in a way that is not known. */
export interface OpenText {
  readonly kind: "open-text";
  readonly text: string;
  readonly why: Why;
}

/** A number that is not known but for its lower bound. */
export interface AtLeast {
  readonly kind: "at-least";
  readonly least: number;
  readonly why: Why;
}

export interface Unknown {
  readonly kind: "unknown";
  readonly why: Why;
}

/** A list or an object can be changed through any name that leads to it, so it is one thing wherever it is held. */
export interface List {
  readonly kind: "list";
  readonly items: Value[];
  /** More items may follow. */
  readonly isOpen?: Why;
  /** Some places hold nothing, which is not the same as undefined. */
  readonly hasHoles?: true;
  /** It is so only where the portal is opened over https. */
  isByProtocol?: true;
  spoiled?: Why;
}

export interface Entry {
  readonly value: Value;
  /** Where the name stands that it was set by. */
  readonly name: Stretch;
  /** What was written for it. */
  readonly written: Stretch;
}

export interface Thing {
  readonly kind: "thing";
  readonly entries: Map<string, Entry>;
  /** Not defined in any file that was read, so that more may be in it. */
  readonly isAssumed?: true;
  /** Names that stood there before, and were overwritten by the same literal. */
  readonly repeated: { readonly name: string; readonly first: Stretch; readonly again: Stretch }[];
  /** What other code may set at any time. */
  readonly spoiledKeys: Map<string, Why>;
  /** What other code may change at any time, though it keeps its place. */
  readonly leakedKeys: Map<string, Why>;
  /** It is so only where the portal is opened over https. */
  isByProtocol?: true;
  /** The window holds it under the usual name. */
  isPublished?: true;
  /** Names that are not among the entries may be set too. */
  rest?: Why;
  spoiled?: Why;
}

export type Value =
  | Plain
  | OpenText
  | AtLeast
  | Unknown
  | List
  | Thing
  | { readonly kind: "window" }
  | { readonly kind: "location" }
  | { readonly kind: "document" }
  | { readonly kind: "code"; readonly node: Node };

export function plain(value: Plain["value"], isAssumed = false): Plain {
  return { kind: "plain", value, isAssumed };
}

export function unknown(why: Why): Unknown {
  return { kind: "unknown", why };
}

export function thing(more: Partial<Thing> = {}): Thing {
  return {
    kind: "thing",
    entries: new Map(),
    repeated: [],
    spoiledKeys: new Map(),
    leakedKeys: new Map(),
    ...more,
  };
}

/** It came about because the portal is taken to be opened over https. */
export function byProtocol(value: Value): Value {
  if (value.kind === "plain") return { ...value, isAssumed: true };
  if (value.kind === "list" || value.kind === "thing") value.isByProtocol = true;
  return value;
}

/** Other code has it now: nothing in it, nor in what it holds, is known any more. */
export function spoil(value: Value | undefined, why: Why): void {
  const left = value ? [value] : [];
  for (let each = left.pop(); each; each = left.pop()) {
    if ((each.kind !== "list" && each.kind !== "thing") || each.spoiled) continue;
    each.spoiled = why;
    if (each.kind === "list") for (const item of each.items) left.push(item);
    else for (const entry of each.entries.values()) left.push(entry.value);
  }
}

/** What one of two names would give when both may be at work: the reason that a person can do least about goes first. */
export function whyOf(...values: readonly Value[]): Why | undefined {
  const whys = values.flatMap((each) => ("why" in each ? [each.why] : []));
  return whys.find(({ reason }) => reason !== "host") ?? whys[0];
}
