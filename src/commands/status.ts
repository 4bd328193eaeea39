// lintel status: shows the last apply, the hold, pending changes and the next command of each portal.
import type { CommandSpec, Run } from "./command.js";
import { FLEET, POLICY } from "./options.js";
import { arrivalIn } from "../apply/snapshot.js";
import { duplicateOwners } from "../apply/duplicate-owners.js";
import { diagnosticsOf, eachPortal } from "../apply/each-portal.js";
import { planOptionsOf, planPortal, withoutOldValues } from "../apply/plan-portal.js";
import type { PlannedPortal } from "../apply/plan-portal.js";
import type { Member } from "../apply/portal-context.js";
import { plannedResult } from "../apply/portal-result.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { problemsAbove } from "../cli/result.js";
import { EXIT, type Exit } from "../failure.js";
import type { Io } from "../io.js";
import { rollUp } from "../outcome.js";
import { stoppersOf, summarise } from "../plan/result.js";
import type { StatusPortalDocument } from "../report/documents.js";
import { portalJson } from "../report/json-report.js";
import { quietReport } from "../report/plan-report.js";
import { type PortalStatus, statusReport } from "../report/status-report.js";
import type { Styles } from "../report/styles.js";
import { reportedUnknownMs } from "../state/recover.js";
import { appliesOf, holdOf, type State } from "../state/state.js";
import { trustIn } from "../state/signature.js";
import { nextStep } from "./next-step.js";

export const spec = {
  operands: "[FILE…]",
  options: { offline: { description: "Do not contact the portals." }, ...POLICY, ...FLEET },
  formats: ["text", "json"],
  examples: [
    ["lintel status", "read portal.yaml, else portals/*.yaml"],
    ["lintel status portals --offline", "read the states only"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const isOnline = !call.options.offline;
  const options = planOptionsOf({ compareWith: isOnline ? "live-and-last" : "last" });
  await using run = await openRun("status", io, call, { isOnline });
  const { files } = run;
  // The state of a portal that is down is known all the same.
  const states = new Map<string, State | undefined>();
  const members = await eachPortal(run, files, async (portal) => {
    const stored = await portal.store.read();
    states.set(portal.desired.file, shortened(stored.state, io.now()));
    const planned = await planPortal(run, portal, options, stored);
    // The status of a portal cannot be known without reading it; without credentials, from the public view.
    if (planned.unable?.code === "host-not-allowed") throw planned.unable;
    return withoutOldValues(planned);
  });
  const standings = members.map((each) => standingOf(each, states, io));
  const results = standings.map(({ result }) => result);
  const named = results.map(({ file, portal }) => ({ ...portal, file }));
  const outcome = {
    command: "status",
    exit: rollUp(standings.map(exitOf)),
    // Warnings are for those who change the file.
    diagnostics: [
      ...diagnosticsOf(members).filter(({ severity }) => severity === "error"),
      ...(await duplicateOwners(named, io)),
    ],
    files,
    portals: standings.map(standingJson),
    more: { summary: { ...summarise(results) } },
  };
  return resultOfRun(run, {
    outcome,
    text: (styles: Styles) =>
      problemsAbove(outcome, styles) + statusReport(standings, styles, { folders: run.folders }),
    quiet: (styles) =>
      problemsAbove(outcome, styles) +
      quietReport(results, styles, { folders: run.folders, files }),
  });
};

function standingOf(
  member: Member<PlannedPortal>,
  states: ReadonlyMap<string, State | undefined>,
  io: Io,
): PortalStatus {
  const { file, value: planned } = member;
  const result = plannedResult(member);
  const state = states.get(file);
  return {
    result,
    isStateKnown: states.has(file),
    state,
    unknownMs: state?.journal ? reportedUnknownMs(state.journal, io) : 0,
    arrival: planned ? arrivalIn(planned, io) : "unknown",
    next: nextStep(result, planned, io),
    signature: state ? trustIn(state, io) : null,
  };
}

/** For monitoring: a failure's own status, else whether something stops the portal, is unknown or is pending. */
function exitOf({ result, state, arrival }: PortalStatus): Exit {
  if (result.exit !== EXIT.done) return result.exit;
  const { hold } = result;
  const isHeld = hold !== null && (!hold.isAgreed || hold.isUnsettled);
  if (isHeld || stoppersOf(result).length > 0) return EXIT.stopped;
  if (state?.journal && arrival === "unknown") return EXIT.unknown;
  // The next apply ends a hold that the file agrees with.
  return hold || result.status === "changes" ? EXIT.pending : EXIT.done;
}

function standingJson(portal: PortalStatus): StatusPortalDocument {
  const { result, state, signature, next } = portal;
  const { serial = null, history = [] } = state ?? {};
  const lastApply = history.at(-1) ?? null;
  const exitCode = exitOf(portal);
  return { ...portalJson(result), exitCode, serial, lastApply, signature, next };
}

/** What status shows of a state. */
function shortened(state: State | undefined, nowMs: number): State | undefined {
  if (!state) return undefined;
  const { hold: _maybeOver, ...rest } = state;
  const hold = holdOf(state, nowMs);
  const history = appliesOf(state)
    .slice(-1)
    .map(({ live: _left, ...rest }) => rest);
  const journal = state.journal && { ...state.journal, settings: {}, leaves: [], before: {} };
  const held = { ...(journal && { journal }), ...(hold && { hold }) };
  return { ...rest, leaves: [], history, ...held };
}
