// Writes and reads saved plans. Refuses a plan of another version, and one that was changed.
import { Failure, type FailureCode } from "../failure.js";
import { digest } from "../lib/digest.js";
import {
  isJsonList,
  isJsonObject,
  pointInto,
  parseExact,
  printJson,
  type Json,
} from "../lib/json.js";
import type { Options } from "./inputs.js";
import { shellWord } from "../lib/text.js";
import type { Plan } from "./plan.js";

/** Increases with every change of the format, but not with a new key that may be absent. */
const SAVED_FORMAT = 4;
const MARK = "lintelPlan";
/** A portal's values are at most 200 deep; printing goes deeper into the stack than this check does. */
const DEEPEST = 1_000;

export interface Saved {
  /** The arguments, for the command that makes the plan again. */
  readonly named: {
    readonly files: readonly string[];
    readonly only: readonly string[];
  };
  /** The options, for the command that makes the plan again. */
  readonly options: Omit<Options, "send"> & { readonly allow: readonly string[] };
  readonly portals: readonly {
    readonly file: string;
    readonly plan: Plan;
    /** The hold, the policies and the guards that would stop an apply now. */
    readonly blockedBy?: readonly string[];
  }[];
}

/** Contains no time, so the same inputs give the same bytes. */
export function printSaved({ named, options, portals }: Saved): string {
  const saved = { named, options, portals };
  const head = { [MARK]: SAVED_FORMAT, digest: digest(saved as unknown as Json) };
  return `${printJson({ ...head, ...saved }, 2)}\n`;
}

/**
 * Undefined for a file that is not a plan, such as a desired-state file. The digest is no signature, because anyone who
 * changes the plan can change it too. So apply computes the plan again and compares.
 */
export function parseSaved(written: string, place: string): Saved | undefined {
  const text = written.replace(/^\ufeff/, "");
  if (!/^\s*\{/.test(text)) return undefined;
  let json: Json;
  try {
    json = parseExact(text);
  } catch (error) {
    if (!text.includes(`"${MARK}"`)) return undefined;
    throw unusable(place, "file-not-readable", "is cut off, or was edited by hand", error);
  }
  if (!isJsonObject(json) || !Object.hasOwn(json, MARK)) return undefined;
  const { [MARK]: format, digest: promised, ...saved } = json;
  if (format !== SAVED_FORMAT)
    throw unusable(place, "file-not-readable", "was made by another version of Lintel");
  const isAsWritten = isWithinDepth(saved, DEEPEST) && digest(saved) === promised;
  if (isAsWritten && fits(saved, SAVED)) return saved as unknown as Saved;
  throw unusable(place, "plan-stale", "is damaged, or was edited by hand");
}

function unusable(place: string, code: FailureCode, why: string, cause?: unknown): Failure {
  const help = `Make the plan again:\n  lintel plan --save ${shellWord(place)}`;
  return new Failure(code, `The saved plan "${place}" ${why}.`, help, { cause });
}

function isWithinDepth(value: Json, deepest: number): boolean {
  if (!isJsonList(value) && !isJsonObject(value)) return true;
  return deepest > 0 && Object.values(value).every((each) => isWithinDepth(each, deepest - 1));
}

/** The shape of a value: types · a pattern for a text · a list · an object with keys. */
type Form = string | RegExp | readonly [Form] | { readonly [key: string]: Form };

function fits(value: Json | undefined, form: Form): boolean {
  if (typeof form === "string") return form.split(" or ").includes(typeof value);
  if (form instanceof RegExp) return typeof value === "string" && form.test(value);
  const [entry] = Array.isArray(form) ? (form as readonly [Form]) : [];
  if (entry) return isJsonList(value) && value.every((each) => fits(each, entry));
  if (!isJsonObject(value)) return false;
  return Object.entries(form).every(([key, each]) => {
    const held = pointInto(value, [key.replace("?", "")]);
    return fits(held, each) || (key.endsWith("?") && (held ?? null) === null);
  });
}

const ANYTHING = "string or number or boolean or object";
const PATH: Form = ["string or number"];
const NOTE = { code: "string", message: "string", help: "string or undefined" };

/** What reports print. A key with "?" may be null or absent. The rest is only compared with the new plan. */
const PLAN: Form = {
  binding: { portal: { name: "string", url: "string", id: "string" } },
  target: "string",
  deployment: "string",
  comparedWith: /^(live-and-last|live|last|nothing)$/,
  applicable: "boolean",
  "reason?": { message: "string", help: "string" },
  isJournalOpen: "boolean",
  "schedule?": {
    open: [{ name: "string", from: "string", until: "string" }],
    "next?": { time: "string", opens: ["string"], closes: ["string"] },
  },
  changes: [
    {
      path: PATH,
      action: /^(set|default|release|adopt)$/,
      cause: /^(file|rollback|schedule|drift)$/,
      "window?": { name: "string", is: /^(open|over)$/, since: "string" },
      before: ANYTHING,
      after: ANYTHING,
      "place?": { file: "string", line: "number", column: "number" },
      notes: [NOTE],
    },
  ],
  guards: [
    {
      name: "string",
      "path?": PATH,
      message: "string",
      isOpen: "boolean",
      "openedBy?": { by: /^(command-line|drift|file|schedule)$/, "path?": PATH },
    },
  ],
  "request?": { parameters: ["string"], settings: {} },
  leftOut: "number",
  leaves: [{ path: PATH, value: ANYTHING }],
  notes: [{ ...NOTE, "path?": PATH }],
};

/** Names every key, so that an option without a form does not compile. */
type FormOf<T> = Readonly<
  Record<
    { [K in keyof T & string]-?: object extends Pick<T, K> ? `${K}?` : K }[keyof T & string],
    Form
  >
>;

const OPTIONS: FormOf<Saved["options"]> = {
  compareWith: /^(live-and-last|live|last)$/,
  allow: ["string"],
  "paths?": [PATH],
  "due?": ["string"],
};

const SAVED: Form = {
  named: { files: ["string"], only: ["string"] },
  options: OPTIONS,
  portals: [{ file: "string", plan: PLAN, "blockedBy?": ["string"] }],
};
