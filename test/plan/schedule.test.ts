// Plans of files with windows, at several moments.
import { describe, expect, test } from "vitest";
import { hasErrors } from "../../src/diagnostic.js";
import { check } from "../../src/document/check/check.js";
import { readInput } from "../../src/document/read/bytes.js";
import type { Node } from "../../src/document/read/tree.js";
import { boundariesOf, desiredAt } from "../../src/document/schedule/at.js";
import { isEqual, type Json, type JsonObject } from "../../src/lib/json.js";
import type { Last, WindowOfLeaf } from "../../src/plan/inputs.js";
import { makePlan, type Plan } from "../../src/plan/plan.js";
import { changedEnds } from "../../src/plan/binding.js";
import { keyOf } from "../../src/catalog/spelling.js";
import { withLeaf, type DesiredLeaf } from "../../src/settings.js";
import { fc } from "../support/property.js";
import { inputs, seen } from "./inputs.js";
import { carryOut, MANNERS, rewritten, someDesired, someSettings, type Manners } from "./model.js";

const HOUR_MS = 3_600_000;
const BEGIN_MS = Date.parse("2026-03-01T00:00:00Z");
const at = (hour: number) => new Date(BEGIN_MS + hour * HOUR_MS).toISOString().slice(0, 16) + "Z";

function rootOf(file: JsonObject): Node {
  const text = JSON.stringify({
    targetVersion: "12.1",
    portal: { url: "https://gis.example.com/portal/sharing/rest" },
    signIn: { url: "https://accounts.example.com" },
    allowUnknown: ["newParameter", "newThing"],
    rules: {
      "not-an-address": "off",
      "footer-link": "off",
      "two-spellings": "off",
    },
    ...file,
  });
  const { root, diagnostics } = check("portal.yaml", readInput(Buffer.from(text)), {
    cwd: "/",
    env: {},
  });
  const wrong = diagnostics.filter(({ severity }) => severity === "error");
  // Random values need not be good ones; what is asked here is the schedule alone.
  const own = wrong.filter(({ code }) =>
    ["windows-disagree", "not-in-settings", "empty-window"].includes(code),
  );
  if (!root || (hasErrors(diagnostics) && own.length > 0)) throw new Error(JSON.stringify(own));
  return root;
}

function settingsOf(leaves: readonly DesiredLeaf[]): JsonObject {
  return leaves.reduce<JsonObject>(withLeaf, {});
}

interface Drawn {
  readonly base: readonly DesiredLeaf[];
  readonly windows: readonly {
    readonly from: number;
    readonly hours: number;
    readonly leaves: readonly DesiredLeaf[];
  }[];
}

/** Windows that set what the file sets, each leaf by one of them at a time: those that would disagree are left out. */
const drawn: fc.Arbitrary<Drawn> = someDesired
  .map((leaves) => [...new Map(leaves.map((leaf) => [keyOf(leaf.path), leaf])).values()])
  .chain((base) =>
    fc.record({
      base: fc.constant(base),
      windows: fc.array(
        fc.record({
          from: fc.nat(60),
          hours: fc.integer({ min: 1, max: 30 }),
          leaves: fc
            .subarray([...base])
            .map((leaves) => leaves.map((leaf) => ({ ...leaf, value: otherThan(leaf.value) }))),
        }),
        { maxLength: 6 },
      ),
    }),
  );

function otherThan(value: Json): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 60;
  if (typeof value === "string") return `${value} for a while`;
  return Array.isArray(value) ? value.slice(0, 1) : value;
}

