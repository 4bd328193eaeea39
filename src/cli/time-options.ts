// Reads options for a moment (--until, --since, --at) or a time span (--every).
import { wrongUsage, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { DAY_MS, meantIn, readMoment, spanMs } from "../moment.js";
import { zoneOf } from "../lib/text.js";

/** The future, the past, or either. */
type When = "until" | "since" | "at";

/** Times without an offset are in the run's zone. A date without a time means its beginning, or its end for --until. */
export function momentOf(
  text: string,
  io: Pick<Io, "env" | "zone" | "now">,
  when: When = "until",
): string {
  const now = io.now();
  const ahead = when === "since" ? -1 : 1;
  const ms = /^\d{1,4}[mhd]$/.test(text)
    ? now + ahead * spanMs(text)
    : writtenMoment(text, when, io);
  const moment = Number.isNaN(ms) ? "" : new Date(ms).toISOString();
  // In UTC, too, the year must have four digits, or the stored moment could not be read again.
  if (!/^\d{4}-/.test(moment)) throw unfit(text, "is no time", when, io);
  if (when === "until" && ms <= now) throw unfit(text, "has passed", when, io);
  if (when === "since" && ms > now) throw unfit(text, "is still to come", when, io);
  return moment;
}

/** Undefined if no other time than now is given. */
export function asOfOf(
  at: string | undefined,
  io: Pick<Io, "env" | "zone" | "now">,
): number | undefined {
  return at === undefined ? undefined : Date.parse(momentOf(at, io, "at"));
}

/** NaN for an invalid time. */
function writtenMoment(text: string, when: When, io: Pick<Io, "env" | "zone" | "now">): number {
  const written = readMoment(text, when === "until" ? "end" : "beginning");
  if (!written) return NaN;
  const meant = meantIn(zoneOf(io), written);
  if ("ms" in meant) return meant.ms;
  const why =
    meant.why === "skipped"
      ? "never comes, because clocks are put forward"
      : "comes twice, because clocks are put back";
  const help = `Write:\n${meant.instead.map((each) => `  --${when} ${each}`).join("\n")}`;
  throw wrongUsage(`"${text}" ${why}.`, help);
}

/** Shows an example that would be valid. */
function unfit(text: string, why: string, when: When, { now }: Pick<Io, "now">): Failure {
  const day = new Date(now() + (when === "since" ? -DAY_MS : DAY_MS)).toISOString().slice(0, 10);
  return wrongUsage(
    `"${text}" ${why}.`,
    `Write a moment, or how many minutes, hours or days ${when === "since" ? "ago" : "from now"}, such as:\n  --${when} ${day}T18:00Z\n  --${when} 4h`,
  );
}

const SHORTEST_SPAN_MS = 10_000;
const MOST_SPAN_DAYS = 7;

/** "15m" in milliseconds. */
export function spanOf(text: string, option: string): number {
  const ms = spanMs(text);
  if (ms >= SHORTEST_SPAN_MS && ms <= MOST_SPAN_DAYS * DAY_MS) return ms;
  throw wrongUsage(
    `Invalid value "${text}" for "--${option}".`,
    `Write seconds, minutes, hours or days, from 10s to ${MOST_SPAN_DAYS}d, such as:\n  --${option} 15m`,
  );
}
