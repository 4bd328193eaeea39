// lintel serve: checks portals continuously and applies what its options permit, until it is interrupted.
import { dirname, resolve } from "node:path";
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { FLEET, WAITING, POLICY } from "../options.js";
import { findFiles } from "../../document/find.js";
import { EXIT, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { assertPoliciesUsable, openPolicyChecks } from "../../apply/policy-checks.js";
import { UNASKED } from "../../apply/reconcile.js";
import type { Config } from "../../serve/config/config.js";
import { KEEP_MS, openMemoryStore } from "../../serve/events/event-store.js";
import { openFolderStore } from "../../serve/events/folder-store.js";
import type { RunSession } from "../../serve/run-sessions.js";
import { openCommits } from "../../serve/commits.js";
import { ServeLoop } from "../../serve/serve.js";
import { contextOf, openNetwork, type Network, type Purpose } from "../../cli/open-run.js";
import { pickPortals } from "../../cli/pick-portals.js";
import { assertMayTell, CONFIG, noteWebhooks, openConfigWatch, withConfig } from "./config.js";
import { listeningIn, openRequestMetrics, PAGE, withPage } from "./page.js";
import { spanOf } from "../../cli/time-options.js";
import { scheduleFor } from "../queue/schedule.js";
import { openReporter } from "./reporter.js";
import { QUEUE, queueAddressOf } from "../queue/using.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    apply: {
      value: "WHAT[,WHAT]",
      values: UNASKED,
      isList: true,
      description: "Changes to apply.",
    },
    every: { value: "TIME", default: "15m", description: "Interval between checks of a portal." },
    data: { value: "DIR", description: "Folder for stored events." },
    ...CONFIG,
    pull: { description: "Run git pull (not lintel pull) before checks." },
    ...PAGE,
    ...QUEUE,
    ...WAITING,
    ...POLICY,
    ...FLEET,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel serve portals", "monitor, change nothing"],
    ["lintel serve portals --apply schedule", "open and close windows"],
    ["lintel serve portals --pull --apply files", "follow a branch"],
    ["lintel serve portals --port 8080", "show a dashboard"],
  ],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, asked) => {
  const queue = queueAddressOf(asked, io);
  if (queue === undefined) return withServing(io, asked, (loop, url) => loop.run(url));
  const configured = withConfig(io, asked, { isKept: true });
  if ("result" in configured) return configured.result;
  const { call, config } = configured;
  return scheduleFor(queue, io, call, () => filesOf(io, call), config);
};

/** The same run, to be driven by a test with a clock of its own. */
export async function withServing(
  io: Io,
  asked: Arguments,
  work: (loop: ServeLoop, url?: string) => Promise<void>,
): Promise<Result> {
  const configured = withConfig(io, asked, { isKept: asked.options.data !== undefined });
  if ("result" in configured) return configured.result;
  const { call, config } = configured;
  const { options } = call;
  const everyMs = spanOf(options.every, "every");
  const listening = listeningIn(io, call);
  const requests = openRequestMetrics();
  const [first = "."] = await filesOf(io, call);
  await assertPoliciesUsable(openPolicyChecks(options.policy, io));
  io.leave?.();
  const report = openReporter(io, call);
  const store =
    options.data === undefined
      ? openMemoryStore()
      : await openFolderStore(io, {
          folder: resolve(io.cwd, options.data),
          keepMs: KEEP_MS,
          warn: (message) => report({ kind: "notice", message, isProblem: true }),
        });
  const watchConfig = openConfigWatch(io, options, report);
  try {
    await using network = openNetwork(io, call, purposeOf(call), {
      isLasting: true,
      onResponse: requests.onResponse,
    });
    const loop = new ServeLoop({
      io,
      findFiles: async () => {
        watchConfig();
        return pickPortals(await filesOf(io, call), options.only, io);
      },
      openSession: () => openSession(io, call, network),
      everyMs,
      store,
      notify: config.notify,
      http: network.posting(config.notify.map(({ url }) => url)),
      concurrency: options.concurrency,
      mayApply: UNASKED.filter((each) => options.apply.includes(each)),
      waitMs: 1000 * options.wait,
      commits: openCommits(io, dirname(first)),
      ...(options.pull && { pullIn: dirname(resolve(io.cwd, first)) }),
      confirmHosts: () => confirmHosts(network, config),
      report,
    });
    await withPage(io, { listening, options, config, requests }, loop.dashboard(), (url) =>
      work(loop, url),
    );
  } finally {
    await store.close();
  }
  const outcome = { command: "serve", exit: EXIT.done, diagnostics: [] };
  return { outcome, text: () => "", json: () => "" };
}

/** A hold writes a state, and no portal. */
function purposeOf({ options }: Arguments): Purpose {
  const actions = options["allow-actions"];
  if (options.apply.length > 0 || actions.includes("apply")) return "updating";
  return actions.includes("hold") ? "state" : "reading";
}

/** Webhooks that may not be called stop the run at its start. */
async function confirmHosts(network: Network, config: Config): Promise<void> {
  noteWebhooks(network, config);
  await network.allowlist.confirmNew();
  assertMayTell(network, config);
}

async function filesOf(io: Io, { operands }: Arguments): Promise<readonly string[]> {
  const files = await findFiles(operands, io.cwd);
  if (!files.includes("-")) return files;
  throw wrongUsage("What is read from standard input cannot be read again.", "Name files.");
}

/** What is asked once in a run is asked again in the next session. */
function openSession(io: Io, call: Arguments, network: Network): RunSession {
  const own = { ...io, env: { ...io.env } };
  const stores = network.openStores(own);
  const policies = openPolicyChecks(call.options.policy, own);
  const context = contextOf("serve", own, { ...network, stores }, call.operands);
  return {
    contextAt: (atMs) => ({ ...context, policies, atMs }),
    close: () => stores.close(),
  };
}
