// Invariants of plans, over random files, states and portals.
import { fc } from "../support/property.js";
import { describe, expect, test } from "vitest";
import { GUARDS } from "../../src/guard.js";
import { canonicalText, isEqual, type Json, type JsonObject } from "../../src/lib/json.js";
import { changedEnds } from "../../src/plan/binding.js";
import { makePlan, type Plan } from "../../src/plan/plan.js";
import { keyOf, referencePath } from "../../src/catalog/spelling.js";
import { isPicked } from "../../src/plan/spelling.js";
import { withLeaf, type AppliedLeaf, type Path } from "../../src/settings.js";
import { inputs, lastOf, NEVER, seen } from "./inputs.js";
import {
  carryOut,
  MANNERS,
  receive,
  reversed,
  someApplied,
  someDesired,
  someSettings,
  valuesOf,
} from "./model.js";

const RUNS = { numRuns: 500 };
const someManners = fc.constantFrom(...MANNERS);
const somePending = fc.option(someSettings, { nil: undefined });

function named(plan: Plan): Set<string> {
  const sent = plan.changes.filter(({ action }) => action === "set" || action === "default");
  return new Set(sent.map(({ path }) => keyOf(path)));
}

/** The leaves whose value is another one; what is absent is null. */
function changedBetween(before: JsonObject, after: JsonObject): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const keys = new Set([...was.keys(), ...is.keys()]);
  const at = (values: Map<string, Json>, key: string) => values.get(key) ?? null;
  return [...keys].filter((key) => !isEqual(at(was, key), at(is, key)));
}

/** A portal that took what was sent to it last, and holds nothing else. */
function portalOf(leaves: readonly AppliedLeaf[]): JsonObject {
  return leaves.reduce<JsonObject>(
    (settings, { path, shown }) => withLeaf(settings, { path, value: shown }),
    {},
  );
}

