// lintel state check: files → their states tried in earnest, step by step: read, locked, written without a change, and let go of.
import type { ParsedArguments, Result } from "../command.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { eachReached } from "../../run/fleet.js";
import { lockingOf, type Reach, type ReachablePortal, type Tools } from "../../run/reachable.js";
import { authorOf } from "../../state/author/author.js";
import { notKept } from "../../state/open.js";
import { again } from "../../state/steps.js";
import type { State } from "../../state/state.js";
import { stateRecipientOf } from "../../state-address/kinds.js";
import { counted, shellWord } from "../../lib/text.js";
import { lockTimeoutMs } from "../call/plan-options.js";
import { withTools } from "../call/tools.js";
import { placeFinding, rememberedFinding } from "../doctor/state-findings.js";
import type { FLEET, LOCKING } from "../options.js";
import { resultOfMembers, type Part } from "../result/members.js";
import { newExamination, stepsText, type Finding, type Step } from "../result/steps.js";

type CheckCall = ParsedArguments<typeof LOCKING & typeof FLEET>;

export async function checkStates(
  io: Io,
  call: CheckCall,
  operands: readonly string[],
  reach: Reach<ReachablePortal>,
): Promise<Result> {
  const work = async (tools: Tools, files: readonly string[]): Promise<Result> => {
    const reaching = { concurrency: call.options.concurrency, reach };
    const check = (portal: ReachablePortal) => attempt(portal, tools, call);
    const members = await eachReached(files, tools, reaching, check);
    return resultOfMembers(members, { command: "state", files });
  };
  const named = { operands, options: call.options };
  return withTools("state check", io, named, work, { isLooking: false, purpose: "state" });
}

async function attempt(portal: ReachablePortal, tools: Tools, call: CheckCall): Promise<Part> {
  const { io, permits } = tools;
  const { desired, stateAddress } = portal;
  const { steps, step, exit } = newExamination();
  const { store, holder } = lockingOf(portal, tools, await authorOf(io, desired.paths));
  await step("place", [], async () => {
    const to = stateRecipientOf(stateAddress.address, io.env);
    const refusal = to && permits.refusal([{ service: to, to }]);
    const lost = refusal ?? notKept(desired.state, io.env);
    if (lost) throw lost;
    return [undefined, `"${store.place}"`];
  });
  await step("read", ["place"], async () => {
    placeFinding(portal, io);
    const found = { state: await store.read(), holder: undefined };
    return [undefined, rememberedFinding("It can be read.", found, desired.file, io)];
  });
  let isLock = true;
  const locked = await step("lock", ["read"], async () => {
    await store.lock(holder, { timeoutMs: lockTimeoutMs(call) });
    isLock = (await store.exclusion()) === "lock";
    return [
      true,
      isLock
        ? "It was free, and is held by this check."
        : "None is needed here: what is about to be sent is written first, and keeps others out.",
    ];
  });
  const tryToWrite = async () =>
    [undefined, await write(await store.read(), desired.file)] as const;
  try {
    await step("write", ["lock"], tryToWrite);
  } finally {
    // Also where somebody interrupts it: over HTTP a lock ends by hand alone.
    if (locked) {
      await step("unlock", [], async () => {
        await store.unlock(holder);
        return [undefined, isLock ? "It is free again." : "Nothing was locked."];
      });
    }
  }
  return {
    exit: exit(),
    json: { steps: steps.map((each) => ({ ...each })) },
    text: (paint) => `${stepsText(steps, paint)}${endText(steps)}\n`,
  };

  /** Read again under the lock: others may have written in between. */
  async function write(state: State | undefined, file: string): Promise<Finding> {
    if (!state) {
      if (!isLock) await store.tryOut?.();
      const why = "nothing was ever applied, and a first state is not made for a check";
      return {
        warning: isLock
          ? `Not tried: ${why}.`
          : `Tried by a push that sends nothing, and that is allowed: ${why}. A rule of the branch may still refuse a real one.`,
        help: `The first apply will tell:\n  lintel apply ${shellWord(file)}`,
      };
    }
    if (state.journal) {
      return {
        warning: "Not tried as long as an outcome is unknown.",
        help: `To settle it:\n  lintel status ${shellWord(file)}`,
      };
    }
    const next = again(state);
    await store.write(next, state.serial);
    const found = await store.read();
    if (found?.serial === next.serial) {
      return `What stood there was written once more, as serial ${next.serial}; the history is as it was.`;
    }
    throw new Failure(
      "state-not-writable",
      `What was written at "${store.place}" is not what is read there.`,
      "Something between here and there answers from its memory. Look for a cache or a proxy on the way.",
    );
  }
}

function endText(steps: readonly Step[]): string {
  const failed = steps.filter(({ status }) => status === "failed").length;
  if (failed > 0) return `${counted(failed, "step")} failed.`;
  const isWarned = steps.some(({ status }) => status === "warning");
  return isWarned ? "The state can be used, as far as it was tried." : "The state can be used.";
}
