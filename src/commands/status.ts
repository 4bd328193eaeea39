// lintel status: files → how their portals stand: the last apply, hold, lock, journal, changes pending, the next command.
import { isRollbackOpen } from "../apply/fit.js";
import { advance, diagnosticsOf, muster, resultOf } from "../fleet.js";
import type { Json } from "../json.js";
import { rollUp } from "../outcome.js";
import { isNothingToDo } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";
import { plan, type Planned } from "../reconcile.js";
import { portalsJson } from "../report/plan-json.js";
import { statusText, type Standing } from "../report/status-text.js";
import { checkText } from "../report/text.js";
import { isGone } from "../state/life.js";
import { unknownForMs } from "../state/recover.js";
import type { Holder } from "../state/store.js";
import type { Run } from "./command.js";
import { openReading } from "./network.js";
import { boundOf, filesOf, toolsOf, wishesOf } from "./wishes.js";

interface Stood {
  readonly planned: Planned;
  readonly holder: Holder | undefined;
}

export const run: Run = async (io, call) => {
  const files = filesOf(io, call);
  const network = openReading(io, call);
  try {
    const wishes = wishesOf(call);
    const isLooking = wishes.compareWith !== "last";
    const tools = toolsOf(io, network, "status", files, { isLooking });
    const prospects = await muster(files, tools);
    const members = await advance(
      prospects,
      boundOf(io, call),
      async (prospect): Promise<Stood> => {
        const planned = await plan(prospect, tools, wishes);
        // How a portal stands cannot be told without looking; without credentials, from what anybody sees.
        if (planned.unable?.code === "host-not-allowed") throw planned.unable;
        return { planned, holder: await prospect.store.holder() };
      },
    );
    const standings = members.map(({ value, ...member }): Standing => {
      const result = resultOf({ ...member, ...(value && { value: value.planned }) }, "changes");
      const { planned, holder } = value ?? {};
      const liveHolder = holder && !isGone(holder, io.machine) ? holder : undefined;
      const { journal } = planned?.state ?? {};
      const unknownMs = journal ? unknownForMs(journal, io.now()) : 0;
      return {
        result,
        state: planned?.state,
        unknownMs,
        holder,
        next: nextOf(result, planned, liveHolder),
      };
    });
    // Warnings are for those who change the file.
    const diagnostics = diagnosticsOf(members).filter(({ severity }) => severity === "error");
    const outcome = {
      command: "status",
      exit: rollUp(standings.map(({ result }) => result.exit)),
      diagnostics,
      files,
      more: jsonOf(standings),
    };
    return {
      outcome,
      text: (paint) =>
        (diagnostics.length > 0 ? `${checkText(outcome, paint)}\n` : "") +
        statusText(standings, paint),
    };
  } finally {
    await network.close();
  }
};

function nextOf(
  { file, failure }: PortalResult,
  planned: Planned | undefined,
  holder: Holder | undefined,
): string {
  if (!planned) {
    return failure?.code === "file-invalid" ? `lintel validate ${file}` : `lintel doctor ${file}`;
  }
  const { state, plan } = planned;
  if (holder) return `wait, or if that run is dead: lintel state unlock ${file}`;
  if (state?.journal) return `lintel ${isRollbackOpen(state) ? "rollback" : "apply"} ${file}`;
  if (state?.hold && !isNothingToDo(plan))
    return `lintel pull ${file}, or lintel state unhold ${file}`;
  if (plan.changes.some(({ notes }) => notes.some(({ code }) => code === "drift"))) {
    return `somebody changed the portal: lintel drift ${file}, then lintel apply or lintel pull`;
  }
  return isNothingToDo(plan) ? "nothing to do" : `lintel apply ${file}`;
}

function jsonOf(standings: readonly Standing[]): Record<string, Json> {
  const { portals, summary } = portalsJson(standings.map(({ result }) => result));
  const whole = {
    portals: portals.map((portal, at) => {
      const { state, holder, next } = standings[at] ?? {};
      const { live: _, ...lastApply } = state?.history.at(-1) ?? {};
      return {
        ...portal,
        serial: state?.serial ?? null,
        lastApply: state?.history.length ? lastApply : null,
        lock: holder ?? null,
        next: next ?? null,
      };
    }),
    summary,
  };
  return whole as unknown as Record<string, Json>;
}