describe("a plan after an apply is empty", () => {
  test("if the portal is read, for any handling of omitted values", () => {
    fc.assert(
      fc.property(
        someDesired,
        someApplied,
        someSettings,
        somePending,
        someManners,
        (desired, leaves, live, pending, manners) => {
          const plan = makePlan(
            inputs({ desired, last: lastOf(leaves, pending), live: seen(live) }),
          );
          const { settings, last } = carryOut(plan, live, manners);
          const again = makePlan(inputs({ desired, last, live: seen(settings) }));
          expect(again.changes).toEqual([]);
          expect(again.request).toBeNull();
        },
      ),
      RUNS,
    );
  });

  test("if the portal is never read", () => {
    fc.assert(
      fc.property(someDesired, someApplied, somePending, (desired, leaves, pending) => {
        const plan = makePlan(inputs({ desired, last: lastOf(leaves, pending), live: NEVER }));
        const { last } = carryOut(plan, {}, { parameters: "keep", properties: "reset" });
        const again = makePlan(inputs({ desired, last, live: NEVER }));
        expect(again.changes).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe("a request changes no leaf that it does not contain", () => {
  test("if the portal is read, for managed and other leaves", () => {
    fc.assert(
      fc.property(
        someDesired,
        someApplied,
        someSettings,
        somePending,
        someManners,
        (desired, leaves, live, pending, manners) => {
          const plan = makePlan(
            inputs({ desired, last: lastOf(leaves, pending), live: seen(live) }),
          );
          const { settings } = carryOut(plan, live, manners);
          const changed = changedBetween(live, settings);
          expect(changed.filter((key) => !named(plan).has(key))).toEqual([]);
        },
      ),
      RUNS,
    );
  });

  test("if only touched parameters are sent and the portal keeps the others", () => {
    fc.assert(
      fc.property(someDesired, someApplied, someSettings, (desired, leaves, live) => {
        const plan = makePlan(
          inputs({
            desired,
            last: lastOf(leaves),
            live: seen(live),
            options: { send: "touched", compareWith: "live-and-last" },
          }),
        );
        const manners = { parameters: "keep", properties: "reset" } as const;
        const { settings, last } = carryOut(plan, live, manners);
        const changed = changedBetween(live, settings);
        expect(changed.filter((key) => !named(plan).has(key))).toEqual([]);
        expect(makePlan(inputs({ desired, last, live: seen(settings) })).changes).toEqual([]);
      }),
      RUNS,
    );
  });

  test("if the portal is never read, for applied leaves", () => {
    fc.assert(
      fc.property(someDesired, someApplied, someManners, (desired, leaves, manners) => {
        const plan = makePlan(inputs({ desired, last: lastOf(leaves), live: NEVER }));
        const live = portalOf(leaves);
        const settings = plan.request ? receive(live, plan.request.settings, manners) : live;
        const touched = new Set(desired.map(({ path }) => path[0]));
        // What a portal does with a parameter that is left out is its own affair, and the plan says so.
        const changed = changedBetween(live, settings).filter((key) =>
          touched.has((JSON.parse(key) as Path)[0]),
        );
        expect(changed.filter((key) => !named(plan).has(key))).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe("a plan with --path", () => {
  const keysOf = ({ changes }: Plan) => changes.map(({ path }) => keyOf(path));
  const someParts = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });

  test.each([true, false])(
    "changes nothing else, and leaves exactly the rest (read: %s)",
    (isRead) => {
      fc.assert(
        fc.property(
          someDesired,
          someApplied,
          someSettings,
          someManners,
          someParts,
          (desired, leaves, held, manners, parts) => {
            const all = [...desired, ...leaves].map(({ path }) => referencePath(path));
            const paths = parts.flatMap((at) =>
              all.length > 0 ? [all[at % all.length] ?? []] : [],
            );
            const live = isRead ? seen(held) : NEVER;
            const given = inputs({ desired, last: lastOf(leaves), live });
            const whole = makePlan(given);
            const part = makePlan({ ...given, options: { ...given.options, paths } });
            const isMeant = (path: Path) => isPicked(path, paths);
            expect(part.changes).toEqual(whole.changes.filter(({ path }) => isMeant(path)));
            expect(part.leftOut).toBe(whole.changes.length - part.changes.length);

            const { settings, last } = carryOut(part, isRead ? held : {}, manners, leaves);
            if (isRead) {
              const changed = changedBetween(held, settings);
              expect(changed.filter((key) => !named(part).has(key))).toEqual([]);
            }
            const next = inputs({ desired, last, live: isRead ? seen(settings) : NEVER });
            const again = makePlan({ ...next, options: { ...next.options, paths } });
            expect(again.changes).toEqual([]);
            expect(keysOf(makePlan(next))).toEqual(
              keysOf(whole).filter((key) => !isMeant(JSON.parse(key) as Path)),
            );
          },
        ),
        RUNS,
      );
    },
  );
});

describe("a removed line changes nothing on the portal", () => {
  const isRead = fc.boolean();
  test("alone or beside other changes", () => {
    fc.assert(
      fc.property(
        someDesired,
        someDesired,
        someSettings,
        someManners,
        isRead,
        fc.nat(),
        (desired, others, held, manners, isLive, at) => {
          const removed = desired[at % Math.max(1, desired.length)];
          if (!removed) return;
          const key = keyOf(removed.path);
          const first = makePlan(inputs({ desired, live: seen(held) }));
          const { settings, last } = carryOut(first, held, manners);
          const live = isLive ? seen(settings) : NEVER;

          const rest = desired.filter((leaf) => leaf !== removed);
          const alone = makePlan(inputs({ desired: rest, last, live }));
          expect(alone.changes.map(({ action }) => action)).toEqual(["release"]);
          expect(alone.request).toBeNull();

          const beside = others.filter(({ path }) => keyOf(path) !== key);
          const plan = makePlan(inputs({ desired: beside, last, live }));
          const after = plan.request ? receive(settings, plan.request.settings, manners) : settings;
          const value = valuesOf(settings).get(key) ?? null;
          // A request to a portal that is not read leaves out what the file does not touch.
          const isTouched = beside.some(({ path }) => path[0] === removed.path[0]);
          if (!isLive && !isTouched && manners.parameters === "reset") return;
          // A portal that is not read was never seen to lack a documented default.
          if (!isLive && value === null) return;
          // CR LF does not count: what differs in nothing else was never sent.
          expect(canonicalText(valuesOf(after).get(key) ?? null)).toBe(canonicalText(value));
        },
      ),
      RUNS,
    );
  });
});

test("gives the same plan for inputs in another order, and JSON loses nothing", () => {
  fc.assert(
    fc.property(
      someDesired,
      someApplied,
      someSettings,
      somePending,
      fc.constantFrom("signed-in", "anonymous", "never"),
      fc.subarray([...GUARDS]),
      (desired, leaves, settings, pending, view, names) => {
        const given = inputs({
          desired,
          last: lastOf(leaves, pending),
          live: view === "never" ? NEVER : { kind: "read", view, settings, version: "11.3" },
          allow: {
            names,
            entries: GUARDS.flatMap((guard) => [
              { guard, until: "2026-07-01", reason: "one" },
              { guard, until: "2026-07-01", reason: "two", path: ["informationalBanner"] },
              { guard, until: "2026-05-01", reason: "three" },
            ]),
          },
        });
        const plan = makePlan(given);
        const text = JSON.stringify(plan);
        const again = makePlan(reversed(given));
        expect(canonicalText(again as unknown as Json)).toBe(
          canonicalText(plan as unknown as Json),
        );
        expect(changedEnds(plan, again)).toEqual([]);
        expect(JSON.parse(text)).toEqual(plan);
      },
    ),
    RUNS,
  );
});
