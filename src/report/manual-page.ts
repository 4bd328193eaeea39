// Renders a page of the manual for a terminal; a link to another page becomes the command that prints it.
import type { Styles } from "./styles.js";
import { hanging, plainly, tableLines, type Piece } from "./text-layout.js";

const BLOCK =
  /^```\w*\n(?<code>[^]*?)^```$|^#+ (?<heading>.+)$|(?<table>(?:^\|.+\n?)+)|^(?<mark>- |\d+\. )?(?<words>.+)$/gm;

/** A terminal shows no screenshots. */
const PICTURE = /^<picture>\n[^]*?^<\/picture>\n\n?/gm;

export function pageText(page: string, styles: Styles): string {
  const markdown = page.replaceAll(PICTURE, "");
  const lines: string[] = [];
  for (const { groups = {}, index } of markdown.matchAll(BLOCK)) {
    if (markdown.slice(0, index).endsWith("\n\n")) lines.push("");
    const { code, heading, table, mark = "", words = "" } = groups;
    if (code !== undefined) {
      const copied = code.trimEnd().split("\n");
      lines.push(...copied.map((line) => (line === "" ? "" : `  ${styles.cyan(line)}`)));
    } else if (heading !== undefined) lines.push(styles.bold(heading));
    else if (table !== undefined) lines.push(...tableOf(table, styles));
    else lines.push(...hanging(mark, piecesOf(words, styles), styles));
  }
  return `${lines.join("\n")}\n`;
}

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*(.+?)\*|\[([^\]]+)\]\(([^)]+)\)/g;

function piecesOf(text: string, styles: Styles): Piece[] {
  const plain = (each: string): Piece => ({ text: each, style: plainly });
  const pieces: Piece[] = [];
  let done = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, code, strong, weak, link, address = ""] = found;
    pieces.push(plain(text.slice(done, found.index)));
    done = found.index + all.length;
    if (link === undefined) {
      const style = code === undefined ? styles.bold : styles.cyan;
      pieces.push({ text: code ?? strong ?? weak ?? "", style });
      continue;
    }
    pieces.push(plain(link.replaceAll("`", "")));
    // A terminal has no place to jump to.
    if (address.startsWith("#")) continue;
    const [, topic] = /^(?:start\/|\.\.\/)?([\w-]+)\.md(?:#.*)?$/.exec(address) ?? [];
    pieces.push(plain(" ("));
    // Everything else is a path in the project.
    if (topic === undefined) pieces.push(plain(address.replace(/^\.\.\//, "")));
    else pieces.push({ text: `lintel help ${topic}`, style: styles.cyan });
    pieces.push(plain(")"));
  }
  return [...pieces, plain(text.slice(done))].filter((each) => each.text !== "");
}

function tableOf(text: string, styles: Styles): string[] {
  const [head = [], , ...rows] = text
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.replaceAll("\\|", "|")),
    )
    .map((cells) => cells.map((cell) => piecesOf(cell.trim(), styles)));
  return tableLines(head, rows, styles);
}
