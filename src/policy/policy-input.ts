// The document that policies judge: what a file says at a moment and what a plan changes, resolved and without secrets.
import { referencePath } from "../catalog/spelling.js";
import { contrast, parseColour } from "../colour.js";
import { pointInto, type Json, type JsonObject } from "../lib/json.js";
import { MINUTE_MS, zoneNamed } from "../moment.js";
import type { Change } from "../plan/diff.js";
import { WEEKDAYS } from "../recurrence.js";
import { formatPath } from "../settings.js";
import type { SettingPath } from "../../schemas/names.js";

/** The keys are those of the document that the manual describes; it only grows. */
export interface PolicyInput {
  readonly portal: {
    readonly name: string;
    /** Without a port, because several may lead to one portal. */
    readonly host?: string;
    /** Identifies it among all portals, independent of the name in its file. */
    readonly key?: string;
  };
  readonly targetVersion: string;
  readonly deployment: string;
  readonly file: string;
  /** As the reference spells them. */
  readonly settings: JsonObject;
  /** Of the banner's two colours; absent unless the file gives both. */
  readonly contrast?: number;
  /** Absent where no plan is made. */
  readonly changes?: readonly ChangeInput[];
  readonly schedule: readonly WindowInput[];
  /** Absent without a clock. */
  readonly time?: TimeInput;
}

export interface ChangeInput {
  readonly path: string;
  readonly action: Change["action"];
  readonly cause: Change["cause"];
  /** Null where nothing stands. */
  readonly before: Json;
  readonly after: Json;
}

export interface WindowInput {
  readonly name: string;
  /** As moments in UTC. */
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

/** A name that ends with a dot means the same host as the one without. */
export function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.+$/, "");
}

export function changeInput({ path, action, cause, before, after }: Change): ChangeInput {
  return { path: formatPath(referencePath(path)), action, cause, before, after };
}

const BACK = "informationalBanner.bgColor" satisfies SettingPath;
const FRONT = "informationalBanner.fontColor" satisfies SettingPath;

/** With what follows from its settings. Rounded down, so that what is below a bound stays below it. */
export function withContrast(given: PolicyInput): PolicyInput {
  const [back, front] = [BACK, FRONT].map((path) => {
    const value = pointInto(given.settings, path.split("."));
    return typeof value === "string" ? parseColour(value) : undefined;
  });
  if (!back || !front) return given;
  return { ...given, contrast: Math.floor(100 * contrast(front, back)) / 100 };
}

/** What a clock in that zone shows; each policy asks by its own, because a file could choose another. */
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
