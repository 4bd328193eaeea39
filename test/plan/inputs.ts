// Short inputs of a plan for tests.
import type { Inputs, Last, Live } from "../../src/plan/inputs.js";
import type { Json, JsonObject } from "../../src/lib/json.js";
import type { AppliedLeaf, DesiredLeaf, Path } from "../../src/settings.js";

const PLACE = {
  file: "portal.yaml",
  line: 3,
  column: 5,
  endLine: 3,
  endColumn: 9,
  excerpt: { text: "", from: 0, to: 0 },
};

export const pathOf = (text: string): Path => text.split(".");

export function want(path: string, value: Json, action: DesiredLeaf["action"] = "set") {
  return { path: pathOf(path), action, value, place: PLACE } satisfies DesiredLeaf;
}

export function applied(path: string, sent: Json, shown: Json = sent): AppliedLeaf {
  return { path: pathOf(path), sent, shown };
}

export function lastOf(leaves: readonly AppliedLeaf[], pending?: JsonObject): Last {
  return {
    lineage: "00000000-0000-4000-8000-000000000001",
    serial: 7,
    leaves,
    seen: [...new Set(leaves.map(({ path }) => String(path[0])))],
    ...(pending && {
      pending: {
        kind: "apply",
        settings: pending,
        planDigest: "pending",
        unknownForMs: 0,
        arrival: "unknown",
      },
    }),
  };
}

export function seen(settings: JsonObject, version?: string): Live {
  return { kind: "read", view: "signed-in", settings, ...(version !== undefined && { version }) };
}

export const NEVER: Live = { kind: "unread", why: "never" };

export function inputs(more: Partial<Inputs>): Inputs {
  return {
    toolVersion: "0.1.0",
    portal: { name: "staging", url: "https://gis.example.com/portal/sharing/rest", id: "self" },
    target: { asked: "11.5", known: "11.5" },
    deployment: "enterprise",
    desired: [],
    allow: { entries: [], names: [] },
    atMs: Date.parse("2026-06-15T00:00:00Z"),
    today: "2026-06-15",
    last: undefined,
    live: seen({}),
    options: { send: "all", compareWith: "live-and-last" },
    ...more,
  };
}
