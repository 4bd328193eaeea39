// The actions of operators on the dashboard of a single `serve`: refresh, apply, hold and unhold. Each is an event with the user's name.
import type { ActionResult, Actions, HoldRequest, PlanAfterUnhold } from "./dashboard/source.js";
import { LABELS } from "./dashboard/views/status.js";
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
import { reconcile, type Reconciled } from "../apply/reconcile.js";
import type { RunContext } from "../apply/run-context.js";
import { caught, wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import { sentence, showTime, UTC } from "../lib/text.js";

export interface Acting {
  readonly io: Io;
  readonly loop: Pick<ServeLoop, "portals" | "checkNow" | "recordEvent" | "whyCheckoutIsStuck">;
  readonly sessions: RunSessions;
  readonly waitMs: number;
}

const BUSY: ActionResult = failed(
  "A check of this portal is due or running, or its file is being read.",
  "Try again in a moment.",
);
const STALE = failed("The plan changed. Nothing was done.", "Review the new plan.");
const NOT_FOUND = failed("No file configures this portal.");

export function openActions(acting: Acting): Actions {
  const { io, loop, waitMs } = acting;

  /** Writes the event for every result. */
  async function act(
    key: string,
    name: keyof typeof ACTIONS,
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
    refresh: (key, { actor }) =>
      act(key, "refresh", actor, async (monitored) => {
        const { problem } = monitored.portalFile;
        if (problem) return failed(problem.message);
        return resultOfCheck(await loop.checkNow(monitored, "read-only"));
      }),
    apply: (key, { actor, planDigest }) =>
      act(key, "apply", actor, async (monitored) => {
        const { lastApply = 0 } = monitored.record.snapshot;
        const checked = await loop.checkNow(monitored, { planDigest, actor });
        return resultOfApply(checked, lastApply, loop.whyCheckoutIsStuck());
      }),
    hold: (key, { actor, ...request }) =>
      act(key, "hold", actor, async (monitored) => {
        const { reason: why, until } = checkedRequest(request, io);
        await changeHold(monitored, acting, actor, (run, portal) =>
          holdPortal(run, portal, { why, until, waitMs, mustBeFree: true }),
        );
        await loop.checkNow(monitored, "read-only");
        const end = until === undefined ? "" : ` until ${showTime(until, UTC)}`;
        return done(`On hold${end}: ${sentence(why)}`);
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
          : done("The hold is removed.");
      }),
  };
}

const ACTIONS = { refresh: "Refresh", apply: "Apply", hold: "Hold", unhold: "Unhold" } as const;

interface Done {
  readonly name: keyof typeof ACTIONS;
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
      message: `${ACTIONS[name]} by ${actor}: ${message}`,
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

/** The current plan, even of a portal on hold. Nothing is applied. */
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
    const planned = await planNow(monitored, acting);
    const { planDigest: digest, changes = [], guards = [], failure } = planned ?? {};
    if (digest !== undefined) return { digest, changes: changes.map(changeJson), guards };
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
  if (reason === "") throw wrongUsage("The reason is missing.", "Enter why the portal is held.");
  assertUsableReason(reason, io);
  return { ...request, reason };
}

function resultOfCheck(checked: CheckedNow): ActionResult {
  if (checked === "busy") return BUSY;
  if (typeof checked === "string")
    return failed("The check did not finish.", "Try again in a moment.");
  const { failure, status } = checked.record.snapshot;
  const isAnswered = status !== "unreachable" && status !== "invalid";
  // Without its help, which may contain the options that allow a guard.
  return failure && !isAnswered
    ? failed(failure.message)
    : done(`Checked. Status: ${LABELS[status]}.`);
}

function resultOfApply(
  checked: CheckedNow,
  before: number,
  stuck: string | undefined,
): ActionResult {
  if (checked === "outdated") return STALE;
  if (typeof checked === "string") return resultOfCheck(checked);
  const { lastApply = 0, failure } = checked.record.snapshot;
  if (failure) return failed(failure.message);
  if (lastApply > before) return done(`Applied. This is apply ${lastApply}.`);
  return failed(
    stuck === undefined
      ? "Nothing to apply."
      : `Nothing was applied: the checkout may be behind its branch. ${sentence(stuck)}`,
  );
}

function done(message: string): ActionResult {
  return { message, isDone: true };
}

function failed(message: string, help?: string): ActionResult {
  return { message, ...(help !== undefined && { help }), isDone: false };
}
