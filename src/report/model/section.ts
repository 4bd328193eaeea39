// What portals have to tell, in pieces → the sections of a report: each portal with what only it has, then what several have in common.
import type { PortalResult } from "../../plan/result.js";
import { counted, oneLine, shellWord } from "../../lib/text.js";
import type { Line } from "./line.js";
import { shareOut, type Body, type Collection, type Pieces } from "./alike.js";

export interface Section {
  /** By their numbers in the run: one, or those that have this in common. */
  readonly portals: readonly number[];
  readonly ids: readonly number[];
  /** What was compared with what; empty where that is not the same for all. */
  readonly basis: string;
  /** How many of its pieces are changes. */
  readonly changes: number;
  /** Of a portal: what others have too, and is told of all of them. */
  readonly alike: readonly Section[];
}

/** Those of several with the rarest first. */
export function sectionsOf(
  pieces: readonly (Pieces | undefined)[],
  collection: Collection,
): { readonly own: readonly Section[]; readonly shared: readonly Section[] } {
  const { own, shared } = shareOut(pieces);
  const sectionOf = (portals: readonly number[], ids: readonly number[], alike: Section[]) => {
    const bases = [...new Set(portals.map((at) => pieces[at]?.basis ?? ""))];
    const basis = bases.length === 1 ? (bases[0] ?? "") : "";
    return { portals, ids, basis, changes: collection.changesIn(ids), alike };
  };
  const among = shared.map(({ portals, ids }): Section => sectionOf(portals, ids, []));
  const sectionsWith = pieces.map((): Section[] => []);
  for (const section of among) for (const at of section.portals) sectionsWith[at]?.push(section);
  return {
    own: own.flatMap((ids, at): Section[] =>
      ids.length > 0 ? [sectionOf([at], ids, sectionsWith[at] ?? [])] : [],
    ),
    shared: among,
  };
}

/** "The same 9 changes on 50 portals" */
export function titleOfShared({ portals, changes }: Section, { guards, callouts }: Body): string {
  const what =
    changes > 1
      ? counted(changes, "change")
      : changes === 1
        ? "change"
        : callouts.some(({ kind }) => kind === "failed")
          ? "failure"
          : callouts.length > 0
            ? "obstacle"
            : guards.length > 0
              ? "guard"
              : "note";
  return `The same ${what} on ${counted(portals.length, "portal")}`;
}

/** Said of several to whom not the same is sent; empty otherwise, and where an apply is over. */
export function requestsDiffer(lines: readonly Line[], { changes, request }: Body): string {
  const isSending = lines.some(({ isSent, isDone }) => isSent && !isDone);
  return isSending && changes.length > 0 && !request
    ? "What is sent as a whole differs between them; it is in the JSON report."
    : "";
}

/** As a command names them; more than `most` make none that anybody wants to copy. */
export function filesOf(held: readonly Pick<PortalResult, "file">[], most: number): string {
  if (held.length > most) return "FILE…";
  return held.map(({ file }) => shellWord(oneLine(file))).join(" ");
}

/** Fewer rows than these stand one below the other. */
const FEW_ROWS = 4;

/**
 * Rows of a table: those that say the same are one where they are many. What differs from the rest comes first, and
 * last what nobody has to look at.
 */
export function rowsAlike<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  isQuiet: (item: Item) => boolean,
): (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  const rank = ([first]: readonly Item[]) => (first !== undefined && isQuiet(first) ? 1 : 0);
  return [...groups.values()]
    .toSorted((one, other) => rank(one) - rank(other) || one.length - other.length)
    .flatMap((held) => (held.length < FEW_ROWS ? held.map((each) => [each]) : [held]));
}
