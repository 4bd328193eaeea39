// lintel apply: files, or a saved plan → their portals as the files want them, once somebody has said yes.
import type { Call, Run, Words } from "./command.js";
import { FLEET, PLANNING, UPDATING, YES } from "./options.js";
import type { Step } from "../run/apply.js";
import type { Diagnostic } from "../diagnostic.js";
import { Failure } from "../failure.js";
import { applyAll, diagnosticsOf, muster } from "../run/fleet.js";
import type { GuardName } from "../guard.js";
import type { Io } from "../io.js";
import type { Identity } from "../plan/inputs.js";
import type { PortalResult } from "../plan/result.js";
import { planText } from "../report/text/plan.js";
import { checkText } from "../report/text/diagnostic.js";
import { counted } from "../text.js";
import { keepingText } from "./result/keep-state.js";
import { openUpdating } from "./call/network.js";
import { resultOfPortals, untold } from "./result/portals.js";
import { findSavedPlan, type NamedPlan } from "./call/saved-plan.js";
import { boundOf, filesOf, toolsOf, waitingOf, wishesOf } from "./call/plan-options.js";
import { shellWord } from "../text.js";

export const words = {
  operands: "[FILE…] or PLAN",
  options: { ...YES, ...UPDATING, ...PLANNING, ...FLEET },
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["lintel apply", "shows the plan and asks"],
    ["lintel apply plan.json", "carries out a saved plan, or nothing"],
    ["lintel apply portals --yes", "in a pipeline, after a review"],
    ["lintel apply --allow disable-notice", "opens one guard"],
  ],
} as const satisfies Words;

type Called = Call<typeof words.options>;

export const run: Run<typeof words.options> = async (io, call) => {
  const saved = findSavedPlan(io, call);
  if (saved) assertAlone(call, saved);
  const files = saved ? saved.portals.map(({ file }) => file) : await filesOf(io, call);
  const wishes = saved
    ? { ...saved.options, allow: saved.options.allow as GuardName[] }
    : wishesOf(call.options);
  const mustAsk = !saved && !call.options.yes;
  let isShown = false;
  const network = openUpdating(io, call);
  try {
    const tools = toolsOf(io, network, "apply", files);
    const prospects = await muster(files, tools);
    const isAny = prospects.some(({ value }) => value);
    if (mustAsk && isAny && !io.stdin.isTerminal) throw nobodyToAsk();
    const results = await applyAll(
      prospects,
      tools,
      {
        wishes,
        ...waitingOf(call),
        ...(saved && {
          saved: ({ desired }) => saved.portals.find(({ file }) => file === desired.file)?.plan,
        }),
        ...(mustAsk && {
          confirm: (planned) => {
            isShown = true;
            return confirm(planned, diagnosticsOf(prospects), io, call);
          },
        }),
        onStep: (portal, step) => tellStep(portal, step, io, call),
      },
      boundOf(io, call),
    );
    const result = resultOfPortals({
      command: "apply",
      files,
      diagnostics: diagnosticsOf(prospects),
      results,
      isShown,
    });
    const keeping = keepingText(results, prospects, io);
    if (keeping === undefined) return result;
    return {
      ...result,
      text: (paint) => {
        const told = result.text(paint);
        return [...(typeof told === "string" ? [told] : told), `\n${keeping}`];
      },
    };
  } finally {
    await network.close();
  }
};

/** On standard error, so that a report on standard output stays a report. */
async function confirm(
  results: readonly PortalResult[],
  diagnostics: readonly Diagnostic[],
  io: Io,
  { paint }: Called,
): Promise<boolean> {
  const ready = results.filter(({ status }) => status === "changes").length;
  const problems = untold(diagnostics).filter(({ severity }) => severity !== "notice");
  if (problems.length > 0) {
    const files = results.map(({ file }) => file);
    io.stderr.write(`${checkText({ diagnostics: problems, files }, paint)}\n`);
  }
  io.stderr.write(`${planText(results, paint)}\n`);
  const answer = await io.stdin.ask(`Apply this to ${counted(ready, "portal")}? (yes or no) `);
  io.stderr.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

const STEPS: Readonly<Record<Step, string>> = {
  lock: "locking the state",
  look: "reading the portal again",
  journal: "writing down what will be sent",
  send: "sending",
  prove: "reading back",
  settle: "writing the state",
};

function tellStep({ name }: Identity, step: Step, io: Io, { options }: Called): void {
  if (options.verbose) io.stderr.write(`${name}: ${STEPS[step]}\n`);
}

/** A saved plan says how it was made; anything else would be another plan. */
function assertAlone({ given }: Called, { place }: NamedPlan): void {
  const option = ["allow", "send"].find((name) => given.has(name));
  if (option === undefined) return;
  throw new Failure(
    "wrong-usage",
    `"--${option}" belongs to making a plan, and "${place}" is made already.`,
    `Make another one:\n  lintel plan --${option} … --save ${shellWord(place)}`,
  );
}

function nobodyToAsk(): Failure {
  return new Failure(
    "wrong-usage",
    "Nobody is here to be asked, because standard input is no terminal.",
    "Save a plan, look at it, and apply just that:\n  lintel plan --save plan.json\n  lintel apply plan.json\nTo apply whatever the files want, run the same command with:\n  --yes",
  );
}
