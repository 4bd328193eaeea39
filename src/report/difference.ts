// Computes how two values differ, ready to be drawn: what is long is shortened, and what is left out is counted.
import { isJsonList, isJsonObject, printJson, type Json } from "../lib/json.js";
import { formatPath, type Path } from "../settings.js";
import { counted, headOf, oneLine, shortened, tailOf } from "../lib/text.js";
import { diffLists, diffTexts, neighbours, type Entry, type Part, type Segment } from "./diff.js";

/** + set where no value was · ~ another value · - no longer managed, or removed · = already in sync */
export type Mark = "+" | "~" | "-" | "=";

export type Difference =
  | {
      readonly kind: "value";
      readonly before: string | undefined;
      readonly after: string | undefined;
    }
  | { readonly kind: "text"; readonly segments: readonly Segment[] }
  /** `size` is for the line of the name, such as "4 entries → 1 entry". */
  | { readonly kind: "list"; readonly size: string; readonly rows: readonly Row[] };

/** One entry of a list, one difference inside an entry, or the number of those that are not shown. */
export type Row =
  | { readonly kind: "removed" | "added"; readonly value: string }
  | {
      readonly kind: "changed";
      readonly mark: Mark;
      readonly name: string;
      readonly difference: Difference;
    }
  | { readonly kind: "rest"; readonly text: string };

/** A text longer than this is compared word by word, on lines of its own. */
const LONGEST_INLINE = 60;

const LONGEST_NAME = 100;
export const LONGEST_VALUE = 400;
const LONGEST_TEXT = 4_000;
const MOST_ROWS = 40;

/** How much of an unchanged stretch is shown beside a change. */
const CONTEXT = 48;

export function differenceBetween({ before, after }: Omit<Part, "path">): Difference {
  const [left, right] = [textOf(before), textOf(after)];
  if (left !== undefined && right !== undefined && (isLong(before) || isLong(after))) {
    return { kind: "text", segments: diffTexts(left, right).map(shortenedSegment) };
  }
  const held = before === undefined ? [] : before;
  const isShort =
    before === undefined && after !== undefined && inline(after).length <= LONGEST_INLINE;
  if (isShort || !isJsonList(held) || !isJsonList(after)) {
    return { kind: "value", before: shown(before), after: shown(after) };
  }
  const lists = before === undefined || held.length === after.length ? [after] : [held, after];
  const sizes = lists.map(({ length }) => (length === 0 ? "no entries" : counted(length, "entry")));
  return { kind: "list", size: sizes.join(" → "), rows: rowsOf(diffLists(held, after)) };
}

/** Of an unchanged stretch only the ends are shown. */
function shortenedSegment(
  { kind, text }: Segment,
  at: number,
  { length }: readonly Segment[],
): Segment {
  if (kind !== "same") return { kind, text: shortened(text, LONGEST_TEXT) };
  const head = at === 0 ? "" : headOf(text, CONTEXT);
  const tail = at === length - 1 ? "" : tailOf(text, CONTEXT);
  const isShort = text.length <= head.length + tail.length + CONTEXT / 2;
  return { kind, text: isShort ? text : `${head}…${tail}` };
}

/** A line end that came or went cannot be seen, nor can spaces alone. */
export function withSpacesShown(text: string): string {
  const spaces = /^\s+$/.test(text) ? text.replaceAll(" ", "·") : text;
  return spaces.replaceAll("\n", "↵\n");
}

/** One line, as YAML would write it inside braces; shortened where it is long. */
export function shownValue(value: Json | undefined, most = LONGEST_INLINE): string {
  return value === undefined ? "" : oneLine(shortened(inline(value), most));
}

function shown(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : shownValue(value, LONGEST_VALUE);
}

export function shownPath(path: Path): string {
  return oneLine(shortened(formatPath(path), LONGEST_NAME));
}

function rowsOf(entries: readonly Entry[]): Row[] {
  const rows: Row[] = [];
  let left = 0;
  for (const [isSame, held] of neighbours(entries, ({ kind }) => kind === "same")) {
    if (isSame && left === 0) rows.push({ kind: "rest", text: `… ${held.length} unchanged` });
    const changed = isSame ? [] : held.flatMap(rowsOfEntry);
    const room = Math.max(0, MOST_ROWS - rows.length);
    rows.push(...changed.slice(0, room));
    left += Math.max(0, changed.length - room);
  }
  return left > 0 ? [...rows, { kind: "rest", text: `… ${counted(left, "more change")}` }] : rows;
}

function rowsOfEntry(entry: Entry): Row[] {
  if (entry.kind === "same") return [];
  if (entry.kind !== "changed") {
    return [{ kind: entry.kind, value: shownValue(entry.value, LONGEST_VALUE) }];
  }
  return entry.parts.map(({ path, before, after }) => ({
    kind: "changed",
    mark: before === undefined ? "+" : after === undefined ? "-" : "~",
    name: shownPath([entry.at, ...path]),
    difference: differenceBetween({ before, after }),
  }));
}

function inline(value: Json): string {
  if (isJsonList(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isJsonObject(value)) return printJson(value);
  const held = Object.entries(value).map(([key, each]) => `${formatPath([key])}: ${inline(each)}`);
  return held.length === 0 ? "{}" : `{ ${held.join(", ")} }`;
}

/** Empty where nothing stands, undefined where no text does. CR LF and LF are the same here. */
function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : undefined;
}

function isLong(value: Json | undefined): boolean {
  return typeof value === "string" && (value.length > LONGEST_INLINE || /[\n\r]/.test(value));
}
