// Noun: a moment in UTC, and the clock that a reader lives by → the moment as people write it, with the zone.
import { isPipeline, type Io } from "./io.js";

/** The minutes that a place's clock is ahead of UTC at a moment, given in milliseconds since 1970. */
export type Zone = (ms: number) => number;

export const UTC: Zone = () => 0;

/**
 * The machine's own zone. A pipeline's log is read elsewhere than where it runs, and a run that is to make the same
 * bytes again (SOURCE_DATE_EPOCH) must not depend on where it does: those have UTC.
 */
export function zoneOf({ env, zone }: Pick<Io, "env" | "zone">): Zone {
  return isPipeline(env) || env["SOURCE_DATE_EPOCH"] ? UTC : zone;
}

/** "2026-07-01 02:05 +02:00", or "2026-07-01 00:05 UTC"; what is no moment is left as it is. */
export function showTime(moment: string, zone: Zone): string {
  const ms = Date.parse(moment);
  if (Number.isNaN(ms)) return moment;
  const ahead = zone(ms);
  const local = new Date(ms + ahead * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)} ${nameOf(ahead)}`;
}

function nameOf(minutes: number): string {
  if (minutes === 0) return "UTC";
  const far = Math.abs(minutes);
  const [hours, rest] = [Math.trunc(far / 60), far % 60].map((each) => twoDigits(each));
  return `${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}
