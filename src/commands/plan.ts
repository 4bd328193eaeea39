// lintel plan: shows what an apply would change. It changes nothing, neither a portal nor a state.
import type { CommandSpec, ParsedArguments, Result, Run } from "./command.js";
import { AS_OF, BY_CLOCK, FLEET, HOLDS, PICKING, PLANNING, POLICY } from "./options.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { duplicateOwners } from "../apply/duplicate-owners.js";
import { diagnosticsOf } from "../apply/each-portal.js";
import { planOptionsOf, planPortals } from "../apply/plan-portal.js";
import type { PlannedPortal, PlanOptions } from "../apply/plan-portal.js";
import type { Member } from "../apply/portal-context.js";
import { plannedResult } from "../apply/portal-result.js";
import type { RunContext } from "../apply/run-context.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { pickSettings } from "../cli/pick-settings.js";
import { allowWords, readSavedPlan } from "../cli/saved-plan.js";
import { alreadyThere, assertOwnWay, replaceFile, writeNew, writing } from "../cli/write-file.js";
import { EXIT, wrongUsage, type Exit } from "../failure.js";
import type { Io } from "../io.js";
import { plainFileAt } from "../lib/files.js";
import { oneLine, shellWord } from "../lib/text.js";
import { isNothingToDo } from "../plan/plan.js";
import { closedGuards, isSkipped, stoppersOf, type PortalResult } from "../plan/result.js";
import { printSaved } from "../plan/saved.js";
import { isUnseen } from "../report/verdict.js";
import { notKept } from "../state/open.js";
import { resultOfPortals } from "../cli/portals-result.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    save: { value: "FILE", description: "Save the plan for lintel apply." },
    load: { value: "FILE", description: "Show this saved plan." },
    "detailed-exitcode": { description: "Exit with 2 if there are changes." },
    "no-state": { description: "Compare with the live portal only." },
    preview: { description: "Compare only public settings, without signing in." },
    offline: { description: "Compare with the state, without network access." },
    ...AS_OF,
    ...BY_CLOCK,
    ...HOLDS,
    ...PICKING,
    ...PLANNING,
    ...POLICY,
    ...FLEET,
  },
  formats: ["text", "json", "markdown", "html", "gitlab-plan"],
  examples: [
    ["lintel plan", "read portal.yaml, else portals/*.yaml"],
    ["lintel plan --save plan.json", "save it for lintel apply"],
    ["lintel plan --output html=plan.html", "write a page to review"],
    ["lintel plan --at 2026-12-05T18:00", "plan a scheduled window"],
    ["lintel plan portals --only 'north-*'", "only some portals"],
    ["lintel plan --load plan.json", "show a saved plan"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { save, load, at, offline, "no-state": noState } = call.options;
  const isDetailed = call.options["detailed-exitcode"];
  if (load !== undefined) return loadPlans(load, io, call);
  if (save !== undefined && at !== undefined) {
    throw wrongUsage(
      "A plan as of another time cannot be applied, and so is not saved.",
      "Leave one of the two out: --at to save the plan of now, --save to see the plan of that time.",
    );
  }
  if (save !== undefined && call.options.preview) {
    throw wrongUsage(
      "A preview cannot be applied, and so is not saved.",
      "Leave out --save, or sign in and leave out --preview.",
    );
  }
  if (offline && noState) {
    throw wrongUsage(
      "--offline compares with the state only, --no-state with the portal only.",
      "Keep --offline or --no-state.",
    );
  }
  const isOnline = !offline;
  await using run = await openRun("plan", io, call, {
    isOnline,
    at,
    isAgeShown: true,
  });
  const { files } = run;
  const paths = await pickSettings(call.options.path, files, io);
  const compareWith = noState ? "live" : offline ? "last" : "live-and-last";
  const isPreview = call.options.preview;
  const options = planOptionsOf({ ...call.options, paths, compareWith, isPreview });
  if (save !== undefined && files.includes("-")) {
    throw wrongUsage(
      "What was read from standard input cannot be read again when the plan is applied.",
      "Name a file:\n  lintel plan portal.yaml --save FILE",
    );
  }
  const members = await planPortals(run, files, options);
  const results = members.map(plannedResult);
  warnOfLostState(run, members);
  const isSaved = save === undefined || savePlans(save, results, options, { io: run.io, call });
  const named = results.map(({ file, portal }) => ({ ...portal, file }));
  const diagnostics = [...diagnosticsOf(members), ...(await duplicateOwners(named, io))];
  // Of hosts that are not allowed, a warning says it once for all.
  const refused = new Set(
    members
      .filter(({ value }) => value?.unable?.code === "host-not-allowed")
      .map((each) => each.file),
  );
  const isToLookAt = at !== undefined || offline || noState || isPreview;
  const result = resultOfPortals(results, {
    command: "plan",
    files,
    folders: run.folders,
    diagnostics,
    isDetailed,
    unfit: isToLookAt ? [] : results.filter(({ file }) => !refused.has(file)),
  });
  const isUnknown = isDetailed && isOnline && results.some(({ plan }) => isUnseen(plan));
  const exit = exitOf(result.outcome.exit, { isSaved, isUnknown });
  return resultOfRun(run, { ...result, outcome: { ...result.outcome, exit } });
};

type Arguments = ParsedArguments<typeof spec.options>;

/** Options that change a report and not the plan. */
const OF_REPORTS = ["load", "output", "json", "quiet", "no-color"];

/** The reports that a saved plan had when it was made. */
function loadPlans(place: string, io: Io, { operands, given }: Arguments): Result {
  const [other] = [...operands, ...[...given].filter((name) => !OF_REPORTS.includes(name))];
  if (other !== undefined) {
    throw wrongUsage(
      "A saved plan says itself what it was made for.",
      `Name it alone:\n  lintel plan --load ${shellWord(place)}`,
    );
  }
  const saved = readSavedPlan(io, place);
  if (!saved) {
    const isThere = existsSync(resolve(io.cwd, place));
    throw wrongUsage(
      isThere ? `"${place}" is no saved plan.` : `There is no file "${place}".`,
      "Save one first:\n  lintel plan --save FILE",
    );
  }
  const files = saved.portals.map(({ file }) => file);
  const results = saved.portals.map(({ file, plan }): PortalResult => {
    const status = isNothingToDo(plan) ? "unchanged" : "changes";
    const rest = { hold: null, policies: [], failure: null, exit: EXIT.done } as const;
    return { file, portal: plan.binding.portal, plan, status, ...rest };
  });
  return resultOfPortals(results, { command: "plan", files, diagnostics: [] });
}

function warnOfLostState(run: RunContext, members: readonly Member<PlannedPortal>[]): void {
  const { env } = run.io;
  if (!members.some(({ value }) => value && notKept(value.desired.state, env))) return;
  run.notice(
    'warning: The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline; apply refuses that.',
  );
}

function exitOf(exit: Exit, { isSaved, isUnknown }: { isSaved: boolean; isUnknown: boolean }) {
  if (exit !== EXIT.done && exit !== EXIT.pending) return exit;
  // A pipeline would else ask people to approve what no apply takes.
  if (!isSaved) return EXIT.failed;
  // Neither "no changes" nor "changes" would be true.
  return isUnknown ? EXIT.refused : exit;
}

/** Returns whether the plan was saved. It is not if a portal has no plan, or one that cannot be applied. */
function savePlans(
  save: string,
  results: readonly PortalResult[],
  options: PlanOptions,
  { io, call }: { readonly io: Io; readonly call: Arguments },
): boolean {
  const broken = results.find((each) => !isSkipped(each) && !each.plan?.applicable);
  if (broken) {
    const name = `"${oneLine(broken.file)}"`;
    const why = broken.plan ? `the plan for ${name} cannot be applied` : `${name} has no plan`;
    io.stderr.write(`warning: The plan was not saved: ${why}.\n`);
    return false;
  }
  const portals = results.flatMap((each) =>
    each.plan ? [{ file: each.file, plan: each.plan, blockedBy: stoppersOf(each) }] : [],
  );
  const { only, quiet } = call.options;
  const named = { files: call.operands, only };
  const text = printSaved({ named, options, portals });
  const path = resolve(io.cwd, save);
  const isThere = writing(save, () => plainFileAt(path));
  if (isThere && !readSavedPlan(io, save)) throw alreadyThere(save);
  assertOwnWay(path, save, io);
  if (isThere) replaceFile(path, save, text, io);
  // Notices may not be public yet.
  else writeNew(path, save, text, io, 0o600);
  if (quiet) return true;
  const [guard] = results.flatMap(closedGuards);
  const again = allowWords(portals.map(({ plan }) => plan));
  const next = guard
    ? `It cannot be applied as it is, because ${guard} stops it. To see how to plan again:\n  lintel explain ${guard}`
    : `To apply exactly this plan:\n  lintel apply ${shellWord(save)}${again}`;
  io.stderr.write(`Saved ${save}. ${next}\n\n`);
  return true;
}
