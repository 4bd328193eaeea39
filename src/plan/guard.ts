// Finds the guards that block an apply, and what allows each of them. Guards never block a plan.
import { GUARDS, type AllowEntry, type GuardName } from "../guard.js";
import type { Json } from "../lib/json.js";
import { isSent, isWithin, type Path } from "../settings.js";
import type { Difference } from "./diff.js";
import { GUARD_RULES, type Finding } from "./guards/all.js";
import type { Inputs } from "./inputs.js";
import type { PlannedRequest } from "./request.js";
import { keyOf, referencePath } from "../catalog/spelling.js";

export interface Guard extends Finding {
  readonly name: GuardName;
  readonly isOpen: boolean;
  readonly openedBy: Opening | null;
}

export type Opening =
  | { readonly by: "command-line" }
  /** Confirmed for a plan that named the guard. */
  | { readonly by: "prompt" }
  /** The file's `drift: restore`. */
  | { readonly by: "drift" }
  /** A window of the file opened or closed. */
  | { readonly by: "schedule"; readonly window: string; readonly is: "open" | "over" }
  | {
      readonly by: "file";
      readonly path: Path | null;
      readonly until: string;
      readonly reason: string;
    };

/** Changes to the state alone need no guard. */
export function guardsOf(
  inputs: Inputs,
  differences: readonly Difference[],
  request: PlannedRequest | null,
): Guard[] {
  const sent = differences
    .filter(({ change }) => isSent(change))
    .map((each) => ({ ...each, couldBe: each.couldBe.map(meant) }));
  if (sent.length === 0) return [];
  const boundaries = new Map(
    sent.flatMap(({ isAtBoundary, change }) =>
      isAtBoundary && change.window ? [[keyOf(change.path), change.window] as const] : [],
    ),
  );
  return GUARDS.flatMap((name) => {
    const rule = GUARD_RULES[name];
    return rule.find({ inputs, sent, request }).map((finding): Guard => {
      const window = finding.path && boundaries.get(keyOf(finding.path));
      if (!rule.isOpenAtBoundary || !window) return judge(name, finding, inputs);
      const openedBy = { by: "schedule", window: window.name, is: window.is } as const;
      return { name, ...finding, isOpen: true, openedBy };
    });
  });
}

/** Some portals show booleans and numbers as texts. */
export function meant(value: Json): Json {
  if (typeof value !== "string") return value;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return /^\d{1,9}$/.test(value) ? Number(value) : value;
}

function judge(name: GuardName, finding: Finding, { allow, today, atMs }: Inputs): Guard {
  const { path, message } = finding;
  const entry = latest(
    allow.entries.filter((each) => each.guard === name && covers(each.path, path)),
  );
  const isOver =
    entry !== undefined && (isDay(entry) ? entry.until < today : Date.parse(entry.until) <= atMs);
  const byFile: Opening | null =
    entry && !isOver
      ? { by: "file", path: entry.path ?? null, until: entry.until, reason: entry.reason }
      : null;
  // The command line has priority, so that a saved plan does not become stale when an entry of the file expires.
  const openedBy: Opening | null = allow.names.includes(name)
    ? { by: "command-line" }
    : name === "overwrite-drift" && allow.drift === "restore"
      ? { by: "drift" }
      : (byFile ?? (allow.atPrompt?.includes(name) ? { by: "prompt" } : null));
  const expiry =
    isOver && !openedBy ? ` The file allowed it until ${entry.until}, which has passed.` : "";
  const isOpen = openedBy !== null;
  return { name, ...finding, message: message + expiry, isOpen, openedBy };
}

/** The `lintel pull` command that keeps the values protected by blocking guards; undefined if there are none. */
export function keepingCall(guards: readonly Guard[], files: string): string | undefined {
  return pullCall(
    guards.flatMap(({ isOpen, canPull, path }) => (path && !isOpen && canPull ? [path] : [])),
    files,
  );
}

/** Help for "overwrite-drift". */
export const ALWAYS_RESTORE =
  "To revert every change made by hand from now on, add to the file:\n  drift: restore";

/** Names each path, so that other differences of the file stay. */
export function pullCall(paths: readonly Path[], files: string): string | undefined {
  const named = new Set(paths.filter(isPlain).map((path) => `--path ${path.join(".")}`));
  return named.size > 0 ? ["lintel pull", files, ...named].join(" ") : undefined;
}

/** A path with other characters cannot be written on a command line or in a file. */
export function isPlain(path: Path): boolean {
  return path.every((part) => /^[\w$-]+$/.test(String(part)));
}

function covers(opened: Path | undefined, path: Path | null): boolean {
  if (!opened) return true;
  return path !== null && isWithin(referencePath(path), referencePath(opened));
}

function isDay({ until }: Pick<AllowEntry, "until">): boolean {
  return until.length === "2027-01-31".length;
}

/** The entry with the latest end. The order in the file must not matter. */
function latest(entries: readonly AllowEntry[]): AllowEntry | undefined {
  const text = ({ until, path, reason }: AllowEntry) =>
    JSON.stringify([isDay({ until }) ? `${until}T24` : until, path ?? [], reason]);
  return entries.toSorted((left, right) => (text(left) < text(right) ? -1 : 1)).at(-1);
}
