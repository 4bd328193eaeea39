// A plan's guards → what is told of each, and the words and entries that would open the closed ones.
import { ALWAYS_RESTORE, isPlain, keepingCall, type Guard } from "../../plan/guard.js";

export type GuardReport = ReturnType<typeof reportGuard>;
export type Opening = ReturnType<typeof openingOf>;

/** `opened` says by whom; it is empty where the guard is closed. */
export function reportGuard({ name, message, isOpen, openedBy }: Guard) {
  return { name, message, isOpen, opened: openedBy ? openerOf(openedBy) : "" };
}

function openerOf(opened: NonNullable<Guard["openedBy"]>): string {
  if (opened.by === "command-line") return "Allowed by --allow.";
  if (opened.by === "prompt") return "Allowed at the prompt.";
  if (opened.by === "drift") return 'Allowed by "drift: restore" in the file.';
  if (opened.by === "file") return `Allowed by the file until ${opened.until}: ${opened.reason}`;
  return `Allowed, because the window "${opened.window}" ${opened.is === "open" ? "opened" : "closed"}.`;
}

/** `quoted` are the files as a command names them. */
export function openingOf(guards: readonly Guard[], file: string, quoted: string) {
  const words = openingWords(guards);
  const entries = ["allow:", ...new Set(closedOf(guards).map(entryLine))];
  const head = `To allow it, use ${words}, or add to ${file} for a limited time:`;
  const pull = keepingCall(guards, quoted);
  const isDrift = closedOf(guards).some(({ name }) => name === "overwrite-drift");
  return {
    words,
    entries,
    help: [head, ...entries, ...(isDrift ? [ALWAYS_RESTORE] : [])].join("\n"),
    /** Instead of opening them; undefined where nothing is to be kept. */
    keeping: pull === undefined ? undefined : { text: KEEPING, pull },
  };
}

const KEEPING = "To keep the change made by hand, write it into the file:";

/** Those given already are named again: what is copied must be enough. */
export function openingWords(guards: readonly Guard[]): string {
  const given = guards.filter(({ openedBy }) => openedBy?.by === "command-line");
  const names = [...given, ...closedOf(guards)].map(({ name }) => `--allow ${name}`);
  return [...new Set(names)].join(" ");
}

function closedOf(guards: readonly Guard[]): Guard[] {
  return guards.filter(({ isOpen }) => !isOpen);
}

/** Where its path cannot be written there, the entry is for the guard as a whole. */
function entryLine({ name, path }: Guard): string {
  const where = path && isPlain(path) ? `path: ${path.join(".")}, ` : "";
  return `  - { guard: ${name}, ${where}until: YYYY-MM-DD, reason: WHY }`;
}
