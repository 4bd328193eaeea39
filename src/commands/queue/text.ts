// How a queue stands → text for people, and JSON for programs.
import { MINUTE_MS } from "../../moment.js";
import type { QueueDocument, QueueStatusDocument } from "../documents.js";
import type { Styles } from "../../report/styles.js";
import { plainly, sentenceLines, tableLines } from "../../report/text-layout.js";
import type { ProcessStanding, QueueStanding } from "../../serve/queue/standing.js";
import { counted, listed, oneLine, someOf } from "../../lib/text.js";

export function standingText(standing: QueueStanding, paint: Styles, nowMs: number): string {
  const { revision, isDraining, processes, unsent } = standing;
  const isoOf = (ms: number) => paint.time(new Date(ms).toISOString());
  const published =
    revision.publishedMs === null
      ? "Nothing is published yet. Publish files:\n  lintel serve portals --queue ADDRESS"
      : `Revision ${revision.number}${revision.commit === null ? "" : ` (${revision.commit.slice(0, 10)})`}, published ${isoOf(revision.publishedMs)}.`;
  const drained = isDraining
    ? [`${paint.yellow("No new job starts.")} To resume:\n  lintel queue resume\n`]
    : [];
  const events = unsent.map(
    (each) =>
      `${counted(each.events, "event")} not sent yet to "${oneLine(each.receiver)}", since ${isoOf(each.sinceMs)}.`,
  );
  return [
    `${published}\n`,
    ...drained,
    ...section(poolLines(standing, paint)),
    ...section(processes.flatMap((each) => processLines(each, paint, nowMs))),
    ...section([...missing(standing).map(paint.yellow), ...events]),
  ].join("");
}

function section(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`\n${lines.join("\n")}\n`];
}

const COUNTS = ["portals", "waiting", "underWay", "late", "failed", "stopped", "held"] as const;

function poolLines({ pools }: QueueStanding, paint: Styles): string[] {
  if (pools.length === 0) return [];
  const cell = (text: string) => [{ text, style: plainly }];
  const head = ["pool", ...COUNTS.map((count) => (count === "underWay" ? "under way" : count))].map(
    cell,
  );
  const rows = pools.map((pool) => [
    [{ text: oneLine(pool.name), style: paint.bold }],
    ...COUNTS.map((count) => cell(String(pool[count]))),
  ]);
  return tableLines(head, rows, paint, "held".length);
}

function processLines(
  { facts, sinceMs, doing }: ProcessStanding,
  paint: Styles,
  nowMs: number,
): string[] {
  const { role, host, pid, pools, withheld } = facts;
  const of = pools ? ` for ${listed(pools.map(oneLine))}` : "";
  const since = paint.time(new Date(sinceMs).toISOString());
  const head = `${paint.bold(`${role} on ${oneLine(host)}`)} (process ${pid})${of}, since ${since}`;
  if (withheld !== undefined) {
    const why = `publishes nothing newer: ${oneLine(withheld)}`;
    return [head, ...sentenceLines(why, paint.yellow, "  ", paint)];
  }
  const [longest] = doing;
  if (!longest) return [head, ...(role === "worker" ? ["  nothing under way"] : [])];
  const names = someOf(
    doing.map(({ portal }) => oneLine(portal)),
    "portal",
    3,
  );
  const seconds = Math.max(0, Math.round((nowMs - longest.sinceMs) / 1000));
  const long = nowMs - longest.sinceMs > MINUTE_MS ? `, the first for ${seconds} s` : "";
  return [head, ...sentenceLines(`looking at ${names}${long}`, plainly, "  ", paint)];
}

/** What waits for ever where nobody works. */
function missing({ revision, pools, processes }: QueueStanding): readonly string[] {
  const isServed = processes.some(({ facts }) => facts.role === "serve");
  const nobody = "No serve is there: nothing newer is published, and no webhook is told.";
  const served = new Set(processes.flatMap(({ facts }) => facts.pools ?? []));
  const known = new Set(pools.map(({ name }) => name));
  const empty = pools.length > 0 ? [...served].filter((name) => !known.has(name)) : [];
  return [
    ...(isServed || revision.publishedMs === null ? [] : [nobody]),
    ...pools
      .filter(({ name }) => !served.has(name))
      .map(({ name }) => `No worker is there for the pool "${oneLine(name)}".`),
    ...empty.map((name) => `No portal is in the pool "${oneLine(name)}", which a worker is for.`),
  ];
}

export function standingJson({
  revision,
  isDraining,
  pools,
  processes,
  unsent,
}: QueueStanding): QueueStatusDocument & Pick<QueueDocument, "draining"> {
  const isoOf = (ms: number) => new Date(ms).toISOString();
  const { number, commit, publishedMs } = revision;
  return {
    revision: {
      number,
      commit,
      published: publishedMs === null ? null : isoOf(publishedMs),
    },
    draining: isDraining,
    pools: pools.map((pool) => ({ ...pool })),
    processes: processes.map(({ facts: { withheld = null, ...facts }, sinceMs, doing }) => ({
      ...facts,
      ...(facts.role === "serve" && { withheld }),
      since: isoOf(sinceMs),
      doing: doing.map(({ portal, sinceMs: ms }) => ({ portal, since: isoOf(ms) })),
    })),
    unsent: unsent.map(({ receiver, events, sinceMs }) => ({
      receiver,
      events,
      since: isoOf(sinceMs),
    })),
  };
}
