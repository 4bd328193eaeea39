// What was known of a portal × what a look found and did there → what is to be told of it, each thing once.
import type { PassedBoundary } from "../due.js";
import { appliedNews, entriesSince, newestOf, type ToldOf } from "./applied.js";
import { changeJson, digestOfChanges, digestOfDrift, driftJson, pathsIn } from "./changes.js";
import type { Told } from "./event.js";
import { digest } from "../../lib/digest.js";
import { failureJson } from "../../report/json-report.js";
import type { JsonObject } from "../../lib/json.js";
import {
  without,
  type Change,
  type Drift,
  type Identity,
  type Stopped,
} from "../../apply/reconcile.js";
import type { History, Reconciled } from "../../apply/reconcile.js";
import { isSent } from "../../settings.js";
import type { Applied, SettledChange } from "../../state/state.js";

export const NEWS = [
  "started",
  "files",
  "revision",
  "window",
  "drift",
  "applied",
  "waits",
  "stopped",
  "failed",
  "recovered",
  "action",
  "notice",
] as const;

export interface News {
  readonly kind: (typeof NEWS)[number];
  /** Of what is told of a portal. */
  readonly id?: string;
  /** Absent for what is about the run as a whole. */
  readonly about?: { readonly portal: Identity; readonly file: string };
  /** Goes on from the portal's name. */
  readonly message: string;
  readonly help?: string | undefined;
  /** Somebody may have to do something, or need not any more. */
  readonly isProblem: boolean;
  /** For programs. */
  readonly more?: JsonObject;
}

/** What was told of a portal, in no more bytes than needed to tell it once: thousands are kept for months. */
export interface Standing {
  /** Digests of what there was, or nothing. */
  readonly drift: string;
  readonly waits: string;
  /** What failed, or what stopped it. */
  readonly trouble: string;
  readonly notices: readonly string[];
  /** Absent before the first look that has read the state. */
  readonly applied?: ToldOf;
  /** When it was heard of first, and how much was told of it since: the same may come to pass again. */
  readonly sinceMs: number;
  readonly told: number;
}

export const NOTHING_TOLD: Standing = {
  drift: "",
  waits: "",
  trouble: "",
  notices: [],
  sinceMs: 0,
  told: 0,
};

export interface Found {
  readonly reconciled: Reconciled;
  /** That opened or closed since the last look. */
  readonly boundaries: readonly PassedBoundary[];
  /** When the last look was. */
  readonly lookedMs: number;
}

interface Telling {
  readonly news: readonly Told[];
  readonly standing: Standing;
}

export function newsOf(before: Standing, { reconciled, boundaries, lookedMs }: Found): Telling {
  const { failure, isStopped, drift, notices, state } = reconciled;
  const told = before.applied ?? newestOf(state);
  const entries = entriesSince(told, state, lookedMs);
  const arrived = entries.flatMap(({ outcome, changes }) => (outcome ? [] : changes));
  const left = drift && without(drift, reconciled.applied);
  const found = drift ? digestOfDrift(drift) : before.drift;
  const waiting = waitingIn(reconciled);
  const waits = failure ? before.waits : digestOfChanges(waiting);
  const trouble = failure ? troubleKey(failure, isStopped) : "";
  const isOver = before.trouble !== "" && trouble === "";
  const news: Told[] = [
    ...(isOver ? [recovered(before.trouble)] : []),
    ...(drift && drift.length > 0 && found !== before.drift ? [driftNews(drift)] : []),
    ...(drift?.length === 0 && before.drift !== "" ? [driftGone()] : []),
    ...(failure && trouble !== before.trouble ? [troubleNews(failure, isStopped)] : []),
    ...boundaries.map((each) => windowNews(each, reconciled, arrived)),
    ...(state ? entries.flatMap((each) => restOf(each, boundaries, state)) : []),
    ...(waiting.length > 0 && waits !== before.waits ? [waitsNews(waiting)] : []),
    ...notices.filter((each) => !before.notices.includes(each)).map(noticeNews),
  ];
  const driftLeft = left ? digestOfDrift(left) : before.drift;
  const applied = state && { applied: newestOf(state) };
  return numbered(news, before, {
    ...before,
    drift: driftLeft,
    waits,
    trouble,
    notices,
    ...applied,
  });
}

/** Of a portal that is not checked, or whose check counts for nothing: only why. */
export function troubleOf(before: Standing, problem: Stopped, isStopped: boolean): Telling {
  const trouble = troubleKey(problem, isStopped);
  const news = trouble === before.trouble ? [] : [troubleNews(problem, isStopped)];
  return numbered(news, before, { ...before, trouble });
}

