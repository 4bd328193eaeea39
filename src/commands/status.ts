// lintel status: files → how their portals stand: the last apply, hold, lock, journal, changes pending, the next command.
import type { Run, Words } from "./command.js";
import { FLEET } from "./options.js";
import { advance, diagnosticsOf, muster, resultOf } from "../run/fleet.js";
import type { Json } from "../json.js";
import { rollUp } from "../outcome.js";
import { plan, type Planned, type Prospect } from "../run/portal.js";
import { portalsJson } from "../report/data/plan.js";
import { statusText, type Standing } from "../report/text/status.js";
import { checkText } from "../report/text/diagnostic.js";
import { isGone } from "../state/liveness.js";
import { unknownForMs } from "../state/recover.js";
import type { State } from "../state/state.js";
import type { Holder } from "../state/store.js";
import { openReading } from "./call/network.js";
import { nextStep } from "./result/next-step.js";
import { boundOf, filesOf, toolsOf, wishesOf } from "./call/plan-options.js";

interface Remembered {
  readonly prospect: Prospect;
  readonly state: State | undefined;
  readonly holder: Holder | undefined;
}

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
  const network = openReading(io, call);
  try {
    const wishes = wishesOf(call.options);
    const isLooking = wishes.compareWith !== "last";
    const tools = toolsOf(io, network, "status", files, { isLooking });
    const prospects = await muster(files, tools);
    const bound = boundOf(io, call);
    // Before the portals are looked at: what is remembered of one that is down is known all the same.
    const remembered = await advance(prospects, bound, async (prospect): Promise<Remembered> => ({
      prospect,
      state: await prospect.store.read(),
      holder: await prospect.store.holder(),
    }));
    const members = await advance(remembered, bound, async ({ prospect }): Promise<Planned> => {
      const planned = await plan(prospect, tools, wishes);
      // How a portal stands cannot be told without looking; without credentials, from what anybody sees.
      if (planned.unable?.code === "host-not-allowed") throw planned.unable;
      return planned;
    });
    const standings = members.map((member, at): Standing => {
      const result = resultOf(member, "changes");
      const known = remembered[at]?.value;
      const { state, holder } = known ?? {};
      const liveHolder = holder && !isGone(holder, io.machine) ? holder : undefined;
      return {
        result,
        isStateKnown: known !== undefined,
        state,
        unknownMs: state?.journal ? unknownForMs(state.journal, io.now()) : 0,
        holder,
        isHolderGone: holder !== undefined && liveHolder === undefined,
        next: nextStep(result, member.value, liveHolder),
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
