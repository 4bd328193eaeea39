// Makes the events of the run as a whole, its files and its checkout.
import type { Pulled } from "../checkout.js";
import type { Files } from "../file-watch.js";
import type { LogEvent } from "./event.js";
import { LABELS, STATUSES, type Status } from "../dashboard/views/status.js";
import type { Unasked } from "../../apply/reconcile.js";
import type { Failure } from "../../failure.js";
import { counted, listed, someOf } from "../../lib/text.js";

interface Started {
  readonly mayApply: readonly Unasked[];
  readonly everyMs: number;
}

interface StartFacts {
  readonly portals: number;
  /** The status of each portal when the run before ended. */
  readonly resumed: readonly Status[];
  /** Of the dashboard, if there is one. */
  readonly url?: string | undefined;
}

export function started({ mayApply, everyMs }: Started, found: StartFacts): LogEvent {
  const { portals, resumed, url } = found;
  const page = url === undefined ? "" : ` Dashboard: ${url}/`;
  const message = `Checking ${counted(portals, "portal")} every ${everyText(everyMs)}. ${appliesText(mayApply)}${resumedText(resumed)}${page}`;
  const more = { portals, everySeconds: everyMs / 1000, apply: mayApply, url: url ?? null };
  return { kind: "started", message, isProblem: false, more };
}

function resumedText(resumed: StartFacts["resumed"]): string {
  const counts = STATUSES.flatMap((status) => {
    const count = resumed.filter((each) => each === status).length;
    return count > 0 ? [`${count} ${LABELS[status].toLowerCase()}`] : [];
  });
  return counts.length > 0 ? ` Resumed with ${listed(counts)}.` : "";
}

export function appliesText(mayApply: readonly Unasked[]): string {
  return mayApply.length === 0 ? "Applies nothing." : `Applies: ${listed(mayApply)}.`;
}

/** "minute", "15 minutes" */
export function everyText(ms: number): string {
  const seconds = ms / 1000;
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, "hour"]
      : seconds % 60 === 0
        ? [seconds / 60, "minute"]
        : [seconds, "second"];
  return count === 1 ? unit : counted(count, unit);
}

/** `before` is why the checkout was stuck, `meanwhile` the consequence. Undefined without news. */
export function pulled(now: Pulled, before: string, meanwhile: string): LogEvent | undefined {
  if (now.is === "stuck") {
    if (now.why === before) return undefined;
    const message = `The checkout may be behind its upstream: ${now.why}. ${meanwhile}`;
    const more = { stuck: now.why };
    return { kind: "revision", message, help: now.help, isProblem: true, more };
  }
  const { commit } = now;
  if (now.is === "moved") {
    const message = `The checkout moved from ${now.from.slice(0, 10)} to ${commit.slice(0, 10)}.`;
    const more = { from: now.from, commit };
    return { kind: "revision", message, isProblem: before !== "", more };
  }
  if (before === "") return undefined;
  const message = `The checkout is up to date again, at ${commit.slice(0, 10)}.`;
  return { kind: "revision", message, isProblem: true, more: { commit } };
}

export function unreadable({ message, help }: Failure): LogEvent {
  const text = `The files cannot be found: ${message} Lintel uses the last ones.`;
  return { kind: "files", message: text, help, isProblem: true };
}

export function readable(): LogEvent {
  return { kind: "files", message: "The files are found again.", isProblem: true };
}

export function configChanged(file: string): LogEvent {
  const message = `"${file}" changed. The change takes effect after a restart.`;
  const help = "Restart `serve`, such as with:\n  systemctl restart lintel";
  return { kind: "files", message, help, isProblem: true };
}

/** Checks continue. Their events are reported when they can be stored. */
export function storeFailed({ message, help }: Failure): LogEvent {
  const text = `Cannot write events; delivery is delayed: ${message}`;
  return { kind: "notice", message: text, help, isProblem: true };
}

export function storeRecovered(): LogEvent {
  return { kind: "notice", message: "Events can be written again.", isProblem: true };
}

/** After SIGHUP. */
export function readAgain(before: Files, now: Files): LogEvent {
  const changed = [...now].flatMap(([file, { marks }]) => {
    const known = before.get(file);
    return known && [...known.marks].join() !== [...marks].join() ? [file] : [];
  });
  const what = changed.length > 0 ? `Changed: ${someOf(changed, "file")}.` : "None has changed.";
  const message = `All files were read again. ${what}`;
  return { kind: "files", message, isProblem: false, more: { changed } };
}

export function filesChanged(before: Files, now: Files): readonly LogEvent[] {
  const added = [...now.keys()].filter((file) => !before.has(file));
  const gone = [...before.keys()].filter((file) => !now.has(file));
  const kind = "files";
  const isProblem = false;
  return [
    ...(added.length > 0
      ? [{ kind, message: `Added: ${someOf(added, "file")}.`, isProblem, more: { added } } as const]
      : []),
    ...(gone.length > 0
      ? [{ kind, message: `Removed: ${someOf(gone, "file")}.`, isProblem, more: { gone } } as const]
      : []),
  ];
}
