// A command's words → all its options: its own, where its reports go, and those that every command has.
import type { Option, Options, Words } from "../commands/command.js";

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
