// Turns a state, its lock and its place into a finding with a fix.
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { Failure } from "../../failure.js";
import { statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { entryHead } from "../../report/state-report.js";
import { stylesFor } from "../../report/styles.js";
import { isRollbackOpen } from "../../apply/preconditions.js";
import type { PortalContext } from "../../apply/portal-context.js";
import { stateKindOf } from "../../state-address/kinds.js";
import { appliesOf, manualHoldOf, rollbackHoldOf, type State } from "../../state/state.js";
import { trustIn } from "../../state/signature.js";
import { sentence, shellWord, showTime, visible, zoneOf } from "../../lib/text.js";
import type { Finding } from "./steps.js";

/** Fails if the place is surely not writable. Only a write could prove that it is. */
export function placeFinding({ desired, store, stateAddress }: PortalContext, io: Io): string {
  const { address, written } = stateAddress;
  // Values of references are never shown.
  if (stateKindOf(address) !== "file" || written !== undefined || /^file:\/\//i.test(address)) {
    return `Lintel can read the state at "${visible(store.place)}".`;
  }
  const folder = resolve(io.cwd, dirname(desired.file), address.slice("file:".length));
  if (statOf(folder)?.isDirectory() === false) {
    throw new Failure("not-writable", `The state's folder "${folder}" is a file.`, "Name another.");
  }
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    if (!statOf(there)?.isDirectory()) throw new Failure("not-writable", `"${there}" is a file.`);
    accessSync(there, constants.W_OK);
  } catch (error) {
    throw new Failure(
      "not-writable",
      `The state's folder "${folder}" cannot be written.`,
      "Check its permissions, or name another folder:\n  state: file:DIR",
      { cause: error },
    );
  }
  const shown = relative(io.cwd, folder);
  const place = shown === "" || shown.startsWith("..") ? folder : shown;
  return `Lintel can ${there === folder ? "write to" : "create"} the folder "${place}".`;
}

export interface Found {
  readonly state: State | undefined;
}

/** Reports what blocks the next apply before the place itself. */
export function rememberedFinding(place: string, { state }: Found, file: string, io: Io): Finding {
  const zone = zoneOf(io);
  const hold = state && manualHoldOf(state, io.now());
  if (hold) {
    const { by, why, until } = hold;
    return {
      warning: `The portal is held by ${by.actor}${until === undefined ? "" : ` until ${showTime(until, zone)}`}: ${sentence(why)}`,
      help: `To end the hold:\n  lintel unhold ${shellWord(file)}`,
    };
  }
  if (state?.journal) {
    return {
      warning: `The outcome of the last ${state.journal.kind} is unknown.`,
      help: `To settle it:\n  lintel ${isRollbackOpen(state) ? "rollback" : "apply"} ${shellWord(file)}`,
    };
  }
  const rolledBack = state && rollbackHoldOf(state);
  if (rolledBack) {
    const { since, by, why } = rolledBack;
    return {
      warning: `The portal is on hold since ${showTime(since, zone)} by ${by.actor}: ${sentence(why)}`,
      help: `Show what to do next:\n  lintel status ${shellWord(file)}`,
    };
  }
  if (state && trustIn(state, io) === "not-verified") {
    return {
      warning:
        "The state is signed, and LINTEL_STATE_KEY is not set. It cannot be verified, and nothing can be applied from here.",
      help: "Set LINTEL_STATE_KEY where you apply, such as in the pipeline.",
    };
  }
  const last = state && appliesOf(state).at(-1);
  if (!last) return `${place} Nothing has been applied yet.`;
  return `${place} Last apply: ${entryHead(last, stylesFor({ isColoured: false, zone }))}.`;
}
