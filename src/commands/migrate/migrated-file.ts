// What was taken over from an old file → the text of a desired-state file, and what checking that text finds.
import { ADVANCED } from "../../catalog/catalog.js";
import { aboutFile, type Diagnostic } from "../../diagnostic.js";
import { edit, type Addition } from "../../document/edit/edit.js";
import { check, type Checked } from "../../document/check/check.js";
import { asLiteral } from "../../document/edit/value.js";
import { placeOf } from "../../document/read/source.js";
import { sourceTextOf } from "../../lib/source-text.js";
import { entryAt } from "../../document/read/tree.js";
import type { Io } from "../../io.js";
import { isJsonList, isJsonObject, type Json } from "../../lib/json.js";
import { leftOutNote } from "../../migrate/comment.js";
import { placeOfProperty } from "../../migrate/diagnose.js";
import type { Judged } from "../../migrate/judge.js";
import type { Migration } from "../../migrate/migrate.js";
import { counted } from "../../lib/text.js";

/** A property as it goes into the file. */
export interface Written {
  readonly judged: Judged;
  readonly name: string;
  readonly above: readonly string[];
}

/** What was written beside it for people, unless that names a property whose values are not to be told. */
export function commentsFor(judged: Judged, migration: Migration): readonly string[] {
  const foreign = new Set(
    migration.properties
      .filter(({ outcome }) => outcome === "no-counterpart")
      .map(({ name }) => name.toLowerCase()),
  );
  const comments = migration.commentsOf(judged);
  const words = comments.flatMap((line) => line.toLowerCase().split(/[^\p{L}\p{N}_$]+/u));
  if (!words.some((word) => foreign.has(word))) return comments;
  const { file, line } = placeOfProperty(judged);
  return [leftOutNote(file, line)];
}

/** The file to be: what stands in it before anything is added. */
export interface Draft {
  readonly text: string;
  readonly file: string;
  /** Where it lies, for what it extends; undefined for one that is printed. */
  readonly path: string | undefined;
}

/** A value of which the check says something: a reason why it does not pass, or less. */
interface Remarked {
  readonly judged: Judged;
  readonly by: Diagnostic;
}

/**
 * Whatever the check refuses is left out, so that what remains passes it; the draft may depend on whether any does.
 * The remarks are about values that are in it, at their places in the old file; the errors come from none of them.
 */
export function fill(draftFor: (hasValues: boolean) => Draft, written: readonly Written[], io: Io) {
  const { refused, left: fitting } = bounded(written);
  let left = fitting;
  for (;;) {
    const draft = draftFor(left.length > 0);
    const text = edit(draft.text, left.map(additionOf));
    if (text === undefined) {
      const errors = [tooMuch(draft, left.length)];
      return { text: draft.text, placed: [], refused, remarks: [], errors };
    }
    const checked = checkText({ ...draft, text }, io);
    const found = checked.diagnostics.map((each) => ({ each, of: ownerOf(each, checked, left) }));
    const errors = found.filter(({ each }) => each.severity === "error");
    const mine = errors.flatMap(({ each, of }) => (of ? [{ judged: of.judged, by: each }] : []));
    if (mine.length === 0) {
      const remarks = found.flatMap(({ each, of }): Remarked[] =>
        of && each.severity !== "error" ? [{ judged: of.judged, by: moved(each, of) }] : [],
      );
      const rest = errors.map(({ each }) => each);
      return { text, placed: left, refused, remarks, errors: rest };
    }
    for (const each of mine) {
      if (!refused.some(({ judged }) => judged === each.judged)) refused.push(each);
    }
    left = left.filter(({ judged }) => !mine.some((each) => each.judged === judged));
  }
}

/** What all values together may hold, so that the file can still be read: reading ends after 100,000 pieces of YAML. */
const MOST_VALUES = 8_000;

function bounded(written: readonly Written[]) {
  const refused: Remarked[] = [];
  let sum = 0;
  const left = written.filter(({ judged }) => {
    const count = countOf(judged.value ?? null);
    if (sum + count <= MOST_VALUES) {
      sum += count;
      return true;
    }
    const by = aboutFile(
      "file-too-large",
      placeOfProperty(judged).file,
      `"${judged.name}" holds ${count.toLocaleString("en")} values, and a desired-state file takes ${MOST_VALUES.toLocaleString("en")} from an old one.`,
      "Check whether so many are meant. Shorten the list in a copy of the old file, and migrate that.",
    );
    refused.push({ judged, by });
    return false;
  });
  return { refused, left };
}

export function countOf(value: Json): number {
  const parts = isJsonList(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return parts.reduce<number>((sum, each) => sum + countOf(each), 1);
}

function tooMuch({ file }: Draft, count: number): Diagnostic {
  return aboutFile(
    "file-too-large",
    file,
    `"${file}" cannot take the values of ${counted(count, "property")}: it would be too large to be read, or is written in a way that leaves no room for them.`,
    "Migrate into a new file with --out, and put the two together by hand.",
  );
}

/** Whether a value can be added to a text at all: not below an alias, and not where something stands. */
export function fits(text: string, written: Written): boolean {
  return edit(text, [additionOf(written)]) !== undefined;
}

function additionOf({ judged, name, above }: Written): Addition {
  const { file, line } = placeOfProperty(judged);
  return {
    add: ["settings", ADVANCED, name],
    value: asLiteral(judged.value ?? null),
    above,
    beside: `${shortFile(file)}:${line}`,
  };
}

export function shortFile(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

export function checkText({ text, file, path }: Draft, io: Io): Checked {
  const source = { ...sourceTextOf(file, text), path };
  return check(file, { source }, io, { mayLackPortal: true });
}

function ownerOf(
  { place, file }: Diagnostic,
  { root, file: own }: Checked,
  written: readonly Written[],
): Written | undefined {
  if (!root || !place || file !== own) return undefined;
  return written.find(({ name }) => {
    const entry = entryAt(root, ["settings", ADVANCED, name]);
    if (!entry) return false;
    const [first, last] = [placeOf(entry.key.span), placeOf(entry.value.span)];
    const isAfter =
      place.line > first.line || (place.line === first.line && place.column >= first.column);
    const isBefore =
      place.line < last.endLine || (place.line === last.endLine && place.column <= last.endColumn);
    return isAfter && isBefore;
  });
}

function moved(each: Diagnostic, { judged }: Written): Diagnostic {
  const place = placeOfProperty(judged);
  return { ...each, file: place.file, place, related: [] };
}
