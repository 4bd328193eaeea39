// lintel plan: files → what an apply would do to their portals; nothing is changed, neither there nor in the state.
import type { Run, Words } from "./command.js";
import { FLEET, PLANNING } from "./options.js";
import { resolve } from "node:path";
import { plainFileAt } from "../file.js";
import { Failure } from "../failure.js";
import { planAll } from "../run/fleet.js";
import type { Io } from "../io.js";
import type { Plan } from "../plan/plan.js";
import { printSaved } from "../plan/saved.js";
import type { PlanOptions } from "../run/portal.js";
import { notKept } from "../state/open.js";
import type { Tools } from "../run/reachable.js";
import { openReading } from "./call/network.js";
import { resultOfPortals, tell, type Told } from "./result/portals.js";
import { readSavedPlan } from "./call/saved-plan.js";
import { alreadyThere, replaceFile, writeNew, writing } from "./result/write-file.js";
import { filesOf, planOptionsOf, withTools } from "./call/plan-options.js";
import { shellWord } from "../text.js";

export const words = {
  operands: "[FILE…]",
  options: {
    save: { value: "FILE", meaning: "Save the plan, so that apply carries out just that." },
    "detailed-exitcode": { meaning: "Exit with 2 where there are changes." },
    "no-state": { meaning: "Compare with the live portal alone." },
    offline: { meaning: "Compare with what was applied last alone; no network." },
    ...PLANNING,
    ...FLEET,
  },
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["lintel plan", "portal.yaml here, else every portals/*.yaml"],
    ["lintel plan --save plan.json", "then: lintel apply plan.json"],
    ["lintel plan --output markdown=plan.md", "for a comment on a pull request"],
    ["lintel plan --output html=plan.html", "a page for people to look at"],
    ["lintel plan --offline", "without a network or credentials"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const files = await filesOf(io, call);
  const save = call.options.save;
  if (save !== undefined && files.includes("-")) {
    throw new Failure(
      "wrong-usage",
      "What was read from standard input cannot be read again when the plan is applied.",
      "Name a file:\n  lintel plan portal.yaml --save FILE",
    );
  }
  const options = planOptionsOf(call.options);
  const isLooking = options.compareWith !== "last";
  const work = async (tools: Tools) => {
    const { kept, diagnostics } = await planAll(
      files,
      tools,
      call.options.concurrency,
      options,
      (result, planned) => ({
        told: tell(result, call, files.length),
        isLost: planned !== undefined && notKept(planned.desired.state, io.env) !== undefined,
        ...(save !== undefined && { plan: result.plan }),
      }),
    );
    if (kept.some(({ isLost }) => isLost)) {
      tools.notice(
        'warning: The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline; apply refuses that.',
      );
    }
    if (save !== undefined) savePlans(save, kept, options, io);
    return resultOfPortals(
      kept.map(({ told }) => told),
      {
        command: "plan",
        files,
        diagnostics,
        isDetailed: call.options["detailed-exitcode"],
      },
    );
  };
  return withTools(io, openReading(io, call), "plan", files, work, { isLooking });
};

/** Of some portals alone it would look like a plan for all. */
function savePlans(
  save: string,
  plans: readonly { readonly told: Told; readonly plan?: Plan | null }[],
  options: PlanOptions,
  io: Io,
) {
  const broken = plans.find(({ plan }) => !plan);
  if (broken) {
    const { file } = broken.told.rest;
    io.stderr.write(`warning: The plan was not saved, because there is none for "${file}".\n`);
    return;
  }
  const portals = plans.flatMap(({ told, plan }) => (plan ? [{ file: told.rest.file, plan }] : []));
  const text = printSaved({ options, portals });
  const path = resolve(io.cwd, save);
  if (!writing(save, () => plainFileAt(path))) {
    // Notices may not be public yet.
    writeNew(path, save, text, 0o600);
  } else if (readSavedPlan(io, save)) {
    replaceFile(path, save, text);
  } else {
    throw alreadyThere(save);
  }
  io.stderr.write(`Saved ${save}. To carry out just that:\n  lintel apply ${shellWord(save)}\n\n`);
}
