// lintel drift: files → what somebody else changed on their portals since the last apply; changes nothing.
import type { CommandSpec, Result, Run } from "./command.js";
import { FLEET, PICKING } from "./options.js";
import { EXIT } from "../failure.js";
import { rollUp } from "../outcome.js";
import { keyOf } from "../catalog/spelling.js";
import { isPicked } from "../plan/spelling.js";
import type { Path } from "../settings.js";
import { driftReport } from "../report/drift-report.js";
import { driftJson } from "../report/json-report.js";
import type { PortalDrift } from "../report/portal-entry.js";
import { driftIn, hiddenDrift, type Drift } from "../run/tend/drift.js";
import { diagnosticsOf, eachPortal } from "../run/fleet.js";
import { plan, type PlannedPortal } from "../run/portal.js";
import { appliesOf, authorText, type State } from "../state/state.js";
import type { Tools } from "../run/reachable.js";
import { resultOf, resultWithoutPlan } from "../run/result.js";
import { assertReadable } from "./call/look.js";
import { pickSettings } from "./call/pick-settings.js";
import { planOptionsOf } from "./call/plan-options.js";
import { withTools } from "./call/tools.js";
import { problemsAbove } from "./result/result.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    all: { description: "Include unmanaged settings." },
    ...PICKING,
    ...FLEET,
  },
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["lintel drift", "exit with 2 if there is drift"],
    ["lintel drift portals --all", "include unmanaged settings"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const work = async (tools: Tools, files: readonly string[]): Promise<Result> => {
    const options = planOptionsOf({}, await pickSettings(call.options.path, files, io));
    const members = await eachPortal(files, tools, call.options.concurrency, async (portal) => {
      // Otherwise silence about a portal that nobody can look at would read like "no drift".
      assertReadable(portal.desired, ", so drift cannot be seen");
      return look(
        await plan(portal, tools, options),
        { ...options, isAll: call.options.all },
        tools,
      );
    });
    const portals = members.map(
      (each): PortalDrift =>
        each.value ?? { result: resultWithoutPlan(each), drifts: [], placeOf: () => null },
    );
    const outcome = {
      command: "drift",
      exit: rollUp(portals.map(({ result }) => result.exit)),
      // Warnings are for those who change the file.
      diagnostics: diagnosticsOf(members).filter(({ severity }) => severity === "error"),
      files,
      more: driftJson(portals),
    };
    return {
      outcome,
      text: (paint) => problemsAbove(outcome, paint) + driftReport(portals, paint),
      markdown: async () => {
        const { markdownDriftReport } = await import("../report/markdown-report.js");
        return markdownDriftReport(portals, outcome);
      },
      html: async (made) => {
        const { htmlDriftReport } = await import("../report/html-report.js");
        return htmlDriftReport(portals, outcome, made);
      },
    };
  };
  return withTools("drift", io, call, work);
};

function openText({ journal }: Pick<State, "journal">): string | undefined {
  return (
    journal && `The last ${journal.kind} is not settled; what it was about to send is no drift.`
  );
}

interface Looking {
  readonly isAll: boolean;
  readonly paths?: readonly Path[];
}

function look(planned: PlannedPortal, { isAll, paths }: Looking, { notice }: Tools): PortalDrift {
  const { state, live, unable } = planned;
  const applies = state ? appliesOf(state) : [];
  const hidden = unable ?? hiddenDrift(planned, { isAll, paths });
  if (hidden) throw hidden;
  if (live.kind === "unread") throw new TypeError("a portal that was not read has no drift");
  const all = driftIn(planned, isAll);
  if (!state || !all) {
    const never = "Nothing was ever applied, so there is nothing to compare with.";
    return driftResult(planned, [], (state && openText(state)) ?? never);
  }
  if (isAll && !applies.at(-1)?.live?.after) {
    const { name } = planned.portal;
    notice(`"${name}": the last apply did not see the settings that are not managed.`);
  }
  const drifts = all.filter(({ path }) => isPicked(path, paths));
  const leftOut = all.length - drifts.length;
  return { ...driftResult(planned, drifts, openText(state)), leftOut };
}

/** Holds no more of the portal than is told. */
function driftResult(
  planned: PlannedPortal,
  drifts: readonly Drift[],
  remark: string | undefined,
): PortalDrift {
  const keys = new Set(drifts.map(({ path }) => keyOf(path)));
  const leaves = planned.leaves.map(({ path, place }) => [keyOf(path), place] as const);
  const last = planned.state && appliesOf(planned.state).at(-1);
  const places = new Map(leaves.filter(([key]) => keys.has(key)));
  const result = resultOf(planned, "changes");
  return {
    result: {
      ...result,
      status: drifts.length > 0 ? "changes" : "unchanged",
      exit: drifts.length > 0 ? EXIT.pending : result.exit,
    },
    drifts,
    placeOf: ({ path }) => places.get(keyOf(path)) ?? null,
    ...(remark !== undefined && { remark }),
    ...(last && { last: { time: last.time, by: authorText(last.by) } }),
  };
}
