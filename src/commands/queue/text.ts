// Renders the status of a queue as text.
import type { Styles } from "../../report/styles.js";
import { plainly, sentenceLines, tableLines } from "../../report/text-layout.js";
import type { Process } from "../../serve/queue/processes.js";
import type { QueueStatus } from "../../serve/queue/status.js";
import { counted, listed, oneLine, someOf } from "../../lib/text.js";

export function statusText(status: QueueStatus, styles: Styles): string {
  const { commit, committed, draining, processes, unsent, dead, warnings } = status;
  const checked =
    commit === null || committed === null
      ? "No portals are listed yet. List them:\n  lintel serve portals --queue URL"
      : `Workers check ${commit.slice(0, 10)}, since ${styles.time(committed)}.`;
  const drained = draining
    ? [`${styles.yellow("No new job starts.")} To resume:\n  lintel queue resume\n`]
    : [];
  const deadNames = someOf(
    dead.map(({ portal }) => oneLine(portal)),
    "portal",
  );
  const problems = [
    ...warnings.map(oneLine),
    ...missing(status),
    ...namedText("Failed", status, "failed", status.failedPortals),
    ...namedText("Blocked", status, "blocked", status.blockedPortals),
    ...(dead.length > 0 ? [`Given up three times, and tried again: ${deadNames}.`] : []),
  ];
  const events = unsent.map(
    (each) =>
      `${counted(each.events, "event")} not sent yet to "${oneLine(each.receiver)}", since ${styles.time(each.since)}.`,
  );
  return [
    `${checked}\n`,
    ...drained,
    ...section(poolLines(status, styles)),
    ...section(processes.flatMap((each) => processLines(each, styles))),
    ...section([
      ...problems.flatMap((line) => sentenceLines(line, styles.yellow, "", styles)),
      ...events,
    ]),
  ].join("");
}

/** The first few by name, and how many more there are. */
function namedText(
  label: string,
  { pools }: QueueStatus,
  count: "failed" | "blocked",
  names: readonly string[],
): string[] {
  if (names.length === 0) return [];
  const left = pools.reduce((sum, pool) => sum + pool[count], 0) - names.length;
  const more = left > 0 ? ` and ${counted(left, "more portal")}` : "";
  return [`${label}: ${names.map(oneLine).join(", ")}${more}.`];
}

function section(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`\n${lines.join("\n")}\n`];
}

const COUNTS = ["portals", "waiting", "underWay", "late", "failed", "blocked", "held"] as const;

function poolLines({ pools }: QueueStatus, styles: Styles): string[] {
  if (pools.length === 0) return [];
  const cell = (text: string) => [{ text, style: plainly }];
  const head = ["pool", ...COUNTS.map((count) => (count === "underWay" ? "under way" : count))];
  const rows = pools.map((pool) => [
    [{ text: oneLine(pool.name), style: styles.bold }],
    ...COUNTS.map((count) => cell(String(pool[count]))),
  ]);
  return tableLines(head.map(cell), rows, styles, "held".length);
}

function processLines(one: Process, styles: Styles): string[] {
  const { role, host, pid, version, pools, commit, stuck, doing = [], apply } = one;
  const of = pools ? ` for ${listed(pools.map(oneLine))}` : "";
  const may = apply
    ? `, ${apply.length > 0 ? `--apply ${apply.join(",")}` : "applies nothing"}`
    : "";
  const at = commit ? `, at ${oneLine(commit).slice(0, 10)}` : "";
  const head = `${styles.bold(`${role} on ${oneLine(host)}`)} (process ${pid}, ${oneLine(version)})${of}${may}${at}, since ${styles.time(one.since)}`;
  if (stuck !== null) {
    const what = role === "serve" ? "lists no newer commit" : "takes no jobs";
    return [head, ...sentenceLines(`${what}: ${oneLine(stuck)}`, styles.yellow, "  ", styles)];
  }
  if (doing.length === 0) return [head, ...(role === "worker" ? ["  idle"] : [])];
  return [
    head,
    ...sentenceLines(`checking ${someOf(doing.map(oneLine), "portal", 3)}`, plainly, "  ", styles),
  ];
}

/** What waits for ever. */
function missing({ commit, pools, processes }: QueueStatus): readonly string[] {
  const isServed = processes.some(({ role }) => role === "serve");
  const served = new Set(processes.flatMap((each) => each.pools ?? []));
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
