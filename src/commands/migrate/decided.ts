// A file that an earlier migration wrote, and names that it has a value for now → the same without the lines that said they are to be decided or checked.
import { edit, type Stretch } from "../../document/edit/edit.js";
import { lineStartsOf } from "../../lib/source-text.js";

/** How lintel migrate begins such a list, and an entry of it; whatever looks otherwise is a person's. */
const TITLE = /^# Left out, and to be (?:decided|checked):$/;
const ENTRY =
  /^# {3}([A-Za-z_$][\w$]*) \([^()]*:\d+\), (?:not-understood|invalid|needs-newer-target|no-counterpart): /;
const MORE = /^# {3}\s*\S/;

export function withoutDecided(text: string, names: ReadonlySet<string>): string {
  const lines = text.split(/(?<=\n)/).map((line) => line.replace(/\r?\n$/, ""));
  const starts = lineStartsOf(text);
  const dropped: Stretch[] = [];
  const drop = (at: number) =>
    dropped.push({ start: starts[at] ?? 0, end: starts[at + 1] ?? text.length, text: "" });
  for (const [at, line] of lines.entries()) {
    if (!TITLE.test(line)) continue;
    let [end, isDropped, hasMore] = [at + 1, false, false];
    for (; MORE.test(lines[end] ?? ""); end++) {
      const name = ENTRY.exec(lines[end] ?? "")?.[1];
      if (name !== undefined) isDropped = names.has(name);
      if (isDropped) drop(end);
      else hasMore = true;
    }
    if (hasMore || end === at + 1) continue;
    drop(at);
    if (lines[at - 1] === "") drop(at - 1);
  }
  return edit(text, dropped) ?? text;
}
