// What --until or --since says, a moment or how far it is from now → that moment; or wrong usage, with an example.
import { wrongUsage, type Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { zoneOf } from "../../text.js";

const MINUTES = { m: 1, h: 60, d: 24 * 60 } as const;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** No clock on earth is further from UTC. */
const FURTHEST = 14 * 60;

type When = "until" | "since";

/** A time without an offset is one of this machine's clock. */
export function momentOf(
  text: string,
  io: Pick<Io, "env" | "zone" | "now">,
  when: When = "until",
): string {
  const now = io.now();
  const ahead = when === "until" ? 1 : -1;
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const ms = unit
    ? now + ahead * Number(count) * MINUTES[unit as keyof typeof MINUTES] * MINUTE_MS
    : writtenMoment(text, when, io);
  const moment = Number.isNaN(ms) ? "" : new Date(ms).toISOString();
  // In UTC, too, the year has four digits: only such a moment is read again from where it is written down.
  if (!/^\d{4}-/.test(moment)) throw unfit(text, "is no time", when, io);
  if (when === "until" && ms <= now) throw unfit(text, "has passed", when, io);
  if (when === "since" && ms > now) throw unfit(text, "is still to come", when, io);
  return moment;
}

/** NaN for what is no time. */
function writtenMoment(text: string, when: When, io: Pick<Io, "env" | "zone" | "now">): number {
  const [, day, time, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const utc = Date.parse(`${day}T${time}Z`);
  // A day that no month has would otherwise become one of the next.
  const isReal = !Number.isNaN(utc) && new Date(utc).toISOString().startsWith(`${day}`);
  if (!isReal) return NaN;
  if (offset !== undefined) return isOffset(offset) ? Date.parse(`${day}T${time}${offset}`) : NaN;
  const zone = zoneOf(io);
  const ahead = new Set([zone(utc - DAY_MS), zone(utc + DAY_MS)]);
  const moments = [...ahead]
    .map((minutes) => ({ minutes, ms: utc - minutes * MINUTE_MS }))
    .filter(({ minutes, ms }) => zone(ms) === minutes);
  const [only, second] = moments;
  if (only && !second) return only.ms;
  throw unfit(
    text,
    only
      ? "comes twice, because clocks are put back"
      : "never comes, because clocks are put forward",
    when,
    io,
  );
}

function isOffset(offset: string): boolean {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return offset === "Z" || (minutes < 60 && hours * 60 + minutes <= FURTHEST);
}

/** The example is one that can be meant. */
function unfit(text: string, why: string, when: When, { now }: Pick<Io, "now">): Failure {
  const day = new Date(now() + (when === "until" ? DAY_MS : -DAY_MS)).toISOString().slice(0, 10);
  return wrongUsage(
    `"${text}" ${why}.`,
    `Write a moment, or how many minutes, hours or days ${when === "until" ? "from now" : "ago"}, such as:\n  --${when} ${day}T18:00Z\n  --${when} 4h`,
  );
}
