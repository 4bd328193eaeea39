// lintel apply: files, or a saved plan → their portals as the files want them, once somebody has said yes.
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { BY_CLOCK, FLEET, PICKING, PLANNING, POLICY, UPDATING } from "./options.js";
import { EXIT, wrongUsage } from "../failure.js";
import type { GuardName } from "../guard.js";
import { saysYes, type Io } from "../io.js";
import type { PortalResult } from "../plan/result.js";
import { applyAll } from "../run/together/apply-all.js";
import type { Kept } from "../run/fleet.js";
import type { Tools } from "../run/reachable.js";
import type { Styles } from "../report/styles.js";
import { counted, shellWord } from "../lib/text.js";
import { pickSettings } from "./call/pick-settings.js";
import { planOptionsOf, waitingOf } from "./call/plan-options.js";
import { assertAllowed, findSavedPlan, withPlanCall, type NamedPlan } from "./call/saved-plan.js";
import { withTools } from "./call/tools.js";
import { keepingText, toCommit, type ToCommit } from "./result/keep-state.js";
import { plansText, resultOfPortals } from "./result/portals.js";

export const spec = {
  operands: "[FILE…] or PLAN",
  options: {
    canary: {
      value: "N",
      number: { least: 1, most: 100_000, isWhole: true },
      description: "Apply and verify N portals first.",
    },
    "on-error": {
      value: "WHAT",
      values: ["continue", "stop"],
      default: "continue",
      description: "What to do after a portal fails.",
    },
    ...UPDATING,
    ...BY_CLOCK,
    ...PICKING,
    ...PLANNING,
    ...POLICY,
    ...FLEET,
  },
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["lintel apply", "show the plan and ask"],
    ["lintel apply plan.json", "apply exactly a saved plan"],
    ["lintel apply portals --yes --canary 2", "two portals first, then the rest"],
    ["lintel apply --allow disable-notice", "allow what a guard blocks"],
    ["lintel apply portals --due schedule --yes", "open and close windows"],
  ],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  const saved = findSavedPlan(io, call);
  if (saved) assertAlone(call, saved);
  const mustAsk = !saved && !call.options.yes;
  let isShown = false;
  const work = async (tools: Tools, files: readonly string[]) => {
    if (mustAsk && !io.stdin.isTerminal) {
      // A file that is not there, or is wrong, is what to mend first.
      const { checkFiles } = await import("./validate.js");
      const found = await checkFiles("apply", files, io, call.options.policy);
      if (found.outcome.exit !== EXIT.done) return found;
      throw wrongUsage(
        "Cannot prompt: standard input is not a terminal.",
        "Save a plan, look at it, and apply just that:\n  lintel plan --save plan.json\n  lintel apply plan.json\nTo apply whatever the files want, run the same command with:\n  --yes",
      );
    }
    const options = saved
      ? { ...saved.options, allow: saved.options.allow as GuardName[] }
      : planOptionsOf(call.options, await pickSettings(call.options.path, files, io));
    const { kept, diagnostics } = await applyAll<Applied>(files, tools, call.options.concurrency, {
      options,
      ...waitingOf(call),
      waves: { canary: call.options.canary, onError: call.options["on-error"] },
      ...(saved && { saved: (named) => saved.portals.find(({ file }) => file === named)?.plan }),
      ...(mustAsk && {
        confirm: {
          keep: (result) => ({ result }),
          ask: (planned) => {
            isShown = true;
            return confirm(planned, files, io, call);
          },
        },
      }),
      keep: (result, applied) => ({
        result: saved ? withPlanCall(result, saved) : result,
        first: applied && toCommit(result, applied, io),
      }),
    });
    const results = kept.map((each) => each.result);
    const result = resultOfPortals(results, { command: "apply", files, diagnostics, isShown });
    const first = kept.flatMap((each) => each.first ?? []);
    if (first.length === 0) return result;
    return {
      ...result,
      text: (paint: Styles) => {
        const text = result.text(paint);
        const before = typeof text === "string" ? text : [...text].join("");
        return `${before}\n${keepingText(first, io, paint)}`;
      },
    };
  };
  const files = saved?.portals.map(({ file }) => file);
  return withTools("apply", io, call, work, { files, purpose: "updating" });
};

interface Applied {
  readonly result: PortalResult;
  /** What to commit, where it was applied for the first time. */
  readonly first?: ToCommit | undefined;
}

/** On standard error, so that a report on standard output stays a report. */
async function confirm(
  { kept, diagnostics }: Kept<Applied>,
  files: readonly string[],
  io: Io,
  { paint }: Arguments,
): Promise<boolean> {
  const results = kept.map(({ result }) => result);
  io.stderr.write(plansText(results, { files, diagnostics }, paint));
  const ready = results.filter(({ status }) => status === "changes").length;
  io.stderr.write("\n");
  return saysYes(io, `Apply this to ${counted(ready, "portal")}?`);
}

/** A saved plan says how it was made; anything else would be another plan. */
function assertAlone({ given, options }: Arguments, saved: NamedPlan): void {
  const { place } = saved;
  assertAllowed(saved, options.allow);
  const option = ["send", "path", "due", "only", "shard"].find((name) => given.has(name));
  if (option === undefined) return;
  throw wrongUsage(
    `"--${option}" belongs to making a plan, and "${place}" is made already.`,
    `Make another one:\n  lintel plan --${option} … --save ${shellWord(place)}`,
  );
}
