// Describes how the settings of two sides differ, and prints it for a terminal.
import { counted, grouped } from "../lib/text.js";
import { EXIT } from "../failure.js";
import type { Comparison, SettingDifference, Side } from "../plan/comparison.js";
import { formatPath, withLeaf, type Spot } from "../settings.js";
import { changeEntry, type ChangeEntry, type NoteEntry } from "./change-entry.js";
import { differenceBetween } from "./difference.js";
import type { ComparisonFacts } from "./documents.js";
import { spotJson } from "./json-report.js";
import { groupText } from "./plan-report.js";
import { portalEntry, whereOf, type PortalEntry } from "./portal-entry.js";
import type { Styles } from "./styles.js";
import { sentenceLines } from "./text-layout.js";
import { leftOutText } from "./verdict.js";

export function comparisonReport(comparison: Comparison, styles: Styles): string {
  const entry = comparisonEntry(comparison);
  const style = comparison.differences.length > 0 ? styles.bold : styles.green;
  const verdict = sentenceLines(comparisonVerdict(comparison), style, "", styles);
  return `${groupText({ entries: [entry], entry }, styles)}\n${verdict.join("\n")}\n`;
}

/** "3 settings differ, 10 are equal." */
export function comparisonVerdict({ differences, equal, leftOut }: Comparison): string {
  const are = `${equal === 1 ? "is" : "are"} equal.`;
  const differ = differText(differences.length);
  const verdict = differ
    ? `${differ}, ${grouped(equal)} ${are}`
    : `No differences. ${counted(equal, "setting")} ${are}`;
  return [verdict, ...leftOutText(leftOut, "more difference")].join(" ");
}

/** Empty where there is none. */
function differText(count: number): string {
  return count === 0 ? "" : `${counted(count, "setting")} ${count === 1 ? "differs" : "differ"}`;
}

/** As if the two sides were one portal before and after a plan. */
export function comparisonEntry(comparison: Comparison): PortalEntry {
  const { from, to, differences } = comparison;
  const labels = labelsOf(comparison);
  const counts = differText(differences.length);
  const result = {
    file: [from, to].map((side) => labelled(side.file, side)).join(" → "),
    portal: { name: labels.join(" → "), url: "", id: "self" },
    status: counts ? "changes" : "unchanged",
    plan: null,
    hold: null,
    policies: [],
    failure: null,
    exit: counts ? EXIT.pending : EXIT.done,
  } as const;
  return {
    ...portalEntry(result),
    status: counts ? "different" : "equal",
    counts,
    notes: notesOf(comparison),
    changes: differences.map((each) => entryOf(each, labels)),
    sides: { captions: labels, before: settingsOf(from), after: settingsOf(to) },
  };
}

type Labels = readonly [from: string, to: string];

/** The names of the portals; their files where both have one name. */
function labelsOf({ from, to }: Comparison): Labels {
  const isSame = from.portal.name === to.portal.name;
  const labelOf = (side: Side) => labelled(isSame ? side.file : side.portal.name, side);
  return [labelOf(from), labelOf(to)];
}

function labelled(name: string, { live }: Side): string {
  return live ? `${name} (live)` : name;
}

function settingsOf({ live, leaves }: Side) {
  return live ? live.settings : leaves.reduce(withLeaf, {});
}

function notesOf({ from, to, hidden }: Comparison): NoteEntry[] {
  const named = ({ live, portal, file }: Side) => (live ? `live ${whereOf(portal)}` : file);
  const isTitle = !from.live && !to.live && from.portal.name === to.portal.name;
  const files = [from, to].flatMap(({ live, file }) => (live ? [] : [file]));
  const unproven = [from, to].flatMap(({ live }) => live?.unproven ?? []);
  const are = hidden === 1 ? "is" : "are";
  const hides = `${counted(hidden, "setting")} that the portal may hide ${are} not compared.`;
  const notes = [
    isTitle ? "" : `Compared: ${named(from)} → ${named(to)}.`,
    from.target === to.target ? "" : `Target versions: ${from.target} → ${to.target}.`,
    files.length === 1 ? `Settings that "${files[0]}" does not set are not compared.` : "",
  ];
  return [
    ...notes.filter(Boolean).map((text) => ({ text, isUnexpected: false })),
    ...(hidden > 0 ? [{ text: [...unproven, hides].join(" "), isUnexpected: true }] : []),
  ];
}

function entryOf({ path, from, to }: SettingDifference, [left, right]: Labels): ChangeEntry {
  const [before, after] = [from?.value, to?.value];
  const about = { path, action: "set", cause: "file", place: null, notes: [] } as const;
  const change = { ...about, before: before ?? null, after: after ?? null };
  const spotOf = (place: Spot | null | undefined) => (place ? `${place.file}:${place.line}` : "");
  const spots = { before: spotOf(from?.place), after: spotOf(to?.place) };
  return {
    ...changeEntry(change, false),
    mark: !from ? "+" : !to ? "-" : "~",
    words: !from ? `only in ${right}` : !to ? `only in ${left}` : "",
    difference: differenceBetween({ before, after }),
    at: [...new Set([spots.before, spots.after].filter(Boolean))].join(", "),
    spots,
  };
}

export function comparisonJson(comparison: Comparison): ComparisonFacts {
  const { from, to, differences, equal, leftOut, hidden } = comparison;
  const sideJson = ({ portal, file, target, live }: Side) => {
    const { name, url, id } = portal;
    return { name, url, id, file, isLive: live !== undefined, target };
  };
  const valueJson = (side: SettingDifference["from"]) =>
    side && { value: side.value, ...spotJson(side.place) };
  return {
    from: sideJson(from),
    to: sideJson(to),
    differences: differences.map((each) => ({
      path: formatPath(each.path),
      from: valueJson(each.from),
      to: valueJson(each.to),
    })),
    summary: { differences: differences.length, equal, differencesLeftOut: leftOut, hidden },
  };
}
