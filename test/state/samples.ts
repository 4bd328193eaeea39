// Shared by tests of states: a portal, an author, a journal, an apply, and states after several of them.
import { identityOf } from "../../src/state/key.js";
import type { Author, Journal, Moved, State } from "../../src/state/state.js";
import { emptyState, settle, type Settlement } from "../../src/state/steps.js";

export const PORTAL = identityOf("https://gis.example.com/portal/sharing/rest", "self");
export const LINEAGE = "7f0b8a52-6f2e-4b43-9a54-6f6d2a3c9c11";
const TIME = "2026-01-02T03:04:05.678Z";

export const AUTHOR: Author = {
  actor: "ada",
  account: "api-user",
  host: "build-7",
  commit: "9d24b6b",
  job: "https://ci.example.com/jobs/12",
};

export const JOURNAL: Journal = {
  kind: "apply",
  time: TIME,
  by: AUTHOR,
  planDigest: "ab12",
  guards: [],
  changes: [
    {
      path: ["informationalBanner", "text"],
      action: "set",
      cause: "file",
      before: "",
      after: "Closed on Saturday",
    },
  ],
  before: { informationalBanner: { text: "", enabled: true } },
  settings: { informationalBanner: { text: "Closed on Saturday", enabled: true } },
  timeoutMs: 60_000,
  leaves: [{ path: ["informationalBanner", "text"], sent: "Closed on Saturday" }],
};

export const SETTLEMENT: Settlement = {
  kind: "apply",
  time: TIME,
  by: AUTHOR,
  planDigest: "ab12",
  guards: [{ guard: "disable-notice", how: "file", reason: "Maintenance is over" }],
  changes: [
    {
      path: ["informationalBanner", "text"],
      action: "set",
      cause: "file",
      before: "",
      after: "Closed",
    },
    { path: ["blockBetaApps"], action: "release", cause: "file", before: true, after: true },
  ],
  live: { before: { blockBetaApps: true }, after: { blockBetaApps: true } },
  leaves: [{ path: ["informationalBanner", "text"], sent: "Closed", shown: "Closed " }],
};

export const MOVED: Moved = { to: "git:lintel-state", time: TIME, by: AUTHOR };

/** The state after so many settled applies. */
export function stateAfter(applies: number, from = emptyState(LINEAGE, PORTAL)): State {
  return Array.from({ length: applies }).reduce<State>((state) => settle(state, SETTLEMENT), from);
}
