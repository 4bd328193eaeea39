// Words and pairs of words → lines of a width that a terminal shows whole; and what some of the words mean.
import { oneLine } from "../../text.js";
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
    "what is about to be sent, written into the state first; open means that nobody knows whether it arrived",
  lock: "it lets one run at a time write the state of a portal",
  hold: "after a rollback, applies are held back until the file agrees with the portal or somebody lifts it",
} as const satisfies Record<string, string>;

type Word = keyof typeof WORDS;

/** Below a text that uses these words; empty where it uses none. */
export function legendOf(words: readonly Word[], paint: Paint): string {
  const used = (Object.keys(WORDS) as Word[]).filter((word) => words.includes(word));
  return inColumns(used.map((word) => [`  ${word}`, WORDS[word]]))
    .map((line) => `${paint.dim(line)}\n`)
    .join("");
}

/** Those that counts and lists of changes are told with. */
export function wordsFor(changes: readonly { readonly action: string }[]): Word[] {
  return (["adopt", "release"] as const).filter((word) =>
    changes.some(({ action }) => action === word),
  );
}
