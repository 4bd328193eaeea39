// The actions of lintel state: the states of portals → what each holds, or the state after one step.
import { randomUUID } from "node:crypto";
import { SETTINGS } from "../../catalog/catalog.js";
import { didYouMean } from "../../diagnostic.js";
import { wrongUsage, type Failure } from "../../failure.js";
import type { Json } from "../../lib/json.js";
import { keyOf, referencePath } from "../../catalog/spelling.js";
import { eachMember } from "../../apply/each-portal.js";
import { storeOf, type PortalContext } from "../../apply/portal-context.js";
import { historyText, holderText, stateText } from "../../report/state-report.js";
import { formatPath, isWithin, type Path } from "../../settings.js";
import { authorOf } from "../../state/author/author.js";
import { trustIn } from "../../state/trust/signature.js";
import { entryOf, type State } from "../../state/state.js";
import { withoutLeaves, type Note } from "../../state/steps.js";
import { holderOn, NOT_KNOWN, type Holder } from "../../state/store.js";
import { counted, oneLine, shellWord } from "../../lib/text.js";
import { change, each, stateOf } from "./asked.js";
import type { Asked, Members, StateCall } from "./asked.js";
import { assertConfirmed } from "./confirm.js";
import { hold, unhold } from "./hold.js";

export type StateAction = keyof typeof STATE_ACTIONS;

export const STATE_ACTIONS = { show, history, unlock, hold, unhold, release };

function show(asked: Asked): Promise<Members> {
  return each(asked, async (portal) => {
    const { state } = await portal.store.read();
    const { place } = portal.store;
    const signature = state ? trustIn(state, asked.run.io) : null;
    return {
      json: { place, state: state ?? null, signature },
      text: (paint) => stateText(portal, { state, signature }, paint),
    };
  });
}

function history(asked: Asked): Promise<Members> {
  return each(asked, async (portal) => {
    const { history, journal } = await stateOf(portal);
    const open = journal && entryOf(journal);
    return {
      json: { history, journal: open ?? null },
      text: (paint) => historyText(history, open, paint),
    };
  });
}

/** Ends the lock that a killed run has left at a place that locks. */
async function unlock(asked: Asked): Promise<Members> {
  const { run, call } = asked;
  const { io } = run;
  const looked = await each(asked, async (portal) => {
    const store = storeOf(portal, run);
    return { portal, store, held: await store.lockHolder?.() };
  });
  const locked = looked.flatMap(({ value }) =>
    value?.held ? [{ ...value, held: value.held }] : [],
  );
  if (locked.length > 0) await assertConfirmed(unlockQuestion(locked, call), io, call);
  return eachMember(run, looked, async ({ portal, store, held }) => {
    const { actor: who } = await authorOf(io, portal.desired.paths);
    const since = new Date(io.now()).toISOString();
    const by = holderOn(io.machine, { id: randomUUID(), who, run: run.command, since });
    const robbed = held && (await store.unlock?.(by));
    return {
      json: { unlocked: (robbed ?? null) as unknown as Json },
      text: (paint) =>
        robbed ? `The lock of ${holderText(robbed, paint)} is removed.\n` : "There is no lock.\n",
    };
  });
}

interface Locked {
  readonly portal: PortalContext;
  readonly held: Holder | typeof NOT_KNOWN;
}

function unlockQuestion(locked: readonly Locked[], { paint }: StateCall): string {
  const who = ({ held }: Locked) => (held === NOT_KNOWN ? "somebody" : holderText(held, paint));
  const [only, ...more] = locked;
  if (only && more.length === 0) {
    return `The lock is held by ${who(only)}.\nIf that run is still alive, what it does next will fail. End its lock?`;
  }
  const lines = locked.map((each) => `  ${oneLine(`${each.portal.portal.name}: ${who(each)}`)}\n`);
  return `${counted(locked.length, "lock")} are held.\n${lines.join("")}If such a run is still alive, what it does next will fail. End these locks?`;
}

/** What no portal manages is a slip; what some of many do not manage is none of theirs. */
async function release(asked: Asked): Promise<Members> {
  const { paths, run } = asked;
  if (paths.length === 0) {
    throw wrongUsage(
      "No setting is named.",
      `Name what is to be managed no longer:\n  lintel state release ${run.files.slice(0, 3).map(shellWord).join(" ")} informationalBanner`,
    );
  }
  const looked = await each(asked, async (portal) => {
    const { leaves, alsoSent = [] } = await stateOf(portal);
    const known = [...leaves, ...alsoSent].map(({ path }) => path);
    return { portal, known, released: paths.flatMap((text) => leavesWithin(text, known)) };
  });
  const known = looked.flatMap(({ value }) => value?.known ?? []);
  if (looked.some(({ value }) => value)) {
    for (const text of paths)
      if (leavesWithin(text, known).length === 0) throw notManaged(text, known);
  }
  return eachMember(run, looked, async ({ portal, released }) => {
    const step = (state: State, note: Note) =>
      released.length > 0 ? withoutLeaves(state, released, note) : state;
    const { after } = await change(portal, asked, step);
    const names = released.map(formatPath);
    const whatBecomes = portal.desired.portal.mayRead
      ? "is no longer managed; the portal keeps it as it is."
      : "is no longer managed, nor part of what is sent; the portal may reset what a request leaves out.";
    const told = [
      ...names.map((name) => `${name} ${whatBecomes}`),
      "What still stands in the file is managed again by the next apply.",
    ];
    const lines = names.length > 0 ? told : ["It manages nothing of that."];
    return {
      json: { released: names, serial: after.serial },
      text: () => `${lines.join("\n")}\n`,
    };
  });
}

function leavesWithin(text: string, managed: readonly Path[]): Path[] {
  const wanted = referencePath(text.split("."));
  return managed.filter((path) => isWithin(referencePath(path), wanted));
}

function notManaged(text: string, managed: readonly Path[]): Failure {
  const names = [...new Set(managed.map(formatPath))];
  const isKnown = SETTINGS.some(({ path }) => keyOf(path.split(".")) === keyOf(text.split(".")));
  return wrongUsage(
    isKnown ? `"${text}" is not managed.` : `"${text}" is no setting that is managed.`,
    didYouMean(text, names) ?? `Managed are: ${names.join(", ") || "none"}.`,
  );
}
