// What operators do on the dashboard of a single serve: refresh, apply, hold, unhold. Each becomes an event with their name.
import type { ActionResult, Actions, HoldRequest } from "./dashboard/board.js";
import type { Fleet, Kept } from "./fleet.js";
import type { CheckedNow, openLooks } from "./looks.js";
import { eventOf } from "./news/event.js";
import { changeJson } from "./news/changes.js";
import type { openRecording } from "./recording.js";
import type { Rounds } from "./rounds.js";
import {
  assertUsableReason,
  holdPortal,
  unholdPortal,
  type Changed,
} from "../apply/hold-portal.js";
import { resolveFile, resolvePortal, type PortalContext } from "../apply/portal-context.js";
import { reconcile, type Reconciled, type Unasked } from "../apply/reconcile.js";
import type { RunContext } from "../apply/run-context.js";
import { caught, wrongUsage } from "../failure.js";
import type { Io } from "../io.js";

export interface Acting {
  readonly io: Io;
  readonly fleet: Fleet;
  readonly rounds: Rounds;
  readonly looks: Pick<ReturnType<typeof openLooks>, "checkNow">;
  readonly recording: Pick<ReturnType<typeof openRecording>, "note">;
  readonly mayApply: readonly Unasked[];
  readonly waitMs: number;
}

const BUSY: ActionResult = failed(
  "Another check of the portal is running, or its file is being read.",
  "Try again in a moment.",
);
const STALE = failed(
  "The plan changed since this page was shown. Nothing was done.",
  "Review the new plan.",
);
const NOT_FOUND = failed("No file configures this portal any more.");

export function openActions({
  io,
  fleet,
  rounds,
  looks,
  recording,
  mayApply,
  waitMs,
}: Acting): Actions {
  const find = (key: string) =>
    [...fleet.portals.values()].find(({ followed }) => followed.key === key);

  /** Runs the action while no check of the portal runs, and writes the event. */
  async function act(
    key: string,
    { name, actor }: { readonly name: string; readonly actor: string },
    work: (kept: Kept) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    const kept = find(key);
    if (!kept) return NOT_FOUND;
    const result = await work(kept).catch((error: unknown) => {
      const { message, help } = caught(error, io);
      return failed(message, help);
    });
    const { key: own, portal, file } = kept.followed;
    const timeMs = io.now();
    const message = `${actor} asked for "${name}": ${result.message}`;
    const more = { action: name, actor, isDone: result.isDone };
    const fact = [name, actor, timeMs, result.isDone];
    const event = eventOf(
      { kind: "action", message, isProblem: false, more, fact },
      { key: own, about: { portal, file }, timeMs },
    );
    await exclusively(kept, () => recording.note(kept, event));
    return result;
  }

  /** Waits for a check that runs, because its result must not be overwritten. */
  async function exclusively<T>(kept: Kept, work: () => Promise<T>): Promise<T> {
    while (kept.isUnderWay) await io.sleep(100, io.signal);
    fleet.begin(kept, io.now());
    try {
      return await work();
    } finally {
      fleet.end(kept, io.now());
    }
  }

  function changeHold(
    { followed }: Kept,
    actor: string,
    change: (run: RunContext, portal: PortalContext) => Promise<Changed>,
  ): Promise<Changed> {
    return rounds.within(async (contextAt) => {
      const run = { ...contextAt(io.now()), isOnline: false, actor };
      const { value, failure } = await resolveFile(run, followed.file, resolvePortal);
      if (!value) throw failure ?? new TypeError("a file without a portal has no failure");
      return change(run, value);
    });
  }

  /** The plan as it is now, whatever holds it. */
  function planNow({ followed }: Kept): Promise<Reconciled | undefined> {
    return rounds.within((contextAt) =>
      reconcile(contextAt(io.now()), followed.file, {
        mayApply: [],
        waitMs: 0,
        mayGoOn: () => Promise.resolve([]),
      }),
    );
  }

  return {
    mayApply: mayApply.length > 0,
    refresh: (key, { actor }) =>
      act(key, { name: "refresh", actor }, async (kept) =>
        resultOfCheck(await looks.checkNow(kept)),
      ),
    apply: (key, { actor, planDigest }) =>
      act(key, { name: "apply", actor }, async (kept) => {
        const { lastApply = 0 } = kept.known.seen;
        const checked = await looks.checkNow(kept, { planDigest, actor });
        return resultOfApply(checked, lastApply, mayApply);
      }),
    hold: (key, { actor, ...request }) =>
      act(key, { name: "hold", actor }, async (kept) => {
        const { reason: why, until } = checkedRequest(request, io);
        await changeHold(kept, actor, (run, portal) =>
          holdPortal(run, portal, { why, until, waitMs }),
        );
        await looks.checkNow(kept);
        return done(`On hold${until === undefined ? "" : ` until ${until}`}: ${why}`);
      }),
    async planAfterUnhold(key) {
      const kept = find(key);
      if (!kept) return NOT_FOUND;
      try {
        const found = await planNow(kept);
        const { planDigest: digest, changes = [], failure } = found ?? {};
        if (digest === undefined)
          return failed(failure?.message ?? "The portal cannot be planned now.", failure?.help);
        return { digest, changes: changes.map(changeJson) };
      } catch (error) {
        const { message, help } = caught(error, io);
        return failed(message, help);
      }
    },
    unhold: (key, { actor, planDigest }) =>
      act(key, { name: "unhold", actor }, async (kept) => {
        const found = await planNow(kept);
        if (found?.planDigest !== planDigest) return STALE;
        const { before, after } = await changeHold(kept, actor, (run, portal) =>
          unholdPortal(run, portal, { waitMs }),
        );
        await looks.checkNow(kept);
        return before === after
          ? failed("The portal is not on hold.")
          : done("The hold has ended.");
      }),
  };
}

function checkedRequest(request: HoldRequest, io: Io): HoldRequest {
  const reason = request.reason.trim();
  if (reason === "") throw wrongUsage("The reason is missing.", "Those who are held will read it.");
  assertUsableReason(reason, io);
  return { ...request, reason };
}

function resultOfCheck(checked: CheckedNow): ActionResult {
  if (checked === "busy") return BUSY;
  if (typeof checked === "string")
    return failed("The check did not finish.", "Try again in a moment.");
  const { failure } = checked.known.seen;
  // Its help may be the words that allow what a guard blocks.
  return failure ? failed(failure.message) : done("Checked.");
}

function resultOfApply(
  checked: CheckedNow,
  before: number,
  mayApply: readonly Unasked[],
): ActionResult {
  if (checked === "outdated") return STALE;
  if (typeof checked === "string") return resultOfCheck(checked);
  const { lastApply = 0, failure } = checked.known.seen;
  if (failure) return failed(failure.message);
  if (lastApply > before) return done(`Applied as number ${lastApply}.`);
  return failed(
    "Nothing was applied.",
    `This serve may apply: ${mayApply.join(", ") || "nothing"} (--apply). Use lintel apply for the rest.`,
  );
}

function done(message: string): ActionResult {
  return { message, isDone: true };
}

function failed(message: string, help?: string): ActionResult {
  return { message, ...(help !== undefined && { help }), isDone: false };
}
