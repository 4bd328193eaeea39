// Makes the events of the processes of a queue.
import type { LogEvent } from "./event.js";
import { appliesText, everyText } from "./run-events.js";
import { ENDING_MS } from "../queue/jobs.js";
import type { Failure } from "../../failure.js";
import type { Unasked } from "../../apply/reconcile.js";
import { failureJson } from "../../report/json-report.js";
import { counted, listed } from "../../lib/text.js";

interface Begun {
  readonly pools: readonly string[];
  readonly mayApply: readonly Unasked[];
}

export function started({ pools, mayApply }: Begun): LogEvent {
  const what = pools.length === 1 ? "pool" : "pools";
  return {
    kind: "started",
    message: `Checking portals of the ${what} ${listed(pools)}. ${appliesText(mayApply)}`,
    isProblem: false,
    more: { pools, apply: mayApply },
  };
}

/** A `serve` that lists portals for the workers. */
export function listing(files: number, everyMs: number, url?: string): LogEvent {
  const page = url === undefined ? "" : ` Dashboard: ${url}/`;
  const message = `Listing ${counted(files, "file")} for the workers of the queue, which check each portal every ${everyText(everyMs)}.${page}`;
  const more = { portals: files, everySeconds: everyMs / 1000, url: url ?? null };
  return { kind: "started", message, isProblem: false, more };
}

export function newCommit(commit: string, changed: number): LogEvent {
  const message = `Workers check ${commit.slice(0, 10)} from now on: ${counted(changed, "file")} changed.`;
  return { kind: "revision", message, isProblem: false, more: { commit, changed } };
}

export function withheld(why: string, help: string): LogEvent {
  const message = `This checkout is not listed: ${why}.`;
  return { kind: "revision", message, help, isProblem: true, more: { stuck: why } };
}

export function notice(message: string, help?: string): LogEvent {
  return { kind: "notice", message, help, isProblem: true };
}

/** On SIGTERM. `checks` are still running. */
export function stopping(checks: number): LogEvent {
  const rest =
    checks > 0
      ? ` Waiting up to ${ENDING_MS / 1000} seconds for ${counted(checks, "running check")}.`
      : "";
  return { kind: "notice", message: `Stopping.${rest}`, isProblem: false };
}

/** Reports that the queue is drained, and that it is resumed. */
export function openDrains(report: (event: LogEvent) => void): (isDraining: boolean) => void {
  let before = false;
  return (isDraining) => {
    if (isDraining === before) return;
    before = isDraining;
    if (isDraining) report(notice("The queue is drained: no new job starts.", RESUME));
    else report(notice("The queue is resumed."));
  };
}

const RESUME = "To resume:\n  lintel queue resume";

/** A failure of this process or of the queue, rather than of a portal. */
export function complaint({ code, message, help }: Failure): LogEvent {
  const more = { failure: failureJson({ code, message, help }) };
  return { kind: "failed", message, help, isProblem: true, more };
}
