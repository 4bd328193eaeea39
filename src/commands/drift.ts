// lintel drift: shows what was changed outside Lintel since the last apply. It changes nothing.
import type { CommandSpec, Run } from "./command.js";
import { FLEET, PICKING } from "./options.js";
import { driftIn, hiddenDrift, type Drift } from "../apply/drift.js";
import { diagnosticsOf, eachPortal } from "../apply/each-portal.js";
import { planOptionsOf, planPortal, type PlannedPortal } from "../apply/plan-portal.js";
import { assertReadable } from "../apply/portal-context.js";
import { resultOf, resultWithoutPlan } from "../apply/portal-result.js";
import type { RunContext } from "../apply/run-context.js";
import { keyOf } from "../catalog/spelling.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { pickSettings } from "../cli/pick-settings.js";
import { problemsAbove } from "../cli/result.js";
import { EXIT } from "../failure.js";
import { rollUp } from "../outcome.js";
import { isPicked } from "../plan/spelling.js";
import { driftChange, driftReport, type PortalDrift } from "../report/drift-report.js";
import { driftJson } from "../report/json-report.js";
import type { Path } from "../settings.js";
import { appliesOf, authorText, type State } from "../state/state.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    all: { description: "Also show unmanaged settings that changed." },
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
  await using run = await openRun("drift", io, call);
  const { files } = run;
  const options = planOptionsOf({ paths: await pickSettings(call.options.path, files, io) });
  const comparing = { ...options, isAll: call.options.all };
  const members = await eachPortal(run, files, async (portal) => {
    assertReadable(portal.desired, ", so drift cannot be seen");
    return driftAt(run, await planPortal(run, portal, options), comparing);
  });
  const portals = members.map(
    (each): PortalDrift => each.value ?? { result: resultWithoutPlan(each), changes: [] },
  );
  const outcome = {
    command: "drift",
    exit: rollUp(portals.map(({ result }) => result.exit)),
    // Warnings are for those who change the file.
    diagnostics: diagnosticsOf(members).filter(({ severity }) => severity === "error"),
    files,
    more: driftJson(portals),
  };
  return resultOfRun(run, {
    outcome,
    text: (styles) =>
      problemsAbove(outcome, styles) + driftReport(portals, styles, { folders: run.folders }),
    markdown: async () => {
      const { markdownDriftReport } = await import("../report/markdown-report.js");
      return markdownDriftReport(portals, outcome);
    },
    html: async (made) => {
      const { htmlDriftReport } = await import("../report/html-report.js");
      return htmlDriftReport(portals, outcome, made);
    },
  });
};

function openText({ journal }: Pick<State, "journal">): string | undefined {
  return (
    journal && `The last ${journal.kind} is not settled; what it was about to send is no drift.`
  );
}

interface Comparing {
  readonly isAll: boolean;
  readonly paths?: readonly Path[];
}

function driftAt(
  { notice }: RunContext,
  planned: PlannedPortal,
  { isAll, paths }: Comparing,
): PortalDrift {
  const { state, live, unable } = planned;
  const applies = state ? appliesOf(state) : [];
  const hidden = unable ?? hiddenDrift(planned, { isAll, paths });
  if (hidden) throw hidden;
  if (live.kind === "unread") throw new TypeError("a portal that was not read has no drift");
  const all = driftIn(planned, isAll);
  if (!state || !all) {
    const never = "Nothing has been applied yet, so there is nothing to compare with.";
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

function driftResult(
  planned: PlannedPortal,
  drifts: readonly Drift[],
  remark: string | undefined,
): PortalDrift {
  const places = new Map(planned.leaves.map(({ path, place }) => [keyOf(path), place]));
  const last = planned.state && appliesOf(planned.state).at(-1);
  const result = resultOf(planned, "changes");
  return {
    result: {
      ...result,
      status: drifts.length > 0 ? "changes" : "unchanged",
      exit: drifts.length > 0 ? EXIT.pending : result.exit,
    },
    changes: drifts.map((each) => driftChange(each, places.get(keyOf(each.path)) ?? null)),
    ...(remark !== undefined && { remark }),
    ...(last && { last: { time: last.time, by: authorText(last.by) } }),
  };
}
