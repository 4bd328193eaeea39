// Prints diagnostics and failures for a terminal: what is wrong, the line with a marker, what to do.
import {
  formatPlace,
  severitiesIn,
  type Diagnostic,
  type Place,
  type Severity,
} from "../diagnostic.js";
import type { Outcome } from "../outcome.js";
import { ALLOWED_HOSTS } from "../hosts.js";
import { formatSpot } from "../settings.js";
import { groupBy } from "../lib/lists.js";
import { counted, oneLine, someOf, visible } from "../lib/text.js";
import { flow, plainly, sentenceLines, styled, widthOf, type Piece } from "./text-layout.js";
import type { Styles } from "./styles.js";

const COLOURS = { error: "red", warning: "yellow", notice: "cyan" } as const;

/** One paragraph a problem, one for all hosts that are not listed; the counts last. */
export function checkText(
  { diagnostics, files = [] }: Pick<Outcome, "diagnostics" | "files">,
  styles: Styles,
): string {
  const shown = diagnostics.filter(({ unlistedHost }) => unlistedHost === undefined);
  const paragraphs = sameProblems(shown).flatMap(([first, ...more]) =>
    first ? [diagnosticText(first, styles, more)] : [],
  );
  const hosts = diagnostics.flatMap(({ unlistedHost }) => unlistedHost ?? []);
  if (hosts.length > 0) paragraphs.push(unlistedHostsText([...new Set(hosts)], styles));
  return [...paragraphs, `${summaryText(diagnostics, files, styles)}\n`].join("\n");
}

export function failureText(
  { message, code = "", help = "" }: { message: string; code?: string; help?: string | undefined },
  styles: Styles,
  word: Severity | "skipped" = "error",
): string {
  const colour = styles[word === "skipped" ? "yellow" : COLOURS[word]];
  const pieces = [
    { text: word, style: (text: string) => colour(styles.bold(text)) },
    { text: `: ${oneLine(message)} `, style: plainly },
    { text: `[${code}]`, style: styles.dim },
  ];
  return [...headLines(pieces, styles), ...helpLines(help, styles), ""].join("\n");
}

/** The first line wrapped; those below it are for copying and stay as they are. */
export function helpLines(
  help: string,
  styles: Styles,
  indent = "  ",
  width = styles.messageWidth,
): string[] {
  if (help === "") return [];
  const left = " ".repeat(`${indent}help: `.length);
  const [first = "", ...more] = sentenceLines(help, plainly, left, { width });
  return [`${indent}${styles.cyan("help:")} ${first.slice(left.length)}`, ...more];
}

/** Fewer that say the same, each in a file of its own, are shown one by one. */
const FEW = 4;
/** More places than these are counted. */
const MOST_PLACES = 60;

/** Problems that many files share stand together, where the first of them does. */
export function sameProblems(diagnostics: readonly Diagnostic[]): (readonly Diagnostic[])[] {
  const groups = groupBy(diagnostics, ({ code, severity, message, help }) =>
    JSON.stringify([code, severity, message, help]),
  );
  const isShared = (group: readonly Diagnostic[]) =>
    group.length >= FEW && new Set(group.map(({ file }) => file)).size === group.length;
  const shared = [...groups.values()].filter(isShared);
  const groupOf = new Map(shared.flatMap((group) => group.map((each) => [each, group] as const)));
  return diagnostics.flatMap((each) => {
    const group = groupOf.get(each) ?? [each];
    return group[0] === each ? [group] : [];
  });
}

/** Where the same problem stands besides; empty where that is nowhere. */
export function elsewhereText(more: readonly Diagnostic[]): string {
  if (more.length === 0) return "";
  const places = more.map((each) => oneLine(formatPlace(each)));
  return `the same in ${counted(more.length, "more file")}: ${someOf(places, "file", MOST_PLACES)}`;
}

function unlistedHostsText(hosts: readonly string[], styles: Styles): string {
  const names = someOf(hosts.map(oneLine), "host", 8);
  return failureText(
    {
      message: `${ALLOWED_HOSTS} does not list ${names}.`,
      code: "host-not-listed",
      help: "Correct the address in the file, or add the host to the list outside the repository.",
    },
    styles,
    "warning",
  );
}

/** `more` say the same elsewhere. */
function diagnosticText(each: Diagnostic, styles: Styles, more: readonly Diagnostic[]): string {
  const { severity, message, code, related, help } = each;
  const pieces = [
    { text: oneLine(formatPlace(each)), style: styles.bold },
    { text: ": ", style: plainly },
    { text: severity, style: styles[COLOURS[severity]] },
    { text: `: ${oneLine(message)} `, style: plainly },
    { text: `[${code}]`, style: styles.dim },
  ];
  return [
    ...headLines(pieces, styles),
    ...excerptLines(each, styles),
    ...related.flatMap(({ place, message }) =>
      sentenceLines(oneLine(`${formatSpot(place)} ${message}`), styles.dim, "  ", {
        width: styles.messageWidth,
      }),
    ),
    ...(more.length > 0 ? sentenceLines(elsewhereText(more), styles.dim, "  ", styles) : []),
    ...helpLines(help, styles),
    "",
  ].join("\n");
}

/** Programs look for all of it on one line, and a terminal has a width. */
function headLines(pieces: readonly Piece[], { messageWidth }: Styles): string[] {
  return flow(pieces, messageWidth).map(styled);
}

function excerptLines({ place, severity }: Diagnostic, styles: Styles): string[] {
  if (!place) return [];
  const { text, from, to } = inView(place.excerpt, styles.messageWidth - "      | ".length);
  // Tabs stay tabs, so that the marker is below what it marks however wide the terminal draws them.
  const indent = visible(text.slice(0, from)).replace(/[^\t]+/g, (part) =>
    " ".repeat(widthOf(part)),
  );
  const marker = "^".repeat(Math.max(1, widthOf(visible(text.slice(from, to)))));
  return [
    `${styles.dim(`${String(place.line).padStart(5)} |`)} ${visible(text)}`,
    `${styles.dim("      |")} ${indent}${styles[COLOURS[severity]](marker)}`,
  ];
}

/** The part of a line that a terminal has room for, with what is marked in it. */
function inView({ text, from, to }: Place["excerpt"], width: number): Place["excerpt"] {
  if (widthOf(visible(text)) <= width) return { text, from, to };
  const before = Math.max(0, Math.min(from - Math.floor(width / 3), text.length - width + 1));
  const start = before < 2 ? 0 : before;
  const [head, room] = start === 0 ? ["", width - 1] : ["…", width - 2];
  const end = start + room;
  const shown = head + text.slice(start, end) + (end < text.length ? "…" : "");
  const within = (offset: number) => Math.min(offset - start + head.length, shown.length);
  return { text: shown, from: within(from), to: Math.max(within(from), within(to)) };
}

function summaryText(diagnostics: readonly Diagnostic[], files: readonly string[], styles: Styles) {
  const where = files.length === 1 ? visible(files[0] ?? "") : counted(files.length, "file");
  const counts = severitiesIn(diagnostics);
  if (counts.length === 0) return styles.green(`${where}: no problems.`);
  const pieces = counts.flatMap(({ kind, count }, at): Piece[] => [
    { text: at === 0 ? `${where}: ` : ", ", style: plainly },
    { text: counted(count, kind), style: styles[COLOURS[kind]] },
  ]);
  return headLines([...pieces, { text: ".", style: plainly }], styles).join("\n");
}
