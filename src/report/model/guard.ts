// A plan's guards → what is told of each, and the words and entries that would open the closed ones.
import type { Guard } from "../../plan/guard.js";

export type GuardReport = ReturnType<typeof reportGuard>;
export type Opening = ReturnType<typeof openingOf>;

/** `opened` says by whom; it is empty where the guard is closed. */
export function reportGuard({ name, message, isOpen, openedBy }: Guard) {
  const opened = !openedBy
    ? ""
    : openedBy.by === "command-line"
      ? "Opened by --allow."
      : `Opened by the file until ${openedBy.until}: ${openedBy.reason}`;
  return { name, message, isOpen, opened };
}

export function openingOf(guards: readonly Guard[], file: string) {
  const words = openingWords(guards);
  const entries = ["allow:", ...new Set(closedOf(guards).map(entryLine))];
  const head = `Open with ${words}, or write in ${file} for a while:`;
  return { words, entries, help: [head, ...entries].join("\n") };
}

/** Those given already are named again: what is copied must be enough. */
export function openingWords(guards: readonly Guard[]): string {
  const given = guards.filter(({ openedBy }) => openedBy?.by === "command-line");
  const names = [...given, ...closedOf(guards)].map(({ name }) => `--allow ${name}`);
  return [...new Set(names)].join(" ");
}

function closedOf(guards: readonly Guard[]): Guard[] {
  return guards.filter(({ isOpen }) => !isOpen);
}

/** A path with other letters cannot be written there, so that the entry is for the guard as a whole. */
function entryLine({ name, path }: Guard): string {
  const isPlain = path?.every((part) => /^[\w$-]+$/.test(String(part))) ?? false;
  const where = isPlain && path ? `path: ${path.join(".")}, ` : "";
  return `  - { guard: ${name}, ${where}until: YYYY-MM-DD, reason: WHY }`;
}
