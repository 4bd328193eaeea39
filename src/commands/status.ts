// lintel status: files → how their portals stand: the last apply, hold, lock, journal, changes pending, the next command.
import type { Result, Run, Words } from "./command.js";
import { FLEET } from "./options.js";
import { rollUp } from "../outcome.js";
import { summarise, type PortalResult } from "../plan/result.js";
import { portalJson } from "../report/data/plan.js";
import { checkText } from "../report/text/diagnostic.js";
import { statusText, type Standing } from "../report/text/status.js";
import { diagnosticsOf, eachPortal } from "../run/fleet.js";
import { plan, type PlannedPortal } from "../run/portal.js";
import { resultOf, resultWithoutPlan } from "../run/result.js";
import { isGone } from "../state/lock/liveness.js";
import { unknownForMs } from "../state/recover.js";
import type { State } from "../state/state.js";
import type { Holder } from "../state/store.js";
import type { Tools } from "../run/reachable.js";
import { openReading } from "./call/network.js";
import { filesOf, planOptionsOf, withTools } from "./call/plan-options.js";
import { nextStep } from "./result/next-step.js";
import { withoutDetails } from "./result/portals.js";

export const words = {
  operands: "[FILE…]",
  options: { offline: { meaning: "Do not look at the portals." }, ...FLEET },
  formats: ["text", "json"],
  examples: [
    ["lintel status", "portal.yaml here, else every portals/*.yaml"],
    ["lintel status portals --offline", "from the states alone"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const files = await filesOf(io, call);
  const options = planOptionsOf(call.options);
  const isLooking = options.compareWith !== "last";
  const work = async (tools: Tools): Promise<Result> => {
    // What is remembered of a portal that is down is known all the same.
    const remembered = new Map<string, Remembered>();
    const members = await eachPortal(files, tools, call.options.concurrency, async (portal) => {
      const known = { state: await portal.store.read(), holder: await portal.store.holder() };
      remembered.set(portal.desired.file, { state: shortened(known.state), holder: known.holder });
      const planned = await plan(portal, tools, options);
      // How a portal stands cannot be told without looking; without credentials, from what anybody sees.
      if (planned.unable?.code === "host-not-allowed") throw planned.unable;
      return tell(resultOf(planned, "changes"), planned, remembered.get(portal.desired.file));
    });
    const told = members.map(
      (each) => each.value ?? tell(resultWithoutPlan(each), undefined, remembered.get(each.file)),
    );
    const standings = told.map(({ standing }) => standing);
    const results = standings.map(({ result }) => result);
    // Warnings are for those who change the file.
    const diagnostics = diagnosticsOf(members).filter(({ severity }) => severity === "error");
    const outcome = {
      command: "status",
      exit: rollUp(results.map(({ exit }) => exit)),
      diagnostics,
      files,
      portals: told.map(
        ({ json }) =>
          () =>
            json?.toString() ?? "",
      ),
      more: { summary: { ...summarise(results) } },
    };
    return {
      outcome,
      text: (paint) =>
        (diagnostics.length > 0 ? `${checkText(outcome, paint)}\n` : "") +
        statusText(standings, paint),
    };
  };
  return withTools(io, openReading(io, call), "status", files, work, { isLooking });

  /** The JSON is printed at once and kept as bytes, because the plans of many portals take much room. */
  function tell(result: PortalResult, planned?: PlannedPortal, known?: Remembered) {
    const { state, holder } = known ?? {};
    const liveHolder = holder && !isGone(holder, io.machine) ? holder : undefined;
    const next = nextStep(result, planned, liveHolder, io);
    const standing: Standing = {
      result: withoutDetails(result),
      isStateKnown: known !== undefined,
      state,
      unknownMs: state?.journal ? unknownForMs(state.journal, io.now()) : 0,
      holder,
      isHolderGone: holder !== undefined && liveHolder === undefined,
      next,
    };
    const isJson = call.destinations.some(({ format }) => format === "json");
    const more = {
      serial: state?.serial ?? null,
      lastApply: state?.history.at(-1) ?? null,
      lock: holder ?? null,
      next,
    };
    return { standing, json: isJson ? Buffer.from(portalJson(result, more)) : undefined };
  }
};

interface Remembered {
  readonly state: State | undefined;
  readonly holder: Holder | undefined;
}

/** What status tells of a state. */
function shortened(state: State | undefined): State | undefined {
  if (!state) return undefined;
  const history = state.history.slice(-1).map((entry) => {
    const { live: _left, ...rest } = entry;
    return rest;
  });
  const journal = state.journal && { ...state.journal, settings: {}, leaves: [], before: {} };
  return { ...state, leaves: [], history, ...(journal && { journal }) };
}
