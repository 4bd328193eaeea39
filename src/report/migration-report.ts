// Describes what became of each property of an old file for every format, and prints it for a terminal.
import { hasErrors, type Diagnostic, type Place } from "../diagnostic.js";
import type { Json } from "../lib/json.js";
import { counted, grouped, oneLine, shellWord } from "../lib/text.js";
import type { Outcome } from "../outcome.js";
import { formatSpot } from "../settings.js";
import type { Styles } from "./styles.js";
import { inColumns } from "./text-layout.js";
import { countsBy } from "./verdict.js";

export interface PropertyReport {
  /** As the old file spells it. */
  readonly name: string;
  readonly outcome: PropertyOutcome;
  /** Fit to be shown; absent where it is not known, and where it has no counterpart: some are keys. */
  readonly value?: Json | undefined;
  readonly place: Pick<Place, "file" | "line" | "column">;
  /** What is to be known of it. */
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

/** What needs a decision comes first, what needs no attention last. Without a decision the exit status is 3. */
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
  /** It needs attention. */
  readonly isOpen?: boolean;
  readonly isUndecided?: boolean;
  /** It needs no attention. */
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

/** Almost the name of a setting was meant to be it; a file that values are added to may set another value. */
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

/** A next command, on a line of its own. */
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

/** What a page or a comment shows of a migration. */
export interface MigrationPage extends Next {
  readonly properties: readonly PropertyReport[];
  /** Its diagnostics are those about no property. */
  readonly outcome: Outcome;
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

export function migrationText(properties: readonly PropertyReport[], styles: Styles): string {
  if (properties.length === 0) return "";
  const cells = properties.map(({ name, outcome, place }) => ({
    at: oneLine(formatSpot(place)),
    outcome,
    name: oneLine(name.slice(0, 100)),
  }));
  const width = cells.reduce((most, { at }) => Math.max(most, at.length), 0);
  const lines = cells.map(
    ({ at, outcome, name }) =>
      `${styles.dim(at.padEnd(width))}  ${outcomeCell(outcome, styles)}  ${name}\n`,
  );
  const legend = inColumns(
    legendOfOutcomes(properties).map(({ name, meaning }) => [`  ${name}`, meaning]),
    styles,
  ).map((line) => `${styles.dim(line)}\n`);
  return `${lines.join("")}\n${outcomesText(properties)}\n${legend.join("")}`;
}

function outcomeCell(outcome: string, styles: Styles): string {
  const text = outcome.padEnd("needs-newer-target".length);
  if (outcome === "migrated") return styles.green(text);
  if (outcome === "not-understood" || outcome === "invalid") return styles.red(text);
  return outcome === "needs-newer-target" ? styles.yellow(text) : styles.dim(text);
}

export function endText({ ending, steps }: Next): string {
  const [first, ...more] = steps.map(({ text, command }) => `${text}\n  ${command}\n`);
  return [
    ending && `${ending}\n`,
    first && `\nNext: ${first}`,
    ...more.map((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  ]
    .filter(Boolean)
    .join("");
}
