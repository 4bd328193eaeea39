// lintel unhold: ends the holds of portals.
import type { CommandSpec, Run } from "./command.js";
import { sharingText } from "./commit-state.js";
import { FLEET, WAITING } from "./options.js";
import { each, placeNamed } from "./state/asked.js";
import { unholdPortal } from "../apply/hold-portal.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { resultOfOneOrMany } from "../cli/portal-parts.js";
import type { UnholdFacts } from "./documents.js";

export const spec = {
  operands: "[FILE…] [STATE-ADDRESS]",
  options: { ...WAITING, ...FLEET },
  formats: ["text", "json"],
  examples: [["lintel unhold portals", "allow apply and rollback again"]],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { files: named, resolve } = placeNamed(call.operands, io);
  const operands = { operands: named, options: call.options };
  await using run = await openRun("unhold", io, operands, { isOnline: false, purpose: "state" });
  const { files, folders, leftOut } = run;
  const members = await each({ run, resolve }, async (portal) => {
    const waitMs = 1000 * call.options.wait;
    const { before, after } = await unholdPortal(run, portal, { waitMs });
    const isLifted = before !== after;
    return {
      json: { unheld: isLifted, serial: after.serial } satisfies UnholdFacts,
      text: () =>
        isLifted
          ? `The hold has ended. The next apply makes the portal match its file.\n${sharingText(portal, io)}`
          : "The portal is not on hold.\n",
    };
  });
  return resultOfRun(
    run,
    resultOfOneOrMany(members, { command: "unhold", files, folders, leftOut }),
  );
};
