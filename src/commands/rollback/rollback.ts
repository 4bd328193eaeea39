// lintel rollback: files → their portals as they were before the last apply, or one of them as the apply named left it; then they are on hold.
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { FLEET, PICKING, PLANNING, POLICY, UPDATING } from "../options.js";
import { isOfPolicy } from "../../policy/policy.js";
import { Failure, wrongUsage } from "../../failure.js";
import { saysYes, type Io } from "../../io.js";
import type { Kept } from "../../run/fleet.js";
import type { Tools } from "../../run/reachable.js";
import { rollBackAll } from "../../apply/rollback-portal.js";
import type { Prepared } from "../../run/together/together.js";
import type { PortalResult } from "../../plan/result.js";
import { wrap } from "../../report/text-layout.js";
import { counted, oneLine, shellWord, zoneOf } from "../../lib/text.js";
import { momentOf } from "../call/moment.js";
import { pickSettings } from "../call/pick-settings.js";
import { planOptionsOf, waitingOf } from "../call/plan-options.js";
import { withTools } from "../call/tools.js";
import { plansText, resultOfPortals } from "../result/portals.js";
import { checkResult } from "../result/result.js";
import { assertTogether } from "./together.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    to: {
      value: "N",
      number: { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true },
      description: "Apply to return to, 0 for none.",
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
    ["lintel state history", "list the applies"],
    ["lintel rollback portal.yaml --to 4", "return to what apply 4 left"],
  ],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

/** Of a portal, with what a question says of it. */
interface RolledBack {
  readonly result: PortalResult;
  readonly aim?: string | undefined;
  readonly guards?: readonly string[];
}

export const run: Run<typeof spec.options> = async (io, call) => {
  const { yes, to, concurrency } = call.options;
  if (to !== undefined && call.options.since !== undefined) {
    throw wrongUsage("--to and --since cannot be combined.", "Keep --to or --since.");
  }
  const work = async (tools: Tools, files: readonly string[]): Promise<Result> => {
    assertOneHistory(to, files);
    const since =
      call.options.since === undefined ? undefined : momentOf(call.options.since, io, "since");
    if (!yes && !io.stdin.isTerminal) {
      throw wrongUsage(
        "Cannot prompt: standard input is not a terminal.",
        "To roll back without being asked, run the same command with:\n  --yes",
      );
    }
    let isShown = false;
    const { kept, diagnostics } = await rollBackAll<RolledBack>(files, tools, concurrency, {
      weigh: (undone) => {
        const isNamed = to !== undefined || since !== undefined;
        if (!isNamed && files.length > 1) assertTogether(undone, call.operands, zoneOf(io));
      },
      since,
      options: planOptionsOf(call.options, await pickSettings(call.options.path, files, io)),
      to,
      ...waitingOf(call),
      ...(!yes && {
        confirm: {
          keep: (result: PortalResult, prepared?: Prepared) => ({
            result,
            ...aimOf(result, prepared),
          }),
          ask: (planned: Kept<RolledBack>) => {
            isShown = true;
            return confirm(planned, files, io, call);
          },
        },
      }),
      keep: (result) => ({ result }),
    });
    const results = kept.map(({ result }) => result);
    const [only] = results;
    const isOver = only?.failure?.code === "not-begun";
    if (only && files.length === 1 && !only.plan && !isOver) {
      const { failure } = only;
      if (!failure || failure.code === "file-invalid")
        return checkResult("rollback", files, diagnostics);
      throw new Failure(failure.code, failure.message, failure.help);
    }
    const held = results.filter(({ status }) => status === "applied");
    // Elsewhere the report shows the plan with its hold when all is done.
    if (isShown && held.length > 0) tools.notice(heldText(held.length, call));
    return resultOfPortals(results, {
      command: "rollback",
      files,
      diagnostics: files.length > 1 ? diagnostics : diagnostics.filter(isOfPolicy),
      isShown,
    });
  };
  return withTools("rollback", io, call, work, { purpose: "updating" });
};

/** Each portal numbers its own applies; 0 means the same for all. */
function assertOneHistory(to: number | undefined, files: readonly string[]): void {
  if (to === undefined || to === 0 || files.length < 2) return;
  throw wrongUsage(
    `--to ${to} names an apply of one portal, and ${counted(files.length, "file")} are given.`,
    `Name one file:\n  lintel rollback ${shellWord(files[0] ?? "FILE")} --to ${to}\nor leave out --to, which undoes the last apply of each portal.`,
  );
}

function aimOf(
  { status }: PortalResult,
  prepared: Prepared | undefined,
): Omit<RolledBack, "result"> {
  if (!prepared || status !== "changes") return {};
  const { made, shown = made, rollback } = prepared;
  const closed = shown.plan.guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
  return { aim: rollback?.aim, guards: closed };
}

const MOST_LISTED = 20;

async function confirm(
  { kept, diagnostics }: Kept<RolledBack>,
  files: readonly string[],
  io: Io,
  { paint }: Pick<Arguments, "paint">,
): Promise<boolean> {
  const results = kept.map(({ result }) => result);
  io.stderr.write(plansText(results, { files, diagnostics }, paint));
  const ready = kept.filter(({ aim }) => aim !== undefined);
  const names = [...new Set(ready.flatMap(({ guards = [] }) => guards))];
  const opened =
    names.length > 0
      ? ` Yes also allows the guards ${names.map((name) => `"${name}"`).join(", ")}.`
      : "";
  const [only] = ready;
  io.stderr.write("\n");
  // Leaves room for " (yes or no) ".
  const ask = (question: string) =>
    saysYes(io, wrap(question + opened, paint.messageWidth - 14).join("\n"));
  if (files.length === 1) return ask(`Roll the portal back ${only?.aim}?`);
  const aims = ready
    .slice(0, MOST_LISTED)
    .map(({ result, aim }) => `  ${oneLine(`${result.portal.name}: ${aim}`)}\n`);
  const more = ready.length - aims.length;
  const rest = more > 0 ? `  and ${counted(more, "more portal")}\n` : "";
  io.stderr.write(`Each portal is rolled back separately:\n${aims.join("")}${rest}\n`);
  return ask(`Roll ${counted(ready.length, "portal")} back?`);
}

function heldText(held: number, { operands, options }: Arguments): string {
  const only = options.only.flatMap((glob) => ["--only", shellWord(glob)]);
  const lift = ["lintel state unhold", ...operands.map(shellWord), ...only].join(" ");
  return held === 1
    ? `The portal is on hold. Apply is blocked until the file agrees with the portal, or until:\n  ${lift}`
    : `${counted(held, "portal")} are on hold. Apply is blocked until their files agree with them, or until:\n  ${lift}`;
}
