// Renders the status of a queue as text for people, and as JSON.
import type { QueueDocument, QueueStatusDocument } from "../documents.js";
import type { Styles } from "../../report/styles.js";
import { plainly, sentenceLines, tableLines } from "../../report/text-layout.js";
import type { Process } from "../../serve/queue/processes.js";
import type { QueueStatus } from "../../serve/queue/status.js";
import { counted, listed, oneLine, someOf } from "../../lib/text.js";

export function statusText(status: QueueStatus, paint: Styles): string {
  const { commit, committedMs, isDraining, processes, unsent, dead, warnings } = status;
  const timeOf = (ms: number) => paint.time(new Date(ms).toISOString());
  const checked =
    commit === null || committedMs === null
      ? "No portals are listed yet. List them:\n  lintel serve portals --queue ADDRESS"
      : `Workers check ${commit.slice(0, 10)}, since ${timeOf(committedMs)}.`;
  const drained = isDraining
    ? [`${paint.yellow("No new job starts.")} To resume:\n  lintel queue resume\n`]
    : [];
  const deadNames = someOf(
    dead.map(({ portal }) => oneLine(portal)),
    "portal",
  );
  const problems = [
    ...warnings.map(oneLine),
    ...missing(status),
    ...(dead.length > 0 ? [`Given up three times, and tried again: ${deadNames}.`] : []),
  ];
  const events = unsent.map(
    (each) =>
      `${counted(each.events, "event")} not sent yet to "${oneLine(each.receiver)}", since ${timeOf(each.sinceMs)}.`,
  );
  return [
    `${checked}\n`,
    ...drained,
    ...section(poolLines(status, paint)),
    ...section(processes.flatMap((each) => processLines(each, paint))),
    ...section([
      ...problems.flatMap((line) => sentenceLines(line, paint.yellow, "", paint)),
      ...events,
    ]),
  ].join("");
}

function section(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`\n${lines.join("\n")}\n`];
}

const COUNTS = ["portals", "waiting", "underWay", "late", "failed", "stopped", "held"] as const;

function poolLines({ pools }: QueueStatus, paint: Styles): string[] {
  if (pools.length === 0) return [];
  const cell = (text: string) => [{ text, style: plainly }];
  const head = ["pool", ...COUNTS.map((count) => (count === "underWay" ? "under way" : count))];
  const rows = pools.map((pool) => [
    [{ text: oneLine(pool.name), style: paint.bold }],
    ...COUNTS.map((count) => cell(String(pool[count]))),
  ]);
  return tableLines(head.map(cell), rows, paint, "held".length);
}

function processLines({ facts, sinceMs }: Process, paint: Styles): string[] {
  const { role, host, pid, version, pools, commit, stuck, doing = [], apply } = facts;
  const of = pools ? ` for ${listed(pools.map(oneLine))}` : "";
  const since = paint.time(new Date(sinceMs).toISOString());
  const may = apply
    ? `, ${apply.length > 0 ? `--apply ${apply.join(",")}` : "applies nothing"}`
    : "";
  const at = commit ? `, at ${oneLine(commit).slice(0, 10)}` : "";
  const head = `${paint.bold(`${role} on ${oneLine(host)}`)} (process ${pid}, ${oneLine(version)})${of}${may}${at}, since ${since}`;
  if (stuck !== undefined) {
    const what = role === "serve" ? "lists no newer commit" : "takes no jobs";
    return [head, ...sentenceLines(`${what}: ${oneLine(stuck)}`, paint.yellow, "  ", paint)];
  }
  if (doing.length === 0) return [head, ...(role === "worker" ? ["  idle"] : [])];
  return [
    head,
    ...sentenceLines(`checking ${someOf(doing.map(oneLine), "portal", 3)}`, plainly, "  ", paint),
  ];
}

/** What waits for ever. */
function missing({ commit, pools, processes }: QueueStatus): readonly string[] {
  const isServed = processes.some(({ facts }) => facts.role === "serve");
  const served = new Set(processes.flatMap(({ facts }) => facts.pools ?? []));
  const known = new Set(pools.map(({ name }) => name));
  const empty = pools.length > 0 ? [...served].filter((name) => !known.has(name)) : [];
  return [
    ...(isServed || commit === null
      ? []
      : ["No `serve` process is running: no newer commit is listed, and no webhook gets events."]),
    ...pools
      .filter(({ name }) => !served.has(name))
      .map(({ name }) => `No worker is running for the pool "${oneLine(name)}".`),
    ...empty.map((name) => `The pool "${oneLine(name)}" of a worker has no portals.`),
  ];
}

export function statusJson(
  status: QueueStatus,
): QueueStatusDocument & Pick<QueueDocument, "draining"> {
  const { commit, committedMs, isDraining, pools, processes, warnings, dead, unsent } = status;
  const timeOf = (ms: number) => new Date(ms).toISOString();
  return {
    commit,
    committed: committedMs === null ? null : timeOf(committedMs),
    draining: isDraining,
    pools: pools.map((pool) => ({ ...pool })),
    processes: processes.map(({ facts: { stuck = null, ...facts }, sinceMs }) => ({
      ...facts,
      stuck,
      since: timeOf(sinceMs),
    })),
    warnings,
    dead: dead.map(({ portal, sinceMs }) => ({ portal, since: timeOf(sinceMs) })),
    unsent: unsent.map(({ receiver, events, sinceMs }) => ({
      receiver,
      events,
      since: timeOf(sinceMs),
    })),
  };
}
