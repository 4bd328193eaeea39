// lintel apply: applies files or a saved plan to their portals, after confirmation.
import type { CommandSpec, ParsedArguments, Result, Run } from "./command.js";
import { BY_CLOCK, FLEET, HOLDS, PICKING, PLANNING, POLICY, UPDATING } from "./options.js";
import { applyPrepared, isToSend, preparedResult, prepareApplies } from "../apply/apply-fleet.js";
import type { Prepared } from "../apply/apply-fleet.js";
import { duplicateOwners } from "../apply/duplicate-owners.js";
import { diagnosticsOf } from "../apply/each-portal.js";
import { planOptionsOf } from "../apply/plan-portal.js";
import type { Member } from "../apply/portal-context.js";
import { openRun, resultOfRun, type Run as OpenRun } from "../cli/open-run.js";
import { nameMatcher } from "../document/find.js";
import { noneOf } from "../cli/pick-portals.js";
import { pickSettings } from "../cli/pick-settings.js";
import { isConfirmed, showPlans } from "../cli/show-plans.js";
import {
  assertAllowed,
  findSavedPlan,
  planCall,
  withPlanCall,
  type NamedPlan,
} from "../cli/saved-plan.js";
import type { Diagnostic } from "../diagnostic.js";
import { EXIT, Failure, wrongUsage } from "../failure.js";
import type { GuardName } from "../guard.js";
import { saysYes, type Io } from "../io.js";
import { counted, shellWord, showTime, someOf, zoneOf } from "../lib/text.js";
import { digestOfPlan } from "../plan/binding.js";
import { appliesOf, authorText } from "../state/state.js";
import { keepingText, toCommit, type ToCommit } from "./commit-state.js";
import { resultOfPortals } from "../cli/portals-result.js";

export const spec = {
  operands: "[FILE…] or PLAN",
  options: {
    canary: {
      value: "N|GLOB",
      description: "Portals to update and verify first.",
    },
    "keep-going": { description: "Continue after a failed update." },
    ...UPDATING,
    ...BY_CLOCK,
    ...HOLDS,
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
  const named = saved?.portals.map(({ file }) => file);
  await using run = await openRun("apply", io, call, {
    files: named,
    purpose: "updating",
    isAgeShown: true,
  });
  const { files } = run;
  const mustAsk = !saved && !call.options.yes;
  if (mustAsk && !call.confirm && !io.stdin.isTerminal) {
    // A file that is missing or wrong must be fixed first.
    const { checkFiles } = await import("./validate.js");
    const found = await checkFiles("apply", files, io, call.options.policy);
    if (found.outcome.exit !== EXIT.done) return resultOfRun(run, found);
    throw wrongUsage(
      "Cannot prompt: standard input is not a terminal.",
      `Save a plan, review it, and apply exactly that:\n  ${planCall(call.operands, call.options)} --save plan.json\n  lintel apply plan.json\nTo apply without a saved plan, run the same command with:\n  --yes`,
    );
  }
  const options = planOptionsOf(
    saved
      ? { ...saved.options, allow: saved.options.allow as GuardName[] }
      : { ...call.options, paths: await pickSettings(call.options.path, files, io) },
  );
  const waiting = { waitMs: 1000 * call.options.wait };
  const canary = await canaryOf(call.options.canary);
  const prepared = await prepareApplies(run, files, { options, waiting, saved: saved?.portals });
  const names = prepared.map(({ portal }) => portal.name);
  if (typeof canary === "function" && !names.some(canary)) {
    throw noneOf(call.options.canary ?? "", names);
  }
  if (saved) noticeApplied(saved, prepared, run);
  const of = prepared.map(({ file, portal }) => ({ ...portal, file }));
  const diagnostics = [...diagnosticsOf(prepared), ...(await duplicateOwners(of, io))];
  const isAsked = mustAsk && prepared.some(isToSend);
  const isDeclined = isAsked && !(await confirm(prepared, diagnostics, run, call));
  const applied = await applyPrepared(run, prepared, {
    waiting,
    isBound: mustAsk || saved !== undefined,
    declined: isDeclined ? cancelled() : undefined,
    batches: { canary, keepGoing: call.options["keep-going"] },
  });
  const results = applied.map(({ result }) => (saved ? withPlanCall(result, saved) : result));
  const report = resultOfPortals(results, {
    command: "apply",
    files,
    folders: run.folders,
    diagnostics,
    isShown: isAsked && !call.confirm,
  });
  const first = applied.flatMap((each) => toCommit(each, io) ?? []);
  return resultOfRun(run, first.length > 0 ? withKeeping(report, first, io) : report);
};

/** A number of portals, or a pattern of names. */
async function canaryOf(text: string | undefined) {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) return nameMatcher(text);
  if (Number(text) >= 1) return Number(text);
  throw wrongUsage(
    `Invalid value "${text}" for "--canary".`,
    "Write how many go first, or a pattern of their names:\n  --canary 1\n  --canary 'staging-*'",
  );
}

/** "No changes." alone would look as if a saved plan had been for nothing. */
function noticeApplied(
  saved: NamedPlan,
  prepared: readonly Member<Prepared>[],
  { io, notice }: OpenRun,
): void {
  const done = prepared.flatMap(({ file, portal, value }) => {
    const plan = saved.portals.find((each) => each.file === file)?.plan;
    if (!plan || !value?.isSettled || value.failure || !value.planned.state) return [];
    const digest = digestOfPlan(plan);
    const entry = appliesOf(value.planned.state).find((each) => each.planDigest === digest);
    return entry ? [{ ...entry, name: `"${portal.name}"` }] : [];
  });
  const newest = done.toSorted((one, other) => (one.time < other.time ? -1 : 1)).at(-1);
  if (!newest) return;
  const names = someOf(
    done.map(({ name }) => name),
    "portal",
  );
  const time = showTime(newest.time, zoneOf(io));
  notice(`This plan was already applied to ${names}: ${time} by ${authorText(newest.by)}.`);
}

async function confirm(
  prepared: readonly Member<Prepared>[],
  diagnostics: readonly Diagnostic[],
  run: Pick<OpenRun, "io" | "folders">,
  call: Arguments,
): Promise<boolean> {
  const results = prepared.map(preparedResult);
  if (call.confirm) return isConfirmed(results, call.confirm, run.io);
  showPlans(results, diagnostics, run, call);
  const ready = results.filter(({ status }) => status === "changes").length;
  return saysYes(run.io, `Apply this to ${counted(ready, "portal")}?`);
}

function cancelled(): Failure {
  return new Failure("declined", "Cancelled at the prompt. Nothing was applied.");
}

function withKeeping(report: Result, first: readonly ToCommit[], io: Io): Result {
  return {
    ...report,
    text: (styles) => `${report.text(styles)}\n${keepingText(first, io, styles)}`,
  };
}

/** A saved plan says how it was made; anything else would be another plan. */
function assertAlone({ given, options }: Arguments, saved: NamedPlan): void {
  const { place } = saved;
  assertAllowed(saved, options.allow);
  const option = ["path", "due", "only"].find((name) => given.has(name));
  if (option === undefined) return;
  throw wrongUsage(
    `"--${option}" belongs to making a plan, and "${place}" is made already.`,
    `Make another one:\n  lintel plan --${option} … --save ${shellWord(place)}`,
  );
}