/** What may come to pass again is told apart by its number. */
function numbered(
  news: readonly Told[],
  { sinceMs, told }: Standing,
  standing: Omit<Standing, "sinceMs" | "told">,
): Telling {
  const factOf = ({ message, more }: Told, at: number) => [
    message,
    more ?? null,
    sinceMs,
    told + at,
  ];
  return {
    news: news.map((each, at) => ({ fact: factOf(each, at), ...each })),
    standing: { ...standing, sinceMs, told: told + news.length },
  };
}

/** What windows did is told by them. */
function restOf(entry: Applied, boundaries: readonly PassedBoundary[], state: History): Told[] {
  const isTold = (change: SettledChange) => boundaries.some((each) => isOf(each, change));
  const rest = entry.outcome ? entry.changes : entry.changes.filter((each) => !isTold(each));
  return rest.length === 0 ? [] : [appliedNews(entry, rest, state)];
}

function isOf({ window, is }: PassedBoundary, { window: by }: Pick<Change, "window">): boolean {
  return by?.name === window.name && by.is === is;
}

/** What nobody carries out here; drift has words of its own, and where something stops it, that tells. */
export function waitingIn({ changes, applied, failure }: Reconciled): readonly Change[] {
  if (failure) return [];
  return without(changes, applied).filter(({ cause }) => cause !== "drift");
}

/** Of one outage, the next calls may fail in other ways. */
const AWAY = ["not-reachable", "no-answer", "no-answer", "too-many-requests"];

/** Whether the portal did not answer, as far as anybody can tell. */
export function isAway({ code }: Pick<Stopped, "code">): boolean {
  return AWAY.includes(code);
}

function troubleKey({ code, message }: Stopped, isStopped: boolean): string {
  if (isAway({ code })) return "failed away";
  // A hold says something else with each window that it keeps back; that there is one is told once.
  if (code === "held") return "stopped held";
  if (isStopped) return `stopped ${digest(message)}`;
  return code === "file-invalid" ? `failed ${digest(message)}` : `failed ${code}`;
}

const LATER = "Run the command again later.";

/** Without what a command that has ended asks of people: this one tries again by itself. */
export function helpHere({ code, help }: Pick<Stopped, "code" | "help">): string | undefined {
  if (code === "too-many-requests") return undefined;
  return help === LATER ? undefined : help?.replace(", then run the command again.", ".");
}

function troubleNews(failure: Stopped, isStopped: boolean): Told {
  const { code, message, exit } = failure;
  const help = helpHere(failure);
  return {
    kind: isStopped ? "stopped" : "failed",
    message,
    help,
    isProblem: true,
    more: { exitCode: exit, failure: failureJson({ code, message, help }) },
  };
}

function recovered(trouble: string): Told {
  const wasStopped = trouble.startsWith("stopped");
  const message = wasStopped ? "Nothing stops it any more." : "It can be looked at again.";
  return { kind: "recovered", message, isProblem: true };
}

function driftNews(drift: readonly Drift[]): Told {
  const message = `Somebody else changed ${pathsIn(drift)}.`;
  return { kind: "drift", message, isProblem: true, more: { drift: drift.map(driftJson) } };
}

function driftGone(): Told {
  const message = "All that is managed is as it was applied last.";
  return { kind: "drift", message, isProblem: true, more: { drift: [] } };
}

function waitsNews(changes: readonly Change[]): Told {
  const message = `What the file wants of ${pathsIn(changes)} waits until somebody applies it.`;
  return { kind: "waits", message, isProblem: false, more: { changes: changes.map(changeJson) } };
}

function noticeNews(message: string): Told {
  return { kind: "notice", message, isProblem: false };
}

/** A boundary is told when it passes, whatever comes of it. */
function windowNews(
  boundary: PassedBoundary,
  { applied, changes, failure }: Reconciled,
  arrived: readonly SettledChange[],
): Told {
  const { window, is, ms } = boundary;
  const sent = arrived.filter((each) => isOf(boundary, each) && isSent(each));
  const left = without(changes, applied).filter((each) => isOf(boundary, each));
  const what = `The window "${window.name}" ${is === "open" ? "opened" : "closed"}`;
  const end =
    sent.length > 0
      ? `: applied ${pathsIn(sent)}.`
      : failure
        ? ", and nothing was sent: see what stops it, or failed."
        : left.length > 0
          ? ", and nothing was sent: that waits until somebody applies the file."
          : "; nothing had to be sent.";
  const more = { window: window.name, is, changes: sent.map(changeJson) };
  const fact = [window.name, is, ms];
  return { kind: "window", message: what + end, isProblem: false, more, fact };
}
