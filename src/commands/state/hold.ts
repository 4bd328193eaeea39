// lintel state hold and unhold: portals → held by hand until a moment, or until somebody lifts it; what holds them, lifted.
import { randomUUID } from "node:crypto";
import { wrongUsage } from "../../failure.js";
import { KEYS } from "../../document/read/references.js";
import type { Io } from "../../io.js";
import { secret } from "../../secret.js";
import { SIGN_IN_METHODS, type SignInField } from "../../sign-in.js";
import { notKept } from "../../state/open.js";
import type { State } from "../../state/state.js";
import { emptyState, withHold, withoutHold, type Note } from "../../state/steps.js";
import { shellWord } from "../../lib/text.js";
import { momentOf } from "../../cli/time-options.js";
import { change, each, type Asked, type Members } from "./asked.js";

/** It is told on one line, wherever somebody is held. */
const LONGEST_WHY = 500;

/** Also where nothing was ever applied: then the first apply is what is held, and the hold begins the state. */
export function hold(asked: Asked): Promise<Members> {
  const { run, call } = asked;
  const { io } = run;
  const why = call.options.why?.trim() ?? "";
  if (why === "") {
    throw wrongUsage(
      "Nothing says why.",
      `Those who are held will read it:\n  lintel state hold ${run.files.slice(0, 3).map(shellWord).join(" ")} --why "The database is moved."`,
    );
  }
  if (why.length > LONGEST_WHY) {
    throw wrongUsage(
      `The reason is longer than ${LONGEST_WHY} characters.`,
      "Say it shortly, and where more is to be read.",
    );
  }
  assertTellsNoSecret(why, io);
  const since = new Date(io.now()).toISOString();
  const until = call.options.until === undefined ? undefined : momentOf(call.options.until, io);
  return each(asked, async (portal) => {
    const { desired, identity } = portal;
    const lost = notKept(desired.state, io.env);
    if (lost) throw lost;
    const step = (state: State, { by }: Note) =>
      withHold(state, { since, by, why, ...(until !== undefined && { until }) });
    const begin = () => emptyState(randomUUID(), identity);
    const { after } = await change(portal, asked, step, begin);
    return {
      json: { held: { ...after.hold }, serial: after.serial },
      text: (paint) =>
        `On hold${until === undefined ? "" : ` until ${paint.time(until)}`}. Apply and rollback are blocked.\n`,
    };
  });
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

export function unhold(asked: Asked): Promise<Members> {
  return each(asked, async (portal) => {
    const { before, after } = await change(portal, asked, withoutHold);
    const isLifted = before !== after;
    return {
      json: { unheld: isLifted, serial: after.serial },
      text: () =>
        isLifted
          ? "The hold has ended. The next apply makes the portal match its file.\n"
          : "The portal is not on hold.\n",
    };
  });
}
