// Computes how two values differ, the same for every format, which only draws it.
import { isJsonList, isJsonObject, printJson, type Json } from "../lib/json.js";
import { formatPath, type Path } from "../settings.js";
import { counted, headOf, oneLine, shortened, tailOf } from "../lib/text.js";
import { diffLists, diffTexts, neighbours, type Entry, type Part, type Segment } from "./diff.js";

/** + set where nothing stood · ~ set over something · - no longer managed, or gone · = taken note of */
export type Mark = "+" | "~" | "-" | "=";

export type Difference =
  | { readonly kind: "value"; readonly before: Json | undefined; readonly after: Json | undefined }
  | { readonly kind: "text"; readonly segments: readonly Segment[] }
  /** `size` is for the line of the name: "4 entries → 1 entry". */
  | { readonly kind: "list"; readonly size: string; readonly rows: readonly Row[] };

/** What is to be told of a list, in order; `rest` stands for entries of which only the number is told. */
export type Row =
  | { readonly kind: "removed" | "added"; readonly value: Json }
  | { readonly kind: "changed"; readonly parts: readonly ChangedPart[] }
  | { readonly kind: "rest"; readonly text: string };

/** What is another in an entry that is still the same thing. */
export interface ChangedPart extends Omit<Part, "path"> {
  readonly mark: Mark;
  readonly name: string;
}

/** How much of a portal is told, so that a report over many is still opened at once. */
export interface Limits {
  /** In characters: of a text that is compared, and of a value. */
  readonly text: number;
  readonly value: number;
  readonly entries: number;
  readonly changes: number;
}

/** A text longer than this is compared word by word, on lines of its own. */
const LONGEST_VALUE = 60;

const LONGEST_NAME = 100;

/** How much of an unchanged stretch is shown beside a change. */
const CONTEXT = 48;

export function differenceBetween({ before, after }: Omit<Part, "path">): Difference {
  const [left, right] = [textOf(before), textOf(after)];
  if (left !== undefined && right !== undefined && (isLong(before) || isLong(after))) {
    return { kind: "text", segments: diffTexts(left, right) };
  }
  const held = before === undefined ? [] : before;
  const isShort =
    before === undefined && after !== undefined && inline(after).length <= LONGEST_VALUE;
  if (isShort || !isJsonList(held) || !isJsonList(after)) return { kind: "value", before, after };
  const lists = before === undefined || held.length === after.length ? [after] : [held, after];
  const sizes = lists.map(({ length }) => (length === 0 ? "no entries" : counted(length, "entry")));
  return { kind: "list", size: sizes.join(" → "), rows: rowsOf(diffLists(held, after)) };
}

/** As many as change up to a number; how many more there are is the last row then. */
export function firstRows(rows: readonly Row[], most: number): readonly Row[] {
  const changed = rows.flatMap(({ kind }, at) => (kind === "rest" ? [] : [at]));
  const left = changed.length - most;
  if (left <= 0) return rows;
  const text = `… ${counted(left, "more change")}`;
  return [...rows.slice(0, (changed[most - 1] ?? -1) + 1), { kind: "rest", text }];
}

/** Changes stay as they are up to a length, and of what is the same between them the ends. */
export function shortenedSegments(segments: readonly Segment[], most: number): Segment[] {
  return segments.map(({ kind, text }, at) => {
    if (kind !== "same") return { kind, text: shortened(text, most) };
    const head = at === 0 ? "" : headOf(text, CONTEXT);
    const tail = at === segments.length - 1 ? "" : tailOf(text, CONTEXT);
    const isShort = text.length <= head.length + tail.length + CONTEXT / 2;
    return { kind, text: isShort ? text : `${head}…${tail}` };
  });
}

/** A line end that came or went cannot be seen, nor can spaces alone. */
export function withSpacesShown(text: string): string {
  const spaces = /^\s+$/.test(text) ? text.replaceAll(" ", "·") : text;
  return spaces.replaceAll("\n", "↵\n");
}

/** One line, as YAML would write it inside braces; shortened where it is long. */
export function shownValue(value: Json | undefined, most = LONGEST_VALUE): string {
  return value === undefined ? "" : oneLine(shortened(inline(value), most));
}

export function shownPath(path: Path): string {
  return oneLine(shortened(formatPath(path), LONGEST_NAME));
}

function rowsOf(entries: readonly Entry[]): Row[] {
  const runs = neighbours(entries, ({ kind }) => kind === "same");
  return runs.flatMap(([isSame, held]) =>
    isSame ? [{ kind: "rest", text: `… ${held.length} unchanged` }] : held.flatMap(rowOf),
  );
}

function rowOf(entry: Entry): Row[] {
  if (entry.kind === "same") return [];
  if (entry.kind !== "changed") return [{ kind: entry.kind, value: entry.value }];
  const parts = entry.parts.map(({ path, before, after }): ChangedPart => ({
    mark: before === undefined ? "+" : after === undefined ? "-" : "~",
    name: shownPath([entry.at, ...path]),
    before,
    after,
  }));
  return [{ kind: "changed", parts }];
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
  return typeof value === "string" && (value.length > LONGEST_VALUE || /[\n\r]/.test(value));
}
