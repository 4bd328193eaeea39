// Describes the outcome of each property of an old file for every format, and prints it for a terminal.
import type { Diagnostic, Place } from "../diagnostic.js";
import type { Json } from "../lib/json.js";
import { counted, grouped, oneLine } from "../lib/text.js";
import type { Outcome } from "../outcome.js";
import { formatSpot } from "../settings.js";
import type { Styles } from "./styles.js";

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
    "The file does not show its value. In a browser's console on the old portal, esriGeowConfig.NAME does.",
  invalid: "The portal does not accept its value.",
  "not-added":
    "The file of --into has another value, or no room for this one. Lintel keeps the file's value.",
  "needs-newer-target": "The setting exists only after the target version.",
  migrated: "Lintel copied its value to the desired-state file.",
  "already-set": "The file of --into has the same value.",
  stock: "Its value is a stock value. Use --all to copy it.",
  "no-counterpart": "It is not a setting from 11.0 on. Its value is not shown: some are keys.",
} as const;

const KINDS = Object.keys(OUTCOMES) as PropertyOutcome[];

/** What needs a decision comes first, what needs no attention last. Without a decision the exit status is 3. */
const PARTS = [
  { title: "To decide", outcomes: ["not-understood", "invalid", "not-added"], sign: "!" },
  { title: "To check", outcomes: ["needs-newer-target", "no-counterpart"], sign: "~" },
  { title: "Migrated", outcomes: ["migrated"], sign: "+" },
  { title: "Left out", outcomes: ["already-set", "stock", "no-counterpart"], sign: "=" },
] as const;

type Title = (typeof PARTS)[number]["title"];

export interface Part {
  readonly title: Title;
  readonly sign: (typeof PARTS)[number]["sign"];
  /** By outcome, and then in the order of the old files. */
  readonly properties: readonly PropertyReport[];
}

/** Those in which there is anything. */
export function partsOf(properties: readonly PropertyReport[]): Part[] {
  return PARTS.map(({ title, sign, outcomes }) => {
    const own = properties.filter((each) => titleOf(each) === title);
    const inOrder = outcomes.flatMap((name) => own.filter(({ outcome }) => outcome === name));
    return { title, sign, properties: inOrder };
  }).filter((part) => part.properties.length > 0);
}

function titleOf({ outcome, diagnostics }: PropertyReport): Title {
  if (diagnostics.some(({ code }) => code === "near-name")) return "To check";
  const part = PARTS.find(({ outcomes }) => (outcomes as readonly string[]).includes(outcome));
  return part === undefined || outcome === "no-counterpart" ? "Left out" : part.title;
}

/** The outcomes that occur, with their words. */
export function legendOfOutcomes(properties: readonly PropertyReport[]) {
  const found = new Set(properties.map(({ outcome }) => outcome));
  return KINDS.filter((each) => found.has(each)).map((name) => ({ name, meaning: OUTCOMES[name] }));
}

const COUNTED: Readonly<Record<PropertyOutcome, string>> = {
  "not-understood": "not understood",
  invalid: "invalid",
  "not-added": "not added",
  "needs-newer-target": "for a newer target",
  migrated: "migrated",
  "already-set": "already in the file",
  stock: "with stock values (use --all to copy them)",
  "no-counterpart": "without a counterpart",
};

/** "43 properties: 1 migrated, 16 with stock values (use --all to copy them), 26 without a counterpart." */
export function outcomesText(properties: readonly PropertyReport[]): string {
  const parts = KINDS.map((kind) => ({
    kind,
    count: properties.filter(({ outcome }) => outcome === kind).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${grouped(count)} ${COUNTED[kind]}`);
  return `${counted(properties.length, "property")}: ${parts.join(", ")}.`;
}

export function verdictOfMigration(properties: readonly PropertyReport[]): string {
  if (properties.length === 0) return "No property was found.";
  const isDecided = partsOf(properties).every(({ title }) => title !== "To decide");
  return `${isDecided ? "Nothing to decide. " : ""}${outcomesText(properties)}`;
}

/** A next command, on a line of its own. */
export interface Step {
  /** Begins in lower case, and ends with the colon before the command. */
  readonly text: string;
  readonly command: string;
}

export interface Next {
  /** The files written, or the file that is unchanged; may be empty. */
  readonly ending: string;
  readonly steps: readonly Step[];
}

/** What a page or a comment shows of a migration. */
export interface MigrationPage extends Next {
  readonly properties: readonly PropertyReport[];
  /** Its diagnostics are those about no property. */
  readonly outcome: Outcome;
}

/** Stock values and names without a counterpart are only counted: JSON and the pages list them. */
export function migrationText(properties: readonly PropertyReport[], styles: Styles): string {
  if (properties.length === 0) return "";
  const listed = properties.filter((each) => !/^(?:stock|no-counterpart)$/.test(each.outcome));
  const cells = listed.map(({ name, outcome, place }) => ({
    at: oneLine(formatSpot(place)),
    outcome,
    name: oneLine(name.slice(0, 100)),
  }));
  const width = cells.reduce((most, { at }) => Math.max(most, at.length), 0);
  const lines = cells.map(
    ({ at, outcome, name }) =>
      `${styles.dim(at.padEnd(width))}  ${outcomeCell(outcome, styles)}  ${name}\n`,
  );
  return `${lines.join("")}${lines.length > 0 ? "\n" : ""}${outcomesText(properties)}\n`;
}

function outcomeCell(outcome: string, styles: Styles): string {
  const text = outcome.padEnd("needs-newer-target".length);
  if (outcome === "migrated") return styles.green(text);
  if (/^(?:not-understood|invalid|not-added)$/.test(outcome)) return styles.red(text);
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
