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

/** The words that Lintel uses in a sense of its own, in the order in which somebody meets them. */
export const WORDS = {
  target: "the version that a file is written for; it decides which settings there are",
  reference: "what the vendor documents of each setting: its type, its default, its versions",
  manage: "what a file sets is managed; everything else of a portal is left alone",
  plan: "what an apply would do, worked out without changing anything",
  stock: "a value that portals are shipped with, so that nobody need have chosen it",
  set: "to send a value that the portal does not show yet",
  adopt: "to note in the state what the portal shows already; nothing is sent for it",
  release: "to manage a setting no longer; the portal keeps it as it is",
  drift: "what somebody changed on the portal since the last apply, other than by Lintel",
  guard:
    "it stops an apply or a rollback that may not be meant, until somebody opens it with --allow or in the file",
  state:
    "what is remembered of a portal: what was applied last, by whom, and what the portal showed then",
  serial: "the number of a state, which goes up with every write; an apply is named by it",
  lineage:
    "the name that a state keeps from its first write on; a state that is begun anew has another",
  journal:
    "what is about to be sent, written into the state first; open means that its outcome is not settled yet",
  lock: "it lets one run at a time write the state of a portal",
  hold: "it holds applies back: after a rollback until the file agrees with the portal, by hand until its time has come, or until somebody lifts it",
} as const satisfies Record<string, string>;

type Word = keyof typeof WORDS;

/** Below a text that uses these words; empty where it uses none. */
export function legendOf(words: readonly Word[], paint: Paint): string {
  const used = (Object.keys(WORDS) as Word[]).filter((word) => words.includes(word));
  return inColumns(
    used.map((word) => [`  ${word}`, WORDS[word]]),
    paint,
  )
    .map((line) => `${paint.dim(line)}\n`)
    .join("");
}

/** Those that counts and lists of changes are told with. */
export function wordsFor(changes: Iterable<{ readonly action: string }>): Word[] {
  const actions = new Set<string>();
  for (const { action } of changes) actions.add(action);
  return (["adopt", "release"] as const).filter((word) => actions.has(word));
}
