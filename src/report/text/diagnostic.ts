// Diagnostics and failures → text for a terminal: what is wrong, the line with a marker, what to do.
import { formatPlace, severitiesIn, type Diagnostic, type Place } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { formatSpot } from "../../settings.js";
import { counted, oneLine, visible } from "../../text.js";
import { flow, painted, plainly, said, type Piece } from "./flow.js";
import type { Paint } from "./paint.js";
import { widthOf } from "./width.js";

/** Fewer that say the same, each in a file of its own, are told one by one. */
const FEW = 4;
/** More places than these are counted rather than named. */
const MOST_PLACES = 60;

const COLOURS = { error: "red", warning: "yellow", notice: "cyan" } as const;

/** One paragraph a diagnostic, or for many files that say the same wrong thing; the counts last. */
export function checkText(
  { diagnostics, files = [] }: Pick<Outcome, "diagnostics" | "files">,
  paint: Paint,
): string {
  const paragraphs = alike(diagnostics).flatMap(([first, ...more]) =>
    first ? [diagnosticText(first, paint, more)] : [],
  );
  return [...paragraphs, `${summaryText(diagnostics, files, paint)}\n`].join("\n");
}

/** Those that many files have in common, each where the first of them stands. */
function alike(diagnostics: readonly Diagnostic[]): (readonly Diagnostic[])[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) {
    const { code, severity, message, help } = each;
    const key = JSON.stringify([code, severity, message, help]);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  const isMany = (group: readonly Diagnostic[]) =>
    group.length >= FEW && new Set(group.map(({ file }) => file)).size === group.length;
  const many = [...groups.values()].filter(isMany);
  const groupOf = new Map(many.flatMap((group) => group.map((each) => [each, group] as const)));
  return diagnostics.flatMap((each) => {
    const group = groupOf.get(each) ?? [each];
    return group[0] === each ? [group] : [];
  });
}

export function failureText(
  { message, code = "", help = "" }: { message: string; code?: string; help?: string | undefined },
  paint: Paint,
  word: "error" | "skipped" = "error",
): string {
  const colour = word === "error" ? paint.red : paint.yellow;
  const pieces = [
    { text: word, paint: (text: string) => colour(paint.bold(text)) },
    { text: `: ${oneLine(message)} `, paint: plainly },
    { text: `[${code}]`, paint: paint.dim },
  ];
  return [...headLines(pieces, paint), ...helpLines(help, paint), ""].join("\n");
}

/** The first line wrapped; those below it are to be copied and stay as they are. */
export function helpLines(
  help: string,
  paint: Paint,
  indent = "  ",
  width = paint.messageWidth,
): string[] {
  if (help === "") return [];
  const left = " ".repeat(`${indent}help: `.length);
  const [first = "", ...more] = said(help, plainly, left, { width });
  return [`${indent}${paint.cyan("help:")} ${first.slice(left.length)}`, ...more];
}

/** `more` say the same elsewhere. */
function diagnosticText(each: Diagnostic, paint: Paint, more: readonly Diagnostic[]): string {
  const { severity, message, code, related, help } = each;
  const colour = paint[COLOURS[severity]];
  const pieces = [
    { text: oneLine(formatPlace(each)), paint: paint.bold },
    { text: ": ", paint: plainly },
    { text: severity, paint: colour },
    { text: `: ${oneLine(message)} `, paint: plainly },
    { text: `[${code}]`, paint: paint.dim },
  ];
  return [
    ...headLines(pieces, paint),
    ...excerptLines(each, paint),
    ...related.flatMap(({ place, message }) =>
      said(oneLine(`${formatSpot(place)} ${message}`), paint.dim, "  ", {
        width: paint.messageWidth,
      }),
    ),
    ...elsewhere(more, paint),
    ...helpLines(help, paint),
    "",
  ].join("\n");
}

function elsewhere(more: readonly Diagnostic[], paint: Paint): string[] {
  if (more.length === 0) return [];
  const places = more.slice(0, MOST_PLACES).map((each) => oneLine(formatPlace(each)));
  const left = more.length - places.length;
  const rest = left > 0 ? ` and ${counted(left, "more file")}` : "";
  const text = `the same in ${counted(more.length, "more file")}: ${places.join(", ")}${rest}`;
  return said(text, paint.dim, "  ", paint);
}

/** Programs look for the whole of it on one line, and a terminal has a width. */
function headLines(pieces: readonly Piece[], { messageWidth }: Paint): string[] {
  return flow(pieces, messageWidth).map(painted);
}

function excerptLines({ place, severity }: Diagnostic, paint: Paint): string[] {
  if (!place) return [];
  const { text, from, to } = inView(place.excerpt, paint.messageWidth - "      | ".length);
  // Tabs stay tabs, so that the marker stands below what it marks however wide the terminal draws them.
  const indent = visible(text.slice(0, from)).replace(/[^\t]+/g, (part) =>
    " ".repeat(widthOf(part)),
  );
  const marker = "^".repeat(Math.max(1, widthOf(visible(text.slice(from, to)))));
  return [
    `${paint.dim(`${String(place.line).padStart(5)} |`)} ${visible(text)}`,
    `${paint.dim("      |")} ${indent}${paint[COLOURS[severity]](marker)}`,
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

function summaryText(diagnostics: readonly Diagnostic[], files: readonly string[], paint: Paint) {
  const where = files.length === 1 ? visible(files[0] ?? "") : counted(files.length, "file");
  const counts = severitiesIn(diagnostics).map(({ kind, count }) =>
    paint[COLOURS[kind]](counted(count, kind)),
  );
  if (counts.length === 0) return paint.green(`${where}: no problems.`);
  return `${where}: ${counts.join(", ")}.`;
}
