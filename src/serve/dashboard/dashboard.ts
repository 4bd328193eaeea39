// Opens the dashboard: one HTTP server with pages, live events, an API and metrics.
import { getRequestListener } from "@hono/node-server";
import { createSecureContext } from "node:tls";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import * as local from "../../lib/local-server.js";
import { MINUTE_MS } from "../../moment.js";
import { checkAccess, type ServerAccess } from "./access.js";
import type { ActionName, DashboardSource } from "./source.js";
import type { Repository } from "./views/forge.js";
import { openFeed } from "./feed.js";
import type { Listening } from "./listening.js";
import { openLiveEvents } from "./live-events.js";
import { boardMetrics, portalMetrics } from "./metrics.js";
import { metricsText, type ProcessMetrics } from "./prometheus.js";
import { openRoles, type Roles } from "./roles.js";
import { openRoutes } from "./routes.js";
import { shareReads } from "./state-reader.js";
import { openTokenCheck } from "./token.js";

export interface DashboardOptions extends DashboardSource {
  readonly io: Pick<Io, "now" | "sleep" | "machine">;
  readonly listening: Listening;
  readonly roles: Roles;
  readonly processMetrics: ProcessMetrics;
  readonly isMetricsPerPortal: boolean;
  /** The forge's address of the repository, for links to files and commits. */
  readonly repository?: Repository | undefined;
  /** The actions that operators may use. */
  readonly allowed: readonly ActionName[];
  /** Reports problems of the dashboard itself. */
  readonly notice: (sentence: string) => void;
}

export interface OpenDashboard {
  /** The address for users. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function openDashboard(options: DashboardOptions): Promise<OpenDashboard> {
  const { io, listening, snapshots } = options;
  const now = () => io.now();
  const { host, port, socket, origin, tls, proxy } = listening;
  const token = listening.token && openTokenCheck(listening.token, now);
  const roles = await openRoles(options.roles);
  const certificate = tls && usable(tls.read());
  const feed = openFeed(snapshots);
  const live = openLiveEvents(io, feed);
  const app = openRoutes({
    ...options,
    actions: options.actions,
    automatic: options.automatic,
    repository: options.repository,
    pushed: options.pushed,
    feed,
    live,
    roles,
    now,
    server: { isTls: tls !== undefined, origin, token },
    hookSecret: listening.hookSecret,
    remember: shareReads(options.remember),
    metricsText: async () =>
      metricsText(options.processMetrics.registry, [
        ...boardMetrics(feed.portals(), now()),
        ...(options.isMetricsPerPortal ? portalMetrics(feed.portals(), now()) : []),
        {
          name: "lintel_dashboard_listeners",
          help: "Open pages that follow changes.",
          type: "gauge",
          values: [[{}, live.listening()]],
        },
        ...(await options.metrics()),
      ]),
  });
  const close = () => {
    live.close();
    feed.close();
  };
  const server = await local
    .startServer({ host, port, socket, tls: certificate }, (request, response, own) => {
      const access: ServerAccess = { ...own, origin, token, proxy };
      const allowed = checkAccess(request, access);
      if ("status" in allowed) {
        const { status, message, headers = {} } = allowed;
        local.sendAnswer(response, local.answerText(status, `${message}\n`, headers));
        return Promise.resolve();
      }
      const fetch = (asked: Request) =>
        app.fetch(asked, { incoming: request, outgoing: response, access: allowed });
      return getRequestListener(fetch, { overrideGlobalObjects: false })(request, response);
    })
    .catch((error: unknown) => {
      close();
      throw error;
    });
  const stopRenewing = renewCertificate(options, server.setCertificate);
  return {
    url: origin ?? local.addressOf(server.listening),
    port: server.listening.port,
    async close() {
      stopRenewing();
      close();
      await server.close();
    },
  };
}

function usable(certificate: local.Certificate): local.Certificate {
  try {
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new Failure(
      "bad-certificate",
      `The certificate of the dashboard and its key cannot be used: ${(error as Error).message}.`,
      "Check --tls-cert and --tls-key: both in PEM, the key without a passphrase, and each of the other.",
      { cause: error },
    );
  }
}

/** Certificates expire after weeks, but this process runs longer. */
function renewCertificate(
  { io, listening: { tls }, notice }: DashboardOptions,
  renew: (certificate: local.Certificate) => void,
): () => void {
  let marks = tls?.marks();
  return io.machine.every(MINUTE_MS, () => {
    const now = tls?.marks();
    if (!tls || now === marks) return Promise.resolve();
    marks = now;
    try {
      renew(usable(tls.read()));
    } catch (error) {
      const why = error instanceof Failure ? error.message : (error as Error).message;
      notice(`The renewed certificate of the dashboard is not used: ${why}`);
    }
    return Promise.resolve();
  });
}
