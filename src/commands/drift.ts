// lintel drift: files → what somebody else changed on their portals since the last apply; changes nothing.
import type { Run, Words } from "./command.js";
import { FLEET } from "./options.js";
import { EXIT, Failure } from "../failure.js";
import { rollUp } from "../outcome.js";
import { driftOf, type Drift } from "../plan/drift.js";
import { keyOf } from "../plan/spelling.js";
import { driftJson } from "../report/data/plan.js";
import { checkText } from "../report/text/diagnostic.js";
import type { PortalDrift } from "../report/model/portal.js";
import { driftText } from "../report/text/drift.js";
import { diagnosticsOf, eachPortal } from "../run/fleet.js";
import { plan, type PlannedPortal } from "../run/portal.js";
import type { ReachablePortal, Tools } from "../run/reachable.js";
import { resultOf, resultWithoutPlan } from "../run/result.js";
import { openReading } from "./call/network.js";
import { filesOf, planOptionsOf, withTools } from "./call/plan-options.js";
import { withoutDetails } from "./result/portals.js";

export const words = {
  operands: "[FILE…]",
  options: { all: { meaning: "Look at the settings that are not managed, too." }, ...FLEET },
  formats: ["text", "json", "html"],
  examples: [
    ["lintel drift", "exits with 2 where there is drift"],
    ["lintel drift portals --all", "unmanaged settings too"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const files = await filesOf(io, call);
  return withTools(io, openReading(io, call), "drift", files, async (tools) => {
    const options = planOptionsOf({});
    const members = await eachPortal(files, tools, call.options.concurrency, async (portal) => {
      assertReadable(portal);
      return look(await plan(portal, tools, options), call.options.all, tools);
    });
    const portals = members.map(
      (each): PortalDrift =>
        each.value ?? { result: resultWithoutPlan(each), drifts: [], placeOf: () => null },
    );
    // Warnings are for those who change the file.
    const diagnostics = diagnosticsOf(members).filter(({ severity }) => severity === "error");
    const outcome = {
      command: "drift",
      exit: rollUp(portals.map(({ result }) => result.exit)),
      diagnostics,
      files,
      more: driftJson(portals),
    };
    return {
      outcome,
      text: (paint) =>
        (diagnostics.length > 0 ? `${checkText(outcome, paint)}\n` : "") +
        driftText(portals, paint),
      html: async (made) => {
        const { htmlDriftReport } = await import("../report/html/html.js");
        return htmlDriftReport(portals, outcome, made);
      },
    };
  });
};

/** Otherwise silence about a portal that nobody can look at would read like "no drift". */
function assertReadable({ desired: { file, portal } }: ReachablePortal): void {
  if (portal.mayRead) return;
  throw new Failure(
    "portal-refused",
    `"${file}" says that the portal cannot be read, so drift cannot be seen.`,
    "If it can be read, remove the line:\n  read: never",
  );
}

const OPEN = "The outcome of the last apply is unknown; what it was about to send is no drift.";

function look(planned: PlannedPortal, isAll: boolean, { notice }: Tools): PortalDrift {
  const { state, live, unable } = planned;
  if (unable) throw unable;
  if (live.kind === "unread") throw new TypeError("a portal that was not read has no drift");
  if (!state || state.history.length === 0) {
    const remark = state?.journal
      ? OPEN
      : "Nothing was ever applied, so there is nothing to compare with.";
    return driftResult(planned, [], remark);
  }
  const whole = isAll ? state.history.at(-1)?.live?.after : undefined;
  if (isAll && !whole) {
    notice(
      `"${planned.portal.name}": the last apply did not see the settings that are not managed.`,
    );
  }
  const last = {
    leaves: state.leaves,
    ...(state.journal && { pending: state.journal.settings }),
    ...(whole && { whole }),
  };
  return driftResult(planned, driftOf(last, live.settings), state.journal && OPEN);
}

/** Holds no more of the portal than is told. */
function driftResult(
  planned: PlannedPortal,
  drifts: readonly Drift[],
  remark: string | undefined,
): PortalDrift {
  const keys = new Set(drifts.map(({ path }) => keyOf(path)));
  const places = new Map(
    planned.leaves
      .map(({ path, place }) => [keyOf(path), place] as const)
      .filter(([key]) => keys.has(key)),
  );
  const result = resultOf(planned, "changes");
  return {
    result: {
      ...withoutDetails(result),
      status: drifts.length > 0 ? "changes" : "unchanged",
      exit: drifts.length > 0 ? EXIT.pending : result.exit,
    },
    drifts,
    placeOf: ({ path }) => places.get(keyOf(path)) ?? null,
    ...(remark !== undefined && { remark }),
  };
}
