// Computes the days of a time zone, and formats days and times.
import { DAY_MS, MINUTE_MS, zoneNamed } from "../../../moment.js";
import { UTC, type Zone } from "../../../lib/text.js";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** UTC for a name that is absent or unknown. */
export function zoneOfName(name: string | undefined): Zone {
  return (name === undefined ? undefined : zoneNamed(name)) ?? UTC;
}

export function dateAt(ms: number, zone: Zone): string {
  return new Date(ms + zone(ms) * MINUTE_MS).toISOString().slice(0, 10);
}

/** "18:00" */
export function timeAt(ms: number, zone: Zone): string {
  return new Date(ms + zone(ms) * MINUTE_MS).toISOString().slice(11, 16);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a text is a valid date such as "2026-06-15". */
export function isDate(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay();
}

/** "Mon" */
export function shortWeekday(date: string): string {
  return (WEEKDAYS[weekdayOf(date)] ?? "").slice(0, 3);
}

/** "15 June" */
export function dayText(date: string): string {
  const [, month, day] = date.split("-").map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}

/** "Monday, 15 June 2026" */
export function longDayText(date: string): string {
  return `${WEEKDAYS[weekdayOf(date)]}, ${dayText(date)} ${date.slice(0, 4)}`;
}
