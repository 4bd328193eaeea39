// The options of the dashboard, and the dashboard of a run that lasts, open as long as the run is.
import packageFacts from "../../../package.json" with { type: "json" };
import { wrongUsage } from "../../failure.js";
import type { Attempt } from "../../http/http.js";
import type { Io } from "../../io.js";
import type { Config } from "../../serve/config/config.js";
import { ACTIONS, type DashboardSource } from "../../serve/dashboard/source.js";
import { listeningOf, type Listening } from "../../serve/dashboard/listening.js";
import { NO_ROLES } from "../../serve/dashboard/roles.js";
import type { Options, Values } from "../command.js";

export const PAGE = {
  port: {
    value: "PORT",
    number: { least: 0, most: 65_535, isWhole: true, example: 8080 },
    description: "Dashboard port, 0 for a free one.",
  },
  host: {
    value: "ADDRESS",
    default: "127.0.0.1",
    description: "Dashboard address.",
  },
  socket: { value: "PATH", description: "Dashboard Unix socket, instead of a port." },
  "public-url": { value: "URL", description: "Public URL of the dashboard." },
  "tls-cert": { value: "FILE", description: "TLS certificate of the dashboard (PEM)." },
  "tls-key": { value: "FILE", description: "Private key of the TLS certificate (PEM)." },
  "behind-tls": { description: "Let a proxy terminate TLS." },
  "auth-proxy": { description: "Read the user from a proxy's headers." },
  "allow-actions": {
    value: "WHAT",
    values: ACTIONS,
    isList: true,
    description: "Operator actions to allow.",
  },
  "metrics-per-portal": { description: "Add metrics for each portal." },
} as const satisfies Options;

interface PageArguments {
  readonly options: Values<typeof PAGE>;
  readonly given: ReadonlySet<string>;
}

/** Undefined where no dashboard is asked for. */
export function listeningIn(io: Io, { options, given }: PageArguments): Listening | undefined {
  const { port, host, socket } = options;
  if (port !== undefined && socket !== undefined) {
    throw wrongUsage('"--port" and "--socket" exclude each other.', "Remove one of the two.");
  }
  if (options["allow-actions"].length > 0 && !options["auth-proxy"]) {
    throw wrongUsage(
      '"--allow-actions" needs "--auth-proxy": each action is recorded with the name of its user.',
      "Put a proxy that signs people in before the dashboard:\n  lintel help dashboard",
    );
  }
  if (port !== undefined || socket !== undefined) {
    return listeningOf(
      {
        port,
        host,
        socket,
        publicUrl: options["public-url"],
        tlsCert: options["tls-cert"],
        tlsKey: options["tls-key"],
        isBehindTls: options["behind-tls"],
        isBehindAuthProxy: options["auth-proxy"],
      },
      io,
    );
  }
  const lonely = Object.keys(PAGE).find((name) => given.has(name));
  if (lonely === undefined) return undefined;
  throw wrongUsage(
    `"--${lonely}" is about the dashboard, which needs "--port" or "--socket".`,
    "Add one:\n  --port 8080",
  );
}

export interface OpenedPage {
  readonly listening: Listening | undefined;
  readonly options: PageArguments["options"];
  readonly config: Pick<Config, "roles" | "repository">;
  readonly requests: RequestMetrics;
}

/** `work` gets the address of the dashboard. */
export async function withPage(
  io: Io,
  { listening, options, config, requests }: OpenedPage,
  shown: DashboardSource,
  work: (url?: string) => Promise<void>,
): Promise<void> {
  if (!listening) return work();
  // It takes longer to load than all the rest.
  const { openDashboard } = await import("../../serve/dashboard/dashboard.js");
  const dashboard = await openDashboard({
    ...shown,
    io,
    listening,
    allowed: options["allow-actions"],
    roles: config.roles ?? NO_ROLES,
    repository: config.repository,
    processMetrics: await requests.open(),
    isMetricsPerPortal: options["metrics-per-portal"],
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  });
  try {
    await work(dashboard.url);
  } finally {
    await dashboard.close();
  }
}

export type RequestMetrics = ReturnType<typeof openRequestMetrics>;

/** Counts requests only once there is a dashboard that shows the count. */
export function openRequestMetrics() {
  type Metrics = Awaited<ReturnType<typeof load>>;
  const load = async () => {
    const { openProcessMetrics } = await import("../../serve/dashboard/prometheus.js");
    return openProcessMetrics(packageFacts);
  };
  let metrics: Metrics | undefined;
  return {
    onResponse: (end: Pick<Attempt, "status">) => metrics?.onResponse(end),
    open: async () => (metrics ??= await load()),
  };
}
