// Words and pairs of words → lines of a width that a terminal shows whole; and what some of the words mean.
import { oneLine } from "../../text.js";
import { WORDS, type Word } from "../model/words.js";
import type { Paint } from "./paint.js";

export const WIDTH = 96;

export function wrap(text: string, width = WIDTH): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

/** The left sides in a column as wide as the widest, the right sides wrapped beside them. */
export function inColumns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => oneLine(left).length));
  return rows.flatMap(([left, right]) =>
    wrap(oneLine(right), WIDTH - width - 2).map((line, at) =>
      `${(at === 0 ? oneLine(left) : "").padEnd(width)}  ${line}`.trimEnd(),
    ),
  );
}

/** Below a text that uses these words; empty where it uses none. */
export function legendOf(words: readonly Word[], paint: Paint): string {
  const used = (Object.keys(WORDS) as Word[]).filter((word) => words.includes(word));
  if (used.length === 0) return "";
  return inColumns(used.map((word) => [`  ${word}`, WORDS[word]]))
    .map((line) => `${paint.dim(line)}\n`)
    .join("");
}

/** Those that counts and lists of changes are told with. */
export function wordsFor(changes: readonly { readonly action: string }[]): Word[] {
  const words = ["adopt", "release"] as const;
  return words.filter((word) => changes.some(({ action }) => action === word));
}
