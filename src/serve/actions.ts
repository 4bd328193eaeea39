// What operators do on the dashboard of a single serve: refresh, apply, hold, unhold. Each becomes an event with their name.
import type { ActionResult, Actions, HoldRequest, PlanAfterUnhold } from "./dashboard/board.js";
import type { MonitoredPortal } from "./monitored-portals.js";
import type { CheckedNow, ServeLoop } from "./serve.js";
import { eventOf } from "./events/event.js";
import { changeJson } from "./events/change-json.js";
import type { RunSessions } from "./run-sessions.js";
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
  readonly loop: Pick<ServeLoop, "portals" | "checkNow" | "recordEvent">;
  readonly sessions: RunSessions;
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

export function openActions(acting: Acting): Actions {
  const { io, loop, mayApply, waitMs } = acting;

  /** The event is written whatever the result. */
  async function act(
    key: string,
    name: string,
    actor: string,
    work: (monitored: MonitoredPortal) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    const monitored = loop.portals.ofKey(key);
    if (!monitored) return NOT_FOUND;
    const result = await work(monitored).catch((error: unknown) => failureOf(error, io));
    await noteAction(monitored, acting, { name, actor, result });
    return result;
  }

  return {
    mayApply: mayApply.length > 0,
    refresh: (key, { actor }) =>
      act(key, "refresh", actor, async (monitored) =>
        resultOfCheck(await loop.checkNow(monitored)),
      ),
    apply: (key, { actor, planDigest }) =>
      act(key, "apply", actor, async (monitored) => {
        const { lastApply = 0 } = monitored.record.snapshot;
        const checked = await loop.checkNow(monitored, { planDigest, actor });
        return resultOfApply(checked, lastApply, mayApply);
      }),
    hold: (key, { actor, ...request }) =>
      act(key, "hold", actor, async (monitored) => {
        const { reason: why, until } = checkedRequest(request, io);
        await changeHold(monitored, acting, actor, (run, portal) =>
          holdPortal(run, portal, { why, until, waitMs, mustBeFree: true }),
        );
        await loop.checkNow(monitored);
        return done(`On hold${until === undefined ? "" : ` until ${until}`}: ${why}`);
      }),
    async planAfterUnhold(key) {
      const monitored = loop.portals.ofKey(key);
      return monitored ? planAfterUnhold(monitored, acting) : NOT_FOUND;
    },
    unhold: (key, { actor, planDigest }) =>
      act(key, "unhold", actor, async (monitored) => {
        if ((await planNow(monitored, acting))?.planDigest !== planDigest) return STALE;
        const { before, after } = await changeHold(monitored, acting, actor, (run, portal) =>
          unholdPortal(run, portal, { waitMs }),
        );
        await loop.checkNow(monitored);
        return before === after
          ? failed("The portal is not on hold.")
          : done("The hold has ended.");
      }),
  };
}

interface Done {
  readonly name: string;
  readonly actor: string;
  readonly result: ActionResult;
}

/** Waits for a check that runs, because its result must not be overwritten. */
async function noteAction(
  monitored: MonitoredPortal,
  { io, loop }: Acting,
  { name, actor, result }: Done,
): Promise<void> {
  while (monitored.isChecking) await io.sleep(100, io.signal);
  loop.portals.beginCheck(monitored, io.now());
  try {
    const { key, portal, file } = monitored.portalFile;
    const timeMs = io.now();
    const { message, isDone } = result;
    const event = {
      kind: "action",
      message: `${actor} asked for "${name}": ${message}`,
      isProblem: false,
      more: { action: name, actor, isDone },
      fact: [name, actor, timeMs, isDone],
    } as const;
    await loop.recordEvent(monitored, eventOf(event, { key, about: { portal, file }, timeMs }));
  } finally {
    loop.portals.endCheck(monitored, io.now());
  }
}

function changeHold(
  { portalFile }: MonitoredPortal,
  { io, sessions }: Acting,
  actor: string,
  change: (run: RunContext, portal: PortalContext) => Promise<Changed>,
): Promise<Changed> {
  return sessions.within(async (contextAt) => {
    const run = { ...contextAt(io.now()), isOnline: false, actor };
    const { value, failure } = await resolveFile(run, portalFile.file, resolvePortal);
    if (!value) throw failure ?? new TypeError("a file without a portal has no failure");
    return change(run, value);
  });
}

/** The plan as it is now, whatever holds it. Nothing is applied. */
function planNow(
  { portalFile }: MonitoredPortal,
  { io, sessions }: Acting,
): Promise<Reconciled | undefined> {
  const mayGoOn = () => Promise.resolve([]);
  return sessions.within((contextAt) =>
    reconcile(contextAt(io.now()), portalFile.file, { mayApply: [], waitMs: 0, mayGoOn }),
  );
}

async function planAfterUnhold(
  monitored: MonitoredPortal,
  acting: Acting,
): Promise<PlanAfterUnhold | ActionResult> {
  try {
    const { planDigest: digest, changes = [], failure } = (await planNow(monitored, acting)) ?? {};
    if (digest !== undefined) return { digest, changes: changes.map(changeJson) };
    return failed(failure?.message ?? "The portal cannot be planned now.", failure?.help);
  } catch (error) {
    return failureOf(error, acting.io);
  }
}

function failureOf(error: unknown, io: Io): ActionResult {
  const { message, help } = caught(error, io);
  return failed(message, help);
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
  const { failure } = checked.record.snapshot;
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
  const { lastApply = 0, failure } = checked.record.snapshot;
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
