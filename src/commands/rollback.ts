// lintel rollback: a file's portal → as it was before the last apply, or after the one named; then it is on hold.
import type { Call, Run, Words } from "./command.js";
import { NETWORK, PLANNING, UPDATING, YES } from "./options.js";
import { Failure } from "../failure.js";
import { resultOf } from "../run/fleet.js";
import type { Io } from "../io.js";
import { isNothingToDo } from "../plan/plan.js";
import { apply, assertApplicable, plan, planAgain, type Planned } from "../run/portal.js";
import { awaitOutcome, foresee } from "../run/open-journal.js";
import { rollbackTo } from "../run/rollback.js";
import { planText } from "../report/text/plan.js";
import { formatPath } from "../settings.js";
import type { State } from "../state/state.js";
import { openUpdating } from "./call/network.js";
import { invalid } from "./call/one-file.js";
import { nothingApplied, readOnePortal } from "./call/one-portal.js";
import { resultOfPortals } from "./result/portals.js";
import { showTime, zoneOf, type Zone, shellWord } from "../text.js";
import { filesOf, toolsOf, waitingOf, wishesOf } from "./call/plan-options.js";

export const words = {
  operands: "[FILE]",
  options: {
    to: {
      value: "SERIAL",
      number: { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true },
      meaning: "Back to what this apply left; 0 for before the first.",
    },
    ...YES,
    ...UPDATING,
    ...PLANNING,
    ...NETWORK,
  },
  formats: ["text", "json", "html"],
  examples: [
    ["lintel rollback", "shows a plan and asks"],
    ["lintel state history", "shows the serials"],
    ["lintel rollback portals/staging.yaml --to 4", "several applies back"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const files = await filesOf(io, call);
  const mustAsk = !call.options.yes;
  const network = openUpdating(io, call);
  try {
    const tools = toolsOf(io, network, "rollback", files);
    const { prospect, outcome } = await readOnePortal("rollback", files, tools);
    if (!prospect) return invalid(outcome);
    if (mustAsk && !io.stdin.isTerminal) throw nobodyToAsk();
    const waiting = waitingOf(call);
    const quiet = await awaitOutcome(prospect, tools, "rollback", waiting);
    const state = await prospect.store.read();
    if (!state || (state.history.length === 0 && !state.journal)) throw nothingApplied(prospect);
    const rollback = rollbackTo(
      await foresee(state, quiet),
      call.options.to,
      prospect.desired.file,
    );
    const { leaves, wants, lost, why, aim } = rollback;
    for (const { path, value } of lost) {
      tools.notice(
        `"${formatPath(path)}" is left as it is: ${value === null ? "nothing stood there, and an update cannot unset it" : "nobody knows what stood there"}.`,
      );
    }
    const result = (now: Planned, failure?: Failure) =>
      resultOfPortals({
        command: "rollback",
        files,
        diagnostics: [],
        isShown: mustAsk && !isNothingToDo(now.plan),
        results: [resultOf(memberOf(now), "applied", failure)],
      });
    const wishes = wishesOf(call.options);
    const first = await plan({ ...quiet, leaves }, tools, wishes);
    if (wants.length === 0 && lost.length > 0) throw notUndone(why);
    if (isNothingToDo(first.plan)) {
      tools.notice(nothingToDo(state, prospect.desired.file, zoneOf(io)));
      return result(first);
    }
    const closed = first.plan.guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
    if (mustAsk && !(await isConfirmed(first, aim(zoneOf(io)), closed, io, call))) {
      return result(first, new Failure("declined", "Nothing was rolled back."));
    }
    // Whoever says yes has read which guards that opens.
    const options = mustAsk ? { ...wishes, allow: [...wishes.allow, ...closed] } : wishes;
    const ready = planAgain(first, tools, options);
    try {
      assertApplicable({ ...ready, state: undefined }, tools);
    } catch (error) {
      // The plan is shown beside what stops it.
      if (error instanceof Failure) return result(ready, error);
      throw error;
    }
    const done = await apply(ready, tools, {
      ...options,
      ...waiting,
      isConfirmed: mustAsk,
      rollback: { why, wants },
    });
    tools.notice(
      `The portal is on hold: applies refuse until the file agrees, or until\n  lintel state unhold ${shellWord(prospect.desired.file)}`,
    );
    return result({ ...ready, plan: done });
  } finally {
    await network.close();
  }
};

function memberOf(planned: Planned) {
  const { desired, portal } = planned;
  return { file: desired.file, portal, diagnostics: [], value: planned };
}

function nothingToDo({ hold }: State, file: string, zone: Zone): string {
  return hold
    ? `The portal is rolled back already, and on hold since ${showTime(hold.since, zone)}. To go further back:\n  lintel state history ${shellWord(file)}\n  lintel rollback ${shellWord(file)} --to SERIAL`
    : "The portal is so already: nothing was sent, and there is no hold.";
}

function notUndone(why: string): Failure {
  return new Failure(
    "nothing-applied",
    `What was applied cannot be put back (${why}): nothing stood there, or nobody knows what did.`,
    "An update can set values and cannot unset them. Write the values that you want into the file, and apply.",
  );
}

async function isConfirmed(
  planned: Planned,
  aim: string,
  guards: readonly string[],
  io: Io,
  { paint }: Pick<Call, "paint">,
): Promise<boolean> {
  io.stderr.write(`${planText([resultOf(memberOf(planned), "changes")], paint)}\n`);
  const names = [...new Set(guards)].map((name) => `"${name}"`).join(", ");
  const opened = names ? ` This opens the guards ${names}.` : "";
  const answer = await io.stdin.ask(`Roll the portal back ${aim}?${opened} (yes or no) `);
  io.stderr.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

function nobodyToAsk(): Failure {
  return new Failure(
    "wrong-usage",
    "Nobody is here to be asked, because standard input is no terminal.",
    "To roll back without being asked, run the same command with:\n  --yes",
  );
}
