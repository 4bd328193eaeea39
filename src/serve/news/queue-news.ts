// What happens to a process of a queue → what is told of that.
import type { Published } from "../bundle/publish.js";
import type { News } from "./news.js";
import { everyText } from "./run-news.js";
import type { Failure } from "../../failure.js";
import type { Unasked } from "../../apply/reconcile.js";
import { failureJson } from "../../report/json-report.js";
import { counted, listed } from "../../lib/text.js";

interface Begun {
  readonly pools: readonly string[];
  readonly mayApply: readonly Unasked[];
}

export function started({ pools, mayApply }: Begun): News {
  const what = pools.length === 1 ? "pool" : "pools";
  const may =
    mayApply.length === 0
      ? "Nothing is carried out."
      : `What may be carried out: ${listed(mayApply)}.`;
  return {
    kind: "started",
    message: `Working on the portals of the ${what} ${listed(pools)}. ${may}`,
    isProblem: false,
    more: { pools, apply: mayApply },
  };
}

/** What a process that publishes begins with. */
export function published(files: number, everyMs: number, url?: string): News {
  const message = `Publishing ${counted(files, "file")} for the workers of the queue, which look at each portal every ${everyText(everyMs)}.${url === undefined ? "" : ` The page is at ${url}/`}`;
  return {
    kind: "started",
    message,
    isProblem: false,
    more: { portals: files, everySeconds: everyMs / 1000, url: url ?? null },
  };
}

/** `wasWithheld`: it could not be published until now. */
export function ofPublished(published: Published, wasWithheld: boolean): News | undefined {
  const kind = "revision";
  if (published.is === "withheld") {
    const message = `Nothing newer is published: ${published.why}.`;
    return { kind, message, help: published.help, isProblem: true, more: { stuck: published.why } };
  }
  if (published.is === "published") {
    const { number, commit, changed, gone, odd } = published;
    const at = commit === null ? "" : ` at ${commit.slice(0, 10)}`;
    const fewer = gone.length > 0 ? `, ${counted(gone.length, "portal")} gone` : "";
    const instead = odd === undefined ? "" : ` It takes the place of one that ${odd}.`;
    const message = `Published revision ${number}${at}: ${counted(changed.length, "portal")} changed${fewer}.${instead}`;
    const counts = { changed: changed.length, gone: gone.length };
    const more = { number, commit, ...counts, ...(odd !== undefined && { odd }) };
    return { kind, message, isProblem: wasWithheld || odd !== undefined, more };
  }
  if (!wasWithheld) return undefined;
  return { kind, message: "What is published is what the files say again.", isProblem: true };
}

export function notice(message: string, help?: string): News {
  return { kind: "notice", message, help, isProblem: true };
}

/** Tells that somebody has drained the queue, and that it goes on. */
export function openDrains(tell: (news: News) => void): (isDraining: boolean) => void {
  let before = false;
  return (isDraining) => {
    if (isDraining === before) return;
    before = isDraining;
    if (isDraining) tell(notice("The queue is drained: nothing new is begun.", GO_ON));
    else tell(notice("The queue goes on."));
  };
}

const GO_ON = "To resume:\n  lintel queue resume";

/** Of this process or of what the queue holds, rather than of a portal. */
export function complaint({ code, message, help }: Failure): News {
  const more = { failure: failureJson({ code, message, help }) };
  return { kind: "failed", message, help, isProblem: true, more };
}
