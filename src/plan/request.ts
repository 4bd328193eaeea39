// Builds the one request of an apply. It contains every known value; values that the file does not set go back unchanged.
import { findParameter, inReferenceOrder, isAccepted, isIntroduced } from "../catalog/catalog.js";
import { pointInto, type Json, type JsonObject } from "../lib/json.js";
import { isSent, isWithin, withLeaf, type DesiredLeaf, type Path } from "../settings.js";
import type { Difference } from "./diff.js";
import type { Inputs } from "./inputs.js";
import { keyOf } from "../catalog/spelling.js";
import { inKeyOrder, isPicked, isTouched, spelledIn, withoutOther } from "./spelling.js";

export interface PlannedRequest {
  readonly parameters: readonly string[];
  /** By parameter, each object complete. */
  readonly settings: JsonObject;
}

/** A leaf in the spelling of the portal. */
export interface PlannedLeaf {
  readonly path: Path;
  readonly value: Json;
  /** Left out by --path: it keeps its last applied value. */
  readonly isLeft?: true;
  /** Digests of its values in the file, of windows too; absent without windows. */
  readonly given?: readonly string[];
}

/** Null if there is nothing to send. */
export function planRequest(
  inputs: Inputs,
  differences: readonly Difference[],
): PlannedRequest | null {
  const sent = differences.flatMap(({ change }) => (isSent(change) ? [change.path] : []));
  if (sent.length === 0) return null;
  const changed = new Set(sent.map(keyOf));
  const touched = new Set(sent.map(parameterOf));
  const whole = inputs.desired.reduce(
    (settings, leaf) => onTop(settings, leaf, inputs, changed),
    underneath(inputs),
  );
  // A portal may show null for a parameter that was never set. Sent back, null would be a value.
  const isThere = (name: string) => (pointInto(whole, [name]) ?? null) !== null;
  const isMeant = (name: string) => inputs.options.send === "all" || touched.has(name);
  const names = carried(inputs).filter((name) => isThere(name) && isMeant(name));
  const parameters = inReferenceOrder(names, (name) => [name]);
  return {
    parameters,
    settings: Object.fromEntries(parameters.map((name) => [name, whole[name] ?? null])),
  };
}

/**
 * For a portal that is never read: leaves that were removed from the file and are still sent with their last value,
 * because a request replaces whole parameters. A parameter without any leaf in the file is left out of requests; the
 * guard `unread-portal` blocks its next use.
 */
export function alsoSent({ desired, last, live, options }: Inputs): PlannedLeaf[] {
  if (live.kind === "read" || live.why !== "never" || !last) return [];
  const wanted = new Set(desired.map(({ path }) => keyOf(path)));
  const isMeant = ({ path }: { readonly path: Path }) => isPicked(path, options.paths);
  const earlier = last.alsoSent ?? [];
  const gone = [...last.leaves, ...earlier].filter(isMeant).filter(
    ({ path }) =>
      isTouched(path, desired) &&
      !wanted.has(keyOf(path)) &&
      // A value in the file above or below it replaces it.
      !desired.some((leaf) => isWithin(leaf.path, path) || isWithin(path, leaf.path)),
  );
  const left = earlier.filter((each) => !isMeant(each));
  return inKeyOrder([...gone, ...left]).map(({ path, sent }) => ({ path, value: sent }));
}

/** The values below those of the file: the live ones, else the last ones sent. */
function underneath({ live, last }: Inputs): JsonObject {
  if (live.kind === "read") return live.settings;
  // Sorted, because the order of leaves in the state does not matter.
  return inKeyOrder([...(last?.leaves ?? []), ...(last?.alsoSent ?? [])]).reduce(
    (settings, { path, sent }) => withLeaf(settings, { path, value: sent }),
    {},
  );
}

function onTop(
  settings: JsonObject,
  leaf: DesiredLeaf,
  inputs: Inputs,
  changed: ReadonlySet<string>,
): JsonObject {
  const path = spelledFor(inputs, leaf.path);
  // Without a value the portal has the documented default. Sending it would be a change that the plan does not show.
  const isLeftAlone = leaf.action === "default" && !changed.has(keyOf(leaf.path));
  const isAbsent = (pointInto(settings, path) ?? null) === null;
  if (isLeftAlone && isAbsent && inputs.live.kind === "read") return settings;
  return withLeaf(withoutOther(settings, path), { path, value: leaf.value });
}

/** The path as the request spells it. */
export function spelledFor({ live }: Inputs, path: Path): Path {
  return live.kind === "read" ? spelledIn(live.settings, path) : path;
}

/** The parameters that a request may contain. The portal also shows others, which must not be sent back. */
function carried({ desired, live, deployment }: Inputs): string[] {
  const names = new Set(desired.map(({ path }) => parameterOf(path)));
  // Other parameters were not read, and may have changed.
  if (live.kind === "unread") return [...names];
  const { settings, version } = live;
  for (const name of Object.keys(settings)) {
    const parameter = findParameter(name);
    // Without a known version, the portal accepts what it shows.
    const isKnown = parameter && (version === undefined || isIntroduced(parameter, version));
    if (isKnown && isAccepted(parameter, deployment)) names.add(name);
  }
  return [...names];
}

function parameterOf(path: Path): string {
  return String(path[0]);
}
