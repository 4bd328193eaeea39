// Words and pairs of words → lines of a width that a terminal shows whole; and what some of the words mean.
import { oneLine } from "../../lib/text.js";
import type { Paint } from "./paint.js";
import { widthOf } from "./width.js";

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

/** Less than this is too narrow for what stands beside a column. */
const NARROWEST = 28;

/** The left sides in a column as wide as the widest, the right sides wrapped beside them; below them where that leaves no room. */
export function inColumns(
  rows: readonly (readonly [left: string, right: string])[],
  { width }: Pick<Paint, "width">,
): string[] {
  const column = Math.max(0, ...rows.map(([left]) => widthOf(oneLine(left)))) + 2;
  return rows.flatMap(([left, right]) => {
    const name = oneLine(left);
    if (width - column < NARROWEST) {
      const indent = `${/^ */.exec(name)?.[0] ?? ""}    `;
      const below = right === "" ? [] : wrap(oneLine(right), width - indent.length);
      return [name, ...below.map((line) => indent + line)];
    }
    return wrap(oneLine(right), width - column).map((line, at) => {
      const beside = at === 0 ? name : "";
      return `${beside}${" ".repeat(column - widthOf(beside))}${line}`.trimEnd();
    });
  });
}
