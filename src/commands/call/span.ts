// "15m" → that many milliseconds; or wrong usage, with an example.
import { wrongUsage } from "../../failure.js";

const SECONDS = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 } as const;
const LEAST_S = 10;

export function spanOf(text: string, option: string, mostDays = 7): number {
  const [, count, unit = "s"] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count ?? NaN) * SECONDS[unit as keyof typeof SECONDS];
  if (seconds >= LEAST_S && seconds <= mostDays * SECONDS.d) return seconds * 1000;
  throw wrongUsage(
    `"${text}" is not a value of "--${option}".`,
    `Write seconds, minutes, hours or days, from 10s to ${mostDays}d, such as:\n  --${option} 15m`,
  );
}
