// What became of portals → their part of the JSON document. Its shape only grows.
import { updateBody } from "../../catalog/catalog.js";
import { printJson } from "../../lib/json.js";
import type { Change } from "../../plan/diff.js";
import type { Guard } from "../../plan/guard.js";
import type { Note } from "../../plan/note.js";
import { summarise, type PortalResult } from "../../plan/result.js";
import type { Schedule } from "../../schedule.js";
import { formatPath, type Path, type Spot } from "../../settings.js";
import { reportNote } from "../model/change.js";
import type { PortalDrift } from "../model/portal.js";
import { failureJson } from "./json.js";

export function portalsJson(results: readonly PortalResult[]) {
  return { portals: results.map(portalOf), summary: { ...summarise(results) } };
}

/** A portal's part as text, for a document that is put together from such parts. */
export function portalJson(result: PortalResult, more: object = {}): string {
  return printJson({ ...portalOf(result), ...more }, 2);
}

function portalOf(result: PortalResult) {
  const { file, portal, status, plan, hold, policies, failure, exit } = result;
  return {
    name: portal.name,
    url: portal.url,
    id: portal.id,
    file,
    status,
    exitCode: exit,
    target: plan?.target ?? null,
    deployment: plan?.deployment ?? null,
    comparedWith: plan?.comparedWith ?? "nothing",
    applicable: plan?.applicable ?? false,
    reason: plan?.reason ? { ...plan.reason } : null,
    isJournalOpen: plan?.isJournalOpen ?? false,
    hold: hold && { ...hold },
    schedule: plan?.schedule ? scheduleJson(plan.schedule) : null,
    changes: plan?.changes.map(changeOf) ?? [],
    guards: plan?.guards.map(guardOf) ?? [],
    policies,
    notes: plan?.notes.map(({ path, ...note }) => ({ path: textOf(path), ...noteOf(note) })) ?? [],
    changesLeftOut: plan?.leftOut ?? 0,
    request: plan?.request
      ? { parameters: plan.request.parameters, body: updateBody(plan.request.settings) }
      : null,
    failure: failureJson(failure),
  };
}

function changeOf({ path, action, cause, window, before, after, place, notes }: Change) {
  const about = {
    path: formatPath(path),
    action,
    cause,
    ...(window && { window: { ...window } }),
    before,
    after,
  };
  return { ...about, ...spotOf(place), notes: notes.map(noteOf) };
}

export function scheduleJson({ open, next }: Schedule) {
  return { open: open.map((each) => ({ ...each })), next: next && { ...next } };
}

function spotOf(place: Spot | null) {
  const { file, line, column } = place ?? { file: null, line: null, column: null };
  return { file, line, column };
}

function noteOf(note: Note) {
  return { code: note.code, message: reportNote(note).text };
}

function guardOf({ name, path, message, isOpen, openedBy }: Guard) {
  const where = openedBy?.by === "file" && { path: textOf(openedBy.path) };
  const by = openedBy && { ...openedBy, ...where };
  return { name, path: textOf(path), message, isOpen, openedBy: by };
}

function textOf(path: Path | null): string | null {
  return path && formatPath(path);
}

/** The same shape for what somebody else changed; before is what the last apply left. */
export function driftJson(portals: readonly PortalDrift[]) {
  const drifts = portals.map((each) => each.drifts.length);
  return {
    portals: portals.map(({ result, drifts, placeOf, leftOut = 0 }) => ({
      ...portalOf({ ...result, plan: null }),
      comparedWith: result.plan?.comparedWith ?? "nothing",
      changesLeftOut: leftOut,
      changes: drifts.map((drift) => ({
        path: formatPath(drift.path),
        action: "drift",
        cause: "drift",
        before: drift.proven,
        after: drift.live,
        isManaged: drift.isManaged,
        ...spotOf(placeOf(drift)),
        notes: [],
      })),
    })),
    summary: {
      ...summarise(portals.map(({ result }) => ({ ...result, plan: null }))),
      changing: drifts.filter((count) => count > 0).length,
      changes: drifts.reduce((sum, count) => sum + count, 0),
      changesLeftOut: portals.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0),
    },
  };
}
