// A model of a portal that keeps or resets what a request omits, and random settings for it.
import { fc } from "../support/property.js";
import { SETTINGS, catalog, spellingsOf } from "../../src/catalog/catalog.js";
import type { Property } from "../../src/catalog/facts.js";
import {
  isJsonList,
  isJsonObject,
  pointInto,
  type Json,
  type JsonObject,
} from "../../src/lib/json.js";
import type { Inputs } from "../../src/plan/inputs.js";
import type { Plan } from "../../src/plan/plan.js";
import { keyOf } from "../../src/catalog/spelling.js";
import { spelledIn } from "../../src/plan/spelling.js";
import {
  leavesOf,
  withLeaf,
  type AppliedLeaf,
  type DesiredLeaf,
  type Path,
} from "../../src/settings.js";
import { applied, lastOf, want } from "./inputs.js";

export interface Manners {
  readonly parameters: "keep" | "reset";
  readonly properties: "keep" | "reset";
}

export const MANNERS: readonly Manners[] = [
  { parameters: "keep", properties: "keep" },
  { parameters: "keep", properties: "reset" },
  { parameters: "reset", properties: "keep" },
  { parameters: "reset", properties: "reset" },
];

/** Real portals rewrite texts; this one writes them in small letters. */
export function rewritten(value: Json): Json {
  if (typeof value === "string") return value.toLowerCase();
  if (isJsonList(value)) return value.map(rewritten);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, rewritten(held)]));
}

/** What the portal holds after a request. */
export function receive(held: JsonObject, sent: JsonObject, manners: Manners): JsonObject {
  const known = catalog.parameters.map(({ name }) => name);
  const kept = Object.entries(held).filter(
    ([name]) => manners.parameters === "keep" || !known.includes(name),
  );
  return Object.entries(sent).reduce((settings, [name, value]) => {
    const before = settings[name];
    const isMerged = manners.properties === "keep" && isJsonObject(before) && isJsonObject(value);
    const next = rewritten(value);
    return { ...settings, [name]: isMerged ? { ...before, ...(next as JsonObject) } : next };
  }, Object.fromEntries(kept));
}

/** What apply does with a plan: the request, then what the portal shows of each leaf; what was not picked stays as it was. */
export function carryOut(
  plan: Plan,
  held: JsonObject,
  manners: Manners,
  before: readonly AppliedLeaf[] = [],
) {
  const settings = plan.request ? receive(held, plan.request.settings, manners) : held;
  const known = new Map(before.map((leaf) => [keyOf(leaf.path), leaf]));
  const leaves = plan.leaves.flatMap(({ path, value, given, isLeft }): AppliedLeaf[] => {
    if (isLeft) return [known.get(keyOf(path)) ?? []].flat();
    const shown = pointInto(settings, spelledIn(settings, path)) ?? null;
    return [{ path, sent: value, shown, ...(given && { given }) }];
  });
  const alsoSent = plan.alsoSent.map(({ path, value }) => ({ path, sent: value }));
  return { settings, last: { ...lastOf(leaves), alsoSent } };
}

/** Every leaf by its key, whichever way it is spelled. */
export function valuesOf(settings: JsonObject): Map<string, Json> {
  return new Map(leavesOf(settings).map(({ path, value }) => [keyOf(path), value]));
}

const text = fc.constantFrom("", "a", "B", "Read Only", "x\r\ny", "x\ny");

function valueOf(property: Property | undefined): fc.Arbitrary<Json> {
  const type = property?.type;
  if (type === undefined || type === "boolean") return fc.boolean();
  if (type === "minutes") return fc.constantFrom(60, 120, 240);
  if (type === "string or `false`") return fc.oneof(fc.constant(false), text);
  if (typeof type === "object") {
    return fc.array(fc.record({ title: text, url: text }), { maxLength: 4 });
  }
  return type.startsWith("array") ? fc.array(text, { maxLength: 5 }) : text;
}

const spelled = (path: Path): fc.Arbitrary<Path> => {
  const [parameter = "", property] = path;
  if (typeof property !== "string") return fc.constant(path);
  return fc.constantFrom(...spellingsOf(property)).map((name) => [parameter, name]);
};

interface Setting {
  readonly path: Path;
  readonly property: Property | undefined;
}

const UNKNOWN: readonly Setting[] = [
  { path: ["portalConfigProperties", "newThing"], property: undefined },
  { path: ["newParameter", "depth", "flag"], property: undefined },
];

const ALL: readonly Setting[] = [
  ...SETTINGS.map(({ path, property }) => ({ path: path.split("."), property })),
  ...UNKNOWN,
];

const subset = fc.subarray([...ALL], { maxLength: 14 });

export const someDesired: fc.Arbitrary<DesiredLeaf[]> = subset.chain((settings) =>
  fc.tuple(
    ...settings.map(({ path, property }) =>
      fc
        .tuple(spelled(path), valueOf(property), fc.boolean())
        .map(([written, value, isDefault]) => {
          const name = written.join(".");
          const byDefault = property?.default;
          return isDefault && byDefault !== undefined
            ? want(name, byDefault, "default")
            : want(name, value);
        }),
    ),
  ),
);

export const someApplied: fc.Arbitrary<AppliedLeaf[]> = subset.chain((settings) =>
  fc.tuple(
    ...settings.map(({ path, property }) =>
      fc
        .tuple(spelled(path), valueOf(property))
        .map(([written, value]) => applied(written.join("."), value, rewritten(value))),
    ),
  ),
);

export const someSettings: fc.Arbitrary<JsonObject> = someApplied.map((leaves) =>
  leaves.reduce<JsonObject>(
    (settings, { path, shown }) => withLeaf(settings, { path, value: shown }),
    {},
  ),
);

/** The same values in another order of keys and leaves. */
export function reversed(given: Inputs): Inputs {
  const { last } = given;
  const turn = (value: Json): Json => {
    if (isJsonList(value)) return value.map(turn);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, held]) => [key, turn(held)]),
    );
  };
  return {
    ...given,
    desired: given.desired.map((leaf) => ({ ...leaf, value: turn(leaf.value) })).toReversed(),
    allow: {
      entries: given.allow.entries.toReversed(),
      names: given.allow.names.toReversed(),
    },
    last: last && {
      ...last,
      leaves: last.leaves
        .map(({ path, sent, shown }) => ({ shown: turn(shown), sent: turn(sent), path }))
        .toReversed(),
      ...(last.pending && {
        pending: { ...last.pending, settings: turn(last.pending.settings) as JsonObject },
      }),
    },
    live:
      given.live.kind === "read"
        ? { ...given.live, settings: turn(given.live.settings) as JsonObject }
        : given.live,
  };
}
