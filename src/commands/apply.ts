// lintel apply: files, or a saved plan → their portals as the files want them, once somebody has said yes.
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { BY_CLOCK, FLEET, PICKING, PLANNING, POLICY, UPDATING } from "./options.js";
import { EXIT, wrongUsage } from "../failure.js";
import type { GuardName } from "../guard.js";
import { saysYes, type Io } from "../io.js";
import { applyAll } from "../apply/apply-all.js";
import type { Kept } from "../apply/each-portal.js";
import type { RunContext } from "../apply/portal-context.js";
import type { Paint } from "../report/text/paint.js";
import { counted, shellWord } from "../lib/text.js";
import { pickSettings } from "./call/pick-settings.js";
import { planOptionsOf, waitingOf } from "./call/plan-options.js";
import { assertAllowed, findSavedPlan, withPlanCall, type NamedPlan } from "./call/saved-plan.js";
import { withTools } from "./call/tools.js";
import { keepingText, toCommit, type ToCommit } from "./result/keep-state.js";
import { openTelling, type Telling, type Told } from "./result/portals.js";

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
  const work = async (tools: RunContext, files: readonly string[]) => {
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
    const toTerminal = { ...call, destinations: [{ format: "text" }] } as const;
    const asking = openTelling(toTerminal, files.length);
    const telling = openTelling(call, files.length);
    const { kept, diagnostics } = await applyAll<Applied>(files, tools, call.options.concurrency, {
      options,
      ...waitingOf(call),
      waves: { canary: call.options.canary, onError: call.options["on-error"] },
      ...(saved && { saved: (named) => saved.portals.find(({ file }) => file === named)?.plan }),
      ...(mustAsk && {
        confirm: {
          keep: (result) => ({ told: asking.tell(result) }),
          ask: (planned) => {
            isShown = true;
            return confirm(planned, { files, asking }, io, call);
          },
        },
      }),
      keep: (result, applied) => ({
        told: telling.tell(saved ? withPlanCall(result, saved) : result),
        first: applied && toCommit(result, applied, io),
      }),
    });
    const told = kept.map((each) => each.told);
    const result = telling.result(told, { command: "apply", files, diagnostics, isShown });
    const first = kept.flatMap((each) => each.first ?? []);
    if (first.length === 0) return result;
    return {
      ...result,
      text: (paint: Paint) => {
        const told = result.text(paint);
        const after = `\n${keepingText(first, io, paint)}`;
        return [...(typeof told === "string" ? [told] : told), after];
      },
    };
  };
  const files = saved?.portals.map(({ file }) => file);
  return withTools("apply", io, call, work, { files, purpose: "updating" });
};

interface Applied {
  readonly told: Told;
  /** What to commit, where it was applied for the first time. */
  readonly first?: ToCommit | undefined;
}

/** On standard error, so that a report on standard output stays a report. */
async function confirm(
  { kept, diagnostics }: Kept<Applied>,
  { files, asking }: { readonly files: readonly string[]; readonly asking: Telling },
  io: Io,
  { paint }: Arguments,
): Promise<boolean> {
  const told = kept.map((each) => each.told);
  for (const piece of asking.text(told, { files, diagnostics }, paint)) io.stderr.write(piece);
  const ready = told.filter(({ rest }) => rest.status === "changes").length;
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
