// Makes text safe and readable: escapes control characters, quotes shell words, counts, and shortens.
import { isPipeline, type Io } from "../io.js";
import { printJson, type Json, type JsonObject } from "./json.js";
import type { Secret } from "../secret.js";

/**
 * Invisible characters: they control a terminal, change the direction of text, have no width, or are half of a pair.
 * Some Arabic signs and similar ones are formatting characters in Unicode, but visible.
 */
function unseen(): RegExp {
  // In a function, because V8 compiles it and loads its Unicode tables only when it runs.
  // oxlint-disable-next-line no-misleading-character-class -- characters that mislead are what is looked for
  return /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
}

/** The same without tabs and line breaks, which a text of several lines needs. */
export function misleading(): RegExp {
  return (madeMisleading ??= new RegExp(`(?![\\t\\n])${unseen().source}`, "gu"));
}

let madeMisleading: RegExp | undefined;

/** Such as U+202E, which reverses the text that follows. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A user's file must not control the terminal: escape sequences and direction characters are shown as code points.
 * Keeps tabs and line breaks.
 */
export function visible(text: string): string {
  // Most texts are plain, which is faster to test.
  return text.split("\n").every(isPlain)
    ? text
    : text.replace(misleading(), (found) => `<${codePointOf(found)}>`);
}

/** The same JSON with invisible characters escaped, which only occur in its texts. */
export function visibleJson(json: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(misleading(), (found) => found.split("").map(escape).join(""));
}

/** The same on one line: a forged line could look like one of ours. */
export function oneLine(text: string): string {
  return isPlain(text) ? text : visible(text).replace(/\n/g, "<U+000A>");
}

/** ASCII and common European letters and punctuation on one line: nothing invisible. */
export function isPlain(text: string): boolean {
  return /^[ -~\u00a0-\u00ac\u00ae-\u017f\u2013\u2014\u2026]*$/.test(text);
}

/** "1 portal", "1,200 portals", "2 entries". */
export function counted(count: number, word: string): string {
  const words = /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
  return `${grouped(count)} ${count === 1 ? word : words}`;
}

/** The first few names, and the number of the others. */
export function someOf(names: readonly string[], word: string, most = 5): string {
  const left = names.length - most;
  return (
    names.slice(0, most).join(", ") + (left > 0 ? ` and ${counted(left, `more ${word}`)}` : "")
  );
}

/** Names of files in a sentence: "a, b and c". */
export function listed(names: readonly string[]): string {
  const [last = "", ...before] = names.map(oneLine).toReversed();
  return before.length > 0 ? `${before.toReversed().join(", ")} and ${last}` : last;
}

/** Foreign text of a limited length. */
export function sentence(text: string): string {
  return /[.!?\u2026]$/.test(text) ? text : `${text}.`;
}

/** By hand, because toLocaleString loads the tables of all languages. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Natural order: 2 before 10. */
export function compareNames(left: string, right: string): number {
  const [ours, theirs] = [left.match(/\d+|\D+/g) ?? [], right.match(/\d+|\D+/g) ?? []];
  for (let at = 0; at < Math.max(ours.length, theirs.length); at++) {
    const [one = "", other = ""] = [ours[at], theirs[at]];
    if (one === other) continue;
    const isCounted = /^\d/.test(one) && /^\d/.test(other);
    const longer = isCounted ? digitsOf(one).length - digitsOf(other).length : 0;
    if (longer !== 0) return longer;
    const [ahead, behind] = isCounted ? [digitsOf(one), digitsOf(other)] : [one, other];
    if (ahead !== behind) return ahead < behind ? -1 : 1;
  }
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Without leading zeros. */
function digitsOf(number: string): string {
  return number.replace(/^0+/, "");
}

/** The first candidate that is a non-blank text. */
export function firstText(candidates: readonly unknown[]): string | undefined {
  return candidates.find((each): each is string => typeof each === "string" && each.trim() !== "");
}

/** Cuts the middle, and shows how many characters are omitted. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const [head, tail] = [headOf(text, Math.ceil(most * 0.7)), tailOf(text, Math.floor(most * 0.3))];
  const left = text.length - head.length - tail.length;
  return `${head}… (${counted(left, "more character")}) …${tail}`;
}

/** Ends at the end of a word if possible, and never splits a character. */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const word = head.search(/\s\S*$/u);
  return word > most / 2 ? head.slice(0, word + 1) : head.replace(/[\ud800-\udbff]$/, "");
}

