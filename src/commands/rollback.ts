// lintel rollback: a file's portal → as it was before the last apply, or after the one named; then it is on hold.
import type { Call, Run, Words } from "./command.js";
import { NETWORK, PLANNING, UPDATING } from "./options.js";
import { wrongUsage } from "../failure.js";
import { saysYes, type Io } from "../io.js";
import { isNothingToDo } from "../plan/plan.js";
import type { ReachablePortal, Tools } from "../run/reachable.js";
import { resultOf } from "../run/result.js";
import { rollBack, type Question } from "../run/rollback.js";
import { planText } from "../report/text/portals/plan.js";
import { planOptionsOf, waitingOf } from "./call/plan-options.js";
import { withOnePortal } from "./call/tools.js";
import { openTelling } from "./result/portals.js";

export const words = {
  operands: "[FILE]",
  options: {
    to: {
      value: "SERIAL",
      number: { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true },
      meaning: "Back to what this apply left; 0 for before the first.",
    },
    ...UPDATING,
    ...PLANNING,
    ...NETWORK,
  },
  formats: ["text", "json", "html"],
  examples: [
    ["lintel rollback", "shows a plan and asks"],
    ["lintel state history", "shows the serials"],
    ["lintel rollback portals/staging.yaml --to 4", "several applies back"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const mustAsk = !call.options.yes;
  const work = async (portal: ReachablePortal, tools: Tools) => {
    if (mustAsk && !io.stdin.isTerminal) {
      throw wrongUsage(
        "Nobody is here to be asked, because standard input is no terminal.",
        "To roll back without being asked, run the same command with:\n  --yes",
      );
    }
    const { planned, failure } = await rollBack(portal, tools, {
      options: planOptionsOf(call.options),
      to: call.options.to,
      ...waitingOf(call),
      ...(mustAsk && { confirm: (question: Question) => confirm(question, io, call) }),
    });
    // Whether the hold is agreed with is a question to the file, not to what was rolled back to.
    const result = resultOf({ ...planned, leaves: portal.leaves }, "applied", failure);
    const telling = openTelling(call, 1);
    return telling.result([telling.tell(result)], {
      command: "rollback",
      files: [portal.desired.file],
      diagnostics: [],
      isShown: mustAsk && !isNothingToDo(planned.plan),
    });
  };
  return withOnePortal("rollback", io, call, work, { purpose: "updating" });
};

async function confirm({ planned, aim, guards }: Question, io: Io, { paint }: Pick<Call, "paint">) {
  io.stderr.write(`${planText([resultOf(planned, "changes")], paint)}\n`);
  const names = [...new Set(guards)].map((name) => `"${name}"`).join(", ");
  const opened = names ? ` This opens the guards ${names}.` : "";
  return saysYes(io, `Roll the portal back ${aim}?${opened}`);
}
