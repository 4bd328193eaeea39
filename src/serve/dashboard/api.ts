// Writes the JSON documents of the dashboard's API. Keys are only ever added.
import { printJson, type Json, type JsonObject } from "../../lib/json.js";
import { failureJson } from "../../report/json-report.js";
import { isoTime } from "../../schedule.js";
import { entryOf } from "../../state/state.js";
import type { Snapshot } from "../snapshot.js";
import type { SnapshotSource, Remember, Remembered } from "./source.js";
import { settingsNow } from "./settings-now.js";
import { STATUSES } from "./views/status.js";

export interface Document {
  readonly status: number;
  readonly text: string;
}

export interface ApiRequest {
  readonly query: URLSearchParams;
  readonly snapshots: Pick<SnapshotSource, "portals" | "outage">;
  readonly remember: Remember;
  readonly nowMs: number;
}

export function portalsDocument({ query, snapshots, nowMs }: ApiRequest): Document {
  const [status, pool] = [query.get("status"), query.get("pool")];
  // Else a misspelt status would look like an empty list.
  if (status !== null && !(STATUSES as readonly string[]).includes(status)) {
    return refusal(400, {
      code: "wrong-usage",
      message: `"${status}" is not a status of a portal.`,
      help: `Use one of: ${STATUSES.join(", ")}.`,
    });
  }
  const picked = snapshots
    .portals()
    .filter(
      (each) =>
        (status === null || each.status === status) && (pool === null || each.pool === pool),
    );
  const outage = snapshots.outage?.();
  const sinceMs = outage && "sinceMs" in outage ? outage.sinceMs : undefined;
  return documentOf({
    formatVersion: 1,
    time: isoTime(nowMs),
    databaseUnreachableSince: timeIn(sinceMs),
    portals: picked.map(portalJson),
  });
}

/** Finds a portal by its key, or by its name if that is unique. */
export async function portalDocument(name: string, asked: ApiRequest): Promise<Document> {
  const seen = portalNamed(name, asked.snapshots);
  if ("code" in seen) return refusal(404, seen);
  const { state, failure } = await asked.remember(seen);
  const now = settingsNow(state, seen.drift);
  const { hold = null } = state ?? {};
  return documentOf({
    formatVersion: 1,
    portal: {
      ...portalJson(seen),
      settings: now?.settings ?? null,
      isWhole: now?.isWhole ?? false,
      managed: (now?.managed ?? []).map((path) => [...path]),
      hold: hold as Json,
      journal: openJson(state),
      history: (state?.history ?? null) as Json,
      stateFailure: failureJson(failure),
    },
  });
}

/** An update whose outcome is not known yet, as an entry of the history. */
function openJson(state: Remembered["state"]): Json {
  return state?.journal ? entryOf(state.journal) : null;
}

interface Refused {
  readonly code: string;
  readonly message: string;
  readonly help: string;
}

function portalNamed(name: string, snapshots: ApiRequest["snapshots"]): Snapshot | Refused {
  const all = snapshots.portals();
  const [one, another] = all.filter((each) => each.name === name);
  const seen = all.find(({ key }) => key === name) ?? (another ? undefined : one);
  if (seen) return seen;
  return another
    ? {
        code: "name-not-unique",
        message: `Several portals have the name "${name}".`,
        help: "Use the key of one, from /api/portals.",
      }
    : {
        code: "no-such-portal",
        message: `No portal has the name "${name}".`,
        help: "See /api/portals for all names and keys.",
      };
}

function documentOf(document: JsonObject, status = 200): Document {
  return { status, text: `${printJson(document)}\n` };
}

export const NO_SUCH_ADDRESS = {
  code: "no-such-address",
  message: "There is nothing at this address.",
  help: "Use /api/portals or /api/portals/NAME.",
};

export function refusal(status: number, failure: Refused): Document {
  return documentOf({ formatVersion: 1, failure: { ...failure } }, status);
}

export function portalJson(seen: Snapshot): JsonObject {
  const { key, name, url, id, file, pool, status, windows, waiting, drift, failure } = seen;
  return {
    key,
    name,
    url,
    id,
    file,
    pool: pool ?? null,
    status,
    lookedAt: timeIn(seen.checkedMs),
    answeredAt: timeIn(seen.answeredMs),
    nextAt: timeIn(seen.nextMs),
    windows: windows.map((each) => ({
      name: each.name,
      from: isoTime(each.fromMs),
      until: isoTime(each.untilMs),
    })),
    waiting,
    guards: seen.guards ?? [],
    drift,
    failure: failure ? failureOf(failure) : null,
    lastApply: seen.lastApply ?? null,
    commit: seen.commit ?? null,
    author: seen.author ?? null,
    planDigest: seen.planDigest ?? null,
  };
}

function failureOf({ code, message, help, sinceMs }: NonNullable<Snapshot["failure"]>): JsonObject {
  return { code, message, help, since: isoTime(sinceMs) };
}

function timeIn(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}
