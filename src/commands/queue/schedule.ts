// lintel serve --queue: lists the files for the workers of a queue, which check the portals.
import { dirname, resolve } from "node:path";
import packageFacts from "../../../package.json" with { type: "json" };
import type { ParsedArguments, Result, Values } from "../command.js";
import { listeningIn, openRequestMetrics, PAGE, withPage } from "../serve/page.js";
import { EXIT, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { openCommits } from "../../serve/commits.js";
import { openPools, type Config } from "../../serve/config/config.js";
import { KEEP_MS } from "../../serve/events/event-store.js";
import { DEFAULT_POOL } from "../../serve/queue/address.js";
import { openScheduler } from "../../serve/queue/scheduler.js";
import * as queueEvents from "../../serve/events/queue-events.js";
import type { RunSession } from "../../serve/run-sessions.js";
import { contextOf, type Network } from "../../cli/open-run.js";
import { pickPortals } from "../../cli/pick-portals.js";
import { assertMayTell, openConfigWatch } from "../serve/config.js";
import { reachableStores, untilInterrupted, withJobs, withQueue } from "./using.js";
import type { QueueArguments } from "./using.js";
import { spanOf } from "../../cli/time-options.js";
import { openReporter, type ReporterArguments } from "../serve/reporter.js";

type Arguments = Pick<ParsedArguments, "operands" | "given"> &
  QueueArguments &
  ReporterArguments & {
    readonly options: Values<typeof PAGE> & {
      readonly every: string;
      readonly pull: boolean;
      readonly config?: string | undefined;
      readonly only: readonly string[];
    };
  };

/** Options of the work itself belong to the workers. */
const OF_WORKERS = ["apply", "policy", "concurrency", "wait"];

export async function scheduleFor(
  address: string,
  io: Io,
  call: Arguments,
  filesOf: () => Promise<readonly string[]>,
  config: Config,
): Promise<Result> {
  const { options } = call;
  assertForQueue(call);
  const everyMs = spanOf(options.every, "every");
  const listening = listeningIn(io, call);
  const requests = openRequestMetrics();
  const [first = "."] = await filesOf();
  const poolOf = await openPools(config);
  const tell = openReporter(io, call);
  const watchConfig = openConfigWatch(io, options, tell);
  io.leave?.();
  const using = {
    address,
    role: "serve",
    purpose: "reading",
    onResponse: requests.onResponse,
    notice: (...words: Parameters<typeof queueEvents.notice>) => tell(queueEvents.notice(...words)),
  } as const;
  await untilInterrupted(io, () =>
    withQueue(io, call, using, (queue) =>
      withJobs(io, queue, using, async (jobs) => {
        const { database, network } = queue;
        const { host, pid } = io.machine;
        assertMayTell(network, config);
        const scheduler = openScheduler({
          io,
          find: async () => {
            watchConfig();
            return pickPortals(await filesOf(), options.only, io);
          },
          openSession: () => sessionOf(io, call, network, address),
          database,
          jobs,
          facts: { role: "serve", host, pid, version: packageFacts.version },
          everyMs,
          keepMs: KEEP_MS,
          poolOf: (name) => poolOf(name) ?? DEFAULT_POOL,
          notify: config.notify,
          http: network.posting(config.notify.map(({ url }) => url)),
          ...(options.pull && { pullIn: dirname(resolve(io.cwd, first)) }),
          report: tell,
        });
        const commits = openCommits(io, dirname(first));
        const shown = {
          ...scheduler.shown,
          commits: (most: number) => commits.newest(most),
          sourceOf: (file: string) => commits.of(file),
        };
        await withPage(io, { listening, options, config, requests }, shown, (url) =>
          scheduler.run(url),
        );
      }),
    ),
  );
  const outcome = { command: "serve", exit: EXIT.done, diagnostics: [] };
  return { outcome, text: () => "", json: () => "" };
}

function assertForQueue({ options, given }: Arguments): void {
  if (given.has("data")) {
    const message = '"--data" cannot be used with a queue: events are stored in its database.';
    throw wrongUsage(message, "Leave it out.");
  }
  const stray = OF_WORKERS.find((name) => given.has(name));
  if (stray !== undefined) {
    throw wrongUsage(
      `"--${stray}" cannot be used with a queue: the workers call the portals.`,
      `Give it to them:\n  lintel worker --${stray} …`,
    );
  }
  if (options["allow-actions"].length > 0) {
    throw wrongUsage(
      '"--allow-actions" cannot be used with a queue: only the workers have the credentials of portals.',
      "Leave it out, and act on the command line:\n  lintel apply FILE\n  lintel hold FILE --why REASON\n  lintel queue retry PORTAL",
    );
  }
}

/** Lintel reads files only, and calls no portal. */
function sessionOf(io: Io, { operands }: Arguments, network: Network, address: string): RunSession {
  const own = { ...io, env: { ...io.env } };
  const stores = reachableStores(network.openStores(own), address);
  const context = contextOf("serve", own, { ...network, stores }, operands, { isOnline: false });
  return { contextAt: (atMs) => ({ ...context, atMs }), close: () => stores.close() };
}
