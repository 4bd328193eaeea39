// Writes /metrics with prom-client: metrics read at the scrape, and counters of the process.
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Metric } from "./metrics.js";

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export type ProcessMetrics = ReturnType<typeof openProcessMetrics>;

/** Of this process: requests, memory, processor time and event loop. */
export function openProcessMetrics({ version }: { readonly version: string }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "lintel_requests_total",
    help: "Requests to portals, sign-in services and states over HTTP, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["2xx", "3xx", "4xx", "5xx", "none"]) requests.inc({ outcome }, 0);
  const build = new Gauge({
    name: "lintel_build_info",
    help: "The version that runs.",
    labelNames: ["version"],
    registers: [registry],
  });
  build.set({ version }, 1);
  return {
    registry,
    /** "none" if no answer arrived. */
    onResponse({ status }: { readonly status?: number }): void {
      const outcome = status === undefined ? "none" : `${Math.floor(status / 100)}xx`;
      requests.inc({ outcome });
    },
  };
}

export async function metricsText(process: Registry, metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, type, values } of metrics) {
    const labelNames = [...new Set(values.flatMap(([labels]) => Object.keys(labels)))];
    const options = { name, help, labelNames, registers: [registry] };
    const metric = type === "counter" ? new Counter(options) : new Gauge(options);
    for (const [labels, value] of values) if (value !== undefined) metric.inc(labels, value);
  }
  return Registry.merge([registry, process]).metrics();
}
