// lintel plan: files → what an apply would do to their portals; nothing is changed, neither there nor in the state.
import type { Run, Words } from "./command.js";
import { FLEET, PLANNING } from "./options.js";
import { resolve } from "node:path";
import { acrossFiles, type Diagnostic } from "../diagnostic.js";
import { plainFileAt } from "../file.js";
import { Failure } from "../failure.js";
import { planInTurn, resultOf, type Member } from "../run/fleet.js";
import type { Io } from "../io.js";
import type { Plan } from "../plan/plan.js";
import { printSaved } from "../plan/saved.js";
import type { Wishes } from "../run/portal.js";
import { notKept } from "../state/open.js";
import { openReading } from "./call/network.js";
import { resultOfReported } from "./result/portals.js";
import { packed, type Reported } from "./result/reported.js";
import { readSavedPlan } from "./call/saved-plan.js";
import { alreadyThere, replaceFile, writeNew, writing } from "./result/write-file.js";
import { boundOf, filesOf, toolsOf, wishesOf } from "./call/plan-options.js";
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
  const wishes = wishesOf(call.options);
  const network = openReading(io, call);
  try {
    const isLooking = wishes.compareWith !== "last";
    const tools = toolsOf(io, network, "plan", files, { isLooking });
    const reported: Reported[] = [];
    const toSave: Member<Plan>[] = [];
    const found: (readonly Diagnostic[])[] = [];
    let isLost = false;
    await planInTurn(files, tools, wishes, boundOf(io, call), ({ value, ...member }, at) => {
      const result = resultOf({ ...member, ...(value && { value }) }, "changes");
      reported[at] = packed(result, call, files.length);
      found[at] = member.diagnostics;
      if (save !== undefined) toSave[at] = { ...member, ...(value && { value: value.plan }) };
      isLost ||= value !== undefined && notKept(value.desired.state, io.env) !== undefined;
    });
    if (isLost) {
      tools.notice(
        'warning: The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline; apply refuses that.',
      );
    }
    if (save !== undefined) savePlans(save, toSave, wishes, io);
    return resultOfReported(reported, {
      command: "plan",
      files,
      diagnostics: acrossFiles(found),
      isDetailed: call.options["detailed-exitcode"],
    });
  } finally {
    await network.close();
  }
};

/** Of some portals alone it would look like a plan for all. */
function savePlans(save: string, members: readonly Member<Plan>[], wishes: Wishes, io: Io) {
  const [broken] = members.filter(({ failure }) => failure);
  if (broken) {
    io.stderr.write(
      `warning: The plan was not saved, because there is none for "${broken.file}".\n`,
    );
    return;
  }
  const portals = members.flatMap(({ file, value }) => (value ? [{ file, plan: value }] : []));
  const text = printSaved({ options: wishes, portals });
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
