// The actions of lintel state: the states of portals → what each holds, or the state after one step.
import { SETTINGS } from "../../catalog/catalog.js";
import { didYouMean } from "../../diagnostic.js";
import { wrongUsage, type Failure } from "../../failure.js";
import { keyOf, referencePath } from "../../catalog/spelling.js";
import { closeJournal, type ClosedJournal } from "../../apply/close-journal.js";
import { eachMember } from "../../apply/each-portal.js";
import { storeOf } from "../../apply/portal-context.js";
import { historyText, stateText } from "../../report/state-report.js";
import { plainly, sentenceLines } from "../../report/text-layout.js";
import { formatPath, isWithin, type Path } from "../../settings.js";
import { trustIn } from "../../state/trust/signature.js";
import { authorText, entryOf, type State } from "../../state/state.js";
import { withoutLeaves, type Note } from "../../state/steps.js";
import { oneLine, shellWord } from "../../lib/text.js";
import { change, each, stateOf } from "./asked.js";
import type { Asked, Members } from "./asked.js";
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

/** Closes the journal that a killed run has left open, and ends the lock that it has left at an HTTP server. */
async function unlock(asked: Asked): Promise<Members> {
  const { run, call } = asked;
  const looked = await each(asked, async (portal) => ({ portal, store: storeOf(portal, run) }));
  if (looked.some(({ value }) => value && "unlock" in value.store)) {
    const question =
      "A run that is writing the state right now will fail. End the locks of Lintel?";
    await assertConfirmed(question, run.io, call);
  }
  return eachMember(run, looked, async ({ portal, store }) => {
    const lock = (await store.unlock?.()) ?? "none";
    const closed = await closeJournal(run, portal, { waitMs: 1000 * call.options.wait });
    const lines = [
      ...(lock === "ended" ? ["The lock of Lintel is ended."] : []),
      ...(typeof lock === "object" ? [`The lock is held by ${lock.heldBy}, and stays.`] : []),
      ...(closed ? [closedText(closed)] : []),
    ];
    return {
      json: {
        lock: typeof lock === "object" ? { ...lock } : lock,
        journal: closed ? { ...entryOf(closed.journal), arrived: closed.hasArrived } : null,
      },
      text: (paint) =>
        `${lines.length > 0 ? lines.map((line) => sentenceLines(oneLine(line), plainly, "", paint).join("\n")).join("\n") : "There is nothing to unlock."}\n`,
    };
  });
}

function closedText({ journal, hasArrived }: ClosedJournal): string {
  const { kind, by } = journal;
  const what = `The ${kind} that ${authorText(by)} began is settled`;
  return hasArrived
    ? `${what}: the portal shows its update.`
    : `${what}: the portal shows nothing of its update.`;
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
