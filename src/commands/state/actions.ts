// The actions of lintel state: a portal's state → what it holds, or the state after one step.
import { SETTINGS } from "../../catalog/catalog.js";
import { didYouMean } from "../../diagnostic.js";
import { wrongUsage } from "../../failure.js";
import type { Json } from "../../json.js";
import { keyOf, referencePath } from "../../plan/spelling.js";
import { nothingApplied } from "../../run/preconditions.js";
import { lockingOf, type ReachablePortal, type Tools } from "../../run/reachable.js";
import { historyText, holderText, stateText } from "../../report/text/state.js";
import { formatPath, isWithin, type Path } from "../../settings.js";
import { authorOf } from "../../state/author.js";
import { trustIn } from "../../state/trust/signature.js";
import type { State } from "../../state/state.js";
import { withoutHold, withoutLeaves, type Note } from "../../state/steps.js";
import { NOT_KNOWN } from "../../state/store.js";
import { changeState } from "../../state/lock/with-lock.js";
import type { Call, Result } from "../command.js";
import { done } from "../result/result.js";
import type { LOCKING, NETWORK, YES } from "../options.js";
import { lockTimeoutMs } from "../call/plan-options.js";
import { shellWord } from "../../text.js";
import { assertConfirmed } from "./confirm.js";

type StateCall = Call<typeof LOCKING & typeof NETWORK & typeof YES>;

export interface Asked {
  readonly portal: ReachablePortal;
  readonly tools: Tools;
  readonly call: StateCall;
  /** The words after the file. */
  readonly paths: readonly string[];
}

export type StateAction = keyof typeof STATE_ACTIONS;

export const STATE_ACTIONS = { show, history, unlock, unhold, release };

async function show({ portal, tools }: Asked): Promise<Result> {
  const state = await portal.store.read();
  const holder = await portal.store.holder();
  const { place } = portal.store;
  const signature = state ? trustIn(state, tools.io) : null;
  const lock = (holder ?? null) as unknown as Json;
  const more = { place, state: state ?? null, lock, signature };
  return done("state", more, (paint) => stateText(portal, { state, holder, signature }, paint));
}

async function history({ portal }: Asked): Promise<Result> {
  const { history: entries } = await stateOf(portal);
  return done("state", { history: entries }, (paint) => historyText(entries, paint));
}

async function unlock({ portal, tools, call }: Asked): Promise<Result> {
  const { store, holder } = await lockingFor(portal, tools);
  const held = await store.holder();
  if (!held) return done("state", { unlocked: null }, () => "Nobody holds the lock.\n");
  const who = held === NOT_KNOWN ? "somebody" : holderText(held, call.paint);
  const question = `The lock is held by ${who}.\nIf that run is still alive, what it does next will fail. End its lock?`;
  await assertConfirmed(question, tools.io, call);
  const robbed = await store.forceUnlock(holder);
  return done("state", { unlocked: (robbed ?? null) as unknown as Json }, (paint) =>
    robbed ? `The lock of ${holderText(robbed, paint)} is ended.\n` : "Nobody holds the lock.\n",
  );
}

async function unhold(asked: Asked): Promise<Result> {
  const { before, after } = await change(asked, withoutHold);
  return done("state", { unheld: before !== after, serial: after.serial }, () =>
    before === after
      ? "The portal is not on hold.\n"
      : "The hold is lifted: the next apply makes the portal as its file wants it.\n",
  );
}

async function release(asked: Asked): Promise<Result> {
  const { portal, paths } = asked;
  const { leaves, alsoSent = [] } = await stateOf(portal);
  if (paths.length === 0) {
    throw wrongUsage(
      "No setting is named.",
      `Name what is to be managed no longer:\n  lintel state release ${shellWord(portal.desired.file)} informationalBanner`,
    );
  }
  const known = [...leaves, ...alsoSent].map(({ path }) => path);
  const released = paths.flatMap((text) => leavesWithin(text, known));
  const { after } = await change(asked, (state, note) => withoutLeaves(state, released, note));
  const names = released.map(formatPath);
  const whatBecomes = portal.desired.portal.mayRead
    ? "is no longer managed; the portal keeps it as it is."
    : "is no longer managed, nor part of what is sent; the portal may reset what a request leaves out.";
  return done("state", { released: names, serial: after.serial }, () =>
    [
      ...names.map((name) => `${name} ${whatBecomes}`),
      "What still stands in the file is managed again by the next apply.",
      "",
    ].join("\n"),
  );
}

function leavesWithin(text: string, managed: readonly Path[]): Path[] {
  const wanted = referencePath(text.split("."));
  const found = managed.filter((path) => isWithin(referencePath(path), wanted));
  if (found.length > 0) return found;
  const names = managed.map(formatPath);
  const isKnown = SETTINGS.some(({ path }) => keyOf(path.split(".")) === keyOf(wanted));
  throw wrongUsage(
    isKnown ? `"${text}" is not managed.` : `"${text}" is no setting that is managed.`,
    didYouMean(text, names) ?? `Managed are: ${names.join(", ") || "none"}.`,
  );
}

async function lockingFor(portal: ReachablePortal, tools: Tools) {
  return lockingOf(portal, tools, await authorOf(tools.io, portal.desired.paths));
}

async function change({ portal, tools, call }: Asked, step: (state: State, note: Note) => State) {
  const by = await authorOf(tools.io, portal.desired.paths);
  const locking = lockingOf(portal, tools, by);
  const missing = () => nothingApplied(portal.desired.file);
  return changeState({ ...locking, lockTimeoutMs: lockTimeoutMs(call) }, missing, (state) =>
    step(state, { time: new Date(tools.io.now()).toISOString(), by }),
  );
}

async function stateOf(portal: ReachablePortal): Promise<State> {
  const state = await portal.store.read();
  if (!state) throw nothingApplied(portal.desired.file);
  return state;
}
