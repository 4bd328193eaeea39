// Declares events, gives each of a portal its ID, and renders them as lines of text or JSON.
import { digest } from "../../lib/digest.js";
import type { Json, JsonObject } from "../../lib/json.js";
import { oneLine } from "../../lib/text.js";
import type { Identity } from "../../apply/reconcile.js";
import type { Styles } from "../../report/styles.js";

export const EVENT_KINDS = [
  "started",
  "files",
  "revision",
  "window",
  "drift",
  "applied",
  "pending",
  "blocked",
  "failed",
  "recovered",
  "action",
  "notice",
] as const;

/** What `serve` and workers print: an event of a portal, or of the run as a whole. */
export interface LogEvent {
  readonly kind: (typeof EVENT_KINDS)[number];
  /** Absent for an event of the run. */
  readonly id?: string;
  readonly about?: { readonly portal: Identity; readonly file: string };
  /** Follows the portal's name. */
  readonly message: string;
  readonly help?: string | undefined;
  /** Needs attention, or no longer does: `--quiet` prints only these. */
  readonly isProblem: boolean;
  /** More keys of the JSON. */
  readonly more?: JsonObject;
}

/** An event of a portal: stored, and sent to webhooks. */
export interface Event extends LogEvent {
  /** The same in every process that finds the same event; else unique. */
  readonly id: string;
  readonly timeMs: number;
  /** Of the portal. */
  readonly key: string;
  readonly about: { readonly portal: Identity; readonly file: string };
}

/** `fact` distinguishes it from every other event of its portal, forever. */
export interface EventDraft extends Omit<LogEvent, "about" | "id"> {
  readonly fact?: readonly Json[];
}

/** 128 bits, so that IDs never collide. */
const DIGITS = 32;

export function eventOf(
  { fact = [], ...draft }: EventDraft,
  of: Pick<Event, "about" | "timeMs" | "key">,
): Event {
  const id = digest([of.key, draft.kind, ...fact]).slice(0, DIGITS);
  return { ...draft, id, ...of };
}

interface LineOptions {
  readonly nowMs: number;
  readonly styles: Pick<Styles, "time" | "bold" | "dim">;
}

/** The help follows below, indented. */
export function textLineOf(
  { about, kind, message, help }: LogEvent,
  { nowMs, styles }: LineOptions,
): string {
  const time = styles.dim(styles.time(new Date(nowMs).toISOString()));
  const name = about ? `${styles.bold(oneLine(about.portal.name))}  ` : "";
  const word = kind === "failed" || kind === "blocked" ? `${kind}: ` : "";
  const lines = (help ?? "").split("\n").filter((line) => line !== "");
  const below = lines.map((line) => `    ${line}\n`).join("");
  return `${time}  ${name}${word}${oneLine(message)}\n${below}`;
}

export function jsonLineOf(event: LogEvent, { nowMs }: LineOptions): string {
  return `${JSON.stringify({ formatVersion: 1, ...jsonOf(event, nowMs) })}\n`;
}

/** The same object for webhooks and the dashboard. */
export function eventJson(event: Event): JsonObject {
  return jsonOf(event, event.timeMs);
}

function jsonOf({ id, about, kind, message, help, more }: LogEvent, timeMs: number): JsonObject {
  return {
    time: new Date(timeMs).toISOString(),
    event: kind,
    ...(id !== undefined && { id }),
    ...(about && { portal: { ...about.portal, file: about.file } }),
    message,
    help: help ?? null,
    ...more,
  };
}
