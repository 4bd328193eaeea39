// Plans of a run ↔ the text of a saved plan. Refuses one of another version, and one that is not as it was written.
import { Failure, type FailureCode } from "../failure.js";
import { digest, isJsonList, isJsonObject, pointInto, printJson, type Json } from "../json.js";
import { parseOwn } from "../json-text.js";
import type { Options } from "./inputs.js";
import type { Plan } from "./plan.js";

/** Goes up with every change of what a saved plan holds. */
export const SAVED_FORMAT = 2;
const MARK = "lintelPlan";
/** A portal's values are at most 200 deep; printing goes deeper into the stack than this check does. */
const DEEPEST = 1_000;

export interface Saved {
  /** How the plans were asked for; they are made again in the same way. */
  readonly options: Options & { readonly allow: readonly string[] };
  readonly portals: readonly SavedPortal[];
}

export interface SavedPortal {
  readonly file: string;
  readonly plan: Plan;
}

/** Without a time, so that the same inputs give the same text to the byte. */
export function printSaved({ options, portals }: Saved): string {
  const saved = { options, portals };
  const head = { [MARK]: SAVED_FORMAT, digest: digest(saved as unknown as Json) };
  return `${printJson({ ...head, ...saved }, 2)}\n`;
}

/**
 * Undefined for anything that does not even say that it is a plan, such as a desired-state file. The digest is no
 * signature: whoever changes the plan can change that too, so apply makes the plan anew and compares.
 */
export function parseSaved(written: string, place: string): Saved | undefined {
  const text = written.replace(/^\ufeff/, "");
  if (!/^\s*\{/.test(text)) return undefined;
  let json: Json;
  try {
    json = parseOwn(text);
  } catch (error) {
    if (!text.includes(`"${MARK}"`)) return undefined;
    throw unusable(place, "is cut off, or was edited by hand", { cause: error });
  }
  if (!isJsonObject(json) || !Object.hasOwn(json, MARK)) return undefined;
  const { [MARK]: format, digest: promised, ...saved } = json;
  if (format !== SAVED_FORMAT) throw unusable(place, "was made by another version of Lintel");
  const isAsWritten = isWithinDepth(saved, DEEPEST) && digest(saved) === promised;
  if (isAsWritten && fits(saved, SAVED)) return saved as unknown as Saved;
  throw unusable(place, "is damaged, or was edited by hand", { code: "plan-stale" });
}

function unusable(
  place: string,
  why: string,
  { code = "plan-not-readable", cause }: { code?: FailureCode; cause?: unknown } = {},
): Failure {
  return new Failure(
    code,
    `The saved plan "${place}" ${why}.`,
    "Make it anew:\n  lintel plan --save FILE",
    { cause },
  );
}

function isWithinDepth(value: Json, deepest: number): boolean {
  if (!isJsonList(value) && !isJsonObject(value)) return true;
  return deepest > 0 && Object.values(value).every((each) => isWithinDepth(each, deepest - 1));
}

type Check = (value: Json | undefined) => boolean;

/** What a value must be: as a check says · of the type of an example · a list of such · an object with such keys. */
type Form = Check | string | number | boolean | readonly [Form] | { readonly [key: string]: Form };

function fits(value: Json | undefined, form: Form): boolean {
  if (typeof form === "function") return form(value);
  if (typeof form !== "object") return typeof value === typeof form;
  if (isList(form)) return isJsonList(value) && value.every((each) => fits(each, form[0]));
  const keys = Object.entries(form);
  return isJsonObject(value) && keys.every(([key, held]) => fits(pointInto(value, [key]), held));
}

function isList(form: Exclude<Form, Check>): form is readonly [Form] {
  return Array.isArray(form);
}

function orNull(form: Form): Check {
  return (value) => value === null || fits(value, form);
}

function optional(form: Form): Check {
  return (value) => value === undefined || fits(value, form);
}

function oneOf(...words: readonly string[]): Check {
  return (value) => words.includes(value as string);
}

const [text, number, flag] = ["", 0, true];
const anything: Check = (value) => value !== undefined;
const path: Form = [(part) => fits(part, text) || fits(part, number)];
const note = { code: text, message: text, help: optional(text) };

/** What reports print; the rest is compared with a new plan, whatever it is. */
const plan: Form = {
  binding: { portal: { name: text, url: text, id: text } },
  target: text,
  deployment: text,
  comparedWith: oneOf("live-and-last", "live", "last", "nothing"),
  applicable: flag,
  reason: orNull({ message: text, help: text }),
  isJournalOpen: flag,
  changes: [
    {
      path,
      action: oneOf("set", "default", "release", "adopt"),
      before: anything,
      after: anything,
      place: orNull({ file: text, line: number, column: number }),
      notes: [note],
    },
  ],
  guards: [
    {
      name: text,
      path: orNull(path),
      message: text,
      isOpen: flag,
      openedBy: orNull({ by: text, path: optional(orNull(path)) }),
    },
  ],
  request: orNull({ parameters: [text], settings: {} }),
  leaves: [{ path, value: anything }],
  notes: [{ ...note, path: orNull(path) }],
};

const SAVED: Form = {
  options: { send: text, compareWith: oneOf("live-and-last", "live", "last"), allow: [text] },
  portals: [{ file: text, plan }],
};
