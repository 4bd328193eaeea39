// Earlier values from the history: what an apply found, and what it left.
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/lib/json.js";
import { rewind, rollbackTo } from "../../src/apply/restore-plan.js";
import { emptyState, settle, type Settlement } from "../../src/state/steps.js";
import { LINEAGE, PORTAL, SETTLEMENT } from "./samples.js";

const ADVANCED = "portalConfigProperties";
const [ONE, OTHER] = ["configurePortalPlatformOnlineEnv", "configurePortalAGOEnv"];

function applied(name: string, before: Json, after: Json, left?: JsonObject): Settlement {
  const changes = [
    { path: [ADVANCED, name], action: "set" as const, cause: "file" as const, before, after },
  ];
  return { ...SETTLEMENT, changes, live: left ? { after: { [ADVANCED]: left } } : {} };
}

const history = [
  applied(ONE, "zero", "one", { [ONE]: "one" }),
  applied(OTHER, "by hand", "two", { [OTHER]: "two" }),
  applied(OTHER, "two", "three"),
];
const state = history.reduce((now, entry) => settle(now, entry), emptyState(LINEAGE, PORTAL));
const valuesAt = (serial: number, isAsLeft: boolean) =>
  rewind(state, serial, isAsLeft).map(({ value }) => value);

test("goes back to what the first apply found, in any spelling", () => {
  expect(valuesAt(0, false)).toEqual(["zero"]);
});

test("goes back to what an apply found, or to what it left", () => {
  expect(valuesAt(1, false)).toEqual(["by hand"]);
  expect(valuesAt(1, true)).toEqual(["one"]);
  expect(valuesAt(2, true)).toEqual(["two"]);
  expect(valuesAt(3, true)).toEqual([]);
});

test("uses the last sent values if the live values were dropped", () => {
  const bare = { ...state, history: state.history.map(({ live: _left, ...entry }) => entry) };
  expect(rewind(bare, 1, true)).toMatchObject([{ value: "one" }]);
});

test("uses values that an apply only tracked, before a change by hand", () => {
  const adopted = {
    ...applied(ONE, "kept", "kept"),
    changes: [
      {
        path: [ADVANCED, ONE],
        action: "adopt" as const,
        cause: "file" as const,
        before: "kept",
        after: "kept",
      },
    ],
  };
  const now = [adopted, applied(ONE, "by hand", "kept")].reduce(
    (held, entry) => settle(held, entry),
    emptyState(LINEAGE, PORTAL),
  );
  expect(rewind(now, 0, false)).toMatchObject([{ value: "kept" }]);
});

test("refuses to go before dropped entries, and names the oldest apply left", () => {
  const long = { ...state, earlier: { entries: 7 } };
  expect(() => rollbackTo(long, { to: 0 }, "portal.yaml")).toThrow(
    expect.objectContaining({
      code: "wrong-usage",
      message: expect.stringContaining(
        "the oldest 7 entries of the history were dropped",
      ) as string,
      help: expect.stringContaining("The oldest apply to go back to is 1.") as string,
    }) as Error,
  );
  expect(rollbackTo(long, { to: 2 }, "portal.yaml").why).toBe("rollback to apply 2");
});

test("restores nothing that the portal never took", () => {
  const asked = applied(ONE, "three", "four");
  const refused = asked.changes.map((change) => ({ ...change, shown: "three" }));
  const now = settle(state, { ...asked, changes: refused });
  expect(rewind(now, 3, false)).toEqual([]);
  const made = asked.changes.map((change) => ({ ...change, shown: "FOUR" }));
  const other = settle(state, { ...asked, changes: made });
  expect(rewind(other, 3, false)).toMatchObject([{ value: "three" }]);
});
