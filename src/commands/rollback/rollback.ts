// lintel rollback: restores portals to before the last apply, or to the result of a named one, and puts them on hold.
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { FLEET, PICKING, PLANNING, POLICY, UPDATING } from "../options.js";
import { applyPrepared, isToSend, preparedResult, type Prepared } from "../../apply/apply-fleet.js";
import { diagnosticsOf } from "../../apply/each-portal.js";
import { planOptionsOf } from "../../apply/plan-portal.js";
import type { Member } from "../../apply/portal-context.js";
import { prepareRollbacks } from "../../apply/rollback-portal.js";
import { openRun, resultOfRun, type Run as OpenRun } from "../../cli/open-run.js";
import { pickSettings } from "../../cli/pick-settings.js";
import { checkResult } from "../../cli/result.js";
import { isConfirmed, showPlans } from "../../cli/show-plans.js";
import { momentOf } from "../../cli/time-options.js";
import type { Diagnostic } from "../../diagnostic.js";
import { Failure, wrongUsage } from "../../failure.js";
import { saysYes } from "../../io.js";
import { groupBy } from "../../lib/lists.js";
import { counted, shellWord, zoneOf } from "../../lib/text.js";
import type { PortalResult } from "../../plan/result.js";
import { isOfPolicy } from "../../policy/policy.js";
import { namesOf } from "../../report/group.js";
import { wrap } from "../../report/text-layout.js";
import { resultOfPortals } from "../../cli/portals-result.js";
import { assertTogether, type Undone } from "./together.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    to: {
      value: "N",
      number: { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true },
      description: "Restore the settings as of apply N.",
    },
    since: {
      value: "TIME",
      description: "Undo every apply since this time.",
    },
    ...UPDATING,
    ...PICKING,
    ...PLANNING,
    ...POLICY,
    ...FLEET,
  },
  formats: ["text", "json", "html"],
  examples: [
    ["lintel rollback", "show a plan and ask"],
    ["lintel rollback portals --yes", "undo the last apply of each portal"],
    ["lintel rollback portals --since 2h", "undo the last two hours"],
    ["lintel history", "list the applies"],
    ["lintel rollback portal.yaml --to 4", "restore the settings as of apply 4"],
  ],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { yes, to, since: sinceText } = call.options;
  if (to !== undefined && sinceText !== undefined) {
    throw wrongUsage("--to and --since cannot be combined.", "Keep --to or --since.");
  }
  await using run = await openRun("rollback", io, call, { purpose: "updating" });
  const { files } = run;
  assertOneHistory(to, files);
  const since = sinceText === undefined ? undefined : momentOf(sinceText, run.io, "since");
  if (!yes && !call.confirm && !io.stdin.isTerminal) {
    throw wrongUsage(
      "Cannot prompt: standard input is not a terminal.",
      "To roll back without being asked, run the same command with:\n  --yes",
    );
  }
  const paths = await pickSettings(call.options.path, files, io);
  const options = planOptionsOf({ ...call.options, paths });
  const waiting = { waitMs: 1000 * call.options.wait };
  const rolling = { options, waiting, to, since, isAsked: !yes && !call.confirm };
  const prepared = await prepareRollbacks(run, files, rolling);
  if (to === undefined && since === undefined && files.length > 1) {
    assertTogether(undoneBy(prepared), call.operands, zoneOf(run.io));
  }
  const diagnostics = diagnosticsOf(prepared);
  if (yes) for (const aim of aimsOf(prepared)) run.notice(`Rolling back ${aim}.`);
  const isAsked = !yes && prepared.some(isToSend);
  const isShown = isAsked && !call.confirm;
  const isDeclined = isAsked && !(await confirm(prepared, diagnostics, run, call));
  const declined = isDeclined
    ? new Failure("declined", "Cancelled at the prompt. Nothing was rolled back.")
    : undefined;
  // What it undoes is the apply that was last when it was planned.
  const applied = await applyPrepared(run, prepared, { waiting, isBound: true, declined });
  const results = applied.map(({ result }) => result);
  return resultOfRun(run, resultOfRollbacks(run, results, { call, diagnostics, isShown }));
};

interface Ending {
  readonly call: Arguments;
  readonly diagnostics: readonly Diagnostic[];
  readonly isShown: boolean;
}

