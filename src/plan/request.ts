// Changes → the one request that carries them out: nothing that is known is left out, and what the file does not set goes back as it came.
import { findParameter, inReferenceOrder, isAccepted, isIntroduced } from "../catalog/catalog.js";
import { pointInto, type Json, type JsonObject } from "../lib/json.js";
import { isSent, isWithin, withLeaf, type DesiredLeaf, type Path } from "../settings.js";
import type { Difference } from "./diff.js";
import type { Inputs } from "./inputs.js";
import { keyOf } from "../catalog/spelling.js";
import { inKeyOrder, isPicked, isTouched, spelledIn, withoutOther } from "./spelling.js";

export interface PlannedRequest {
  readonly parameters: readonly string[];
  /** By parameter, each object whole. */
  readonly settings: JsonObject;
}

/** A leaf as the portal is going to spell it. */
export interface PlannedLeaf {
  readonly path: Path;
  readonly value: Json;
  /** Not picked, so that it stays as it was applied last. */
  readonly isLeft?: true;
  /** Digests of what the file gives it, now and later; absent where no window has to do with it. */
  readonly given?: readonly string[];
}

/** Null where nothing is to be sent. */
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
  // A portal may answer null for what was never set; sent back, that would be a value.
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
 * A portal that is never read: leaves that went from the file → those that go on being sent, as they were sent last,
 * because a request replaces what it names. Of a parameter of which the file sets nothing any more there are none:
 * requests leave it out, and whoever sets something of it again is told that nobody has seen the rest.
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
      // What the file sets in its place, or below it, replaces it.
      !desired.some((leaf) => isWithin(leaf.path, path) || isWithin(path, leaf.path)),
  );
  const left = earlier.filter((each) => !isMeant(each));
  return inKeyOrder([...gone, ...left]).map(({ path, sent }) => ({ path, value: sent }));
}

/** What the request sends over: what the portal shows, else what it was last sent. */
export function underneath({ live, last }: Inputs): JsonObject {
  if (live.kind === "read") return live.settings;
  // In the order of their names: a state that another run wrote in another order is the same one.
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
  // A portal that shows nothing has the documented default already; naming it would be a change that nobody saw.
  const isLeftAlone = leaf.action === "default" && !changed.has(keyOf(leaf.path));
  const isAbsent = (pointInto(settings, path) ?? null) === null;
  if (isLeftAlone && isAbsent && inputs.live.kind === "read") return settings;
  return withLeaf(withoutOther(settings, path), { path, value: leaf.value });
}

/** The path as the request spells it. */
export function spelledFor({ live }: Inputs, path: Path): Path {
  return live.kind === "read" ? spelledIn(live.settings, path) : path;
}

/** The names that a request may carry; the portal shows much else, which must not be sent back. */
function carried({ desired, live, deployment }: Inputs): string[] {
  const names = new Set(desired.map(({ path }) => parameterOf(path)));
  // What the file does not touch was last seen by nobody, and may be another's by now.
  if (live.kind === "unread") return [...names];
  const { settings, version } = live;
  for (const name of Object.keys(settings)) {
    const parameter = findParameter(name);
    // A portal that does not tell its version knows what it shows.
    const isKnown = parameter && (version === undefined || isIntroduced(parameter, version));
    if (isKnown && isAccepted(parameter, deployment)) names.add(name);
  }
  return [...names];
}

function parameterOf(path: Path): string {
  return String(path[0]);
}
