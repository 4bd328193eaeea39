// lintel plan: files → what an apply would do to their portals; nothing is changed, neither there nor in the state.
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { AS_OF, BY_CLOCK, FLEET, PICKING, PLANNING, POLICY } from "./options.js";
import { resolve } from "node:path";
import { plainFileAt } from "../lib/files.js";
import { EXIT, wrongUsage } from "../failure.js";
import { planAll } from "../run/fleet.js";
import type { Io } from "../io.js";
import type { Plan } from "../plan/plan.js";
import { printSaved } from "../plan/saved.js";
import type { PortalResult } from "../plan/result.js";
import type { PlannedPortal, PlanOptions } from "../run/portal.js";
import type { Tools } from "../run/reachable.js";
import { notKept } from "../state/open.js";
import { resultOfPortals } from "./result/portals.js";
import { managedBeside } from "./call/beside.js";
import { allowWords, readSavedPlan } from "./call/saved-plan.js";
import { alreadyThere, assertOwnWay, replaceFile, writeNew, writing } from "./result/write-file.js";
import { pickSettings } from "./call/pick-settings.js";
import { asOfOf } from "./call/moment.js";
import { isUnseen } from "../report/verdict.js";
import { planOptionsOf } from "./call/plan-options.js";
import { withTools } from "./call/tools.js";
import { oneLine, shellWord } from "../lib/text.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    save: { value: "FILE", description: "Save the plan for lintel apply." },
    reviewed: {
      value: "DIGEST",
      variable: "LINTEL_REVIEWED",
      description: "Digest of the reviewed plan.",
    },
    "detailed-exitcode": { description: "Exit with 2 if there are changes." },
    "no-state": { description: "Compare with the live portal only." },
    offline: { description: "Compare with the state only, without a network." },
    ...AS_OF,
    ...BY_CLOCK,
    ...PICKING,
    ...PLANNING,
    ...POLICY,
    ...FLEET,
  },
  formats: ["text", "json", "markdown", "html", "gitlab-plan"],
  examples: [
    ["lintel plan", "portal.yaml, or portals/*.yaml"],
    ["lintel plan --save plan.json", "save it for lintel apply"],
    ["lintel plan --output html=plan.html", "write a page to review"],
    ["lintel plan --at 2026-12-05T18:00", "plan a scheduled window"],
    ["lintel plan portals --only 'north-*'", "only some portals"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { save, at, concurrency, "detailed-exitcode": isDetailed } = call.options;
  if (save !== undefined && at !== undefined) {
    throw wrongUsage(
      "A plan as of another time cannot be applied, and so is not saved.",
      "Leave one of the two out: --at to save the plan of now, --save to look at that time.",
    );
  }
  const asOf = asOfOf(at, io);
  const reviewed = call.options.reviewed ?? (io.env["LINTEL_REVIEWED"] || undefined);
  const isLooking = !call.options.offline || call.options["no-state"];
  const work = async (tools: Tools, files: readonly string[]) => {
    const options = planOptionsOf(call.options, await pickSettings(call.options.path, files, io));
    if (save !== undefined && files.includes("-")) {
      throw wrongUsage(
        "What was read from standard input cannot be read again when the plan is applied.",
        "Name a file:\n  lintel plan portal.yaml --save FILE",
      );
    }
    const keep = (result: PortalResult, planned?: PlannedPortal): Planned => ({
      result,
      isLost: planned !== undefined && notKept(planned.desired.state, io.env) !== undefined,
      isRefused: planned?.unable?.code === "host-not-allowed",
      isUnseen: isLooking && isUnseen(result.plan),
      plan: save === undefined ? null : result.plan,
    });
    const { kept, diagnostics } = await planAll(files, tools, concurrency, options, keep);
    if (kept.some(({ isLost }) => isLost)) {
      tools.notice(
        'warning: The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline; apply refuses that.',
      );
    }
    const isKept = save === undefined || savePlans(save, kept, options, { io, call });
    const results = kept.map(({ result }) => result);
    const named = results.map(({ file, portal }) => ({ ...portal, file }));
    const all = [...diagnostics, ...(await managedBeside(named, io))];
    const isToLookAt = at !== undefined || call.options.offline || call.options["no-state"];
    const unfit = isToLookAt ? [] : kept.filter(({ isRefused }) => !isRefused);
    const about = {
      command: "plan",
      files,
      diagnostics: all,
      isDetailed,
      unfit: unfit.map(({ result }) => result),
      review: { reviewed },
    };
    const result = resultOfPortals(results, about);
    const { exit } = result.outcome;
    // A pipeline would else ask people to approve what no apply takes.
    if (exit !== EXIT.done && exit !== EXIT.pending) return result;
    if (!isKept) return { ...result, outcome: { ...result.outcome, exit: EXIT.failed } };
    // Neither "no changes" nor "changes" would be true.
    const isUnknown = isDetailed && kept.some((each) => each.isUnseen);
    return isUnknown ? { ...result, outcome: { ...result.outcome, exit: EXIT.refused } } : result;
  };
  return withTools("plan", io, call, work, { isLooking, asOf });
};

type Arguments = ParsedArguments<typeof spec.options>;

interface Planned {
  readonly result: PortalResult;
  readonly isLost: boolean;
  /** Whether it was left out because nobody has said which hosts are meant, which is told once for all. */
  readonly isRefused: boolean;
  /** Whether the portal was to be read, and could not be. */
  readonly isUnseen: boolean;
  /** Kept for a plan that is saved. */
  readonly plan: Plan | null;
}

/** Whether it was: of some portals alone it would look like a plan for all, and one that cannot be applied like one that can. */
function savePlans(
  save: string,
  plans: readonly Planned[],
  options: PlanOptions,
  { io, call }: { readonly io: Io; readonly call: Arguments },
): boolean {
  const broken = plans.find(({ plan }) => !plan?.applicable);
  if (broken) {
    const name = `"${oneLine(broken.result.file)}"`;
    const why = broken.plan ? `that for ${name} cannot be applied` : `there is none for ${name}`;
    io.stderr.write(`warning: The plan was not saved, because ${why}.\n`);
    return false;
  }
  const portals = plans.flatMap(({ result, plan }) => (plan ? [{ file: result.file, plan }] : []));
  const { only, shard, quiet } = call.options;
  const named = { files: call.operands, only, ...(shard !== undefined && { shard }) };
  const text = printSaved({ named, options, portals });
  const path = resolve(io.cwd, save);
  const isThere = writing(save, () => plainFileAt(path));
  if (isThere && !readSavedPlan(io, save)) throw alreadyThere(save);
  assertOwnWay(path, save, io);
  if (isThere) replaceFile(path, save, text, io);
  // Notices may not be public yet.
  else writeNew(path, save, text, io, 0o600);
  if (quiet) return true;
  const again = allowWords(portals.map(({ plan }) => plan));
  io.stderr.write(
    `Saved ${save}. To carry out just that:\n  lintel apply ${shellWord(save)}${again}\n\n`,
  );
  return true;
}
