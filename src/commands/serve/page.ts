// A call's options about the page → the page of a run that does not end, open as long as the run is; none where no port is named.
import packageFacts from "../../../package.json" with { type: "json" };
import { wrongUsage } from "../../failure.js";
import type { Attempt } from "../../http/http.js";
import type { Io } from "../../io.js";
import { listeningOf, type Listening } from "../../serve/page/listening.js";
import { noteOutcome, processMetrics, type Outcomes } from "../../serve/page/metrics.js";
import type { PageOptions } from "../../serve/page/page.js";
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
  "public-url": { value: "URL", description: "Public URL of the dashboard." },
  "tls-cert": { value: "FILE", description: "TLS certificate of the dashboard (PEM)." },
  "tls-key": { value: "FILE", description: "Private key of the TLS certificate (PEM)." },
  "behind-tls": { description: "Let a proxy terminate TLS." },
} as const satisfies Options;

interface PageArguments {
  readonly options: Values<typeof PAGE>;
  readonly given: ReadonlySet<string>;
}

/** Undefined where no page is asked for. */
export function listeningIn(io: Io, { options, given }: PageArguments): Listening | undefined {
  const { port, host } = options;
  if (port !== undefined) {
    return listeningOf(
      {
        port,
        host,
        publicUrl: options["public-url"],
        tlsCert: options["tls-cert"],
        tlsKey: options["tls-key"],
        isBehindTls: options["behind-tls"],
      },
      io,
    );
  }
  const lonely = Object.keys(PAGE).find((name) => given.has(name));
  if (lonely === undefined) return undefined;
  throw wrongUsage(
    `"--${lonely}" is about the page, and no port is named to show it at.`,
    "Name one:\n  --port 8080",
  );
}

type Shown = Pick<PageOptions, "board" | "remember" | "isReady" | "metrics">;

/** `work` is told where the page is. */
export async function withPage(
  io: Io,
  listening: Listening | undefined,
  { shown, outcomes }: { readonly shown: Shown; readonly outcomes: Outcomes },
  work: (url?: string) => Promise<void>,
): Promise<void> {
  if (!listening) return work();
  // Loaded where there is one: a page takes longer to load than all the rest.
  const { openPage } = await import("../../serve/page/page.js");
  const page = await openPage({
    io,
    listening,
    board: shown.board,
    remember: shown.remember,
    isReady: shown.isReady,
    metrics: async () => [
      ...(await shown.metrics()),
      ...processMetrics({
        outcomes,
        residentBytes: io.machine.residentBytes(),
        version: packageFacts.version,
      }),
    ],
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  });
  try {
    await work(page.url);
  } finally {
    await page.close();
  }
}

export function openOutcomes() {
  const outcomes: Outcomes = new Map();
  return { outcomes, onResponse: (end: Pick<Attempt, "status">) => noteOutcome(outcomes, end) };
}