function fileOf({ base, windows }: Drawn): Node {
  const taken = new Map<string, { from: number; until: number; value: Json }[]>();
  const schedule: Record<string, Json> = {};
  for (const [number, { from, hours, leaves }] of windows.entries()) {
    const until = from + hours;
    const fit = leaves.filter(({ path, value }) =>
      (taken.get(keyOf(path)) ?? []).every(
        (each) => each.until <= from || until <= each.from || isEqual(each.value, value),
      ),
    );
    for (const { path, value } of fit) {
      taken.set(keyOf(path), [...(taken.get(keyOf(path)) ?? []), { from, until, value }]);
    }
    schedule[`w${number}`] = { from: at(from), until: at(until), settings: settingsOf(fit) };
  }
  return rootOf({ settings: settingsOf(base), ...(windows.length > 0 && { schedule }) });
}

interface Portal {
  readonly settings: JsonObject;
  readonly last: Last | undefined;
}

function applyAt(root: Node, ms: number, portal: Portal, manners: Manners, due?: "schedule") {
  const { leaves, schedule } = desiredAt(root, ms);
  const plan = makePlan(
    inputs({
      options: { send: "all", compareWith: "live-and-last", ...(due && { due: [due] }) },
      desired: leaves,
      atMs: ms,
      ...(schedule && { schedule }),
      last: portal.last,
      live: seen(portal.settings),
    }),
  );
  const { settings, last } = carryOut(plan, portal.settings, manners, portal.last?.leaves);
  const windows = windowsAfter(portal.last?.windows ?? [], plan);
  return { plan, portal: { settings, last: { ...last, windows } } };
}

function windowsAfter(before: readonly WindowOfLeaf[], { changes }: Plan): WindowOfLeaf[] {
  const changed = new Set(changes.map(({ path }) => keyOf(path)));
  return [
    ...before.filter(({ path }) => !changed.has(keyOf(path))),
    ...changes.flatMap(({ path, window }) =>
      window?.is === "open" ? [{ path, window: window.name }] : [],
    ),
  ];
}

