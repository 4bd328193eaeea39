// lintel status: files → how their portals stand: the last apply, hold, journal, changes pending, the next command.
import type { CommandSpec, Result, Run } from "./command.js";
import { FLEET } from "./options.js";
import { rollUp } from "../outcome.js";
import { summarise, type PortalResult } from "../plan/result.js";
import { portalJson } from "../report/json-report.js";
import { failuresText } from "../report/plan-report.js";
import { type PortalStatus, statusReport } from "../report/status-report.js";
import type { Styles } from "../report/styles.js";
import { diagnosticsOf, eachPortal } from "../run/fleet.js";
import { arrivalIn } from "../apply/apply-portal.js";
import { plan, type PlannedPortal } from "../run/portal.js";
import { resultOf, resultWithoutPlan } from "../run/result.js";
import { reportedUnknownMs } from "../state/recover.js";
import { trustIn } from "../state/trust/signature.js";
import { appliesOf, freezeOf, type State } from "../state/state.js";
import type { Tools } from "../run/reachable.js";
import { managedBeside } from "./call/beside.js";
import { planOptionsOf } from "./call/plan-options.js";
import { withTools } from "./call/tools.js";
import { nextStep } from "./result/next-step.js";
import { problemsAbove } from "./result/result.js";

export const spec = {
  operands: "[FILE…]",
  options: { offline: { description: "Do not contact the portals." }, ...FLEET },
  formats: ["text", "json"],
  examples: [
    ["lintel status", "portal.yaml, or portals/*.yaml"],
    ["lintel status portals --offline", "read the states only"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const options = planOptionsOf(call.options);
  const work = async (tools: Tools, files: readonly string[]): Promise<Result> => {
    // What is remembered of a portal that is down is known all the same.
    const remembered = new Map<string, State | undefined>();
    const members = await eachPortal(
      files,
      tools,
      call.options.concurrency,
      async (portal, note) => {
        const stored = await portal.store.read();
        remembered.set(portal.desired.file, shortened(stored.state, io.now()));
        const planned = await plan(portal, tools, options, stored);
        note(planned);
        // How a portal stands cannot be told without looking; without credentials, from what anybody sees.
        if (planned.unable?.code === "host-not-allowed") throw planned.unable;
        return tell(resultOf(planned, "changes"), planned);
      },
    );
    const told = members.map((each) => each.value ?? tell(resultWithoutPlan(each)));
    const standings = told.map(({ standing }) => standing);
    const results = standings.map(({ result }) => result);
    const named = results.map(({ file, portal }) => ({ ...portal, file }));
    const outcome = {
      command: "status",
      exit: rollUp(results.map(({ exit }) => exit)),
      // Warnings are for those who change the file.
      diagnostics: [
        ...diagnosticsOf(members).filter(({ severity }) => severity === "error"),
        ...(await managedBeside(named, io)),
      ],
      files,
      portals: told.map(({ json }) => json),
      more: { summary: { ...summarise(results) } },
    };
    const failed = results.filter(({ failure }) => failure);
    return {
      outcome,
      text: (paint: Styles) => problemsAbove(outcome, paint) + statusReport(standings, paint),
      quiet: (paint) => problemsAbove(outcome, paint) + failuresText(failed, paint).join("\n"),
    };

    function tell(result: PortalResult, planned?: PlannedPortal) {
      const state = remembered.get(result.file);
      const next = nextStep(result, planned, io);
      const standing: PortalStatus = {
        result,
        isStateKnown: remembered.has(result.file),
        state,
        unknownMs: state?.journal ? reportedUnknownMs(state.journal, io) : 0,
        arrival: planned ? arrivalIn(planned, io) : "unknown",
        next,
        signature: state ? trustIn(state, io) : null,
      };
      const { serial = null, history = [] } = state ?? {};
      const more = {
        serial,
        lastApply: history.at(-1) ?? null,
        signature: standing.signature,
        next,
      };
      return { standing, json: { ...portalJson(result), ...more } };
    }
  };
  return withTools("status", io, call, work, { isLooking: options.compareWith !== "last" });
};

/** What status tells of a state. */
function shortened(state: State | undefined, nowMs: number): State | undefined {
  if (!state) return undefined;
  const { freeze: _ended, ...rest } = state;
  const freeze = freezeOf(state, nowMs);
  const history = appliesOf(state)
    .slice(-1)
    .map(({ live: _left, ...rest }) => rest);
  const journal = state.journal && { ...state.journal, settings: {}, leaves: [], before: {} };
  const held = { ...(journal && { journal }), ...(freeze && { freeze }) };
  return { ...rest, leaves: [], history, ...held };
}
