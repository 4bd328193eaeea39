// The changes of a state by applies, rollbacks and state commands.
import { expect, test } from "vitest";
import { ENTRIES_WITH_VALUES } from "../../src/state/history.js";
import {
  moved,
  settle,
  trusted,
  withHoldMet,
  withJournal,
  withoutHold,
  withoutLeaves,
} from "../../src/state/steps.js";
import type { Hold } from "../../src/state/state.js";
import { AUTHOR, JOURNAL, SETTLEMENT, stateAfter } from "./samples.js";

const HOLD: Hold = {
  since: "2026-01-02T03:04:05Z",
  by: AUTHOR,
  why: "rolled back to 1",
  wants: [{ path: ["blockBetaApps"], value: false }],
};

const NOTE = { time: "2026-01-03T04:05:06Z", by: AUTHOR };

test("a state starts at serial 0, which is never written", () => {
  expect(stateAfter(0)).toMatchObject({ serial: 0, leaves: [], history: [] });
});

test("every step is one write, and leaves its input unchanged", () => {
  const state = stateAfter(3);
  const before = structuredClone(state);
  const held = withJournal(state, JOURNAL, HOLD);
  const steps = [
    withJournal(state, JOURNAL),
    settle(state, SETTLEMENT),
    held,
    withoutLeaves(state, [["informationalBanner", "text"]], NOTE),
  ];
  expect(steps.map(({ serial }) => serial)).toEqual([4, 4, 4, 4]);
  expect(withoutHold(held, NOTE).serial).toBe(5);
  expect(state).toEqual(before);
});

test("settling closes the journal, and adds an entry with the next number", () => {
  const open = withJournal(stateAfter(1), JOURNAL);
  expect(open.journal).toEqual(JOURNAL);
  const settled = settle(open, SETTLEMENT);
  expect(settled).not.toHaveProperty("journal");
  expect(settled.leaves).toEqual(SETTLEMENT.leaves);
  const { leaves: _, ...entry } = SETTLEMENT;
  expect(settled.history).toHaveLength(2);
  expect(settled.history.at(-1)).toMatchObject({ ...entry, number: 2 });
});

test("only the newest entries keep live values", () => {
  const { history } = stateAfter(ENTRIES_WITH_VALUES + 7);
  expect(history).toHaveLength(ENTRIES_WITH_VALUES + 7);
  expect(history.map((each) => each.live !== undefined)).toEqual(history.map((_, at) => at >= 7));
  expect(history[0]).toMatchObject({
    number: 1,
    changes: SETTLEMENT.changes,
    guards: SETTLEMENT.guards,
  });
});

test("a hold starts with the journal, outlasts the apply, and ends by a step", () => {
  const open = withJournal(stateAfter(1), JOURNAL, HOLD);
  expect(open).toMatchObject({ hold: HOLD, serial: 2 });
  expect(settle(open, SETTLEMENT).hold).toEqual(HOLD);
  expect(withJournal(open, JOURNAL).hold).toEqual(HOLD);
  expect(withoutHold(open, NOTE)).not.toHaveProperty("hold");
});

test("a step without effect is no write", () => {
  const state = stateAfter(1);
  expect(withoutHold(state, NOTE)).toBe(state);
  expect(withoutLeaves(state, [["informationalBanner"]], NOTE)).toBe(state);
});

test("a released leaf is neither managed nor pending", () => {
  const open = withJournal(stateAfter(1), JOURNAL);
  const released = withoutLeaves(open, [["informationalBanner", "text"]], NOTE);
  expect(released.leaves).toEqual([]);
  expect(released.journal?.leaves).toEqual([]);
  expect(released.journal?.settings).toEqual(JOURNAL.settings);
});

test("an unmanaged leaf is sent until the next settlement or its release", () => {
  const alsoSent = [{ path: ["informationalBanner", "bgColor"], sent: "navy" }];
  const settled = settle(stateAfter(1), { ...SETTLEMENT, alsoSent });
  expect(settled.alsoSent).toEqual(alsoSent);
  expect(settled.history.at(-1)?.alsoSent).toEqual(alsoSent);
  expect(settle(settled, SETTLEMENT)).not.toHaveProperty("alsoSent");
  const released = withoutLeaves(settled, [["informationalBanner", "bgColor"]], NOTE);
  expect(released).not.toHaveProperty("alsoSent");
  expect(released).toMatchObject({ serial: 3, leaves: SETTLEMENT.leaves });
  expect(withoutLeaves(settled, [["informationalBanner", "title"]], NOTE)).toBe(settled);
});

test("a new journal keeps an open one in the history, unless the portal was read", () => {
  const { before: _seen, ...unseen } = JOURNAL;
  const other = { ...unseen, settings: { informationalBanner: { text: "Open" } } };
  const open = withJournal(stateAfter(1), unseen);
  const { history, journal } = withJournal(open, other);
  expect(journal).toEqual(other);
  expect(history).toHaveLength(2);
  expect(history[1]).toMatchObject({ number: 2, outcome: "unknown", changes: unseen.changes });
  expect(withJournal(open, unseen).history).toHaveLength(1);
  expect(withJournal(open, { ...other, before: {} }).history).toHaveLength(1);
});

test("a person's changes are in the history, without a number", () => {
  const open = withJournal(stateAfter(1), JOURNAL, HOLD);
  const path = ["informationalBanner", "text"];
  const steps = [
    withoutHold(open, NOTE),
    withHoldMet(open, NOTE),
    withoutLeaves(open, [path], NOTE),
    moved(open, { ...NOTE, why: "from file:.lintel to git:lintel-state" }),
    trusted(open, NOTE),
  ];
  expect(steps.map(({ history }) => history.at(-1))).toMatchObject([
    { kind: "unhold", ...NOTE },
    { kind: "unhold", why: "the file agrees with the rollback" },
    { kind: "release", paths: [path] },
    { kind: "move", why: "from file:.lintel to git:lintel-state" },
    { kind: "sign" },
  ]);
});

test("a rollback's hold and the apply that ends it are in the history", () => {
  const open = withJournal(stateAfter(1), { ...JOURNAL, kind: "rollback" }, HOLD);
  const back = settle(open, { ...SETTLEMENT, kind: "rollback" });
  const kinds = settle(back, SETTLEMENT, null).history.map(({ number, kind }) => [number, kind]);
  expect(kinds).toEqual([
    [1, "apply"],
    [2, "rollback"],
    [undefined, "hold"],
    [3, "apply"],
    [undefined, "unhold"],
  ]);
});

test("the portal's own identity is kept until it is read again", () => {
  const own = { id: "0123456789ABCDEF", hostname: "gis.example.com/portal" };
  const settled = settle(stateAfter(1), { ...SETTLEMENT, own });
  expect(settled.portal.own).toEqual(own);
  expect(settle(settled, SETTLEMENT).portal.own).toEqual(own);
});
