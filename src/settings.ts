// Core type: settings, their leaves and the paths that name them.
import { isJsonObject, type Json, type JsonObject } from "./lib/json.js";
import type { Given } from "./schedule.js";

export type Path = readonly (string | number)[];

/** informationalBanner.text · portalConfigProperties.footerLinks[0].url · a name with odd letters in quotes. */
export function formatPath(path: Path): string {
  return path
    .map((part, at) => {
      if (typeof part === "number") return `[${part}]`;
      const name = /^[A-Za-z_$][\w$-]*$/.test(part) ? part : JSON.stringify(part);
      return at === 0 ? name : `.${name}`;
    })
    .join("");
}

/** Parses such a text; for other texts, returns a path that names nothing. */
export function readPath(text: string): Path {
  const parts = text.matchAll(/"(?:[^"\\]|\\.)*"|\[(\d+)\]|[^.[\]"]+/g);
  return [...parts].map(([part, number]) => {
    if (number !== undefined) return Number(number);
    return part.startsWith('"') ? String(JSON.parse(part)) : part;
  });
}

export function isSamePath(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((part, at) => part === right[at]);
}

/** Whether a path is `ancestor` or below it. */
export function isWithin(path: Path, ancestor: Path): boolean {
  return ancestor.every((part, at) => part === path[at]);
}

/** A scalar or a whole array: the items of an array are not leaves. */
export interface Leaf {
  readonly path: Path;
  readonly value: Json;
}

export function leavesOf(settings: JsonObject, under: Path = []): Leaf[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const path = [...under, name];
    return isJsonObject(value) ? leavesOf(value, path) : [{ path, value }];
  });
}

/** The settings with one leaf set; all others stay. */
export function withLeaf(settings: JsonObject, { path, value }: Leaf): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined) return settings;
  const below = Object.hasOwn(settings, first) ? settings[first] : undefined;
  const held =
    rest.length === 0 ? value : withLeaf(isJsonObject(below) ? below : {}, { path: rest, value });
  return { ...settings, [first]: held };
}

/** The place of a value: line and column count from 1. */
export interface Spot {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** portal.yaml:7:3 */
export function formatSpot({ file, line, column }: Spot): string {
  return `${file}:${line}:${column}`;
}

/** A leaf that a file sets; `default` restores the documented default. */
export interface DesiredLeaf extends Leaf {
  readonly action: "set" | "default";
  /** Null if no file sets it, as in a rollback. */
  readonly place: Spot | null;
  /** The place of its references, which can differ from that of its value; absent without references. */
  readonly reference?: Spot;
  /** The open window that sets it; absent for `settings`. */
  readonly window?: string;
  /** All values of the file for it, now and at other times; absent without windows. */
  readonly gives?: readonly Given[];
}

/** Whether a change is sent to the portal, or only written into the state. */
export function isSent({ action }: { readonly action: string }): boolean {
  return action === "set" || action === "default";
}

/** A leaf as last applied: the sent value, and what the portal showed afterwards. */
export interface AppliedLeaf {
  readonly path: Path;
  readonly sent: Json;
  readonly shown: Json;
  /** Digests of the file's values at the apply, now and later; absent without windows. */
  readonly given?: readonly string[];
}

/**
 * What a change comes from: the file changed · a window opened or closed · drift · a rollback
 * puts it back.
 */
export const CAUSES = ["file", "rollback", "schedule", "drift"] as const;
export type Cause = (typeof CAUSES)[number];
