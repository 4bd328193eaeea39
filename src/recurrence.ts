// Core type: a recurring window, by weekday or by day of the month. Computes when it opens and closes.
import { canonicalText, isJsonObject, parseJson } from "./lib/json.js";
import { DAY_MS, MINUTE_MS, firstMomentIn, momentsIn, zoneNamed } from "./moment.js";

export const WEEKDAYS = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

export interface Recurrence {
  /** From 0 for Sunday. */
  readonly weekday?: number;
  /** The first such weekday of a month is 1, the last is -1; every week if absent. */
  readonly nth?: number;
  /** In each month that has it; the last day is -1. */
  readonly day?: number;
  /** "18:00", by the clocks of its zone. */
  readonly from: string;
  /** On the next day if it is not later than `from`. */
  readonly until: string;
  /** The first and last possible day of its start, as YYYY-MM-DD. */
  readonly first?: string;
  readonly last?: string;
  readonly timeZone: string;
}

/** The beginning is part of it, the end is not. */
export interface Occurrence {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How far ahead overlaps are checked and occurrences listed. */
const AHEAD_MS = 396 * DAY_MS;
/** The longest time between two occurrences. */
const FURTHEST_DAYS = 130;

/** The last occurrence that began before a moment, even if it is over. */
export function lastBegun(rule: Recurrence, ms: number): Occurrence | undefined {
  const start = Math.min(dayOf(ms) + 1, rule.last === undefined ? Infinity : dayIn(rule.last));
  for (let day = start; day > start - FURTHEST_DAYS; day--) {
    const found = occurrenceOn(rule, day);
    if (found && found.fromMs <= ms) return found;
  }
  return undefined;
}

/** The first occurrence that begins after a moment. */
export function nextAfter(rule: Recurrence, ms: number): Occurrence | undefined {
  const start = Math.max(dayOf(ms) - 1, rule.first === undefined ? -Infinity : dayIn(rule.first));
  for (let day = start; day < start + FURTHEST_DAYS; day++) {
    const found = occurrenceOn(rule, day);
    if (found && found.fromMs > ms) return found;
  }
  return undefined;
}

/** All listed occurrences that are not over at a moment. */
export function occurrencesFrom(rule: Recurrence, startMs: number): Occurrence[] {
  const found: Occurrence[] = [];
  const endMs = startMs + AHEAD_MS;
  let next = lastBegun(rule, startMs) ?? nextAfter(rule, startMs);
  while (next && next.fromMs < endMs) {
    if (next.untilMs > startMs) found.push(next);
    next = nextAfter(rule, next.fromMs);
  }
  return found;
}

/** Days since 1970, in any zone. */
function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

function dayIn(date: string): number {
  return dayOf(Date.parse(date));
}

function occurrenceOn(rule: Recurrence, day: number): Occurrence | undefined {
  const zone = zoneNamed(rule.timeZone);
  if (!zone || !isDayOf(rule, day)) return undefined;
  const { from, until: end } = clockTimesOn(rule, day);
  const fromMs = firstMomentIn(zone, from);
  // A repeated time ends with its second occurrence.
  const untilMs = momentsIn(zone, end).at(-1) ?? firstMomentIn(zone, end);
  // A clock change may skip the whole window.
  return fromMs < untilMs ? { fromMs, untilMs } : undefined;
}

/** As a UTC clock shows them. */
function clockTimesOn(rule: Recurrence, day: number): { from: number; until: number } {
  const [from, until] = [rule.from, rule.until].map(
    (time) => day * DAY_MS + minutesIn(time) * MINUTE_MS,
  ) as [number, number];
  return { from, until: until > from ? until : until + DAY_MS };
}

/** A time of a rule that a clock change skips on some day. */
export interface SkippedTime {
  readonly key: "from" | "until";
  /** As YYYY-MM-DD. */
  readonly day: string;
  /** The moment that replaces it; undefined if clocks skip the whole window. */
  readonly ms: number | undefined;
}

/** The first such day of each time, among the listed occurrences. */
export function skippedTimes(rule: Recurrence, startMs: number): SkippedTime[] {
  const zone = zoneNamed(rule.timeZone);
  if (!zone) return [];
  const found = new Map<string, SkippedTime>();
  for (let day = dayOf(startMs); day < dayOf(startMs + AHEAD_MS); day++) {
    if (!isDayOf(rule, day)) continue;
    const times = clockTimesOn(rule, day);
    const isOpened = occurrenceOn(rule, day) !== undefined;
    for (const key of isOpened ? (["from", "until"] as const) : (["from"] as const)) {
      if (found.has(key) || momentsIn(zone, times[key]).length > 0) continue;
      const ms = isOpened ? firstMomentIn(zone, times[key]) : undefined;
      found.set(key, { key, day: new Date(times[key]).toISOString().slice(0, 10), ms });
    }
  }
  return [...found.values()];
}

function isDayOf({ weekday, nth, day: wanted, first, last }: Recurrence, day: number): boolean {
  const date = new Date(day * DAY_MS);
  const text = date.toISOString().slice(0, 10);
  if ((first !== undefined && text < first) || (last !== undefined && text > last)) return false;
  const ofMonth = date.getUTCDate();
  const left =
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() - ofMonth;
  if (wanted !== undefined) return wanted === -1 ? left === 0 : wanted === ofMonth;
  if (weekday !== date.getUTCDay()) return false;
  return nth === undefined || (nth === -1 ? left < 7 : nth === Math.ceil(ofMonth / 7));
}

function minutesIn(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** As one word without a slash, for states. */
export function writeRecurrence(rule: Recurrence): string {
  return encodeURIComponent(canonicalText({ ...rule }));
}

/** Undefined for a text from another version of Lintel. */
export function readRecurrence(text: string): Recurrence | undefined {
  try {
    const rule = parseJson(decodeURIComponent(text));
    const isWhole =
      isJsonObject(rule) &&
      ["from", "until", "timeZone"].every((key) => typeof rule[key] === "string");
    return isWhole ? (rule as unknown as Recurrence) : undefined;
  } catch {
    return undefined;
  }
}
