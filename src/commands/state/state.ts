// lintel state: what is remembered of a portal, and the few things that a person may change about it by hand.
import type { Run, Words } from "../command.js";
import { LOCK_TIMEOUT, YES } from "../options.js";
import { SETTING_PATHS } from "../../catalog/catalog.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../../failure.js";
import { didYouMean } from "../../diagnostic.js";
import { findFiles } from "../../document/find.js";
import { openReading } from "../call/network.js";
import { withOnePortal } from "../call/one-portal.js";
import { STATE_ACTIONS, type StateAction } from "./actions.js";
import { shellWord } from "../../text.js";

export const words = {
  operands: "ACTION [FILE] [PATH…]",
  options: { ...YES, ...LOCK_TIMEOUT },
  formats: ["text", "json"],
  examples: [
    ["lintel state show", "serial, lock, hold, managed settings"],
    ["lintel state history", "every apply: when, by whom, what"],
    ["lintel state unlock", "ends the lock of a run that is dead"],
    ["lintel state unhold", "lifts the hold that a rollback left"],
    ["lintel state release portal.yaml informationalBanner", "manages it no longer"],
  ],
  offers: [Object.keys(STATE_ACTIONS), [], SETTING_PATHS],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const [word, ...words] = call.operands;
  const action = actionNamed(word);
  const [file, ...paths] = words;
  if (paths.length > 0 && action !== "release") {
    throw new Failure(
      "wrong-usage",
      `"${paths[0]}" is one word too many.`,
      `Call it so:\n  lintel state ${action} ${shellWord(file ?? "FILE")}`,
    );
  }
  if (action === "release" && file !== undefined) assertFile(file, io.cwd);
  const files = await findFiles(file === undefined ? [] : [file], io.cwd);
  // A state is read and written without the portal; the door is never used.
  return withOnePortal(
    io,
    openReading(io, { options: {} }),
    `state ${action}`,
    files,
    (portal, tools) => STATE_ACTIONS[action]({ portal, tools, call, paths }),
    { isLooking: false },
  );
};

/** A setting where the file is expected is a slip that is easy to make. */
function assertFile(file: string, cwd: string): void {
  if (existsSync(resolve(cwd, file))) return;
  throw new Failure(
    "wrong-usage",
    `There is no file "${file}".`,
    "Name the file before the settings:\n  lintel state release portal.yaml informationalBanner",
  );
}

function actionNamed(word: string | undefined): StateAction {
  const actions = Object.keys(STATE_ACTIONS);
  if (word !== undefined && Object.hasOwn(STATE_ACTIONS, word)) return word as StateAction;
  throw new Failure(
    "wrong-usage",
    word === undefined ? "No action is named." : `There is no "lintel state ${word}".`,
    didYouMean(word ?? "", actions) ?? `Write one of:\n  lintel state ${actions.join("|")} [FILE]`,
  );
}
