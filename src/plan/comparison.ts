// Compares two sides setting by setting: what a file sets, or what a live portal shows.
import { inReferenceOrder, listedIn } from "../catalog/catalog.js";
import { keyOf } from "../catalog/spelling.js";
import { isEqual, type Json } from "../lib/json.js";
import { leavesOf, type DesiredLeaf, type Path, type Spot } from "../settings.js";
import { isWhole, type Identity, type LiveRead } from "./inputs.js";
import { isPicked } from "./spelling.js";

export interface FileLeaf extends DesiredLeaf {
  /** Present where the file refers to the name of its portal: the text without it. */
  readonly nameless?: string;
}

export interface Side {
  readonly portal: Identity;
  readonly file: string;
  readonly target: string;
  /** What the file sets. */
  readonly leaves: readonly FileLeaf[];
  /** Compared in place of that. */
  readonly live?: LiveRead;
}

export interface SideValue {
  readonly value: Json;
  /** Null on a live portal. */
  readonly place: Spot | null;
}

export interface SettingDifference {
  readonly path: Path;
  /** Null where the side does not set it. */
  readonly from: SideValue | null;
  readonly to: SideValue | null;
}

export interface Comparison {
  readonly from: Side;
  readonly to: Side;
  /** In the order of the reference. */
  readonly differences: readonly SettingDifference[];
  readonly equal: number;
  /** Differences that --path leaves out. */
  readonly leftOut: number;
  /** Settings that a live portal may hide from the account. */
  readonly hidden: number;
}

type Known = Omit<FileLeaf, "gives" | "window">;

/** Of a file and a live portal, only what the file sets is compared. */
export function compareSides(from: Side, to: Side, paths?: readonly Path[]): Comparison {
  const isMixed = (from.live === undefined) !== (to.live === undefined);
  const [left, right] = [valuesOf(from, isMixed), valuesOf(to, isMixed)];
  const all = !isMixed ? new Map([...right, ...left]) : from.live ? right : left;
  const pairs = [...all].map(([key, { path }]) => {
    return { path, from: left.get(key) ?? null, to: right.get(key) ?? null };
  });
  const seen = pairs.filter((pair) => (pair.from || !hides(from)) && (pair.to || !hides(to)));
  // A live portal may leave out what is at its documented default.
  const isSame = ({ from: one, to: other }: (typeof pairs)[number]) =>
    one && other ? isSameValue(one, other) : isMixed && (one ?? other)?.action === "default";
  const different = seen.filter((pair) => !isSame(pair));
  const picked = different.filter(({ path }) => isPicked(path, paths));
  return {
    from,
    to,
    differences: inReferenceOrder(picked, ({ path }) => path),
    equal: seen.filter((pair) => isPicked(pair.path, paths) && isSame(pair)).length,
    leftOut: different.length - picked.length,
    hidden: pairs.length - seen.length,
  };
}

/** By setting. What the reference does not list is compared only where the file sets it. */
function valuesOf({ live, leaves }: Side, isMixed: boolean): ReadonlyMap<string, Known> {
  const shown = live && leavesOf(isMixed ? live.settings : listedIn(live.settings));
  const known = shown
    ?.filter(({ value }) => value !== null)
    .map((leaf): Known => ({ ...leaf, action: "set", place: null }));
  return new Map((known ?? leaves).map((leaf) => [keyOf(leaf.path), leaf]));
}

/** The name of its portal in a text of each file is no difference. */
function isSameValue(one: Known, other: Known): boolean {
  const isNamed = one.nameless !== undefined && one.nameless === other.nameless;
  return isNamed || isEqual(one.value, other.value);
}

function hides({ live }: Side): boolean {
  return live !== undefined && !isWhole(live);
}
