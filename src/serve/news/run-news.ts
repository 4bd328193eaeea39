// What happens to the run as a whole, its files and its checkout → what is told of that.
import type { Followed } from "../follow/files.js";
import type { News } from "./news.js";
import type { Pulled } from "../follow/pull.js";
import type { Failure } from "../../failure.js";
import type { Reconciled, Unasked } from "../../apply/reconcile.js";
import { counted, listed, someOf } from "../../lib/text.js";

interface Begun {
  readonly mayApply: readonly Unasked[];
  readonly everyMs: number;
}

export function started({ mayApply, everyMs }: Begun, portals: number, url?: string): News {
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

/** A look that broke down. */
export function failed({ portal }: Followed, failure: Failure): Reconciled {
  const { code, message, help, exit } = failure;
  return {
    portal,
    drift: undefined,
    changes: [],
    guards: [],
    applied: [],
    state: undefined,
    failure: { code, message, help, exit },
    isStopped: false,
    notices: [],
  };
}

/** `before` is why the checkout was stuck until now, and `meanwhile` what that comes to; undefined where nothing is new. */
export function pulled(now: Pulled, before: string, meanwhile: string): News | undefined {
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

export function unreadable({ message, help }: Failure): News {
  const told = `The files cannot be found: ${message} Those that were read last go on counting.`;
  return { kind: "files", message: told, help, isProblem: true };
}

export function configChanged(file: string): News {
  const message = `"${file}" was changed. What it says now counts when this run is begun anew.`;
  const help = "Begin it anew, such as by:\n  systemctl restart lintel";
  return { kind: "files", message, help, isProblem: true };
}

/** What happens goes on, and is told once it can be kept. */
export function unrecorded({ message, help }: Failure): News {
  const told = `Nothing can be kept, so that what happens is told later: ${message}`;
  return { kind: "notice", message: told, help, isProblem: true };
}

export function recorded(): News {
  return { kind: "notice", message: "What happens can be kept again.", isProblem: true };
}

export function readable(): News {
  return { kind: "files", message: "The files are found again.", isProblem: true };
}

type Files = ReadonlyMap<string, Followed>;

/** Because somebody asked for that. */
export function readAgain(before: Files, now: Files): News {
  const marksIn = ({ marks }: Followed) => [...marks].join();
  const changed = [...now].flatMap(([file, followed]) => {
    const known = before.get(file);
    return known && marksIn(known) !== marksIn(followed) ? [file] : [];
  });
  const what =
    changed.length > 0 ? `Changed: ${someOf(changed, "file")}.` : "None of them was changed.";
  const message = `All files were read again. ${what}`;
  return { kind: "files", message, isProblem: false, more: { changed } };
}

/** Files that are new, and those that are gone. */
export function fleetNews(before: Files, now: Files): readonly News[] {
  const added = [...now.keys()].filter((file) => !before.has(file));
  const gone = [...before.keys()].filter((file) => !now.has(file));
  const news = (files: readonly string[], key: string, what: string): News[] =>
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
