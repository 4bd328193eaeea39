// lintel state: what is remembered of a portal, and the few things that a person may change about it by hand.
import type { CommandSpec, ParsedArguments, Run } from "../command.js";
import { FLEET, WAITING, YES } from "../options.js";
import { SETTING_PATHS } from "../../catalog/catalog.js";
import { wrongUsage } from "../../failure.js";
import { didYouMean } from "../../diagnostic.js";
import { readStateLine } from "../../document/check/state-line.js";
import { withState } from "../../document/read/desired.js";
import type { Io } from "../../io.js";
import { resolvePortal, type Resolve, type PortalContext } from "../../apply/portal-context.js";
import { openRun, withLeftOut } from "../../cli/open-run.js";
import { moveStates } from "./move.js";
import { addressesAmong, settingsAmong } from "./operands.js";
import { STATE_ACTIONS, type StateAction } from "./actions.js";
import { signStates } from "./sign.js";
import { resultOfOneOrMany } from "../../cli/portal-parts.js";

type Action = StateAction | "sign" | "accept" | "move";

const ACTIONS = [
  ...(Object.keys(STATE_ACTIONS) as StateAction[]),
  "sign",
  "accept",
  "move",
] as const;

export const spec = {
  operands: "ACTION [FILE…] [PATH… or ADDRESS]",
  options: {
    why: { value: "TEXT", description: "hold: reason to show." },
    until: {
      value: "TIME",
      description: "hold: expire at this time.",
    },
    ...YES,
    ...WAITING,
    ...FLEET,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel state show", "show journal, hold and settings"],
    ["lintel state history", "list every apply"],
    ["lintel state hold --why Migration --until 4h", "block applies"],
    ["lintel state unhold portals", "remove a hold"],
    ["lintel state unlock", "settle what a killed run left open"],
    ["lintel state release portal.yaml blockBetaApps", "stop managing a setting"],
    ["lintel state move portals file:/srv/states", "move states to a new place"],
    ["lintel state sign portals", "sign states after a review"],
    ["lintel state accept portal.yaml", "trust a restored older state"],
  ],
  offers: [ACTIONS, [], SETTING_PATHS],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const [word, ...words] = call.operands;
  const action = actionNamed(word);
  assertFor(action, call);
  if (action === "move") return moveStates(io, call, words);
  if (action === "sign" || action === "accept") return signStates(io, call, words, action);
  const { files: named, addresses } = addressesAmong(words);
  const [address] = addresses;
  const resolve = address === undefined ? resolvePortal : resolveAt(address, io);
  const isRelease = action === "release";
  const { files, paths } = isRelease ? settingsAmong(named, io.cwd) : { files: named, paths: [] };
  // Whoever only looks must not even lock for a moment.
  const purpose = action === "show" || action === "history" ? "reading" : "state";
  const operands = { operands: files, options: call.options };
  const isOnline = action === "unlock";
  await using run = await openRun(`state ${action}`, io, operands, { isOnline, purpose });
  const members = await STATE_ACTIONS[action]({ run, call, resolve, paths });
  return withLeftOut(run, resultOfOneOrMany(members, { command: "state", files: run.files }));
};

/** The place that a person names instead of the file. */
function resolveAt(address: string, io: Io): Resolve<PortalContext> {
  const node = readStateLine(address, io);
  return (desired, run) => resolvePortal(withState(desired, node), run);
}

/** Of the options that one action alone has. */
const OWN_OPTIONS = {
  why: "hold",
  until: "hold",
} as const;

function assertFor(action: Action, { given }: Pick<ParsedArguments, "given">): void {
  for (const [option, owner] of Object.entries(OWN_OPTIONS)) {
    if (!given.has(option) || action === owner) continue;
    throw wrongUsage(
      `"--${option}" belongs to "lintel state ${owner}".`,
      `See:\n  lintel state --help`,
    );
  }
}

/** Terraform's actions, and what to use here. */
const FROM_TERRAFORM: ReadonlyMap<string, string> = new Map([
  ["list", "Show the managed settings:\n  lintel state show"],
  ["rm", "Stop managing a setting:\n  lintel state release FILE PATH"],
  ["mv", "Move the state to another place:\n  lintel state move FILE ADDRESS"],
  ["pull", "Show the state:\n  lintel state show --json"],
]);

function actionNamed(word: string | undefined): Action {
  const actions: readonly string[] = ACTIONS;
  if (word !== undefined && actions.includes(word)) return word as Action;
  throw wrongUsage(
    word === undefined ? "The action is missing." : `Unknown action "${word}" for "lintel state".`,
    FROM_TERRAFORM.get(word ?? "") ??
      didYouMean(word ?? "", actions) ??
      `Actions: ${actions.join(", ")}.`,
  );
}
