// What people see of a portal that is held: what its file wants all the same, because somebody has to decide about that.
import { expect, test } from "vitest";
import { notLookedAt } from "../../src/serve/known.js";
import { seenAfter } from "../../src/serve/seen.js";
import type { Reconciled } from "../../src/apply/reconcile.js";

const portal = { name: "a", url: "https://a.example.com", id: "self" };
const followed = { key: "a", file: "a.yaml", portal, windows: [], marks: new Map() };
const before = notLookedAt(followed, 0, 0);
const change = { path: ["blockBetaApps"], kind: "set", cause: "file", before: false, after: true };
const times = { ...before, lookedMs: 1 };

function after(reconciled: object) {
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
  return seenAfter(before.seen, {
    followed,
    reconciled: all as unknown as Reconciled,
    times,
    nowMs: 1,
  });
}

test("what is held or stopped shows what waits; what could not be looked at, what it showed before", () => {
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

test("a portal to which nothing was ever applied is pending, and shows what its file sets", () => {
  expect(after({ drift: undefined })).toMatchObject({
    status: "pending",
    waiting: [{ path: "blockBetaApps" }],
  });
});
