// lintel worker: the work that a queue holds → the portals of its pools looked at, and kept as their files want them, until it is interrupted.
import { resolve } from "node:path";
import packageFacts from "../../package.json" with { type: "json" };
import type { CommandSpec, Run } from "./command.js";
import { FLEET, NETWORK, POLICY } from "./options.js";
import { QUEUE, requiredQueue, withQueue } from "./queue/using.js";
import type { Network } from "../cli/open-run.js";
import { teller } from "./queue/telling.js";
import { contextOf } from "../cli/open-run.js";
import { EXIT, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { assertPoliciesUsable, openPolicyChecks } from "../apply/policy-checks.js";
import { UNASKED } from "../apply/reconcile.js";
import { openUnpacking } from "../serve/bundle/unpack.js";
import type { News } from "../serve/news/news.js";
import type { Published } from "../serve/queue/job.js";
import { untilInterrupted } from "../serve/queue/link.js";
import { openPresence } from "../serve/queue/presence.js";
import { DEFAULT_POOL, type Queue } from "../serve/queue/queue.js";
import { reachableStores } from "../serve/queue/states.js";
import { openWorker } from "../serve/queue/worker.js";
import * as queueNews from "../serve/news/queue-news.js";
import { openRounds } from "../serve/rounds.js";

export const spec = {
  operands: "",
  options: {
    ...QUEUE,
    pool: {
      value: "NAME",
      isList: true,
      description: "Only portals of this pool.",
    },
    apply: {
      value: "WHAT[,WHAT]",
      values: UNASKED,
      isList: true,
      description: "Changes to apply.",
    },
    ...POLICY,
    concurrency: FLEET.concurrency,
    ...NETWORK,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel worker --queue postgres://lintel@db.example.com/lintel", "monitor, change nothing"],
    ["lintel worker --apply schedule,drift,files", "keep portals in sync"],
    ["lintel worker --pool north --pool south", "only portals of these pools"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { options } = call;
  const address = requiredQueue(call, io, "lintel worker");
  await assertPoliciesUsable(openPolicyChecks(options.policy, io));
  const policies = options.policy.map((path) => resolve(io.cwd, path));
  const mayApply = UNASKED.filter((each) => options.apply.includes(each));
  const pools = options.pool.length > 0 ? [...new Set(options.pool)] : [DEFAULT_POOL];
  const tell = teller(io, call);
  io.leave?.();
  const using = {
    address,
    role: "worker",
    makes: "nothing",
    purpose: mayApply.length > 0 ? "updating" : "reading",
    notice: (...words: Parameters<typeof queueNews.notice>) => tell(queueNews.notice(...words)),
  } as const;
  const work = async (queue: Queue, network: Network) => {
    const unpacking = openUnpacking({ io, database: queue.link, place: address, pools });
    const { host, pid } = io.machine;
    const { version } = packageFacts;
    const presence = await openPresence({
      io,
      link: queue.link,
      sessions: queue.sessions,
      facts: { role: "worker", host, pid, version, pools, apply: mayApply },
      who: "worker",
      run: "lintel worker",
    });
    const rounds = openRounds(io, () => roundOf(io, network, address));
    const worker = openWorker({
      ...queue,
      io,
      presence,
      pools,
      concurrency: options.concurrency,
      mayApply,
      complain: complaining(io, tell),
      tell,
      unpack: async (...asked) => published(await unpacking.unpack(...asked), { rounds, policies }),
    });
    tell(queueNews.started({ pools, mayApply }));
    await untilInterrupted(io, () => worker.run());
    await rounds.close();
  };
  // Whoever ends it while it waits for its queue ends it well.
  await withQueue(io, call, using, work).catch((error: unknown) => {
    if (!io.signal.aborted) throw error;
  });
  const outcome = { command: "worker", exit: EXIT.done, diagnostics: [] };
  return { outcome, text: () => "", json: () => "" };
};

/** Nothing that is asked once in a run is kept from one round to the next. */
function roundOf(io: Io, network: Network, address: string) {
  const stores = network.openStores({ ...io, env: { ...io.env } });
  const shared = { ...network, stores: reachableStores(stores, address) };
  const context = contextOf("worker", io, shared, []);
  return { contextAt: (atMs: number) => ({ ...context, atMs }), close: () => stores.close() };
}

interface Around {
  readonly rounds: ReturnType<typeof openRounds>;
  /** Of this machine, absolute: the files of a bundle lie elsewhere. */
  readonly policies: readonly string[];
}

type Unpacked = Awaited<ReturnType<ReturnType<typeof openUnpacking>["unpack"]>>;

function published(unpacked: Unpacked, around: Around): Published {
  const { io: own, bundle, file } = unpacked;
  const { key, name, url, id, windows } = bundle;
  const policies = openPolicyChecks(around.policies, own);
  return {
    followed: { key, file, portal: { name, url, id }, windows, marks: new Map() },
    within: (now, work) =>
      around.rounds.within((contextAt) =>
        work((atMs) => ({ ...contextAt(atMs), io: { ...own, now }, policies })),
      ),
    close: () => unpacked.close(),
  };
}

/** What is wrong with this process or its queue, once for as long as it stays so. */
function complaining(io: Io, tell: (news: News) => void): (failure: Failure) => void {
  const told = new Map<string, number>();
  return (failure) => {
    const nowMs = io.now();
    const before = told.get(failure.message) ?? -Infinity;
    for (const [message, ms] of told) if (ms < nowMs - QUIET_MS) told.delete(message);
    told.set(failure.message, nowMs);
    if (before < nowMs - QUIET_MS) tell(queueNews.complaint(failure));
  };
}

const QUIET_MS = 5 * 60_000;
