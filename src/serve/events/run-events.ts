// Makes the events of the run as a whole, its files and its checkout.
import type { PortalFile } from "../portal-files.js";
import type { LogEvent } from "./event.js";
import type { Pulled } from "../checkout.js";
import type { Failure } from "../../failure.js";
import type { Unasked } from "../../apply/reconcile.js";
import { counted, listed, someOf } from "../../lib/text.js";

interface Begun {
  readonly mayApply: readonly Unasked[];
  readonly everyMs: number;
}

export function started({ mayApply, everyMs }: Begun, portals: number, url?: string): LogEvent {
  const may =
    mayApply.length === 0
      ? "Nothing is carried out."
      : `What may be carried out: ${listed(mayApply)}.`;
  const page = url === undefined ? "" : ` The page is at ${url}/`;
  const message = `Looking at ${counted(portals, "portal")} every ${everyText(everyMs)}. ${may}${page}`;
  const more = { portals, everySeconds: everyMs / 1000, apply: mayApply, url: url ?? null };
  return { kind: "started", message, isProblem: false, more };
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

/** `before` is why the checkout was stuck until now, `meanwhile` what follows from that. Undefined where nothing is new. */
export function pulled(now: Pulled, before: string, meanwhile: string): LogEvent | undefined {
  const kind = "revision";
  if (now.is === "stuck") {
    if (now.why === before) return undefined;
    const message = `The checkout may not be at its newest: ${now.why}. ${meanwhile}`;
    return { kind, message, help: now.help, isProblem: true, more: { stuck: now.why } };
  }
  const commit = now.commit.slice(0, 10);
  if (now.is === "moved") {
    const message = `The checkout moved from ${now.from.slice(0, 10)} to ${commit}.`;
    return {
      kind,
      message,
      isProblem: before !== "",
      more: { from: now.from, commit: now.commit },
    };
  }
  if (before === "") return undefined;
  const message = `The checkout is at its newest again, ${commit}.`;
  return { kind, message, isProblem: true, more: { commit: now.commit } };
}

export function unreadable({ message, help }: Failure): LogEvent {
  const told = `The files cannot be found: ${message} Those that were read last go on counting.`;
  return { kind: "files", message: told, help, isProblem: true };
}

export function configChanged(file: string): LogEvent {
  const message = `"${file}" was changed. What it says now counts when this run is begun anew.`;
  const help = "Begin it anew, such as by:\n  systemctl restart lintel";
  return { kind: "files", message, help, isProblem: true };
}

/** Checks go on; their events are reported once they can be stored. */
export function storeFailed({ message, help }: Failure): LogEvent {
  const told = `Nothing can be kept, so that what happens is told later: ${message}`;
  return { kind: "notice", message: told, help, isProblem: true };
}

export function storeRecovered(): LogEvent {
  return { kind: "notice", message: "What happens can be kept again.", isProblem: true };
}

export function readable(): LogEvent {
  return { kind: "files", message: "The files are found again.", isProblem: true };
}

type Files = ReadonlyMap<string, PortalFile>;

/** After a hang-up signal. */
export function readAgain(before: Files, now: Files): LogEvent {
  const marksIn = ({ marks }: PortalFile) => [...marks].join();
  const changed = [...now].flatMap(([file, followed]) => {
    const known = before.get(file);
    return known && marksIn(known) !== marksIn(followed) ? [file] : [];
  });
  const what =
    changed.length > 0 ? `Changed: ${someOf(changed, "file")}.` : "None of them was changed.";
  const message = `All files were read again. ${what}`;
  return { kind: "files", message, isProblem: false, more: { changed } };
}

export function fleetEvents(before: Files, now: Files): readonly LogEvent[] {
  const added = [...now.keys()].filter((file) => !before.has(file));
  const gone = [...before.keys()].filter((file) => !now.has(file));
  const news = (files: readonly string[], key: string, what: string): LogEvent[] =>
    files.length === 0
      ? []
      : [
          {
            kind: "files",
            message: `${what}: ${someOf(files, "file")}.`,
            isProblem: false,
            more: { [key]: files },
          },
        ];
  return [
    ...news(added, "added", "From now on looked at, too"),
    ...news(gone, "gone", "No longer looked at, because the file is gone"),
  ];
}
