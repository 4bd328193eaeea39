// lintel rollback: a file's portal → as it was before the last apply, or after the one named; then it is on hold.
import { Failure } from "../failure.js";
import { resultOf } from "../fleet.js";
import type { Io } from "../io.js";
import { isNothingToDo } from "../plan/plan.js";
import { apply, assertApplicable, plan, planAgain, type Planned } from "../reconcile.js";
import { rollback } from "../reconcile/rollback.js";
import { planText } from "../report/plan-text.js";
import { formatPath } from "../settings.js";
import type { State } from "../state/state.js";
import { numberOf, type Call, type Run } from "./command.js";
import { openUpdating } from "./network.js";
import { invalid } from "./one-file.js";
import { nothingApplied, readOnePortal } from "./one-portal.js";
import { resultOfPortals } from "./portals.js";
import { filesOf, lockTimeoutMs, toolsOf, wishesOf } from "./wishes.js";

export const run: Run = async (io, call) => {
  const files = filesOf(io, call);
  const mustAsk = call.options["yes"] !== true;
  const network = openUpdating(io, call);
  try {
    const tools = toolsOf(io, network, "rollback", files);
    const { prospect, outcome } = await readOnePortal("rollback", files, tools);
    if (!prospect) return invalid(outcome);
    const state = await prospect.store.read();
    if (!state || state.history.length === 0) throw nothingApplied(prospect);
    const serial = serialOf(state, call);
    if (mustAsk && !io.stdin.isTerminal) throw nobodyToAsk();
    // Without --to it is the portal as the last apply found it, whatever an earlier one had left.
    const isAsLeft = call.options["to"] !== undefined && serial > 0;
    const { leaves, wants, lost } = rollback(state, serial, isAsLeft);
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
        isShown: mustAsk && wants.length > 0,
        results: [resultOf(memberOf(now), "applied", failure)],
      });
    const wishes = wishesOf(call);
    const first = await plan({ ...prospect, leaves }, tools, wishes);
    if (wants.length === 0) {
      if (lost.length > 0) throw notUndone(serial);
      tools.notice(
        `Nothing was sent to the portal after serial ${serial}, so there is nothing to put back, and no hold.`,
      );
      const { value: _nothing, ...member } = memberOf(first);
      const results = [resultOf(member, "unchanged")];
      return resultOfPortals({ command: "rollback", files, diagnostics: [], results });
    }
    const closed = first.plan.guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
    if (mustAsk && !(await isConfirmed(first, aimOf(state, serial), closed, io, call))) {
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
    const why = `rolled back to serial ${serial}`;
    const done = await apply(ready, tools, {
      ...options,
      lockTimeoutMs: lockTimeoutMs(call),
      isConfirmed: mustAsk,
      rollback: { why, wants },
    });
    tools.notice(
      `The portal is on hold: applies refuse until the file agrees, or until\n  lintel state unhold ${prospect.desired.file}`,
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

function notUndone(serial: number): Failure {
  return new Failure(
    "nothing-applied",
    `What was applied after serial ${serial} cannot be put back: nothing stood there, or nobody knows what did.`,
    "An update can set values and cannot unset them. Write the values that you want into the file, and apply.",
  );
}

/** Without --to it is the one before the last apply; 0 for what there was before the first. */
function serialOf({ history, hold }: State, call: Call): number {
  const serials = history.map(({ serial }) => serial);
  const newest = serials.at(-1) ?? 0;
  const asked = numberOf(call, "to", { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true });
  if (asked === undefined && hold) {
    // The last entry is that rollback: to undo it would bring back what was rolled back.
    throw new Failure(
      "wrong-usage",
      `The portal is on hold already: ${hold.why}, at ${hold.since}.`,
      `Say how far to go back; see the serials:\n  lintel state history\n  lintel rollback --to SERIAL`,
    );
  }
  const serial = asked ?? serials.at(-2) ?? 0;
  if (serial === 0 || (serials.includes(serial) && serial !== newest)) return serial;
  throw new Failure(
    "wrong-usage",
    serial === newest
      ? `Serial ${serial} is the last apply, after which there is nothing to roll back.`
      : `No apply ended with serial ${serial}.`,
    `Before all of them is 0; the others: ${serials.slice(0, -1).slice(-20).join(", ") || "none"}. See:\n  lintel state history`,
  );
}

/** To what, in words. */
function aimOf({ history }: State, serial: number): string {
  const entry = history.find((each) => each.serial === serial);
  return entry
    ? `to what serial ${serial} left, applied at ${entry.time} by ${entry.by.actor}`
    : "to what there was before the first apply";
}

async function isConfirmed(
  planned: Planned,
  aim: string,
  guards: readonly string[],
  io: Io,
  { paint }: Call,
): Promise<boolean> {
  io.stderr.write(`${planText([resultOf(memberOf(planned), "changes")], paint)}\n`);
  const names = [...new Set(guards)].map((name) => `"${name}"`).join(", ");
  const opened = names ? ` This opens the guards ${names}.` : "";
  const question = isNothingToDo(planned.plan)
    ? "The portal is so already. Put it on hold?"
    : `Roll the portal back ${aim}?`;
  const answer = await io.stdin.ask(`${question}${opened} (yes or no) `);
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
