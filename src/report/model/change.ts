// A change of a plan → what there is to show of it, the same for every format: a mark, words, and what differs.
import { isJsonList, isJsonObject, printJson, type Json } from "../../json.js";
import type { Change } from "../../plan/diff.js";
import { formatPath, type Path } from "../../settings.js";
import { diffLists, diffTexts, type Entry, type Part, type Segment } from "./diff.js";
import { oneLine, shortened } from "../../text.js";

/** + set where nothing stood · ~ set over something · - no longer managed · = taken note of */
export type Mark = "+" | "~" | "-" | "=";

export type Difference =
  | { readonly kind: "value"; readonly before: Json | undefined; readonly after: Json | undefined }
  | { readonly kind: "text"; readonly segments: readonly Segment[] }
  | {
      readonly kind: "list";
      readonly before: number | undefined;
      readonly after: number;
      readonly entries: readonly Entry[];
    };

/** A text longer than this is compared word by word, on lines of its own. */
const LONGEST_VALUE = 60;

const LONGEST_NAME = 100;

export function markOf({ action, before }: Change): Mark {
  switch (action) {
    case "set":
    case "default":
      return before === null ? "+" : "~";
    case "release":
      return "-";
    case "adopt":
      return "=";
    default:
      throw action satisfies never;
  }
}

/** Empty for what was plainly set. */
export function wordsOf({ action, after }: Change, isDone: boolean): string {
  switch (action) {
    case "set":
      return "";
    case "default":
      return "back to the documented default";
    case "release":
      return `no longer managed, left ${after === null ? "unset" : "as it is"}`;
    case "adopt":
      return isDone ? "already so; the state took note" : "already so; the state takes note";
    default:
      throw action satisfies never;
  }
}

/** Several formats ask for the same, some of them twice, and comparing long texts takes time. */
const known = new WeakMap<Change, Difference>();

export function differenceOf(change: Change): Difference {
  const difference = known.get(change) ?? compared(change);
  if (difference.kind !== "value") known.set(change, difference);
  return difference;
}

function compared({ action, before, after }: Change): Difference {
  if (action === "release" || action === "adopt") {
    return { kind: "value", before: undefined, after: after ?? undefined };
  }
  return differenceBetween(before ?? undefined, after);
}

export function differenceBetween(before: Json | undefined, after: Json | undefined): Difference {
  const [left, right] = [textOf(before), textOf(after)];
  if (left !== undefined && right !== undefined && (isLong(before) || isLong(after))) {
    return { kind: "text", segments: diffTexts(left, right) };
  }
  const isOver = before === undefined ? !isShort(after) : isJsonList(before);
  if (isOver && isJsonList(after)) {
    return {
      kind: "list",
      before: isJsonList(before) ? before.length : undefined,
      after: after.length,
      entries: diffLists(isJsonList(before) ? before : [], after),
    };
  }
  return { kind: "value", before, after };
}

export function differenceOfPart({ before, after }: Part): Difference {
  return differenceBetween(before, after);
}

/** One line, as YAML would write it inside braces; shortened where it is long. */
export function shownValue(value: Json | undefined, most = LONGEST_VALUE): string {
  if (value === undefined) return "";
  return oneLine(shortened(flow(value), most));
}

/** The parameter that a change belongs to, and the rest of its path; empty where the parameter is the setting. */
export function splitPath(path: Path): readonly [parameter: string, rest: string] {
  const shown = (part: Path) => oneLine(shortened(formatPath(part), LONGEST_NAME));
  return [shown(path.slice(0, 1)), shown(path.slice(1))];
}

function flow(value: Json): string {
  if (isJsonList(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isJsonObject(value)) return printJson(value);
  const held = Object.entries(value).map(([key, each]) => `${formatPath([key])}: ${flow(each)}`);
  return held.length === 0 ? "{}" : `{ ${held.join(", ")} }`;
}

/** Empty where nothing stands, undefined for what is no text. CR LF is no change, so that it is not shown as one. */
function textOf(value: Json | undefined): string | undefined {
  if (value === undefined) return "";
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : undefined;
}

function isLong(value: Json | undefined): boolean {
  return typeof value === "string" && (value.length > LONGEST_VALUE || /[\n\r]/.test(value));
}

function isShort(value: Json | undefined): boolean {
  return value === undefined || flow(value).length <= LONGEST_VALUE;
}
