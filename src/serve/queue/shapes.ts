// Checks the shape of JSON in the tables: anyone with write access to the database may have changed it.
import { EVENT_KINDS, type Event } from "../events/event.js";
import type { Facts } from "./processes.js";
import { STATUSES, type PortalRecord } from "../snapshot.js";
import { isJsonObject, parseJson, type Json } from "../../lib/json.js";

type Shape = (value: Json | undefined) => boolean;

const text: Shape = (value) => typeof value === "string";
const truth: Shape = (value) => typeof value === "boolean";
/** A count that can still be increased by one. */
const figure: Shape = (value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31 - 1;
/** Milliseconds in the range of a Date. */
const moment: Shape = (value) => typeof value === "number" && Math.abs(value) <= 8.64e15;
/** Deeper values could be read but not written again. */
const isShallow = (value: unknown, depth = 0): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth < 100 && Object.values(value).every((each) => isShallow(each, depth + 1)));
const date: Shape = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));

const oneOf =
  (values: readonly string[]): Shape =>
  (value) =>
    typeof value === "string" && values.includes(value);

const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value);

const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);

const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);

const object =
  (keys: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isJsonObject(value) && Object.entries(keys).every(([key, shape]) => shape(value[key]));

const portal = { name: text, url: text, id: text };
const window = object({
  name: text,
  fromMs: moment,
  untilMs: moment,
  timeZone: optional(text),
  isUnapplied: optional(truth),
});

const RECORD = object({
  checkedMs: moment,
  nextPollMs: moment,
  notBeforeMs: optional(moment),
  failures: figure,
  reported: object({
    drift: text,
    pending: text,
    failure: text,
    notices: listOf(text),
    applied: optional(object({ lineage: optional(text), number: figure })),
    sinceMs: moment,
    count: figure,
  }),
  snapshot: object({
    ...portal,
    key: text,
    file: text,
    pool: optional(text),
    status: oneOf(STATUSES),
    checkedMs: optional(moment),
    answeredMs: optional(moment),
    nextMs: optional(moment),
    windows: listOf(window),
    waiting: listOf(
      object({
        path: text,
        action: text,
        cause: text,
        window: orNull(object({ name: text, is: text, since: date })),
      }),
    ),
    needs: optional(listOf(text)),
    guards: optional(listOf(text)),
    blockers: optional(listOf(object({ guard: text, reason: text }))),
    drift: listOf(object({ path: text, managed: truth })),
    failure: optional(
      object({
        code: text,
        message: text,
        help: orNull(text),
        sinceMs: moment,
        errors: optional(listOf(text)),
      }),
    ),
    isHeld: optional(truth),
    lastApply: optional(figure),
    commit: optional(text),
    author: optional(text),
    planDigest: optional(text),
  }),
});

const EVENT = object({
  id: text,
  kind: oneOf(EVENT_KINDS),
  key: text,
  timeMs: moment,
  message: text,
  help: optional(text),
  isProblem: truth,
  about: object({ file: text, portal: object(portal) }),
  more: optional(isJsonObject),
});

const FACTS = object({
  role: oneOf(["serve", "worker"]),
  host: text,
  pid: figure,
  version: text,
  pools: optional(listOf(text)),
  apply: optional(listOf(text)),
  policies: optional(orNull(text)),
  commit: optional(orNull(text)),
  stuck: optional(text),
  doing: optional(listOf(text)),
});

/** An unreadable record counts as none: the next check finds everything again. */
export function knownOf(written: string | null): PortalRecord | undefined {
  return read(written, RECORD) as PortalRecord | undefined;
}

/** Undefined for an unreadable event, which is not sent. */
export function eventIn(written: string): Event | undefined {
  return read(written, EVENT) as Event | undefined;
}

export function factsIn(written: string): Facts | undefined {
  return read(written, FACTS) as Facts | undefined;
}

/** Undefined for a wait that ends after `latestMs`. */
export function paceIn(written: string | null, latestMs: number): unknown {
  const soon: Shape = (value) => typeof value === "number" && value <= latestMs;
  const calls: Shape = (value) => isJsonObject(value) && Object.values(value).every(soon);
  return read(written, object({ calls, closedUntilMs: soon, promisedMs: soon }));
}

function read(written: string | null, shape: Shape): unknown {
  const value = parseJson(written ?? "null");
  return shape(value) && isShallow(value) ? value : undefined;
}
