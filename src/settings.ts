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

/** The path of such a text; of any other text one that names nothing. */
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

/** Whether a path is `ancestor` or lies below it. */
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

/** The settings with one leaf put into them; everything beside it stays. */
export function withLeaf(settings: JsonObject, { path, value }: Leaf): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined) return settings;
  const below = Object.hasOwn(settings, first) ? settings[first] : undefined;
  const held =
    rest.length === 0 ? value : withLeaf(isJsonObject(below) ? below : {}, { path: rest, value });
  return { ...settings, [first]: held };
}

/** Where a value stands: line and column count from 1. */
export interface Spot {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** portal.yaml:7:3 */
export function formatSpot({ file, line, column }: Spot): string {
  return `${file}:${line}:${column}`;
}

/** A leaf as a file sets it; `default` puts the documented default back. */
export interface DesiredLeaf extends Leaf {
  readonly action: "set" | "default";
  /** Null for what no file says, as when an apply is rolled back. */
  readonly place: Spot | null;
  /** Where its references are written, which for a whole variable is not where its value stands; absent where it holds none. */
  readonly reference?: Spot;
  /** The open window that it is of; absent for what stands under `settings`. */
  readonly window?: string;
  /** All that the file gives it, at this time and at others; absent where no window has to do with it. */
  readonly gives?: readonly Given[];
}

/** Whether a change travels to the portal, or is written into the state alone. */
export function isSent({ action }: { readonly action: string }): boolean {
  return action === "set" || action === "default";
}

/** A leaf as it was last applied: what was sent, and what the portal showed afterwards. */
export interface AppliedLeaf {
  readonly path: Path;
  readonly sent: Json;
  readonly shown: Json;
  /** Digests of what the file gave it, now and later, when it was applied; absent where no window had to do with it. */
  readonly given?: readonly string[];
}

/**
 * What a change comes from: the file changed · a window opened or closed · drift · a rollback
 * puts it back.
 */
export const CAUSES = ["file", "rollback", "schedule", "drift"] as const;
export type Cause = (typeof CAUSES)[number];
