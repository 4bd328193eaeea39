// Builds the document that policies check: the file's settings at a moment and the plan's changes, resolved and without secrets.
import { referencePath } from "../catalog/spelling.js";
import { contrast, parseColour } from "../colour.js";
import { pointInto, type Json, type JsonObject } from "../lib/json.js";
import { MINUTE_MS, zoneNamed } from "../moment.js";
import type { Change } from "../plan/diff.js";
import { WEEKDAYS } from "../recurrence.js";
import { formatPath } from "../settings.js";
import type { SettingPath } from "../../schemas/names.js";

/** The manual documents these keys. Keys are only ever added. */
export interface PolicyInput {
  readonly portal: {
    readonly name: string;
    /** Without a port, because a portal may have several. */
    readonly host?: string;
    /** Identifies the portal, independent of its name in the file. */
    readonly key?: string;
  };
  readonly targetVersion: string;
  readonly deployment: string;
  readonly file: string;
  /** In the reference's spelling. */
  readonly settings: JsonObject;
  /** The contrast of the banner's colours; absent unless the file sets both. */
  readonly contrast?: number;
  /** Absent without a plan. */
  readonly changes?: readonly ChangeInput[];
  readonly schedule: readonly WindowInput[];
  /** Absent without a clock. */
  readonly time?: TimeInput;
}

export interface ChangeInput {
  readonly path: string;
  readonly action: Change["action"];
  readonly cause: Change["cause"];
  /** Null for no value. */
  readonly before: Json;
  readonly after: Json;
}

export interface WindowInput {
  readonly name: string;
  /** Moments in UTC. */
  readonly from: string;
  readonly until: string;
  readonly isOpen: boolean;
}

export interface TimeInput {
  readonly date: string;
  readonly weekday: (typeof WEEKDAYS)[number];
  readonly minuteOfDay: number;
  readonly timeZone: string;
}

/** A trailing dot is removed, because it means the same host. */
export function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.+$/, "");
}

export function changeInput({ path, action, cause, before, after }: Change): ChangeInput {
  return { path: formatPath(referencePath(path)), action, cause, before, after };
}

const BACK = "informationalBanner.bgColor" satisfies SettingPath;
const FRONT = "informationalBanner.fontColor" satisfies SettingPath;

/** Adds the contrast, rounded down, so that a value below a limit stays below it. */
export function withContrast(given: PolicyInput): PolicyInput {
  const [back, front] = [BACK, FRONT].map((path) => {
    const value = pointInto(given.settings, path.split("."));
    return typeof value === "string" ? parseColour(value) : undefined;
  });
  if (!back || !front) return given;
  return { ...given, contrast: Math.floor(100 * contrast(front, back)) / 100 };
}

/** The time in that zone. Each policy uses its own zone, because a file could choose another. */
export function timeAt(ms: number, timeZone: string): TimeInput {
  const zone = zoneNamed(timeZone);
  if (!zone) throw new TypeError(`"${timeZone}" was not checked`);
  const local = new Date(ms + zone(ms) * MINUTE_MS);
  return {
    date: local.toISOString().slice(0, 10),
    weekday: WEEKDAYS[local.getUTCDay()] ?? "sunday",
    minuteOfDay: 60 * local.getUTCHours() + local.getUTCMinutes(),
    timeZone,
  };
}
