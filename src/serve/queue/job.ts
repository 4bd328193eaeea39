// A portal whose job was fetched → a look at it, recorded in one step with what is told and when its next turn is; or put off.
import { nextBoundaryMs, whenDueMs } from "../due.js";
import type { Followed } from "../follow/files.js";
import { notLookedAt, type Known } from "../known.js";
import { look, withoutLook, type Looked } from "../look.js";
import type { News } from "../news/news.js";
import type { Round } from "../rounds.js";
import type { Boss } from "./boss.js";
import { knownOf, recordIn } from "./queue-store.js";
import type { Link } from "./link.js";
import { endClaim, isStill, type Claimed, type Ended } from "./portals.js";
import { caught, type Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import type { RunContext } from "../../apply/run-context.js";
import type { Reconciling } from "../../apply/reconcile.js";
import { LimitSpent } from "../../session/limiter.js";

/** What was published of a portal, for as long as somebody looks at it. */
export interface Published {
  readonly followed: Followed;
  /** By the clock that is handed in; with the files, the variables and the policies that belong to the portal. */
  within<T>(now: Io["now"], work: (tools: Round["contextAt"]) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface CarryingOut extends Pick<Reconciling, "mayApply"> {
  readonly io: Io;
  readonly link: Link;
  readonly boss: Boss;
  readonly everyMs: () => number;
  /** The files whose bundle has that digest. Fails where what stands in the queue is not to be trusted. */
  readonly unpack: (key: string, digest: string) => Promise<Published>;
  /** How often the server was lost until now. */
  readonly losses: () => number;
  /** Of this process, rather than of a portal. */
  readonly complain: (failure: Failure) => void;
  readonly tell: (news: News) => void;
}

/** What comes to nothing for a while and is nobody's fault: told only where it lasts. */
const PASSING = ["state-locked", "state-locked", "outcome-unknown"];
const LASTS_AFTER_MS = 15 * 60_000;
/** Then it comes again, later with every time. */
const LEAST_MS = 2_000;
const MOST_MS = 30_000;

/** Put off, it comes again, and until then it is as if nobody had looked. */
type Found = Looked | PutOff | "interrupted";

interface PutOff {
  readonly untilMs: number;
}

export async function carryOut(claimed: Claimed, carrying: CarryingOut): Promise<void> {
  const { io, link, boss, tell } = carrying;
  const skewMs = claimed.atMs - io.now();
  const now = () => io.now() + skewMs;
  let journal: string | null = null;
  const noted = (found: string) => void (journal = found);
  const found = await find(claimed, { ...carrying, now, noted });
  if (found === "interrupted") return;
  const isPutOff = "untilMs" in found;
  const ended: Ended = isPutOff
    ? { nextMs: found.untilMs, isPutOff, journal }
    : { ...turnAfter(found.known), isPutOff, journal };
  const { key, pool, job } = claimed;
  const events = isPutOff ? [] : found.events;
  const isOurs = await link.together(async (ask) => {
    if (!(await endClaim(ask, claimed, ended))) return false;
    if (!isPutOff) await recordIn(ask, key, found.known, events);
    const kinds = events.map(({ kind }) => kind);
    await boss.end(ask, pool, job, kinds.length > 0 ? { told: kinds } : undefined);
    return true;
  });
  if (isOurs) events.forEach(tell);
}

function turnAfter(known: Known): Pick<Ended, "nextMs" | "isBoundary"> {
  const { windows } = known.seen;
  const nextMs = whenDueMs(known, windows);
  return { nextMs, isBoundary: nextMs === nextBoundaryMs(known.lookedMs, windows) };
}

interface Finding extends CarryingOut {
  /** By the server's clock. */
  readonly now: Io["now"];
  /** Of the open journal that the look met. */
  readonly noted: (journal: string) => void;
}

async function find(claimed: Claimed, finding: Finding): Promise<Found> {
  const { io, link, now, unpack, losses, complain } = finding;
  const lossesBefore = losses();
  const later = (ms: number) => ({ untilMs: now() + Math.round(ms * (0.75 + io.random() / 2)) });
  const again = later(Math.min(MOST_MS, Math.max(LEAST_MS, claimed.putOffForMs / 2)));
  const hasLasted = claimed.putOffForMs > LASTS_AFTER_MS;
  let published: Published;
  try {
    published = await unpack(claimed.key, claimed.digest);
  } catch (error) {
    // Its row says by now that there is something newer.
    if (!(await isStill(link.ask, claimed))) return { untilMs: now() };
    const failure = caught(error, io);
    complain(failure);
    const known = knownOf(claimed.known);
    if (!hasLasted || !known) return again;
    return withProblem(known, failure, now());
  }
  try {
    const { looked, spentUntilMs } = await lookAt(claimed, published, finding);
    if (looked === "interrupted") return looked;
    // Its row says by now that there is something newer.
    if (looked === "outdated") return { untilMs: now() };
    const { failure } = looked.known.seen;
    if (!failure) return looked;
    if (spentUntilMs > 0) return { untilMs: spentUntilMs };
    // Its own session may have ended before anything was asked on the other one: that is noticed by asking.
    if (failure.code.startsWith("state-")) await link.ask("SELECT 1");
    const isShaken = losses() !== lossesBefore && failure.code.startsWith("state-");
    const isPassing = PASSING.includes(failure.code) && !hasLasted;
    return isShaken || isPassing ? again : looked;
  } finally {
    await published.close();
  }
}

async function lookAt(claimed: Claimed, published: Published, finding: Finding) {
  const { io, link, now, everyMs, mayApply } = finding;
  const { followed } = published;
  const beganMs = io.machine.elapsedMs();
  let spentUntilMs = 0;
  const spent = (error: unknown): never => {
    if (error instanceof LimitSpent) spentUntilMs = error.untilMs + now() - io.now();
    throw error;
  };
  const looked = await look(followed, knownBefore(claimed, followed), {
    io: { ...io, now },
    rounds: {
      within: (work) =>
        published.within(now, (contextAt) => work((atMs) => watching(contextAt(atMs), spent))),
    },
    everyMs: everyMs(),
    atMs: claimed.atMs,
    mayApply,
    // No job waits: one that meets another run comes again.
    waitMs: 0,
    seenForMs: (journal) => {
      finding.noted(journal);
      const before = journal === claimed.journal ? claimed.journalForMs : 0;
      return before + io.machine.elapsedMs() - beganMs;
    },
    note: (known) =>
      link.together(async (ask) => {
        if (await isStill(ask, claimed)) await recordIn(ask, claimed.key, known, []);
      }),
    mayGoOn: async () => ((await isStill(link.ask, claimed)) ? mayApply : undefined),
  });
  return { looked, spentUntilMs };
}

/** Hears of it where the sign-in service takes no more for now. */
function watching(run: RunContext, spent: (error: unknown) => never): RunContext {
  const { signIns } = run;
  return {
    ...run,
    signIns: {
      open: (signIn) => {
        const session = signIns.open(signIn);
        return {
          ...session,
          token: (...words) => session.token(...words).catch(spent),
          endsAtMs: () => session.endsAtMs().catch(spent),
        };
      },
    },
  };
}

function knownBefore({ known, isNew, atMs, pool }: Claimed, followed: Followed): Known {
  const before = knownOf(known) ?? notLookedAt(followed, atMs, atMs);
  // Whatever failed may have been the file's fault.
  return { ...before, ...(isNew && { failures: 0 }), seen: { ...before.seen, pool } };
}

/** At what nobody could look for long. */
function withProblem(known: Known, failure: Failure, nowMs: number): Looked {
  const { key, name, url, id, file } = known.seen;
  const followed = { key, file, portal: { name, url, id }, windows: [], marks: new Map() };
  const { code, message, help, exit } = failure;
  const problem = { code, message, help, exit };
  const looked = withoutLook(followed, known, { problem, nowMs });
  const turnMs = nowMs + MOST_MS;
  return { ...looked, known: { ...looked.known, turnMs } };
}
