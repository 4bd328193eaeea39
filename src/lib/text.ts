// Makes text safe and readable for people: escapes what a terminal would obey, quotes shell words, counts, shortens.
import { isPipeline, type Io } from "../io.js";
import { printJson, type Json, type JsonObject } from "./json.js";
import type { Secret } from "../secret.js";

/**
 * Invisible characters: they drive a terminal, turn the direction of a text, take no room or break a pair. Some
 * signs of Arabic and of its neighbours count as formatting in Unicode, and are visible.
 */
function unseen(): RegExp {
  // Here and not above: V8 reads it, and the tables of Unicode that it asks for, when it is come to.
  // oxlint-disable-next-line no-misleading-character-class -- characters that mislead are what is looked for
  return /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
}

/** The same but for tabs and line ends, which a text of several lines is made of. */
export function misleading(): RegExp {
  return (madeMisleading ??= new RegExp(`(?![\\t\\n])${unseen().source}`, "gu"));
}

let madeMisleading: RegExp | undefined;

/** U+202E for the character that turns what follows around. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * What a user's file holds must not drive the terminal: escape sequences, and the characters that turn the direction
 * of text, are shown by their number. Tabs and line ends are left alone.
 */
export function visible(text: string): string {
  // Most texts are plain, and to see that is faster than to look for every such character.
  return text.split("\n").every(isPlain)
    ? text
    : text.replace(misleading(), (found) => `<${codePointOf(found)}>`);
}

/** The same JSON, in which unseen characters are written by their numbers. They stand inside its texts alone. */
export function visibleJson(json: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(misleading(), (found) => found.split("").map(escape).join(""));
}

/** The same for what must not begin a line of its own: a forged line could pass for one of ours. */
export function oneLine(text: string): string {
  return isPlain(text) ? text : visible(text).replace(/\n/g, "<U+000A>");
}

/** ASCII, letters of Europe and what we write between them, on one line: nothing invisible. */
export function isPlain(text: string): boolean {
  return /^[ -~\u00a0-\u00ac\u00ae-\u017f\u2013\u2014\u2026]*$/.test(text);
}

/** "1 portal", "1,200 portals", "2 entries". */
export function counted(count: number, word: string): string {
  const words = /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
  return `${grouped(count)} ${count === 1 ? word : words}`;
}

/** The first few by name, the others by their number. */
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

/** By hand, because toLocaleString loads the tables of every language. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The order of names as people count: 2 before 10. */
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

/** Without the zeros before them. */
function digitsOf(number: string): string {
  return number.replace(/^0+/, "");
}

/** The first that is a text and not blank. */
export function firstText(candidates: readonly unknown[]): string | undefined {
  return candidates.find((each): each is string => typeof each === "string" && each.trim() !== "");
}

/** Cut in the middle, and the letters left out are counted. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const [head, tail] = [headOf(text, Math.ceil(most * 0.7)), tailOf(text, Math.floor(most * 0.3))];
  const left = text.length - head.length - tail.length;
  return `${head}… (${counted(left, "more character")}) …${tail}`;
}

/** Up to the end of a word where there is one, and never half a letter. */
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
 * Another system's text, fit to be shown: bounded, and on one line. One that repeats a secret is withheld as a whole,
 * because a mask would show how long the secret is and where it stands.
 */
export function showForeign(text: string, secrets: readonly Secret[], longest = LONGEST): string {
  // A secret that begins where the shown part ends must not leave its beginning there.
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

/** Another system's text as it is, for those who show it later and do not know the secrets. */
export function unlessEcho(text: string, secrets: readonly Secret[]): string {
  return repeats(text, secrets) ? WITHHELD : text;
}

/** An answer's fields, fit to be shown in the same way. */
export function withoutEchoes(answer: JsonObject, secrets: readonly Secret[]): JsonObject {
  const isEcho = (text: string) => secrets.some((each) => each.isIn(text));
  const shown = Object.entries(answer).map(([name, value]): [string, Json] => {
    if (typeof value === "string") return [name, showForeign(value, secrets)];
    // A secret of digits alone can come back as a number.
    return [name, isEcho(printJson(value)) ? WITHHELD : value];
  });
  return Object.fromEntries(shown);
}

/** A word of a command to copy: quoted where a shell would change it; a file named like an option becomes a path. */
export function shellWord(text: string): string {
  const word = text.startsWith("-") && text !== "-" ? `./${text}` : text;
  return /^[\w@%+=:,./-]+$/.test(word) || /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)
    ? word
    : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The minutes that a place's clock is ahead of UTC at a moment, given in milliseconds since 1970. */
export interface Zone {
  (ms: number): number;
  /** Its IANA name, where a file names it. */
  readonly label?: string;
}

export const UTC: Zone = Object.assign(() => 0, { label: "UTC" });

/**
 * The zone that the files name, else the machine's own; UTC in a pipeline, whose log is read elsewhere, and where a run
 * is to make the same bytes on every machine (SOURCE_DATE_EPOCH).
 */
export function zoneOf({ env, zone }: Pick<Io, "env" | "zone">): Zone {
  if (zone.label !== undefined) return zone;
  return isPipeline(env) || env["SOURCE_DATE_EPOCH"] ? UTC : zone;
}

/** "2026-07-01 02:05 Europe/Vienna", "2026-07-01 02:05 +02:00" or "2026-07-01 00:05 UTC"; a text that is not a moment is left as it is. */
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

/** Edits between two words, a swap of neighbours being one; anything beyond `most` is as good as infinite. */
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
