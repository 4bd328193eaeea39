// What is asked to be written now → one commit that is pushed until it is certain what became of it: taken, refused, or in vain.
import { asFailure, type Failure } from "../../failure.js";
import { backOffMs } from "../../lib/retry.js";
import type { Io } from "../../io.js";
import { momentOf } from "../lock/liveness.js";
import { holds, type Branch, type Entry, type Tip } from "./branch.js";
import { makeCommit, type Made, type Written } from "./commit.js";
import type { Moment } from "./lease.js";
import type { Newest } from "./newest.js";
import { push } from "./push.js";
import * as refusal from "./refusal.js";

export interface Write {
  /** Of the file. */
  readonly name: string;
  /** What is to be written over this file, or over none; fails where it must not be. Asked whenever the branch is another one. */
  readonly over: (found: Entry | undefined) => Promise<Omit<Written, "name">>;
}

export interface Asked {
  readonly write: Write;
  /** Told when the push began that brought it there. */
  readonly done: (began: Moment) => void;
  readonly fail: (why: Failure) => void;
}

interface Ready extends Asked {
  readonly written: Written;
}

export interface Delivering {
  readonly branch: Branch;
  readonly newest: Newest;
  readonly io: Io;
}

/** Others who write other files come first for so long at most. */
const LONGEST_MS = 120_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
const MOST_LOST = 3;
const LOST_DELAYS = { leastMs: 1_000, mostMs: 8_000 };

/** Has the turn. What a portal has taken must be written down, so that an interrupt ends nothing here. */
export async function deliver(batch: readonly Asked[], delivering: Delivering): Promise<void> {
  const { branch, newest, io } = delivering;
  const endMs = io.machine.elapsedMs() + LONGEST_MS;
  let tip = newest.known() ?? (await newest.look());
  let judged = await judge(batch, tip);
  if (judged.some((each) => "why" in each)) {
    // Known since a while, it may have been another one already.
    tip = await newest.look();
    judged = await judge(batch, tip);
  }
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
    const ready = readyOf(judged);
    if (ready.length === 0) return;
    const writes = ready.map(({ written }) => written);
    const made = await makeCommit(branch, tip, writes);
    const began = momentOf(io);
    if (await insist(tip, made, delivering)) {
      for (const { done } of ready) done(began);
      return;
    }
    if (io.machine.elapsedMs() > endMs) throw refusal.crowded(branch);
    await rest(delayMs * io.random(), io);
    tip = await newest.look();
    judged = await judge(ready, tip);
  }
}

/** Asks whether a push would be taken, and sends nothing. */
export async function tryPush({ branch, newest }: Omit<Delivering, "io">): Promise<void> {
  const tip = await newest.fresh();
  const { commit } = await makeCommit(branch, tip, []);
  const pushed = await push(branch, tip, commit, true);
  // Where somebody else is faster, it is allowed all the same.
  if (pushed.kind === "refused" || pushed.kind === "lost") throw pushed.why;
}

type Judged = Ready | (Asked & { readonly why: Failure });

function judge(asked: readonly Asked[], { files }: Tip): Promise<Judged[]> {
  return Promise.all(
    asked.map(async ({ write, done, fail }) => {
      const { name, over } = write;
      try {
        const written = { name, ...(await over(files.get(name))) };
        return { write, done, fail, written };
      } catch (error) {
        return { write, done, fail, why: asFailure(error, false) };
      }
    }),
  );
}

/** Whoever may not write over what stands there is told so. */
function readyOf(judged: readonly Judged[]): Ready[] {
  return judged.flatMap((each) => {
    if ("written" in each) return [each];
    each.fail(each.why);
    return [];
  });
}

/** False where others have written. */
async function insist(tip: Tip, made: Made, { branch, newest, io }: Delivering): Promise<boolean> {
  const { commit, files } = made;
  let lost = 0;
  let vain = 0;
  for (;;) {
    const pushed = await push(branch, tip, commit);
    if (pushed.kind === "refused") throw pushed.why;
    if (pushed.kind === "taken") {
      newest.learn({ commit, files });
      return true;
    }
    // Not even sent; else what was there first may have been this commit, sent twice by git's own retry.
    if (pushed.kind === "stale" && !pushed.isSent && lost === 0) return false;
    const why = pushed.kind === "lost" ? pushed.why : undefined;
    if (why) lost++;
    const now = await lookAgain(why, { branch, newest, io });
    if (await holds(branch, now, commit)) return true;
    // Another's came first, and the lease keeps this one out for ever.
    if (now.commit !== tip.commit) return false;
    if (why && lost >= MOST_LOST) throw why;
    // Nobody was faster: something else keeps the server from taking it, such as a branch of which this one would be a part.
    if (!why && ++vain >= MOST_LOST) throw pushed.why;
    // The same commit: whichever try arrives, it is there once.
    await rest(backOffMs(lost + 1, LOST_DELAYS, io.random()), io);
  }
}

async function lookAgain(
  why: Failure | undefined,
  { branch, newest, io }: Delivering,
): Promise<Tip> {
  for (let times = 1; ; times++) {
    try {
      return await newest.look();
    } catch (error) {
      if (times >= MOST_LOST) throw why ? refusal.unknownEnd(branch, why) : error;
      await rest(backOffMs(times + 1, LOST_DELAYS, 1), io);
    }
  }
}

function rest(ms: number, io: Io): Promise<void> {
  return io.sleep(Math.round(ms), new AbortController().signal);
}
