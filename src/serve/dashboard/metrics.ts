// Computes the metrics of portals and checks at each scrape of /metrics.
import type { Snapshot } from "../snapshot.js";
import { STATUSES } from "./views/status.js";

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** By labels; undefined if a value is unknown now. */
  readonly values: readonly (readonly [
    labels: Readonly<Record<string, string>>,
    value: number | undefined,
  ])[];
}

export function boardMetrics(portals: readonly Snapshot[], nowMs: number): Metric[] {
  const counts = new Map<string, number>();
  let oldest = Infinity;
  for (const { status, checkedMs = Infinity } of portals) {
    counts.set(status, (counts.get(status) ?? 0) + 1);
    // Portals whose files are invalid are not checked.
    if (status !== "invalid") oldest = Math.min(oldest, checkedMs);
  }
  return [
    {
      name: "lintel_portals",
      help: "Portals by status.",
      type: "gauge",
      values: STATUSES.map((status) => [{ status }, counts.get(status) ?? 0]),
    },
    {
      name: "lintel_oldest_check_age_seconds",
      help: "Time since the check of the portal that was not checked for longest.",
      type: "gauge",
      values: [[{}, oldest === Infinity ? undefined : Math.max(0, nowMs - oldest) / 1000]],
    },
  ];
}

/** For `--metrics-per-portal`, so that an alert can name the portal. */
export function portalMetrics(portals: readonly Snapshot[], nowMs: number): Metric[] {
  const of = ({ key, name, pool }: Snapshot) => ({ portal: name, key, ...(pool && { pool }) });
  return [
    {
      name: "lintel_portal_status",
      help: "1 for the status that a portal has.",
      type: "gauge",
      values: portals.map((seen) => [{ ...of(seen), status: seen.status }, 1]),
    },
    {
      name: "lintel_portal_check_age_seconds",
      help: "Time since the last check of a portal.",
      type: "gauge",
      values: portals.map((seen) => [of(seen), ageOf(seen.checkedMs, nowMs)]),
    },
    {
      name: "lintel_portal_failing_seconds",
      help: "How long a portal is blocked, unreachable or invalid; 0 for the others.",
      type: "gauge",
      values: portals.map((seen) => {
        const sinceMs = FAILING.has(seen.status) ? seen.failure?.sinceMs : undefined;
        return [of(seen), ageOf(sinceMs ?? nowMs, nowMs)];
      }),
    },
    {
      name: "lintel_portal_drifted_settings",
      help: "Settings of a portal that were changed outside Lintel.",
      type: "gauge",
      values: portals.map((seen) => [of(seen), seen.drift.length]),
    },
    {
      name: "lintel_portal_pending_settings",
      help: "Settings of a portal that an apply would change.",
      type: "gauge",
      values: portals.map((seen) => [of(seen), seen.waiting.length]),
    },
  ];
}

const FAILING: ReadonlySet<string> = new Set(["blocked", "unreachable", "invalid"]);

function ageOf(ms: number | undefined, nowMs: number): number | undefined {
  return ms === undefined ? undefined : Math.max(0, nowMs - ms) / 1000;
}

/** For a process that checks portals itself. */
export function checkMetrics(work: {
  readonly checks: number;
  readonly failures: number;
}): Metric[] {
  return [
    {
      name: "lintel_checks_total",
      help: "Checks of portals that have ended.",
      type: "counter",
      values: [[{}, work.checks]],
    },
    {
      name: "lintel_checks_failed_total",
      help: "Those of them that failed.",
      type: "counter",
      values: [[{}, work.failures]],
    },
  ];
}

export function unsentMetric(
  unsent: readonly (readonly [webhook: string, events: number])[],
): Metric {
  return {
    name: "lintel_events_unsent",
    help: "Events that a webhook has not taken yet; a process of its own counts up to 1000.",
    type: "gauge",
    values: unsent.map(([webhook, events]) => [{ webhook }, events]),
  };
}