export function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = text.slice(-most);
  const word = tail.search(/\s/u);
  return word >= 0 && word < most / 2 ? tail.slice(word) : tail.replace(/^[\udc00-\udfff]/, "");
}

const LONGEST = 500;
const WITHHELD = "(withheld: it repeats a secret)";

/**
 * Text from another system, safe to show: limited, and on one line. A text with a secret is replaced completely,
 * because a mask would show the secret's length and place.
 */
export function showForeign(text: string, secrets: readonly Secret[], longest = LONGEST): string {
  // A secret that begins near the cut must not show its beginning.
  if (repeats(text.slice(0, longest + LONGEST), secrets)) return WITHHELD;
  const shown = text
    .slice(0, longest)
    .trim()
    .replace(unseen(), (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`);
  return text.length > longest ? `${shown}…` : shown;
}

function repeats(text: string, secrets: readonly Secret[]): boolean {
  // Invisible characters between its letters do not hide a secret.
  const read = text.replace(unseen(), "");
  return secrets.some((each) => each.isIn(text) || (read !== text && each.isIn(read)));
}

/** Foreign text unchanged, for later output where the secrets are unknown. */
export function unlessEcho(text: string, secrets: readonly Secret[]): string {
  return repeats(text, secrets) ? WITHHELD : text;
}

/** The same for the fields of an answer. */
export function withoutEchoes(answer: JsonObject, secrets: readonly Secret[]): JsonObject {
  const isEcho = (text: string) => secrets.some((each) => each.isIn(text));
  const shown = Object.entries(answer).map(([name, value]): [string, Json] => {
    if (typeof value === "string") return [name, showForeign(value, secrets)];
    // A secret of digits can come back as a number.
    return [name, isEcho(printJson(value)) ? WITHHELD : value];
  });
  return Object.fromEntries(shown);
}

/** A word for a shell command: quoted if necessary; a file named like an option becomes a path. */
export function shellWord(text: string): string {
  const word = text.startsWith("-") && text !== "-" ? `./${text}` : text;
  return /^[\w@%+=:,./-]+$/.test(word) || /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)
    ? word
    : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the minutes of a clock ahead of UTC at a moment, in milliseconds since 1970. */
export interface Zone {
  (ms: number): number;
  /** The IANA name, if a file sets it. */
  readonly label?: string;
}

export const UTC: Zone = Object.assign(() => 0, { label: "UTC" });

/**
 * The zone of the files, else of the machine. UTC in a pipeline, whose log is read elsewhere, and for reproducible
 * output (SOURCE_DATE_EPOCH).
 */
export function zoneOf({ env, zone }: Pick<Io, "env" | "zone">): Zone {
  if (zone.label !== undefined) return zone;
  return isPipeline(env) || env["SOURCE_DATE_EPOCH"] ? UTC : zone;
}

/** "2026-07-01 02:05 Europe/Vienna", "2026-07-01 02:05 +02:00" or "2026-07-01 00:05 UTC"; other texts stay unchanged. */
export function showTime(moment: string, zone: Zone): string {
  const ms = Date.parse(moment);
  if (Number.isNaN(ms)) return moment;
  const ahead = zone(ms);
  const local = new Date(ms + ahead * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)} ${zone.label ?? zoneName(ahead)}`;
}

function zoneName(minutes: number): string {
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((each) =>
    String(each).padStart(2, "0"),
  );
  return `${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

/** The edit distance of two words, where a swap of adjacent letters is one edit; inexact above `most`. */
export function editsBetween(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return Infinity;
  let [before, row] = [[0], Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let l = 1; l <= left.length; l++) {
    const next = [l];
    for (let r = 1; r <= right.length; r++) {
      const isSame = left[l - 1] === right[r - 1];
      const isSwap = l > 1 && r > 1 && left[l - 1] === right[r - 2] && left[l - 2] === right[r - 1];
      next[r] = Math.min(
        (row[r] ?? 0) + 1,
        (next[r - 1] ?? 0) + 1,
        (row[r - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[r - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[right.length] ?? Infinity;
}
