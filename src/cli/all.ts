// Every command: those of a portal's settings, and the two about the command line itself.
import type { Listed } from "../commands/command.js";
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
