// What differs inside a long text or a list → lines for a terminal, in colour or with marks around the words.
import type { Json } from "../../json.js";
import { formatPath } from "../../settings.js";
import { differenceBetween, shownValue, type Difference, type Mark } from "../model/change.js";
import type { Entry, Part, Segment } from "../model/diff.js";
import { flow, painted, type Piece } from "./flow.js";
import { type Paint } from "./paint.js";
import { counted, oneLine } from "../../text.js";
import { shortenedSegments } from "../model/shorten.js";

export interface Looks {
  readonly paint: Paint;
  readonly width: number;
  /** Whether nothing is shortened. */
  readonly isFull: boolean;
  /** Whether the changes are carried out. */
  readonly isDone: boolean;
}

const MOST_ENTRIES = 40;
const LONGEST_TEXT = 4_000;
const LONGEST_ENTRY = 400;

export function plainly(text: string): string {
  return text;
}

export function paintOf(mark: Mark, paint: Paint): (text: string) => string {
  return { "+": paint.green, "~": paint.yellow, "-": paint.red, "=": paint.cyan }[mark];
}

/** "4 entries → 1 entry"; empty for what needs no size. */
export function sizeText(difference: Difference): string {
  if (difference.kind !== "list") return "";
  const { before, after } = difference;
  return before === undefined || before === after
    ? entries(after)
    : `${entries(before)} → ${entries(after)}`;
}

export function differenceLines(difference: Difference, looks: Looks, width: number): string[] {
  switch (difference.kind) {
    case "value":
      return [];
    case "text":
      return textLines(difference.segments, looks, width);
    case "list":
      return listLines(difference.entries, looks, width);
    default:
      throw difference satisfies never;
  }
}

/** The bar stands before every line, so that no text can pass for a line of the report. */
function textLines(
  segments: readonly Segment[],
  { paint, isFull }: Looks,
  width: number,
): string[] {
  const shown = isFull ? segments : shortenedSegments(segments, LONGEST_TEXT);
  const isWhole = segments.length === 1;
  const pieces = shown.flatMap(({ kind, text }): Piece[] => {
    if (isWhole || kind === "same") return [{ text, paint: plainly }];
    return marked(kind, withSpacesShown(text), paint);
  });
  return flow(pieces, width - 2).map((line) => `${paint.dim("│")} ${painted(line)}`.trimEnd());
}

/** Colour marks the words where there is any, else brackets do. */
function marked(kind: "removed" | "added", text: string, paint: Paint): Piece[] {
  const isColoured = paint.red("x") !== "x";
  const [open, close, colour] =
    kind === "removed" ? (["[-", "-]", paint.red] as const) : (["{+", "+}", paint.green] as const);
  return [{ text: isColoured ? text : `${open}${text}${close}`, paint: colour }];
}

/** A line end that came or went cannot be seen, nor can spaces alone. */
export function withSpacesShown(text: string): string {
  const spaces = /^\s+$/.test(text) ? text.replaceAll(" ", "·") : text;
  return spaces.replaceAll("\n", "↵\n");
}

function listLines(found: readonly Entry[], looks: Looks, width: number): string[] {
  const most = looks.isFull ? Infinity : MOST_ENTRIES;
  const lines: string[] = [];
  let [same, changed] = [0, 0];
  const flush = () => {
    if (same > 0) lines.push(looks.paint.dim(`  … ${same} unchanged`));
    same = 0;
  };
  for (const entry of found) {
    if (entry.kind === "same") {
      same++;
      continue;
    }
    if (changed < most) {
      flush();
      lines.push(...entryLines(entry, looks, width));
    }
    changed++;
  }
  if (changed > most) lines.push(looks.paint.dim(`  … ${counted(changed - most, "more change")}`));
  else flush();
  return lines;
}

function entryLines(
  entry: Exclude<Entry, { kind: "same" }>,
  looks: Looks,
  width: number,
): string[] {
  switch (entry.kind) {
    case "changed":
      return entry.parts.flatMap((part) =>
        partLines({ ...part, path: [entry.at, ...part.path] }, looks, width),
      );
    case "added":
      return hung("+", shownEntry(entry.value, looks), looks, width);
    case "removed":
      return hung("-", shownEntry(entry.value, looks), looks, width);
    default:
      throw entry satisfies never;
  }
}

function partLines({ path, before, after }: Part, looks: Looks, width: number): string[] {
  const difference = differenceBetween(before, after);
  const name = oneLine(formatPath(path));
  const values = difference.kind === "value" ? [before, after] : [];
  const value = values.filter((each) => each !== undefined).map((each) => shownEntry(each, looks));
  const mark = before === undefined ? "+" : after === undefined ? "-" : "~";
  const head = [name, value.join(" → ") || sizeText(difference)].filter(Boolean).join("  ");
  return [
    ...hung(mark, head, looks, width),
    ...differenceLines(difference, looks, width - 4).map((line) => `    ${line}`),
  ];
}

/** The mark, and the text indented beside it. */
function hung(mark: Mark, text: string, { paint }: Looks, width: number): string[] {
  return flow([{ text, paint: plainly }], width - 2).map((line, at) =>
    `${at === 0 ? paintOf(mark, paint)(mark) : " "} ${painted(line)}`.trimEnd(),
  );
}

function shownEntry(value: Json | undefined, looks: Looks): string {
  return shownValue(value, looks.isFull ? Infinity : LONGEST_ENTRY);
}

function entries(count: number): string {
  return count === 0 ? "no entries" : counted(count, "entry");
}
