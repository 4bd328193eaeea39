// Narrows a plan to the causes of --due: windows, drift with `drift: restore`, changed files.
import { CAUSES, formatPath, type Cause, type Path } from "../settings.js";
import { someOf } from "../lib/text.js";
import type { Difference } from "./diff.js";
import type { Inputs } from "./inputs.js";
import { note, type Note } from "./note.js";
import { referencePath } from "../catalog/spelling.js";
import { isPicked } from "./spelling.js";

/** The inputs, limited to the settings that are due. */
export function narrowedToDue(inputs: Inputs, differences: readonly Difference[]): Inputs {
  const { allow, options } = inputs;
  const { due, paths } = options;
  if (!due) return inputs;
  const isDue = ({ change: { cause } }: Difference) =>
    (cause === "schedule" && due.includes("schedule")) ||
    (cause === "drift" && due.includes("drift") && allow.drift === "restore") ||
    (cause === "file" && due.includes("files"));
  const meant = differences.filter(({ change }) => isPicked(change.path, paths));
  const found = meant.filter(isDue);
  if (due.includes("files") && found.length === meant.length) return inputs;
  const picked = found.map(({ change }): Path => referencePath(change.path));
  return { ...inputs, options: { ...options, paths: picked } };
}

const WAITING: Readonly<Record<Cause, string>> = {
  file: "File changes are excluded from this apply",
  schedule: "Scheduled changes are excluded from this apply",
  drift: "Changes made by hand are left in place",
  rollback: "Rolled-back settings are excluded from this apply",
};

/** Notes on the changes that are not due. */
export function waitingNotes(waiting: readonly Difference[]): Note[] {
  return CAUSES.flatMap((cause) => {
    const paths = waiting
      .filter(({ change }) => change.cause === cause)
      .map(({ change }) => `"${formatPath(change.path)}"`);
    if (paths.length === 0) return [];
    return [note("waits", `${WAITING[cause]}: ${someOf(paths, "setting")}.`)];
  });
}
