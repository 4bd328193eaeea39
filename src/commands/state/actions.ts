// lintel state show and unlock: prints states, and settles what a killed run has left.
import { closeJournal, type ClosedJournal } from "../../apply/close-journal.js";
import { eachMember } from "../../apply/each-portal.js";
import { storeOf } from "../../apply/portal-context.js";
import type { StateShowFacts, StateUnlockFacts } from "../documents.js";
import { stateText } from "../../report/state-report.js";
import { plainly, sentenceLines } from "../../report/text-layout.js";
import { trustIn } from "../../state/signature.js";
import { authorText, entryOf } from "../../state/state.js";
import { oneLine } from "../../lib/text.js";
import { each } from "./asked.js";
import type { Asked, Members } from "./asked.js";
import { assertConfirmed } from "./confirm.js";

export function show(asked: Asked): Promise<Members> {
  return each(asked, async (portal) => {
    // A place that the call names is shown as it is, also where its state was moved away.
    const store = asked.isNamed ? storeOf(portal, asked.run, true) : portal.store;
    const { state } = await store.read();
    const { place } = store;
    const signature = state ? trustIn(state, asked.run.io) : null;
    return {
      json: { place, state: state ?? null, signature } satisfies StateShowFacts,
      text: (styles) => stateText(portal, { state, signature }, styles),
    };
  });
}

/** Closes the journal that a killed run has left open, and ends the lock that it has left at an HTTP server. */
export async function unlock(asked: Asked): Promise<Members> {
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
      } satisfies StateUnlockFacts,
      text: (styles) =>
        `${lines.length > 0 ? lines.map((line) => sentenceLines(oneLine(line), plainly, "", styles).join("\n")).join("\n") : "There is nothing to unlock."}\n`,
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
