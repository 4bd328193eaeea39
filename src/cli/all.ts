// Every command, the two about the command line itself among them, and every option that each has.
import type { Listed, Option, Options, Words } from "../commands/command.js";
import { COMMANDS } from "../commands/index.js";

export const ALL: readonly Listed[] = [
  ...COMMANDS,
  {
    name: "completion",
    summary: "Print a script that completes commands and options in a shell.",
    load: () => import("./completion.js"),
  },
  {
    name: "help",
    summary: "Show help on a command, or a topic of the manual.",
    load: () => import("./help.js"),
  },
];

export const NAMES = ALL.map(({ name }) => name);

/** Options that every command has. */
const COMMON = {
  help: { short: "h", meaning: "Show this help." },
  "no-color": { meaning: "Print without colour." },
} as const satisfies Options;

export function optionsOf({ formats, options }: Pick<Words, "formats" | "options">): Options {
  const output: Option = {
    short: "o",
    value: "FORMAT[=FILE]",
    isList: true,
    offers: formats,
    meaning: "A report, to standard output or to a file; may be given several times.",
  };
  return { ...options, ...(formats.length > 1 && { output }), ...COMMON };
}
