// A text in which git left both sides of a merge → one problem that tells them apart; undefined where there is none.
import type { Diagnostic } from "../../diagnostic.js";
import { counted, shellWord } from "../../lib/text.js";
import type { Source } from "./source.js";
import { diagnose } from "./tree.js";

const MARKER = /^([<|=>])\1{6}(?: (.*))?$/;

interface Side {
  readonly name: string | undefined;
  readonly lines: number;
}

export function conflictIn(source: Source): Diagnostic | undefined {
  const [found, ...more] = conflictsIn(source.text);
  if (!found) return undefined;
  const others = more.length > 0 ? ` ${more.length} more below.` : "";
  const word = shellWord(source.file);
  const start = source.lineStarts[found.line - 1] ?? 0;
  return diagnose(
    "yaml-syntax",
    { span: { source, start, end: start + 7 } },
    `Git left both sides of a merge here: ${told(found.ours)}, and ${told(found.theirs)}.${others}`,
    `Keep what is right, and take the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>> out. While the merge goes on, this puts one side there, the first or the second:\n  git checkout --ours -- ${word}\n  git checkout --theirs -- ${word}`,
  );
}

/** In one walk, since a hostile file may hold nothing but markers. */
function conflictsIn(text: string) {
  const found: { readonly line: number; readonly ours: Side; readonly theirs: Side }[] = [];
  const at = { begin: 0, base: 0, middle: 0, name: undefined as string | undefined };
  for (const [index, each] of text.split(/\r?\n/).entries()) {
    const [, sign, name] = MARKER.exec(each) ?? [];
    const line = index + 1;
    if (sign === "<") Object.assign(at, { begin: line, base: 0, middle: 0, name });
    if (sign === "|" && at.begin > 0 && at.middle === 0) at.base ||= line;
    if (sign === "=" && at.begin > 0) at.middle ||= line;
    if (sign !== ">" || at.middle === 0) continue;
    found.push({
      line: at.begin,
      ours: { name: at.name, lines: (at.base || at.middle) - at.begin - 1 },
      theirs: { name, lines: line - at.middle - 1 },
    });
    Object.assign(at, { begin: 0, middle: 0 });
  }
  return found;
}

/** How many lines, not which: those move with what is written above, and the problem would seem to be another one. */
function told({ name, lines }: Side): string {
  const count = lines === 0 ? "nothing" : counted(lines, "line");
  return name ? `${count} of "${name}"` : count;
}
