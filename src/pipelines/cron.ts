// Reads the cron of a clock: minute, hour, day, month and weekday, in UTC.

const MINUTE_MS = 60_000;

/** Counts the runs that a cron asks for after one moment, until another. Day and weekday both have to match. */
export function runsBetween(cron: string, afterMs: number, untilMs: number): number {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  let count = 0;
  for (let ms = Math.floor(afterMs / MINUTE_MS + 1) * MINUTE_MS; ms <= untilMs; ms += MINUTE_MS) {
    const at = new Date(ms);
    const isDue =
      isIn(minute, at.getUTCMinutes(), 0) &&
      isIn(hour, at.getUTCHours(), 0) &&
      isIn(day, at.getUTCDate(), 1) &&
      isIn(month, at.getUTCMonth() + 1, 1) &&
      // Sunday is 0 or 7.
      (isIn(weekday, at.getUTCDay(), 0) || (at.getUTCDay() === 0 && isIn(weekday, 7, 0)));
    if (isDue) count += 1;
  }
  return count;
}

/** A field is a list of such parts: 5, 1-5, 10-40/10, or a star with a step, which counts from the least value. */
function isIn(field: string, value: number, least: number): boolean {
  return field.split(",").some((part) => {
    const [range = "", step] = part.split("/");
    const [first = least, last] = range === "*" ? [least, 59] : range.split("-").map(Number);
    const most = last ?? (step === undefined ? first : 59);
    return value >= first && value <= most && (value - first) % Number(step ?? 1) === 0;
  });
}