function resultOfRollbacks(
  { files, folders, notice }: OpenRun,
  results: readonly PortalResult[],
  { call, diagnostics, isShown }: Ending,
): Result {
  const [only, ...more] = results;
  if (only && more.length === 0 && !only.plan && only.failure?.code !== "not-begun") {
    const { failure } = only;
    if (!failure || failure.code === "file-invalid") {
      return checkResult("rollback", files, diagnostics);
    }
    throw new Failure(failure.code, failure.message, failure.help);
  }
  const held = results.filter(({ status }) => status === "applied");
  // Elsewhere the report shows the plan with its hold when all is done.
  if (isShown && held.length > 0) notice(heldText(held.length, call));
  return resultOfPortals(results, {
    command: "rollback",
    files,
    folders,
    diagnostics: files.length > 1 ? diagnostics : diagnostics.filter(isOfPolicy),
    isShown,
  });
}

function undoneBy(prepared: readonly Member<Prepared>[]): Undone[] {
  return prepared.flatMap(({ portal: { name }, value }) =>
    // What is rolled back already counts, so that a repeated call undoes no older apply of the others.
    [value?.rollback?.undone ?? value?.undone].flatMap((each) => (each ? { name, ...each } : [])),
  );
}

/** Each portal numbers its own applies; 0 means the same for all. */
function assertOneHistory(to: number | undefined, files: readonly string[]): void {
  if (to === undefined || to === 0 || files.length < 2) return;
  throw wrongUsage(
    `--to ${to} names an apply of one portal, and ${counted(files.length, "file")} are given.`,
    `Name one file:\n  lintel rollback ${shellWord(files[0] ?? "FILE")} --to ${to}\nor leave out --to, which undoes the last apply of each portal.`,
  );
}

/** Where the portals go, those with one aim together. */
function aimsOf(prepared: readonly Member<Prepared>[]): string[] {
  const ready = prepared.filter((each) => preparedResult(each).status === "changes");
  const byAim = groupBy(ready, ({ value }) => value?.rollback?.aim);
  return [...byAim].flatMap(([aim, held]) => {
    if (aim === undefined) return [];
    return prepared.length === 1 ? [aim] : [`${namesOf(held)} ${aim}`];
  });
}

async function confirm(
  prepared: readonly Member<Prepared>[],
  diagnostics: readonly Diagnostic[],
  run: Pick<OpenRun, "io" | "folders">,
  { styles, confirm: program }: Pick<Arguments, "styles" | "confirm">,
): Promise<boolean> {
  const { io } = run;
  const results = prepared.map(preparedResult);
  if (program) return isConfirmed(results, program, io);
  showPlans(results, diagnostics, run, { styles });
  const ready = prepared.filter((each) => preparedResult(each).status === "changes");
  const guards = ready.flatMap(({ value }) => {
    const { guards: all = [] } = (value?.shown ?? value?.planned)?.plan ?? {};
    return all.filter(({ isOpen }) => !isOpen).map(({ name }) => `"${name}"`);
  });
  const names = [...new Set(guards)];
  const opened =
    names.length > 0
      ? ` Yes also allows the guard${names.length > 1 ? "s" : ""} ${names.join(", ")}.`
      : "";
  io.stderr.write("\n");
  // Leaves room for " (yes or no) ".
  const ask = (question: string) =>
    saysYes(io, wrap(question + opened, styles.messageWidth - 14).join("\n"));
  const aims = aimsOf(prepared);
  if (prepared.length === 1) {
    return ask(`Roll the portal back ${aims[0] ?? ""}, and put it on hold?`);
  }
  const lines = aims.map((aim) => `  ${aim}\n`);
  io.stderr.write(`Each portal is rolled back separately:\n${lines.join("")}\n`);
  const them = ready.length === 1 ? "it" : "them";
  return ask(`Roll ${counted(ready.length, "portal")} back, and put ${them} on hold?`);
}

function heldText(held: number, { operands, options }: Arguments): string {
  const only = options.only.flatMap((glob) => ["--only", shellWord(glob)]);
  const lift = ["lintel unhold", ...operands.map(shellWord), ...only].join(" ");
  return held === 1
    ? `The portal is on hold. Apply is blocked until the file matches the portal, or until you run:\n  ${lift}`
    : `${counted(held, "portal")} are on hold. Apply is blocked until their files match them, or until you run:\n  ${lift}`;
}
