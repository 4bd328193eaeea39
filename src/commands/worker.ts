// lintel worker: checks the portals of a queue with a clone of its own, and applies what it may.
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import packageFacts from "../../package.json" with { type: "json" };
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { FLEET, NETWORK, POLICY } from "./options.js";
import { QUEUE, reachableStores, requiredQueue } from "./queue/using.js";
import { untilInterrupted, withJobs, withQueue } from "./queue/using.js";
import type { Network } from "../cli/open-run.js";
import { openReporter } from "./serve/reporter.js";
import { contextOf } from "../cli/open-run.js";
import { EXIT, wrongUsage } from "../failure.js";
import { cacheFolder, type Io } from "../io.js";
import { digest } from "../lib/digest.js";
import { marksOf } from "../lib/files.js";
import {
  assertPoliciesUsable,
  openPolicyChecks,
  pathsFromOutside,
} from "../apply/policy-checks.js";
import { UNASKED } from "../apply/reconcile.js";
import { DEFAULT_POOL } from "../serve/queue/address.js";
import { openClone } from "../serve/queue/clone.js";
import { openWorker } from "../serve/queue/worker.js";
import * as queueEvents from "../serve/events/queue-events.js";
import { openRunSessions, type RunSession } from "../serve/run-sessions.js";

export const spec = {
  operands: "",
  options: {
    ...QUEUE,
    repository: {
      value: "URL",
      variable: "LINTEL_REPOSITORY",
      description: "Git repository.",
    },
    branch: {
      value: "NAME",
      variable: "LINTEL_BRANCH",
      description: "Branch, by default main.",
    },
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
    [
      "lintel worker --repository https://git.example.com/gis/portals.git",
      "monitor, change nothing",
    ],
    ["lintel worker --apply schedule,drift,files", "keep portals in sync"],
    ["lintel worker --pool north --pool south", "only portals of these pools"],
  ],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { options } = call;
  const address = requiredQueue(call, io, "lintel worker");
  const named = requiredRepository(call, io);
  // A path is relative to this folder, not to the clone.
  const remote = existsSync(resolve(io.cwd, named)) ? resolve(io.cwd, named) : named;
  const branch = options.branch ?? (io.env["LINTEL_BRANCH"]?.trim() || "main");
  const checks = openPolicyChecks(options.policy, io);
  await assertPoliciesUsable(checks);
  const mayApply = UNASKED.filter((each) => options.apply.includes(each));
  const pools = options.pool.length > 0 ? [...new Set(options.pool)] : [DEFAULT_POOL];
  const report = openReporter(io, call);
  io.leave?.();
  const using = {
    address,
    role: "worker",
    purpose: mayApply.length > 0 ? "updating" : "reading",
    notice: (...words: Parameters<typeof queueEvents.notice>) =>
      report(queueEvents.notice(...words)),
  } as const;
  const { host, pid } = io.machine;
  const facts = {
    role: "worker",
    host,
    pid,
    version: packageFacts.version,
    pools,
    apply: mayApply,
    policies: policiesDigest(call, io),
  } as const;
  await untilInterrupted(io, () =>
    withQueue(io, call, using, (queue) =>
      withJobs(io, queue, using, async (jobs) => {
        const { database, network } = queue;
        const clone = await openClone({ io, remote, branch, folder: cloneFolder(io) });
        const sessions = openRunSessions(io, (folder) =>
          sessionIn(folder, io, call, { network, address }),
        );
        const { concurrency } = options;
        const worker = openWorker({
          io,
          database,
          jobs,
          clone,
          sessions,
          mayApply,
          report,
          pools,
          concurrency,
          facts,
        });
        report(queueEvents.started({ pools, mayApply }));
        await worker.run();
        await jobs.close();
        await sessions.close();
        await worker.end();
        clone.release();
      }),
    ),
  );
  const outcome = { command: "worker", exit: EXIT.done, diagnostics: [] };
  return { outcome, text: () => "", json: () => "" };
};

function requiredRepository({ options }: Arguments, { env }: Io): string {
  const named = options.repository ?? env["LINTEL_REPOSITORY"]?.trim();
  if (named) return named;
  throw wrongUsage(
    "No repository is named.",
    "Name the one that `lintel serve` lists, or set LINTEL_REPOSITORY:\n  lintel worker --repository https://git.example.com/gis/portals.git",
  );
}

/** Deleted, it is fetched again. */
function cloneFolder(io: Io): string {
  const folder = cacheFolder(io);
  if (folder === undefined)
    throw wrongUsage("The worker has no folder for its clone.", "Set HOME or XDG_CACHE_HOME.");
  return join(folder, "clones");
}

/** Workers of a pool should have the same policies. */
function policiesDigest({ options }: Arguments, io: Io): string | null {
  const paths = pathsFromOutside(options.policy, io).map((path) => resolve(io.cwd, path));
  return paths.length === 0 ? null : digest(paths.map((path) => marksOf(path)));
}

/** Paths in variables are meant from the worker's folder: a checkout could hold files of the same names. */
function absoluteEnv({ env, cwd }: Io): Io["env"] {
  const absolute = (paths: string | undefined) =>
    paths &&
    paths
      .split(delimiter)
      .map((path) => (path === "" ? path : resolve(cwd, path)))
      .join(delimiter);
  const { LINTEL_CONFIG, LINTEL_POLICY, LINTEL_SECRETS, LINTEL_STATE_CACHE } = env;
  return {
    ...env,
    LINTEL_CONFIG: absolute(LINTEL_CONFIG),
    LINTEL_POLICY: absolute(LINTEL_POLICY),
    LINTEL_SECRETS: absolute(LINTEL_SECRETS),
    LINTEL_STATE_CACHE: absolute(LINTEL_STATE_CACHE),
  };
}

/** What is read once a run, such as the newest state of a branch, is read again each minute. */
function sessionIn(
  folder: string,
  io: Io,
  { options }: Arguments,
  { network, address }: { readonly network: Network; readonly address: string },
): RunSession {
  const own = { ...io, cwd: folder, env: absoluteEnv(io) };
  const stores = reachableStores(network.openStores(own), address);
  const paths = options.policy.map((path) => resolve(io.cwd, path));
  const policies = openPolicyChecks(paths, own);
  const context = contextOf("worker", own, { ...network, stores }, []);
  return { contextAt: (atMs) => ({ ...context, policies, atMs }), close: () => stores.close() };
}
