// The snapshot that a check leaves: what is pending at a portal that is held, blocked or unreachable.
import { expect, test } from "vitest";
import { uncheckedRecord, type Snapshot } from "../../src/serve/snapshot.js";
import { snapshotAfter } from "../../src/serve/portal-check.js";
import type { Reconciled } from "../../src/apply/reconcile.js";

const portal = { name: "a", url: "https://a.example.com", id: "self" };
const portalFile = { key: "a", file: "a.yaml", portal, windows: [], marks: new Map() };
const unchecked = uncheckedRecord(portalFile, 0, 0);
const change = { path: ["blockBetaApps"], kind: "set", cause: "file", before: false, after: true };
const times = { ...unchecked, checkedMs: 1 };

function after(reconciled: object, before = unchecked.snapshot, windows: Snapshot["windows"] = []) {
  const all = {
    portal,
    drift: [],
    changes: [change],
    planDigest: "1",
    guards: [],
    applied: [],
    notices: [],
    ...reconciled,
  };
  return snapshotAfter(before, {
    portalFile: { ...portalFile, windows },
    reconciled: all as unknown as Reconciled,
    times,
    nowMs: 1,
  });
}

test("a held portal shows its pending changes; an unreachable one those of the last check", () => {
  const held = { code: "held", message: "Held.", help: "", exit: 7 };
  expect(after({ failure: held, isStopped: true })).toMatchObject({
    status: "held",
    waiting: [{ path: "blockBetaApps" }],
  });
  const away = { code: "not-reachable", message: "Away.", help: "", exit: 4 };
  const none = { drift: undefined, changes: [], planDigest: undefined };
  const unseen = { failure: away, isStopped: false, ...none };
  expect(after(unseen)).toMatchObject({ status: "unreachable", waiting: [] });
});

test("pending changes are those of the plan, also those that restore drift", () => {
  const restoring = { ...change, path: ["blockTwitter"], cause: "drift" };
  const drift = [{ path: ["blockTwitter"], kind: "live", proven: false, live: true }];
  expect(after({ drift, changes: [change, restoring] })).toMatchObject({
    status: "drifted",
    waiting: [{ path: "blockBetaApps" }, { path: "blockTwitter", cause: "drift" }],
  });
});

test("reports changes that a guard or a policy blocks as blocked, and others as pending", () => {
  expect(after({ guards: ["shrink-list"] })).toMatchObject({ status: "blocked" });
  const failure = { code: "against-policy", message: "Blocked.", help: "", exit: 7 };
  expect(after({ failure, isStopped: true })).toMatchObject({ status: "blocked" });
  expect(after({})).toMatchObject({ status: "pending" });
});

test("a window is unapplied until the file is applied, also while the portal is away", () => {
  const windows = [{ name: "night", fromMs: 5, untilMs: 9 }];
  const unapplied = after({ unapplied: ["night"] }, unchecked.snapshot, windows);
  expect(unapplied.windows).toMatchObject([{ name: "night", isUnapplied: true }]);
  const away = { code: "not-reachable", message: "Away.", help: "", exit: 4 };
  const unseen = { failure: away, isStopped: false, planDigest: undefined };
  expect(after(unseen, unapplied, windows).windows).toEqual(unapplied.windows);
  expect(after({ unapplied: ["night"], applied: [change] }, unapplied, windows).windows).toEqual(
    windows,
  );
});

test("a drifted portal is Drifted even if its pending changes are blocked", () => {
  const drift = [{ path: ["blockTwitter"], kind: "live", proven: false, live: true }];
  for (const code of ["guarded", "against-policy"]) {
    const failure = { code, message: "Blocked.", help: "", exit: 7 };
    expect(after({ drift, failure, isStopped: true })).toMatchObject({
      status: "drifted",
      failure: { code },
    });
  }
});

test("keeps a held portal held while it is unreachable, until a check finds no hold", () => {
  const held = after({ failure: { code: "held", message: "Held.", exit: 7 }, isStopped: true });
  const away = { code: "not-reachable", message: "Away.", help: "", exit: 4 };
  const unseen = { failure: away, isStopped: false, drift: undefined, changes: [] };
  const unreachable = after({ ...unseen, planDigest: undefined }, held);
  expect(unreachable).toMatchObject({ status: "unreachable", isHeld: true });
  expect(after({}, unreachable)).not.toHaveProperty("isHeld");
});

test("a portal to which nothing was ever applied is pending, and shows what its file sets", () => {
  expect(after({ drift: undefined })).toMatchObject({
    status: "pending",
    waiting: [{ path: "blockBetaApps" }],
  });
});
