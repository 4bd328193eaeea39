// A desired-state file → its portal as a run can reach it, or why the file got no further.
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { checkFile } from "../document/check/check-file.js";
import { desiredOf, portalUrlOf } from "../document/read/desired.js";
import { caught, Failure } from "../failure.js";
import type { Identity } from "../plan/inputs.js";
import { shellWord } from "../text.js";
import { reach, type ReachablePortal, type Tools } from "./reachable.js";

/** A file on its way through a run, as far as it got. */
export interface Member<T> {
  readonly file: string;
  readonly portal: Identity;
  readonly diagnostics: readonly Diagnostic[];
  readonly value?: T;
  /** Why it got no further. */
  readonly failure?: Failure;
}

export async function readFile(file: string, tools: Tools): Promise<Member<ReachablePortal>> {
  let portal: Identity = { name: file, url: "", id: "self" };
  let diagnostics: readonly Diagnostic[] = [];
  try {
    const checked = await checkFile(file, tools.io);
    diagnostics = checked.diagnostics;
    if (!checked.root || hasErrors(diagnostics)) throw invalid(file);
    const desired = desiredOf(file, checked.root, checked.paths);
    const { name, id, url = "" } = desired.portal;
    portal = { name, url, id };
    portalUrlOf(desired);
    const value = reach(desired, tools);
    tools.permits?.note(value.recipients);
    return { file, portal: value.portal, diagnostics, value };
  } catch (error) {
    return { file, portal, diagnostics, failure: caught(error, tools.io) };
  }
}

function invalid(file: string): Failure {
  return new Failure(
    "file-invalid",
    `"${file}" has errors, so that it is not known what it wants.`,
    `See them:\n  lintel validate ${shellWord(file)}`,
  );
}
