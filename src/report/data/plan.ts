// What became of portals → their part of the JSON document. Its shape only grows.
import { updateBody } from "../../catalog/form.js";
import { printJson } from "../../json.js";
import type { Change } from "../../plan/diff.js";
import type { Guard } from "../../plan/guard.js";
import type { Note } from "../../plan/note.js";
import { summarise, type PortalResult } from "../../plan/result.js";
import { wholeNote } from "../model/wording.js";
import type { PortalDrift } from "../text/drift.js";
import { formatPath, type Path } from "../../settings.js";

export function portalsJson(results: readonly PortalResult[]) {
  return { portals: results.map(portalOf), summary: { ...summarise(results) } };
}

/** A portal's part as text, for a document that is put together from such parts. */
export function portalJson(result: PortalResult): string {
  return printJson(portalOf(result), 2);
}

function portalOf({ file, portal, status, plan, hold, failure, exit }: PortalResult) {
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
    hold: hold ? { ...hold } : null,
    changes: plan?.changes.map(changeOf) ?? [],
    guards: plan?.guards.map(guardOf) ?? [],
    notes: plan?.notes.map(({ path, ...note }) => ({ path: textOf(path), ...noteOf(note) })) ?? [],
    request: plan?.request
      ? { parameters: plan.request.parameters, body: updateBody(plan.request.settings) }
      : null,
    failure: failure
      ? { code: failure.code, message: failure.message, help: failure.help ?? null }
      : null,
  };
}

function changeOf({ path, action, before, after, place, notes }: Change) {
  return {
    path: formatPath(path),
    action,
    before,
    after,
    file: place?.file ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    notes: notes.map(noteOf),
  };
}

function noteOf(note: Note) {
  return { code: note.code, message: wholeNote(note) };
}

function guardOf({ name, path, message, isOpen, openedBy }: Guard) {
  return {
    name,
    path: textOf(path),
    message,
    isOpen,
    openedBy:
      openedBy?.by === "file"
        ? { ...openedBy, path: textOf(openedBy.path) }
        : openedBy && { ...openedBy },
  };
}

function textOf(path: Path | null): string | null {
  return path && formatPath(path);
}

/** The same shape for what somebody else changed; before is what the last apply left. */
export function driftJson(portals: readonly PortalDrift[]) {
  const drifts = portals.map((each) => each.drifts.length);
  return {
    portals: portals.map(({ result, drifts, placeOf }) => ({
      ...portalOf({ ...result, plan: null }),
      comparedWith: result.plan?.comparedWith ?? "nothing",
      changes: drifts.map((drift) => {
        const place = placeOf(drift);
        return {
          path: formatPath(drift.path),
          action: "drift",
          before: drift.proven,
          after: drift.live,
          isManaged: drift.isManaged,
          file: place?.file ?? null,
          line: place?.line ?? null,
          column: place?.column ?? null,
          notes: [],
        };
      }),
    })),
    summary: {
      ...summarise(portals.map(({ result }) => ({ ...result, plan: null }))),
      changing: drifts.filter((count) => count > 0).length,
      changes: drifts.reduce((sum, count) => sum + count, 0),
    },
  };
}
