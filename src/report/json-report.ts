// Prints the JSON document of every command, on every path. Its shape only grows.
import { updateBody } from "../catalog/catalog.js";
import type { Diagnostic } from "../diagnostic.js";
import { printJson } from "../lib/json.js";
import type { Outcome } from "../outcome.js";
import type { Change } from "../plan/diff.js";
import type { Guard } from "../plan/guard.js";
import type { Note } from "../plan/note.js";
import { stoppersOf, summarise, type PortalResult } from "../plan/result.js";
import type { Schedule } from "../schedule.js";
import { formatPath, type Path, type Spot } from "../settings.js";
import { noteEntry } from "./change-entry.js";
import type {
  ChangeDocument,
  DiagnosticDocument,
  DriftDocument,
  GuardDocument,
  NoteDocument,
  PortalDocument,
  ScheduleDocument,
} from "./documents.js";
import type { PortalDrift } from "./drift-report.js";

export function jsonReport(outcome: Outcome, indent = 2): string {
  return `${printJson(documentOf(outcome), indent)}\n`;
}

export function documentOf(outcome: Outcome) {
  const { command, exit, diagnostics, failure, portals, more } = outcome;
  return {
    formatVersion: 1,
    command,
    exitCode: exit,
    diagnostics: diagnostics.map(diagnosticJson),
    failure: failureJson(failure),
    ...(portals && { portals }),
    ...more,
  } as const;
}

export function failureJson(failure: Outcome["failure"] | null) {
  return failure
    ? { code: failure.code, message: failure.message, help: failure.help ?? null }
    : null;
}

function diagnosticJson({
  code,
  severity,
  message,
  help,
  file,
  place,
  related,
}: Diagnostic): DiagnosticDocument {
  return {
    code,
    severity,
    message,
    help,
    file,
    line: place?.line ?? null,
    column: place?.column ?? null,
    endLine: place?.endLine ?? null,
    endColumn: place?.endColumn ?? null,
    related: related.map(({ place: { file, line, column }, message }) => ({
      file,
      line,
      column,
      message,
    })),
  };
}

/** A portal's part of the document. */
export function portalJson(result: PortalResult): PortalDocument {
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
    stoppedBy: stoppersOf(result),
    reason: plan?.reason ? { ...plan.reason } : null,
    isJournalOpen: plan?.isJournalOpen ?? false,
    hold: hold && { ...hold },
    timeZone: result.timeZone ?? null,
    schedule: plan?.schedule ? scheduleJson(plan.schedule) : null,
    desired: plan?.desired ?? null,
    changes: plan?.changes.map(changeJson) ?? [],
    guards: plan?.guards.map(guardJson) ?? [],
    policies,
    notes:
      plan?.notes.map(({ path, ...note }) => ({ path: textOf(path), ...noteJson(note) })) ?? [],
    changesLeftOut: plan?.leftOut ?? 0,
    request: plan?.request
      ? { parameters: plan.request.parameters, body: updateBody(plan.request.settings) }
      : null,
    failure: failureJson(failure),
  };
}

function changeJson({
  path,
  action,
  cause,
  window,
  before,
  after,
  place,
  notes,
}: Change): ChangeDocument {
  const about = {
    path: formatPath(path),
    action,
    cause,
    ...(window && { window: { ...window } }),
    before,
    after,
  };
  return { ...about, ...spotJson(place), notes: notes.map(noteJson) };
}

function scheduleJson({ open, next }: Schedule): ScheduleDocument {
  return { open: open.map((each) => ({ ...each })), next: next && { ...next } };
}

export function spotJson(place: Spot | null) {
  const { file, line, column } = place ?? { file: null, line: null, column: null };
  return { file, line, column };
}

function noteJson(note: Note): NoteDocument {
  return { code: note.code, message: noteEntry(note).text };
}

function guardJson({ name, path, message, isOpen, openedBy }: Guard): GuardDocument {
  const where = openedBy?.by === "file" && { path: textOf(openedBy.path) };
  const by = openedBy && { ...openedBy, ...where };
  return { name, path: textOf(path), message, isOpen, openedBy: by };
}

function textOf(path: Path | null): string | null {
  return path && formatPath(path);
}

/** The same shape for what was changed by hand; before is what the last apply left. */
export function driftJson(
  portals: readonly PortalDrift[],
): Pick<DriftDocument, "portals" | "summary"> {
  const counts = portals.map(({ changes }) => changes.length);
  return {
    portals: portals.map(({ result, changes, leftOut = 0 }) => ({
      ...portalJson({ ...result, plan: null }),
      comparedWith: result.plan?.comparedWith ?? "nothing",
      changesLeftOut: leftOut,
      changes: changes.map(({ path, before, after, place, notes }) => ({
        path: formatPath(path),
        action: "drift",
        cause: "drift",
        before,
        after,
        isManaged: notes.length === 0,
        ...spotJson(place),
        notes: [],
      })),
    })),
    summary: {
      ...summarise(portals.map(({ result }) => ({ ...result, plan: null }))),
      changing: counts.filter((count) => count > 0).length,
      changes: counts.reduce((sum, count) => sum + count, 0),
      changesLeftOut: portals.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0),
    },
  };
}