test("applies at each boundary have the same result as one at the end", () => {
  fc.assert(
    fc.property(
      drawn,
      someSettings,
      fc.nat(90),
      fc.constantFrom(...MANNERS),
      (file, live, end, manners) => {
        const root = fileOf(file);
        const endMs = BEGIN_MS + end * HOUR_MS;
        const { portal: first } = applyAt(
          root,
          BEGIN_MS - HOUR_MS,
          { settings: live, last: undefined },
          manners,
        );
        let each: Portal = first;
        for (const ms of boundariesOf(root, BEGIN_MS).filter((time) => time <= endMs)) {
          const { plan, portal } = applyAt(root, ms, each, manners);
          // Nobody has touched the file or the portal, so that a window is the reason for all that changes, and no guard stops it.
          expect(plan.changes.filter(({ cause }) => cause !== "schedule")).toEqual([]);
          expect(plan.guards.filter(({ isOpen }) => !isOpen)).toEqual([]);
          each = portal;
        }
        const stepped = applyAt(root, endMs, each, manners);
        const once = applyAt(root, endMs, first, manners);
        expect(stepped.plan.changes).toEqual([]);
        expect(stepped.portal.settings).toEqual(once.portal.settings);
        const values = ({ last }: Portal) =>
          new Map(last?.leaves.map(({ path, sent, shown }) => [keyOf(path), [sent, shown]]));
        expect(values(stepped.portal)).toEqual(values(once.portal));
        // And that is what the file says then.
        for (const { path, value } of desiredAt(root, endMs).leaves) {
          const shown = once.portal.last?.leaves.find((leaf) => keyOf(leaf.path) === keyOf(path));
          expect([rewritten(value), value]).toContainEqual(shown?.shown);
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** The same file after somebody has changed it: windows that are gone, moved or say something else, and other settings below them. */
const changed: fc.Arbitrary<readonly [Drawn, Drawn]> = drawn.chain((file) =>
  fc
    .record({
      base: fc.infiniteStream(fc.boolean()),
      windows: fc.array(fc.constantFrom("kept", "kept", "gone", "moved", "other"), {
        minLength: file.windows.length,
        maxLength: file.windows.length,
      }),
    })
    .map(({ base, windows }): readonly [Drawn, Drawn] => {
      const other = (leaf: DesiredLeaf) => ({ ...leaf, value: otherThan(leaf.value) });
      return [
        file,
        {
          base: file.base.map((leaf) => (base.next().value ? leaf : other(leaf))),
          windows: file.windows.map((each, at) => {
            const { from, hours, leaves } = each;
            if (windows[at] === "gone") return { ...each, leaves: [] };
            if (windows[at] === "moved") return { from: from + 2, hours: hours + 3, leaves };
            return windows[at] === "other" ? { ...each, leaves: leaves.map(other) } : each;
          }),
        },
      ];
    }),
);

test("scheduled applies send only values of an applied file, even if it changed since", () => {
  let sent = 0;
  fc.assert(
    fc.property(changed, someSettings, fc.nat(60), ([file, then], live, hour) => {
      const [applied, merged] = [fileOf(file), fileOf(then)];
      const [manners] = MANNERS;
      if (!manners) throw new Error("No manners.");
      const empty = { settings: live, last: undefined };
      let { portal } = applyAt(applied, BEGIN_MS - HOUR_MS, empty, manners);
      const boundaries = new Set([
        ...boundariesOf(applied, BEGIN_MS),
        ...boundariesOf(merged, BEGIN_MS),
      ]);
      const changedMs = BEGIN_MS + hour * HOUR_MS;
      for (const ms of [...boundaries, changedMs].toSorted((one, other) => one - other)) {
        const root = ms < changedMs ? applied : merged;
        const next = applyAt(root, ms, portal, manners, "schedule");
        portal = next.portal;
        const wanted = new Map(
          desiredAt(applied, ms).leaves.map(({ path, value }) => [keyOf(path), value]),
        );
        for (const { path, after } of next.plan.changes) {
          expect([path, after]).toEqual([path, wanted.get(keyOf(path))]);
          if (root === merged) sent++;
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(sent).toBeGreaterThan(50);
});

describe("between two boundaries", () => {
  const root = rootOf({
    settings: { blockBetaApps: false },
    schedule: { trial: { from: at(10), until: at(20), settings: { blockBetaApps: true } } },
  });
  const planAt = (hour: number) => {
    const { leaves, schedule } = desiredAt(root, BEGIN_MS + hour * HOUR_MS);
    return makePlan(inputs({ desired: leaves, ...(schedule && { schedule }) }));
  };

  test("gives the same plan to the byte", () => {
    expect(JSON.stringify(planAt(10))).toBe(JSON.stringify(planAt(19.99)));
    expect(JSON.stringify(planAt(-5))).toBe(JSON.stringify(planAt(9.99)));
    expect(JSON.stringify(planAt(9.99))).not.toBe(JSON.stringify(planAt(10)));
  });

  test("makes an earlier plan stale at each boundary", () => {
    expect(changedEnds(planAt(9), planAt(10))).toContain("schedule");
    expect(changedEnds(planAt(19), planAt(20))).toContain("schedule");
    expect(changedEnds(planAt(11), planAt(12))).toEqual([]);
  });
});

test("names the last closed of several windows with the same value", () => {
  const shown = { blockBetaApps: true };
  const root = rootOf({
    settings: { blockBetaApps: false },
    schedule: {
      first: { from: at(0), until: at(10), settings: shown },
      second: { from: at(5), until: at(15), settings: shown },
      another: { from: at(30), until: at(35), settings: shown },
    },
  });
  const hour = (count: number) => BEGIN_MS + count * HOUR_MS;
  const manners = MANNERS[0] as Manners;
  let { portal } = applyAt(root, hour(-1), { settings: {}, last: undefined }, manners);
  const told = [0, 5, 10, 15].map((count) => {
    const applied = applyAt(root, hour(count), portal, manners);
    portal = applied.portal;
    return applied.plan.changes.map(({ cause, window }) => [cause, window?.name, window?.is]);
  });
  expect(told).toEqual([[["schedule", "first", "open"]], [], [], [["schedule", "second", "over"]]]);
});
