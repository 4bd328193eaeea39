// lintel history: lists applies, rollbacks and holds of portals, newest first.
import type { CommandSpec, Run } from "./command.js";
import { FLEET, PICKING } from "./options.js";
import { each, placeNamed } from "./state/asked.js";
import { referencePath } from "../catalog/spelling.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { pickSettings } from "../cli/pick-settings.js";
import { resultOfMembers, resultOfOneOrMany } from "../cli/portal-parts.js";
import { momentOf } from "../cli/time-options.js";
import type { HistoryFacts } from "./documents.js";
import { historyLines, type AuditItem } from "../report/history-lines.js";
import { historyText } from "../report/history-text.js";
import type { Styles } from "../report/styles.js";
import { counted } from "../lib/text.js";
import { isWithin, type Path } from "../settings.js";
import { entryOf, type Entry, type State } from "../state/state.js";

export const spec = {
  operands: "[FILE…] [STATE-ADDRESS]",
  options: {
    since: { value: "TIME", description: "Only entries since this time." },
    ...PICKING,
    ...FLEET,
  },
  formats: ["text", "json", "jsonl"],
  examples: [
    ["lintel history", "every apply: when, by whom, what"],
    ["lintel history portals --since 7d", "the last week of all portals"],
    ["lintel history --path informationalBanner", "who changed the banner"],
    ["lintel history portals --since 7d -o jsonl", "JSON lines for an audit"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { since, path } = call.options;
  const { files: named, resolve } = placeNamed(call.operands, io);
  const operands = { operands: named, options: call.options };
  await using run = await openRun("history", io, operands, { isOnline: false });
  const wanted: Wanted = {
    since: since === undefined ? "" : momentOf(since, run.io, "since"),
    paths: (await pickSettings(path, run.files, io)) ?? [],
  };
  const items: AuditItem[] = [];
  const members = await each({ run, resolve }, async (portal) => {
    const { state } = await portal.store.read();
    const { history, journal } = entriesIn(state, wanted);
    const own = [...history, ...(journal ? [journal] : [])].map((entry) => ({
      entry,
      portal: portal.portal.name,
      about: { ...portal.portal, file: portal.desired.file },
    }));
    items.push(...own);
    const dropped = droppedEntries(state, wanted);
    if (dropped > 0) {
      run.notice(`"${portal.portal.name}": ${counted(dropped, "older entry")} no longer kept.`);
    }
    return {
      json: { history, journal } satisfies HistoryFacts,
      text: (styles: Styles) => historyText(own, styles),
    };
  });
  const { files, folders } = run;
  const about = { command: "history", files, folders };
  const result = {
    ...resultOfOneOrMany(members, about),
    jsonl: () => historyLines(items, members),
  };
  const [only, ...more] = members;
  if (only && more.length === 0) return resultOfRun(run, result);
  const failed = members.filter(({ failure }) => failure);
  const problems = failed.length > 0 ? resultOfMembers(failed, about) : undefined;
  return resultOfRun(run, {
    ...result,
    text(styles) {
      const above = problems ? `${problems.text(styles)}\n` : "";
      return above + historyText(items, styles, "named");
    },
  });
};

/** How many entries are no longer kept, where any of them may be among those that are asked for. */
function droppedEntries(state: State | undefined, { since }: Wanted): number {
  const { earlier, history: [oldest] = [] } = state ?? {};
  return oldest && oldest.time < since ? 0 : (earlier?.entries ?? 0);
}

interface Wanted {
  /** A moment in UTC; empty for all. */
  readonly since: string;
  /** None for all. */
  readonly paths: readonly Path[];
}

/** Of each entry, the changes to the selected paths. */
function entriesIn(state: State | undefined, { since, paths }: Wanted) {
  const { history = [], journal } = state ?? {};
  const wanted = paths.map(referencePath);
  const picked = <T extends Pick<Entry, "changes" | "time">>(entry: T): T[] => {
    if (entry.time < since) return [];
    if (wanted.length === 0) return [entry];
    const changes = entry.changes.filter(({ path }) =>
      wanted.some((each) => isWithin(referencePath(path), each)),
    );
    return changes.length > 0 ? [{ ...entry, changes }] : [];
  };
  const [open] = journal ? picked(entryOf(journal)) : [];
  return { history: history.flatMap(picked), journal: open ?? null };
}
