// "15m" → that many milliseconds; or wrong usage, with an example.
import { wrongUsage } from "../../failure.js";
import { DAY_MS, spanMs } from "../../moment.js";

const LEAST_MS = 10_000;

export function spanOf(text: string, option: string, mostDays = 7): number {
  const ms = spanMs(text);
  if (ms >= LEAST_MS && ms <= mostDays * DAY_MS) return ms;
  throw wrongUsage(
    `Invalid value "${text}" for "--${option}".`,
    `Write seconds, minutes, hours or days, from 10s to ${mostDays}d, such as:\n  --${option} 15m`,
  );
}
