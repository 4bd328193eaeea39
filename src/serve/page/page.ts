// A board → its page: served where it may be, live, with its interface for programs and its figures; it reads only.
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { MINUTE_MS } from "../../moment.js";
import type { Board } from "./board.js";
import { openEvents } from "./events.js";
import { openFeed } from "./feed.js";
import type { Certificate } from "../../lib/local-server.js";
import type { Listening } from "./listening.js";
import { metricsOf, type Metric } from "./metrics.js";
import { openReading, type Remember } from "./remembered.js";
import { openRoutes } from "./routes.js";
import { renderNews } from "./html/news.js";
import { serve } from "./server.js";
import { openGate } from "./token.js";

export interface PageOptions {
  readonly io: Pick<Io, "now" | "sleep" | "machine">;
  readonly listening: Listening;
  readonly board: Board;
  readonly remember: Remember;
  /** Whether there is something to show yet. */
  readonly isReady: () => boolean;
  /** Figures beside those of the board. */
  readonly metrics: () => Promise<readonly Metric[]>;
  /** Told what goes wrong with the page itself. */
  readonly notice: (sentence: string) => void;
}

export interface OpenPage {
  /** Where people find it. */
  readonly url: string;
  /** Where it listens. */
  readonly port: number;
  close(): Promise<void>;
}

export async function openPage(options: PageOptions): Promise<OpenPage> {
  const { io, listening, board, isReady } = options;
  const gate = listening.token && openGate(listening.token, () => io.now());
  const feed = openFeed(board);
  const events = openEvents(io, feed, (changes) => renderNews(changes, feed.portals()));
  const routes = openRoutes({
    feed,
    events,
    gate,
    isReady,
    now: () => io.now(),
    remember: openReading(options.remember),
    metrics: async () => [
      ...metricsOf(feed.portals(), io.now()),
      {
        name: "lintel_page_listeners",
        help: "Pages that are open and told what changes.",
        type: "gauge",
        values: [[{}, events.listening()]],
      },
      ...(await options.metrics()),
    ],
  });
  const server = await serve(listening, gate, routes).catch((error: unknown) => {
    events.close();
    feed.close();
    throw error;
  });
  const stop = renewing(options, server.renew);
  return {
    url: server.url,
    port: server.port,
    async close() {
      stop();
      events.close();
      feed.close();
      await server.close();
    },
  };
}

/** Certificates are renewed every few weeks, and this run goes on for longer. */
function renewing(
  { io, listening: { tls }, notice }: PageOptions,
  renew: (certificate: Certificate) => void,
): () => void {
  let marks = tls?.marks();
  return io.machine.every(MINUTE_MS, () => {
    const now = tls?.marks();
    if (!tls || now === marks) return Promise.resolve();
    marks = now;
    try {
      renew(tls.read());
    } catch (error) {
      const why = error instanceof Failure ? error.message : (error as Error).message;
      notice(`The renewed certificate of the page is not used: ${why}`);
    }
    return Promise.resolve();
  });
}
