// What became of each property of an old file → what every format tells of it: outcomes in words, parts in order, counts, what comes next.
import { hasErrors, type Diagnostic, type Place } from "../../diagnostic.js";
import type { Json } from "../../lib/json.js";
import { counted, grouped, oneLine, shellWord } from "../../lib/text.js";
import { countsBy } from "./verdict.js";

export interface PropertyReport {
  /** As the old file spells it. */
  readonly name: string;
  readonly outcome: PropertyOutcome;
  /** Fit to be shown; absent where it is not known, and where it has no counterpart: some are keys. */
  readonly value?: Json | undefined;
  readonly place: Pick<Place, "file" | "line" | "column">;
  /** What a person should know of it. */
  readonly diagnostics: readonly Diagnostic[];
}

export type PropertyOutcome = keyof typeof OUTCOMES;

/** Of one property, in the order in which they matter to a reader; the manual has the same words. */
export const OUTCOMES = {
  "not-understood":
    "The file alone does not tell its value; the old portal's home page does, as esriGeowConfig.NAME in a browser's console.",
  invalid: "The portal does not take its value; the message says what it counted as.",
  "needs-newer-target": "It is a setting that comes after the target version.",
  migrated: "It is taken over.",
  stock: "Its value is one that portals were shipped with; --all takes it over.",
  "no-counterpart":
    "There is no such setting from 11.0 on; its value is not told, as some are keys.",
} as const;

const KINDS = Object.keys(OUTCOMES) as PropertyOutcome[];

/** Each property is in one group. */
const GROUPS = {
  "not-understood": "Not understood",
  invalid: "Invalid",
  "not-added": "Not added to the file",
  "needs-newer-target": "Newer than the target",
  "near-name": "Almost a setting’s name",
  migrated: "Taken over",
  stock: "Shipped values",
  "no-counterpart": "No such setting",
} as const;

export type GroupKey = keyof typeof GROUPS;

export interface Group {
  readonly key: GroupKey;
  readonly title: string;
  /** As they stand in the old files. */
  readonly properties: readonly PropertyReport[];
}

/** What a person has to decide stands first, and what nobody need look at last. Without a decision the exit status is 3. */
const PARTS = [
  {
    title: "To be decided",
    words: "to be decided",
    keys: ["not-understood", "invalid", "not-added"],
    isOpen: true,
    isUndecided: true,
  },
  {
    title: "To be checked",
    words: "to be checked",
    keys: ["needs-newer-target", "near-name"],
    isOpen: true,
  },
  { title: "Migrated", words: "migrated", keys: ["migrated"] },
  { title: "Left out", words: "left out", keys: ["stock", "no-counterpart"], isFolded: true },
] as const;

export interface Part {
  readonly title: string;
  readonly words: string;
  /** A person has something to do about it. */
  readonly isOpen?: boolean;
  readonly isUndecided?: boolean;
  /** Nobody need look at it. */
  readonly isFolded?: boolean;
  readonly groups: readonly Group[];
}

/** Those in which there is anything. */
export function partsOf(properties: readonly PropertyReport[]): Part[] {
  const placed = properties.map((property) => ({ property, of: groupOf(property) }));
  return PARTS.map(({ keys, ...part }) => ({
    ...part,
    groups: keys
      .map((key): Group => {
        const own = placed.filter(({ of }) => of === key);
        return { key, title: GROUPS[key], properties: own.map(({ property }) => property) };
      })
      .filter((group) => group.properties.length > 0),
  })).filter(({ groups }) => groups.length > 0);
}

/** Whoever wrote almost the name of a setting meant that; and a file that values are added to may say otherwise. */
function groupOf({ outcome, diagnostics }: PropertyReport): GroupKey {
  if (diagnostics.some(({ code }) => code === "near-name")) return "near-name";
  return outcome === "migrated" && hasErrors(diagnostics) ? "not-added" : outcome;
}

/** The outcomes that occur, with their words. */
export function legendOfOutcomes(properties: readonly PropertyReport[]) {
  const found = new Set(properties.map(({ outcome }) => outcome));
  return KINDS.filter((each) => found.has(each)).map((name) => ({ name, meaning: OUTCOMES[name] }));
}

/** "5 properties: 1 invalid, 4 migrated." */
export function outcomesText(properties: readonly PropertyReport[]): string {
  const counts = countsBy(
    KINDS,
    (kind) => properties.filter(({ outcome }) => outcome === kind).length,
  );
  const parts = counts.map(({ kind, count }) => `${grouped(count)} ${kind}`);
  return `${counted(properties.length, "property")}: ${parts.join(", ")}.`;
}

/** "Nothing to be decided. 5 properties: 4 migrated, 1 left out." */
export function verdictOfMigration(properties: readonly PropertyReport[]): string {
  if (properties.length === 0) return "Nothing was found.";
  const parts = partsOf(properties);
  const counts = parts.map(({ groups, words }) => {
    const count = groups.reduce((sum, group) => sum + group.properties.length, 0);
    return `${grouped(count)} ${words}`;
  });
  const all = `${counted(properties.length, "property")}: ${counts.join(", ")}.`;
  return parts.some(({ isUndecided }) => isUndecided) ? all : `Nothing to be decided. ${all}`;
}

/** A command that gets a person further, on a line of its own. */
export interface Step {
  /** Begins in lower case, and ends with the colon before the command. */
  readonly text: string;
  readonly command: string;
}

export interface Next {
  /** What was written, or left as it is; may be empty. */
  readonly ending: string;
  readonly steps: readonly Step[];
}

/** What to do with a file that holds the values now. */
export function stepsFor(
  file: string,
  { missing, newest }: { missing: readonly string[]; newest: string | undefined },
): Step[] {
  const word = oneLine(shellWord(file));
  const first = missing.length > 0 ? `write ${missing.join(", and ")}; ` : "";
  const newer = {
    text: "to see what a newer target changes:",
    command: `lintel upgrade ${word} --to ${newest}`,
  };
  return [
    { text: `${first}look at each value, then run:`, command: `lintel validate ${word}` },
    ...(newest === undefined ? [] : [newer]),
  ];
}
