// Prints entries of histories as JSON lines for an audit, the oldest first.
import type { Failure } from "../failure.js";
import { printJson } from "../lib/json.js";
import { formatPath } from "../settings.js";
import { isNote, type Entry } from "../state/state.js";
import type {
  HistoryEntryDocument,
  HistoryFailureDocument,
  PortalNameDocument,
} from "./documents.js";
import type { HistoryItem } from "./history-text.js";
import { failureJson } from "./json-report.js";

export interface AuditItem extends HistoryItem {
  readonly about: PortalNameDocument;
}

interface Member {
  readonly file: string;
  readonly portal: Omit<PortalNameDocument, "file">;
  readonly failure?: Failure;
}

/** Portals whose history could not be read come last, so that no audit takes the others for all. */
export function historyLines(items: readonly AuditItem[], members: readonly Member[]): string {
  const entries = items.map(({ entry, about }) => entryJson(entry, about));
  const failed = members.flatMap(({ file, portal, failure }): HistoryFailureDocument[] => {
    const document = failureJson(failure);
    return document ? [{ formatVersion: 1, portal: { ...portal, file }, failure: document }] : [];
  });
  const sorted = entries.toSorted((one, other) =>
    one.time < other.time ? -1 : Number(one.time > other.time),
  );
  return [...sorted, ...failed].map((line) => `${printJson(line)}\n`).join("");
}

function entryJson(entry: Entry, portal: PortalNameDocument): HistoryEntryDocument {
  const { time, kind, by, number, run, planDigest, changes, guards, why, until } = entry;
  const isOpen = number === undefined && !isNote(entry);
  return {
    formatVersion: 1,
    time,
    portal,
    kind,
    number: number ?? null,
    outcome: isOpen ? "open" : (entry.outcome ?? "done"),
    run: run ?? null,
    actor: by.actor,
    account: by.account ?? null,
    host: by.host,
    commit: by.commit ?? null,
    job: by.job ?? null,
    why: why ?? null,
    until: until ?? null,
    planDigest: planDigest ?? null,
    guards: guards.map(({ guard, path, how, reason }) => ({
      guard,
      path: path ? formatPath(path) : null,
      how,
      reason: reason ?? null,
    })),
    changes: changes.map(({ path, ...change }) => ({ path: formatPath(path), ...change })),
    alsoSent: (entry.alsoSent ?? []).map(({ path, sent }) => ({ path: formatPath(path), sent })),
    released: (entry.paths ?? []).map(formatPath),
  };
}
