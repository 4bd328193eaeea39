// Turns what others wrote into Markdown that shows it and does nothing else: no mention, link or tag is alive in code.
import { counted, oneLine, shortened, visible } from "../lib/text.js";

const LONGEST_NAME = 100;
const LONGEST_SENTENCE = 600;
const MOST_LINES = 20;

/** Within a line. */
export function code(text: string, most = LONGEST_NAME): string {
  return inBackticks(oneLine(shortened(text, most)));
}

/** Within a cell of a table, which a bar would end, also one behind a backslash. */
export function codeInCell(text: string): string {
  const shown = oneLine(shortened(text, LONGEST_NAME)).replaceAll("\\|", "\\<U+007C>");
  return inBackticks(shown.replaceAll("|", "\\|"));
}

/** Where Markdown is not read but HTML is. */
export function codeInHtml(text: string): string {
  const shown = oneLine(shortened(text, LONGEST_NAME))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  return `<code>${shown}</code>`;
}

/** Lines as they are; nothing inside can close the fence. */
export function fenced(language: "diff" | "json" | "text" | "yaml", lines: readonly string[]) {
  const shown = lines.map(visible).join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A line each, and not too many of them. */
export function sentences(lines: readonly string[]): string[] {
  const left = lines.length - MOST_LINES;
  const first = lines.slice(0, MOST_LINES);
  const shown = first.map((line) => shortened(oneLine(line), LONGEST_SENTENCE));
  return left > 0 ? [...shown, `# … and ${counted(left, "more line")}`] : shown;
}

/** Folded away. The empty lines are what makes Markdown read on inside HTML. */
export function folded(summary: string, isOpen: boolean, blocks: readonly string[]): string {
  const head = `<details${isOpen ? " open" : ""}>\n<summary>${summary}</summary>`;
  return [head, ...blocks, "</details>"].join("\n\n");
}

function inBackticks(shown: string): string {
  const fence = "`".repeat(longestRun(shown) + 1);
  // One space on either side is taken off again.
  const isOpen = /^[` ]|[` ]$/.test(shown) || shown === "";
  return isOpen ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}
