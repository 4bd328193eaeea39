// lintel schedule: files → the windows that are open or still to come, with what each sets, and of which portals.
import type { CommandSpec, Run } from "./command.js";
import { AS_OF, QUIET } from "./options.js";
import { acrossFiles, hasErrors, type Diagnostic } from "../diagnostic.js";
import { checkFile } from "../document/check/check-file.js";
import { isPart } from "../document/check/check.js";
import { findFiles } from "../document/find.js";
import { desiredOf } from "../document/read/desired.js";
import { placeOf } from "../document/read/source.js";
import type { Node } from "../document/read/tree.js";
import { desiredAt } from "../document/schedule/at.js";
import { isOpenAt, windowsOf, type Window } from "../document/schedule/windows.js";
import { outcomeOfCheck } from "../outcome.js";
import { scheduleJson } from "../report/json-report.js";
import { windowsText } from "../report/schedule-report.js";
import { isoTime } from "../schedule.js";
import { formatPath } from "../settings.js";
import { asOfOf } from "../cli/time-options.js";
import { placeJson, problemsAbove } from "../cli/result.js";

export const spec = {
  operands: "[FILE…]",
  options: { ...AS_OF, ...QUIET },
  formats: ["text", "json"],
  examples: [
    ["lintel schedule", "portal.yaml, or portals/*.yaml"],
    ["lintel schedule portals", "all portals of a folder"],
    ["lintel schedule --at 2026-12-05T18:00", "as of a later time"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const files = await findFiles(call.operands, io.cwd);
  const atMs = asOfOf(call.options.at, io) ?? io.now();
  const found: ReturnType<typeof portalOf>[] = [];
  const diagnostics: (readonly Diagnostic[])[] = [];
  for (const file of files) {
    const checked = await checkFile(file, io, { mayLackPortal: true });
    diagnostics.push(checked.diagnostics);
    if (checked.root && !hasErrors(checked.diagnostics) && !isPart(file)) {
      found.push(portalOf(file, checked.root, atMs));
    }
  }
  const checked = outcomeOfCheck("schedule", files, acrossFiles(diagnostics));
  const outcome = { ...checked, more: { portals: found } };
  return {
    outcome,
    text: (paint) => problemsAbove(checked, paint) + windowsText(found, paint),
    quiet: (paint) => problemsAbove(checked, paint),
  };
};

function portalOf(file: string, root: Node, atMs: number) {
  const { schedule } = desiredAt(root, atMs);
  return {
    name: desiredOf(file, root).portal.name,
    file,
    schedule: schedule ? scheduleJson(schedule) : null,
    windows: windowsOf(root)
      .filter(({ untilMs }) => untilMs > atMs)
      .toSorted((one, other) => one.fromMs - other.fromMs || one.untilMs - other.untilMs)
      .map((window) => windowOf(window, atMs)),
  };
}

function windowOf(window: Window, atMs: number) {
  const { name, fromMs, untilMs, timeZone, entry, leaves } = window;
  const settings = leaves.map(({ path, value, place }) => ({
    path: formatPath(path),
    value,
    ...(place && { file: place.file, line: place.line, column: place.column }),
  }));
  return {
    name,
    from: isoTime(fromMs),
    until: isoTime(untilMs),
    timeZone,
    isOpen: isOpenAt(window, atMs),
    ...placeJson(placeOf(entry.key.span)),
    settings,
  };
}
