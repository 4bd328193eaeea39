// lintel hold: stops applies to portals until a moment, or until "lintel unhold".
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { sharingText } from "./commit-state.js";
import { FLEET, WAITING } from "./options.js";
import { each, placeNamed } from "./state/asked.js";
import { assertUsableReason, holdPortal } from "../apply/hold-portal.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { resultOfOneOrMany } from "../cli/portal-parts.js";
import { momentOf } from "../cli/time-options.js";
import { wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import { shellWord } from "../lib/text.js";
import type { HoldFacts } from "./documents.js";
import type { Styles } from "../report/styles.js";

export const spec = {
  operands: "[FILE…] [STATE-ADDRESS]",
  options: {
    why: { value: "TEXT", description: "Reason for the hold, required." },
    until: { value: "TIME", description: "End of the hold, such as 4h." },
    ...WAITING,
    ...FLEET,
  },
  formats: ["text", "json"],
  examples: [
    ['lintel hold --why "Database migration" --until 4h', "block apply and rollback"],
    ['lintel hold portals --why "Migration"', "all portals, until lintel unhold"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { files: named, resolve } = placeNamed(call.operands, io);
  const operands = { operands: named, options: call.options };
  await using run = await openRun("hold", io, operands, { isOnline: false, purpose: "state" });
  const { files, folders, leftOut } = run;
  const until = call.options.until === undefined ? undefined : momentOf(call.options.until, run.io);
  const why = reasonIn(call, io);
  const members = await each({ run, resolve }, async (portal) => {
    const waitMs = 1000 * call.options.wait;
    const { before, after } = await holdPortal(run, portal, { why, until, waitMs });
    const replaced =
      before.hold?.wants && !after.hold?.wants
        ? "This replaces the hold of the rollback. When you end it, apply writes the file's values again.\n"
        : "";
    return {
      json: { held: { ...after.hold }, serial: after.serial } satisfies HoldFacts,
      text: (styles: Styles) =>
        `On hold${until === undefined ? "" : ` until ${styles.time(until)}`}. Apply and rollback are blocked.\n${replaced}${sharingText(portal, io)}`,
    };
  });
  return resultOfRun(run, resultOfOneOrMany(members, { command: "hold", files, folders, leftOut }));
};

function reasonIn({ operands, options }: ParsedArguments<typeof spec.options>, io: Io): string {
  const why = options.why?.trim() ?? "";
  if (why === "") {
    const words = [
      ...operands.map(shellWord),
      ...options.only.map((glob) => `--only ${shellWord(glob)}`),
      ...(options.until === undefined ? [] : [`--until ${shellWord(options.until)}`]),
    ];
    throw wrongUsage(
      "The reason is missing.",
      `Those who are held will read it:\n  lintel ${["hold", ...words].join(" ")} --why "Database migration"`,
    );
  }
  assertUsableReason(why, io);
  return why;
}
