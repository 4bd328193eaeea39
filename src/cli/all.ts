// Lists every command, and the options that commands have in common.
import type { CommandSpec, Format, Listed, Option, Options } from "../commands/command.js";
import { COMMANDS } from "../commands/index.js";

export const ALL: readonly Listed[] = [
  ...COMMANDS,
  {
    name: "completion",
    group: "More",
    summary: "Print a shell completion script.",
    topic: "install",
    load: () => import("./completion.js"),
  },
  {
    name: "help",
    group: "More",
    summary: "Show help for a command or topic.",
    load: () => import("./help.js"),
  },
];

export const NAMES = ALL.map(({ name }) => name);

const NO_DESTROY = "Lintel removes no settings. Undo the last apply:\n  lintel rollback";
const HOLD = "Block applies for a time:\n  lintel hold";
const LOCK = "Set how long apply waits for another run:\n  lintel apply --wait SECONDS";
const UNLOCK = "Settle what a killed run left open:\n  lintel state unlock";
const REFRESH = "Show changes made outside Lintel:\n  lintel drift";

/** Commands of other tools, and their equivalents here. */
export const FROM_OTHER_TOOLS: ReadonlyMap<string, string> = new Map([
  ["login", "Each command signs in when it needs to. Check the sign-in:\n  lintel doctor"],
  ["destroy", NO_DESTROY],
  ["force-unlock", UNLOCK],
  ["unlock", UNLOCK],
  ["freeze", HOLD],
  ["undo", "Undo the last apply:\n  lintel rollback"],
  ["import", "Write live settings into the file:\n  lintel pull"],
  ["refresh", REFRESH],
  ["fmt", "Lintel does not format files. Check them:\n  lintel validate"],
  ["workspace", "Each portal has its own file. Plan many at once:\n  lintel plan portals"],
  ["terraform", "Read what differs:\n  lintel help from-terraform"],
  ["whoami", "Show the account and the token's end:\n  lintel doctor"],
  ["schedule", "Show open and upcoming windows:\n  lintel status --offline"],
  ["show", "Show a saved plan:\n  lintel plan --load FILE"],
  ["log", "Show every apply:\n  lintel history"],
  ["--dry-run", "Show the changes without applying them:\n  lintel plan"],
  ["--out", "Save the plan:\n  lintel plan --save plan.json"],
  ["--target", "Choose settings with:\n  --path PATH"],
  ["--destroy", NO_DESTROY],
  ["--lock", LOCK],
  ["--lock-timeout", LOCK],
  ["--refresh-only", REFRESH],
  ["--var", "Refer to a variable in the file:\n  ${env:LINTEL_VAR_NAME}"],
  ["--chdir", "Name the file:\n  lintel plan DIR/portal.yaml"],
  ["--input", "Lintel asks in a terminal only. To apply without a question:\n  lintel apply --yes"],
  ["--version", "Show the version:\n  lintel --version"],
]);

/** Options that every command has. */
const COMMON = {
  help: { alias: "h", description: "Show this help." },
  "no-color": { description: "Print without colour." },
} as const satisfies Options;

/** For commands with several report formats. */
function reportOptions(formats: readonly Format[]): Options {
  if (formats.length < 2) return {};
  return {
    output: {
      alias: "o",
      value: "FORMAT[=FILE]",
      isList: true,
      offers: formats,
      description: "Write a report in this format.",
    },
    ...(formats.includes("json") && { json: { description: "Same as --output json." } }),
  };
}

export function optionsOf({ formats, options }: Pick<CommandSpec, "formats" | "options">): Options {
  return { ...options, ...reportOptions(formats), ...COMMON };
}

/** The spec of the command, or of its action if that has one. */
export function specAt(
  { name, summary }: Pick<Listed, "name" | "summary">,
  spec: CommandSpec,
  [word = ""]: readonly string[],
): { readonly name: string; readonly summary: string; readonly spec: CommandSpec } {
  const { actions = {} } = spec;
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (!action) return { name, summary, spec };
  const options = Object.fromEntries(
    Object.entries(spec.options).filter(([each]) => action.options.includes(each)),
  );
  return {
    name: `${name} ${word}`,
    summary: action.summary,
    spec: { ...spec, operands: action.operands, options, examples: [action.example] },
  };
}

/** The other names of an option, without dashes. */
export function aliasesOf({ alias = [] }: Option): readonly string[] {
  return typeof alias === "string" ? [alias] : alias;
}
