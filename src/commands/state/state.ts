// lintel state: what is remembered of a portal, and the few things that a person may change about it by hand.
import type { Run, Words } from "../command.js";
import { LOCK_TIMEOUT, YES } from "../options.js";
import { SETTING_PATHS } from "../../catalog/catalog.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { wrongUsage } from "../../failure.js";
import { didYouMean } from "../../diagnostic.js";
import { readStateLine } from "../../document/check/state-line.js";
import { withState } from "../../document/read/desired.js";
import type { Io } from "../../io.js";
import { reach, type Reach, type ReachablePortal } from "../../run/reachable.js";
import { withOnePortal } from "../call/tools.js";
import { moveStates } from "./move.js";
import { addressesAmong } from "./operands.js";
import { STATE_ACTIONS, type StateAction } from "./actions.js";
import { shellWord } from "../../text.js";

type Action = StateAction | "move";

const actions = [...Object.keys(STATE_ACTIONS), "move"] as readonly Action[];

export const words = {
  operands: "ACTION [FILE…] [PATH… or ADDRESS]",
  options: { ...YES, ...LOCK_TIMEOUT },
  formats: ["text", "json"],
  examples: [
    ["lintel state show", "serial, lock, hold, managed settings"],
    ["lintel state history", "every apply: when, by whom, what"],
    ["lintel state unlock", "ends the lock of a run that is dead"],
    ["lintel state unhold", "lifts the hold that a rollback left"],
    ["lintel state release portal.yaml informationalBanner", "manages it no longer"],
    ["lintel state move portals file:/srv/states", "takes states elsewhere; then change state:"],
    ["lintel state show portal.yaml file:.lintel", "the one there, whatever the file says"],
  ],
  offers: [actions, [], SETTING_PATHS],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const [word, ...words] = call.operands;
  const action = actionNamed(word);
  if (action === "move") return moveStates(io, call, words);
  const { files, addresses } = addressesAmong(words);
  const [file, ...paths] = files;
  const [address] = addresses;
  if (paths.length > 0 && action !== "release") {
    throw wrongUsage(
      `"${paths[0]}" is one word too many.`,
      `Call it so:\n  lintel state ${action} ${shellWord(file ?? "FILE")}`,
    );
  }
  // A setting where the file is expected is a slip that is easy to make.
  if (action === "release" && file !== undefined && !existsSync(resolve(io.cwd, file))) {
    throw wrongUsage(
      `There is no file "${file}".`,
      "Name the file before the settings:\n  lintel state release portal.yaml informationalBanner",
    );
  }
  // A state is read and written without the portal; the door is never used.
  return withOnePortal(
    `state ${action}`,
    io,
    { operands: file === undefined ? [] : [file], options: {} },
    (portal, tools) => STATE_ACTIONS[action]({ portal, tools, call, paths }),
    { isLooking: false, purpose: "state", ...(address && { reach: reachAt(address, io) }) },
  );
};

/** The place that a person names instead of the file. */
function reachAt(address: string, io: Io): Reach<ReachablePortal> {
  const node = readStateLine(address, io);
  return (desired, tools) => reach(withState(desired, node), tools);
}

function actionNamed(word: string | undefined): Action {
  if (word !== undefined && actions.includes(word as Action)) return word as Action;
  throw wrongUsage(
    word === undefined ? "No action is named." : `There is no "lintel state ${word}".`,
    didYouMean(word ?? "", actions) ?? `Write one of:\n  lintel state ${actions.join("|")} [FILE]`,
  );
}
