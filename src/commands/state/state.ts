// lintel state: what is remembered of a portal, and the few things that a person may change about it by hand.
import type { CommandSpec, Run } from "../command.js";
import { FLEET, WAITING, YES } from "../options.js";
import { SETTING_PATHS } from "../../catalog/catalog.js";
import { actionNamed } from "../../cli/action-named.js";
import { openRun, resultOfRun } from "../../cli/open-run.js";
import { moveStates } from "./move.js";
import { show, unlock } from "./actions.js";
import { placeNamed } from "./asked.js";
import { settingsAmong } from "./operands.js";
import { removeSettings } from "./rm.js";
import { signStates } from "./sign.js";
import { resultOfOneOrMany } from "../../cli/portal-parts.js";

const ACTIONS = ["show", "rm", "unlock", "move", "sign", "accept"] as const;

export const spec = {
  operands: "ACTION [FILE…] [SETTING… or STATE-ADDRESS]",
  options: { ...YES, ...WAITING, ...FLEET },
  formats: ["text", "json"],
  examples: [
    ["lintel state show", "show journal, hold and settings"],
    [
      "lintel state rm portal.yaml blockBetaApps",
      "forget a setting that you deleted from the file",
    ],
    ["lintel state unlock", "close the journal (the lock) of a killed run"],
    ["lintel state move portals file:/srv/states", "move states to a new place"],
    ["lintel state sign portals", "sign states that you have reviewed"],
    ["lintel state accept portal.yaml", "trust an older state, restored from a backup"],
  ],
  offers: [ACTIONS, [], SETTING_PATHS],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const [word, ...words] = call.operands;
  const action = actionNamed("state", word, ACTIONS, ELSEWHERE);
  if (action === "move") return moveStates(io, call, words);
  if (action === "sign" || action === "accept") return signStates(io, call, words, action);
  const { files: named, ...place } = placeNamed(words, io);
  const { files, paths } =
    action === "rm" ? settingsAmong(named, io.cwd) : { files: named, paths: [] };
  const operands = { operands: files, options: call.options };
  await using run = await openRun(`state ${action}`, io, operands, {
    isOnline: action === "unlock",
    purpose: action === "show" ? "reading" : "state",
  });
  const asked = { run, call, ...place };
  const members =
    action === "show"
      ? await show(asked)
      : action === "unlock"
        ? await unlock(asked)
        : await removeSettings(asked, paths);
  const about = { command: "state", files: run.files, folders: run.folders };
  return resultOfRun(run, resultOfOneOrMany(members, about));
};

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["list", "Show the managed settings:\n  lintel state show"],
  ["mv", "Move the state to another place:\n  lintel state move FILE ADDRESS"],
  ["pull", "Show the state:\n  lintel state show --json"],
  // Lintel's own, which stand elsewhere.
  ["history", "Show every apply:\n  lintel history"],
  ["hold", "Block applies for a time:\n  lintel hold"],
  ["unhold", "End a hold:\n  lintel unhold"],
  ["release", "Stop managing a setting:\n  lintel state rm FILE PATH"],
]);
