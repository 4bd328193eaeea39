// Plans of a run ↔ the text of a saved plan. Refuses what was not made by Lintel, or by a newer one.
import { Failure } from "../failure.js";
import { GUARDS } from "../guard.js";
import { isJsonObject, printJson, type Json, type JsonObject } from "../json.js";
import { parseOwn } from "../json-text.js";
import * as shape from "../shape.js";
import type { Shape } from "../shape.js";
import type { Path } from "../settings.js";
import type { Binding } from "./binding.js";
import type { Change } from "./diff.js";
import type { Guard, Opening } from "./guard.js";
import type { Identity, Options } from "./inputs.js";
import type { Note } from "./note.js";
import type { Plan, PlanNote, Reason } from "./plan.js";
import type { PlannedLeaf, PlannedRequest } from "./request.js";

export const SAVED_FORMAT = 1;
const MARK = "lintelPlan";

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
  return `${printJson({ [MARK]: SAVED_FORMAT, options, portals }, 2)}\n`;
}

/** Undefined for anything that does not even say that it is a plan, such as a desired-state file. */
export function parseSaved(written: string, place: string): Saved | undefined {
  const text = written.replace(/^\ufeff/, "");
  if (!/^\s*\{/.test(text)) return undefined;
  let json: unknown;
  try {
    json = parseOwn(text);
  } catch (error) {
    if (!text.includes(`"${MARK}"`)) return undefined;
    throw unreadable(place, "it is cut off", error);
  }
  if (!isJsonObject(json) || !Object.hasOwn(json, MARK)) return undefined;
  const { [MARK]: format, ...rest } = json;
  if (format !== SAVED_FORMAT) throw unreadable(place, "another version of Lintel wrote it");
  try {
    return whole(rest, "");
  } catch (error) {
    throw unreadable(place, error instanceof TypeError ? error.message : "it is too deep", error);
  }
}

function unreadable(place: string, why: string, cause?: unknown): Failure {
  return new Failure(
    "plan-not-readable",
    `The saved plan "${place}" cannot be used: ${why}.`,
    "Make a new one:\n  lintel plan --save FILE",
    { cause },
  );
}

function nullable<T>(of: Shape<T>): Shape<T | null> {
  return (value, at) => (value === null ? null : of(value, at));
}

const flag: Shape<boolean> = (value, at) => {
  if (typeof value !== "boolean") throw new TypeError(`"${at}" is neither true nor false`);
  return value;
};

const number: Shape<number> = (value, at) => {
  if (typeof value !== "number") throw new TypeError(`"${at}" is no number`);
  return value;
};

const values: Shape<JsonObject> = shape.mapping;
const value: Shape<Json> = shape.anything;
const path: Shape<Path> = shape.path;
const guardName = shape.oneOf(GUARDS);

const noteFields = {
  code: shape.name as Shape<Note["code"]>,
  message: shape.text,
  help: shape.optional(shape.text),
};
const note = shape.object<Note>(noteFields);

const opening: Shape<Opening> = (held, at) =>
  isJsonObject(held) && held["by"] === "command-line"
    ? shape.object<{ by: "command-line" }>({ by: shape.oneOf(["command-line"]) })(held, at)
    : shape.object<Extract<Opening, { by: "file" }>>({
        by: shape.oneOf(["file"]),
        path: nullable(path),
        until: shape.text,
        reason: shape.text,
      })(held, at);

const change = shape.object<Change>({
  path,
  action: shape.oneOf(["set", "default", "release", "adopt"]),
  before: value,
  after: value,
  place: nullable(
    shape.object<NonNullable<Change["place"]>>({
      file: shape.text,
      line: number,
      column: number,
    }),
  ),
  notes: shape.list(note),
});

const guard = shape.object<Guard>({
  name: guardName,
  path: nullable(path),
  message: shape.text,
  isOpen: flag,
  openedBy: nullable(opening),
});

const binding = shape.object<Binding>({
  toolVersion: shape.text,
  portal: shape.object<Identity>({ name: shape.text, url: shape.text, id: shape.text }),
  state: nullable(
    shape.object<NonNullable<Binding["state"]>>({
      lineage: shape.text,
      serial: number,
      digest: shape.text,
    }),
  ),
  live: nullable(shape.text),
  desired: shape.text,
  opened: shape.list(
    shape.object<Binding["opened"][number]>({
      name: shape.text,
      path: nullable(path),
      openedBy: opening,
    }),
  ),
});

const plan = shape.object<Plan>({
  binding,
  target: shape.text,
  deployment: shape.text,
  comparedWith: shape.oneOf(["live-and-last", "live", "last", "nothing"]),
  applicable: flag,
  reason: nullable(
    shape.object<Reason>({
      code: shape.oneOf(["anonymous-view", "no-state", "not-read"]),
      message: shape.text,
      help: shape.text,
    }),
  ),
  isJournalOpen: flag,
  changes: shape.list(change),
  guards: shape.list(guard),
  request: nullable(
    shape.object<PlannedRequest>({ parameters: shape.list(shape.text), settings: values }),
  ),
  leaves: shape.list(shape.object<PlannedLeaf>({ path, value })),
  alsoSent: shape.list(shape.object<PlannedLeaf>({ path, value })),
  notes: shape.list(shape.object<PlanNote>({ path: nullable(path), ...noteFields })),
});

const whole = shape.object<Saved>({
  options: shape.object<Saved["options"]>({
    send: shape.oneOf(["known", "touched"]),
    compareWith: shape.oneOf(["live-and-last", "live", "last"]),
    allow: shape.list(guardName),
  }),
  portals: shape.list(shape.object<SavedPortal>({ file: shape.name, plan })),
});
