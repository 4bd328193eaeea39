// Figures of this process and of what it knows → the text that Prometheus reads.
import { STATUSES, type Seen } from "./board.js";

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** By labels; undefined for one that nobody can tell now. */
  readonly values: readonly (readonly [
    labels: Readonly<Record<string, string>>,
    value: number | undefined,
  ])[];
}

export const METRICS_TYPE = "text/plain; version=0.0.4";

export function metricsOf(portals: readonly Seen[], nowMs: number): Metric[] {
  const counts = new Map<string, number>();
  let oldest = Infinity;
  for (const { status, lookedMs } of portals) {
    counts.set(status, (counts.get(status) ?? 0) + 1);
    oldest = Math.min(oldest, lookedMs ?? Infinity);
  }
  return [
    {
      name: "lintel_portals",
      help: "Portals by status.",
      type: "gauge",
      values: STATUSES.map((status) => [{ status }, counts.get(status) ?? 0]),
    },
    {
      name: "lintel_oldest_look_age_seconds",
      help: "How long ago the portal was looked at that nobody has looked at for longest.",
      type: "gauge",
      values: [[{}, oldest === Infinity ? undefined : Math.max(0, nowMs - oldest) / 1000]],
    },
  ];
}

export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, values }) => {
      const lines = values
        .filter(([, value]) => value !== undefined)
        .map(([labels, value]) => `${name}${labelsText(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return all.length > 0 ? `{${all.join(",")}}` : "";
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** What came of requests to portals and services, by the first digit of their status; "none" where no answer came. */
export type Outcomes = Map<string, number>;

export function noteOutcome(outcomes: Outcomes, { status }: { readonly status?: number }): void {
  const outcome = status === undefined ? "none" : `${Math.floor(status / 100)}xx`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

const one = (name: string, type: Metric["type"], help: string, value: number): Metric => ({
  name,
  help,
  type,
  values: [[{}, value]],
});

/** Of a process that looks at portals itself. */
export function lookMetrics({
  looks,
  failures,
}: {
  readonly looks: number;
  readonly failures: number;
}): Metric[] {
  return [
    one("lintel_looks_total", "counter", "Looks at portals that have ended.", looks),
    one("lintel_looks_failed_total", "counter", "Those of them that failed.", failures),
  ];
}

export function unsentMetric(
  unsent: readonly (readonly [webhook: string, events: number])[],
): Metric {
  return {
    name: "lintel_events_unsent",
    help: "Events that a webhook has not got yet; a process of its own counts up to 1000.",
    type: "gauge",
    values: unsent.map(([webhook, events]) => [{ webhook }, events]),
  };
}

export interface OwnFigures {
  readonly outcomes: Outcomes;
  readonly residentBytes: number;
  readonly version: string;
}

export function processMetrics({ outcomes, residentBytes, version }: OwnFigures): Metric[] {
  return [
    {
      name: "lintel_requests_total",
      help: "Requests to portals, sign-in services and states over HTTP, by what came of them.",
      type: "counter",
      values: ["2xx", "3xx", "4xx", "5xx", "none"].map((outcome) => [
        { outcome },
        outcomes.get(outcome) ?? 0,
      ]),
    },
    one("process_resident_memory_bytes", "gauge", "The memory that it holds.", residentBytes),
    {
      name: "lintel_build_info",
      help: "The version that runs.",
      type: "gauge",
      values: [[{ version }, 1]],
    },
  ];
}
