// Core type: a moment. Converts between local times in a zone and moments.
import { showTime, UTC, type Zone } from "./lib/text.js";

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
/** In minutes: no clock is further from UTC. */
const FURTHEST = 14 * 60;

const UNITS = { s: 1_000, m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS } as const;

/** The milliseconds of a duration such as "15m"; NaN for other texts. */
export function spanMs(text: string): number {
  const [, count, unit = "s"] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return Number(count ?? NaN) * UNITS[unit as keyof typeof UNITS];
}

export interface Written {
  /** The moment at which a UTC clock shows this time. */
  readonly utcMs: number;
  /** The exact moment, if the text contains an offset. */
  readonly ms?: number;
  /** A date without a time: its beginning, or as an end its end. */
  readonly isDay?: true;
}

/**
 * "2026-12-05T18:00", with or without seconds and "+01:00" or "Z", or "2026-12-05" for the whole day; undefined for
 * what is no such text, or no day of the calendar.
 */
export function readMoment(
  text: string,
  as: "beginning" | "end" = "beginning",
): Written | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const begun = readMoment(`${text}T00:00`);
    return begun && { utcMs: begun.utcMs + (as === "end" ? DAY_MS : 0), isDay: true };
  }
  const [, day, time, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const utcMs = Date.parse(`${day}T${time}Z`);
  // An invalid date would become one of the next month.
  if (Number.isNaN(utcMs) || !new Date(utcMs).toISOString().startsWith(`${day}`)) return undefined;
  if (offset === undefined) return { utcMs };
  return isOffset(offset) ? { utcMs, ms: Date.parse(`${day}T${time}${offset}`) } : undefined;
}

function isOffset(offset: string): boolean {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return offset === "Z" || (minutes < 60 && hours * 60 + minutes <= FURTHEST);
}

/** The moments at which a zone's clock shows what one of UTC does at `utcMs`: one; two where it is put back, none where it is put forward. */
export function momentsIn(zone: Zone, utcMs: number): number[] {
  const ahead = new Set([zone(utcMs - DAY_MS), zone(utcMs + DAY_MS)]);
  return [...ahead]
    .map((minutes) => ({ minutes, ms: utcMs - minutes * MINUTE_MS }))
    .filter(({ minutes, ms }) => zone(ms) === minutes)
    .map(({ ms }) => ms)
    .toSorted((one, other) => one - other);
}

/** The first of these; if clocks skip the time, the first moment after the change. */
export function firstMomentIn(zone: Zone, utcMs: number): number {
  return momentsIn(zone, utcMs)[0] ?? changeAfter(zone, utcMs);
}

/** The moment of the clock change that skips this time. */
function changeAfter(zone: Zone, utcMs: number): number {
  let [before, after] = [utcMs - 2 * DAY_MS, utcMs + 2 * DAY_MS];
  const ahead = zone(before);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone(middle) === ahead) before = middle;
    else after = middle;
  }
  return after;
}

export type Meant =
  | { readonly ms: number }
  /** The zone's clocks skip or repeat it; `instead` has the alternatives. */
  | { readonly why: "skipped" | "repeated"; readonly instead: readonly string[] };

/** The moment of a text by the clocks of a zone. */
export function meantIn(zone: Zone, { ms, utcMs, isDay }: Written): Meant {
  if (ms !== undefined) return { ms };
  if (isDay) return { ms: firstMomentIn(zone, utcMs) };
  const [first, second] = momentsIn(zone, utcMs);
  if (first === undefined) {
    return { why: "skipped", instead: [writeMoment(changeAfter(zone, utcMs), zone)] };
  }
  if (second === undefined) return { ms: first };
  return { why: "repeated", instead: [first, second].map((each) => writeMoment(each, zone)) };
}

/** In the form of a file: "2026-10-25T02:30+01:00". */
export function writeMoment(ms: number, zone: Zone): string {
  const ahead = zone(ms);
  const local = new Date(ms + ahead * MINUTE_MS).toISOString();
  const time = local.slice(0, local.slice(17, 19) === "00" ? 16 : 19);
  const [hours, minutes] = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const digits = [hours, minutes].map((each) => String(each).padStart(2, "0")).join(":");
  return `${time}${ahead === 0 ? "Z" : `${ahead < 0 ? "-" : "+"}${digits}`}`;
}

const zones = new Map<string, Zone | undefined>();

/** The zone with this name in Node's IANA database; undefined if there is none. */
export function zoneNamed(name: string): Zone | undefined {
  // Cached, because creating a formatter takes longer than using it.
  if (!zones.has(name)) zones.set(name, openZone(name));
  return zones.get(name);
}

/** Formats moments in the zone that a file names. */
export function clockOf(timeZone = "UTC"): (moment: string) => string {
  const zone = zoneNamed(timeZone) ?? UTC;
  return (moment) => showTime(moment, zone);
}

/** All valid names, for a message about an invalid one. */
export function zoneNames(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone")];
}

function openZone(timeZone: string): Zone | undefined {
  // "+02:00" is no zone name; which zone has this offset depends on the day.
  if (!/^[A-Za-z]/.test(timeZone)) return undefined;
  const formatter = formatterFor(timeZone);
  if (!formatter) return undefined;
  const zone = (ms: number) => {
    const parts = formatter.formatToParts(ms).map(({ type, value }) => [type, Number(value)]);
    const shown = Object.fromEntries(parts) as Record<Intl.DateTimeFormatPartTypes, number>;
    const { year, month, day, hour, minute, second } = shown;
    const local = Date.UTC(year, month - 1, day, hour, minute, second);
    return Math.round((local - Math.floor(ms / 1000) * 1000) / MINUTE_MS);
  };
  return Object.assign(zone, { label: timeZone });
}

function formatterFor(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
