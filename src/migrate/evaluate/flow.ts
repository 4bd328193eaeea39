// Noun of this room: what may flow into what in scripts, as tokens and edges between them.
/**
 * A name of a variable or a property; what an object of that name holds ("in:x"); a use of it that may call it or
 * change anything in it ("use:x"); a literal ('"text'); a way out of a branch ("#4+"); what decides on a branch ("?4").
 */
export type Token = string;

/** By others, at any time. */
export const CALLED = "@called";

export function wayOut(id: number, isMet: boolean): Token {
  return `#${id}${isMet ? "+" : "-"}`;
}

export interface Flow {
  readonly from: ReadonlyMap<Token, ReadonlySet<Token>>;
  readonly to: ReadonlyMap<Token, ReadonlySet<Token>>;
}

/** The tokens, and all that is beyond them, nearest first. */
export function reached(tokens: Iterable<Token>, edges: Flow["from"]): Set<Token> {
  const found = new Set(tokens);
  // The set grows while it is gone through.
  for (const token of found) for (const next of edges.get(token) ?? []) found.add(next);
  return found;
}

const sources = new WeakMap<Flow, Map<string, ReadonlySet<string>>>();

/** Looked up again and again. */
export function sourcesOf(flow: Flow, token: string): ReadonlySet<string> {
  const own = sources.get(flow) ?? new Map<string, ReadonlySet<string>>();
  sources.set(flow, own);
  const found = own.get(token) ?? reached([token], flow.from);
  own.set(token, found);
  return found;
}
