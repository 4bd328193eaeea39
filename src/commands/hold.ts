// lintel hold: portals → held by hand until a moment, or until somebody ends it.
import { randomUUID } from "node:crypto";
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { FLEET, WAITING } from "./options.js";
import { change, each, placeNamed } from "./state/asked.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { resultOfOneOrMany } from "../cli/portal-parts.js";
import { momentOf } from "../cli/time-options.js";
import { KEYS } from "../document/read/references.js";
import { wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import { shellWord } from "../lib/text.js";
import type { HoldFacts } from "./documents.js";
import type { Styles } from "../report/styles.js";
import { secret } from "../secret.js";
import { SIGN_IN_METHODS, type SignInField } from "../sign-in.js";
import { notKept } from "../state/open.js";
import type { State } from "../state/state.js";
import { emptyState, withHold, type Note } from "../state/steps.js";

export const spec = {
  operands: "[FILE…] [ADDRESS]",
  options: {
    why: { value: "TEXT", description: "Reason to show, required." },
    until: { value: "TIME", description: "End the hold at this time." },
    ...WAITING,
    ...FLEET,
  },
  formats: ["text", "json"],
  examples: [
    ['lintel hold --why "The database moves." --until 4h', "block apply and rollback"],
    ['lintel hold portals --why "Migration"', "all portals, until lintel unhold"],
  ],
} as const satisfies CommandSpec;

/** It is told on one line, wherever somebody is held. */
const LONGEST_WHY = 500;

/** Also where nothing was ever applied: then the first apply is what is held, and the hold begins the state. */
export const run: Run<typeof spec.options> = async (io, call) => {
  const { files: named, resolve } = placeNamed(call.operands, io);
  const operands = { operands: named, options: call.options };
  await using run = await openRun("hold", io, operands, { isOnline: false, purpose: "state" });
  const { files, folders } = run;
  const why = reasonIn(call, io);
  const since = new Date(io.now()).toISOString();
  const until = call.options.until === undefined ? undefined : momentOf(call.options.until, run.io);
  const members = await each({ run, resolve }, async (portal) => {
    const { desired, identity } = portal;
    const lost = notKept(desired.state, io.env);
    if (lost) throw lost;
    const step = (state: State, { by }: Note) =>
      withHold(state, { since, by, why, ...(until !== undefined && { until }) });
    const begin = () => emptyState(randomUUID(), identity);
    const { before, after } = await change(portal, { run, call }, step, begin);
    const replaced =
      before?.hold?.wants && !after.hold?.wants
        ? "This replaces the hold of the rollback. When you end it, apply writes the file's values again.\n"
        : "";
    return {
      json: { held: { ...after.hold }, serial: after.serial } satisfies HoldFacts,
      text: (paint: Styles) =>
        `On hold${until === undefined ? "" : ` until ${paint.time(until)}`}. Apply and rollback are blocked.\n${replaced}`,
    };
  });
  return resultOfRun(run, resultOfOneOrMany(members, { command: "hold", files, folders }));
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
      `Those who are held will read it:\n  lintel ${["hold", ...words].join(" ")} --why "The database moves."`,
    );
  }
  if (why.length > LONGEST_WHY) {
    throw wrongUsage(
      `The reason is longer than ${LONGEST_WHY} characters.`,
      "Shorten it, and say where more is to be read.",
    );
  }
  assertTellsNoSecret(why, io);
  return why;
}

/** Everybody who sees the state reads the reason, and its history keeps it. */
function assertTellsNoSecret(why: string, { env }: Pick<Io, "env">): void {
  const fields = Object.values(SIGN_IN_METHODS).flatMap((each): SignInField[] =>
    Object.values(each),
  );
  const variables = fields.flatMap(({ isSecret, variable }) =>
    isSecret && variable ? [variable] : [],
  );
  const told = [...variables, ...KEYS].find((name) => secret(env[name]?.trim() ?? "").isIn(why));
  if (told === undefined) return;
  throw wrongUsage(
    `The reason repeats what ${told} holds, or a part of it.`,
    "It would stand in the state, for all who read it. Say it without the secret.",
  );
}
