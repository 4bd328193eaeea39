// Applies what an editor offers, and returns the file as the editor leaves it.
import type { Offered, Position } from "../support/editor.js";
import { expand } from "../support/snippet.js";

export interface Accepted {
  readonly text: string;
  /** Where what was inserted begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Where the editor leaves the cursor, because something is to be written there yet. */
  readonly blanks: readonly number[];
}

export function accept(text: string, offset: number, { insertText, textEdit }: Offered): Accepted {
  const at = ({ line, character }: Position) =>
    text
      .split("\n")
      .slice(0, line)
      .reduce((sum, each) => sum + each.length + 1, 0) + character;
  const start = textEdit ? at(textEdit.range.start) : offset;
  const replaced = textEdit ? at(textEdit.range.end) : offset;
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const [indent = ""] = /^\s*/.exec(line) ?? [];
  // Lines after the first are indented as the one that they were inserted in.
  const snippet = (textEdit?.newText ?? insertText).replaceAll("\n", `\n${indent}`);
  const { text: inserted, blanks } = expand(snippet);
  const end = start + inserted.length;
  return {
    text: text.slice(0, start) + inserted + text.slice(replaced),
    start,
    end,
    blanks: blanks.map((blank) => start + blank),
  };
}
