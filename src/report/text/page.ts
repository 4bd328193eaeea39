// A page of the manual, in Markdown → the same for a terminal: headings, lists, tables, code, and links by their text.
import { flow, painted, plainly, widthOfPieces, type Piece } from "./flow.js";
import type { Paint } from "./paint.js";

const BLOCK =
  /^```\w*\n(?<code>[^]*?)^```$|^#+ (?<heading>.+)$|(?<table>(?:^\|.+\n?)+)|^(?<mark>- |\d+\. )?(?<words>.+)$/gm;

export function pageText(markdown: string, paint: Paint): string {
  const lines: string[] = [];
  for (const { groups = {}, index } of markdown.matchAll(BLOCK)) {
    if (markdown.slice(0, index).endsWith("\n\n")) lines.push("");
    const { code, heading, table, mark = "", words = "" } = groups;
    if (code !== undefined) {
      const copied = code.trimEnd().split("\n");
      lines.push(...copied.map((line) => (line === "" ? "" : `  ${paint.cyan(line)}`)));
    } else if (heading !== undefined) lines.push(paint.bold(heading));
    else if (table !== undefined) lines.push(...tableOf(table, paint));
    else lines.push(...hanging(mark, piecesOf(words, paint), paint));
  }
  return `${lines.join("\n")}\n`;
}

/** What begins a line, and the rest beside it. */
function hanging(mark: string, pieces: readonly Piece[], { width }: Paint): string[] {
  return flow(pieces, width - mark.length).map(
    (line, at) => (at === 0 ? mark : " ".repeat(mark.length)) + painted(line),
  );
}

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*(.+?)\*|\[([^\]]+)\]\(([^)]+)\)/g;

function piecesOf(text: string, paint: Paint): Piece[] {
  const plain = (each: string): Piece => ({ text: each, paint: plainly });
  const pieces: Piece[] = [];
  let done = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, code, strong, weak, link, address = ""] = found;
    pieces.push(plain(text.slice(done, found.index)));
    done = found.index + all.length;
    pieces.push({
      text: code ?? link ?? strong ?? weak ?? "",
      paint: (code ?? link) === undefined ? paint.bold : paint.cyan,
    });
    // Another topic is named by its link; everything else stands somewhere in the project.
    if (link !== undefined && !/^[\w-]+\.md$/.test(address))
      pieces.push(plain(` (${address.replace(/^\.\.\//, "")})`));
  }
  return [...pieces, plain(text.slice(done))].filter((each) => each.text !== "");
}

/** Less than this is too narrow for the last column. */
const NARROWEST = 28;

function tableOf(text: string, paint: Paint): string[] {
  const [head = [], , ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => piecesOf(cell.trim(), paint)));
  const bold = head.map((cell) => cell.map((piece) => ({ ...piece, paint: paint.bold })));
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOfPieces(row[column] ?? []))),
  );
  const left = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  if (paint.width - left < NARROWEST) return rows.flatMap((row) => stacked(row, bold, paint));
  return [bold, ...rows].flatMap((row) => {
    const start = row
      .slice(0, -1)
      .map((cell, at) => painted(cell) + " ".repeat((widths[at] ?? 0) + 2 - widthOfPieces(cell)))
      .join("");
    return flow(row.at(-1) ?? [], paint.width - left).map((line, at) =>
      ((at === 0 ? start : " ".repeat(left)) + painted(line)).trimEnd(),
    );
  });
}

/** A row that is too wide to stand in columns: each cell below the first, with the name of its column. */
function stacked(row: readonly Piece[][], head: readonly Piece[][], paint: Paint): string[] {
  const [first = [], ...others] = row;
  const rest = others.flatMap((cell, at) =>
    hanging("  ", [...(head[at + 1] ?? []), { text: ": ", paint: plainly }, ...cell], paint),
  );
  return [...hanging("", first, paint), ...rest];
}
