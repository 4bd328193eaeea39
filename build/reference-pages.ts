// Writes the pages of the manual that list every option and every code.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ALL, optionsOf } from "../src/cli/all.js";
import { describeOption } from "../src/cli/help.js";
import type { Options } from "../src/commands/command.js";
import { EXIT_MEANINGS } from "../src/commands/explain/code.js";
import { DIAGNOSTICS } from "../src/diagnostic.js";
import { RULES } from "../src/document/check/rules/all.js";
import { FAILURES } from "../src/failure.js";
import { GUARDS } from "../src/guard.js";
import { GUARD_RULES } from "../src/plan/guards/all.js";
import { NOTE_CODES } from "../src/plan/note.js";
import { project } from "./options.js";

/** Each page's path within the project, and its text. */
export async function referencePages(): Promise<Map<string, string>> {
  return new Map([
    ["docs/commands.md", await commandsPage()],
    ["docs/codes.md", codesPage()],
  ]);
}

async function commandsPage(): Promise<string> {
  const everywhere = optionsOf({ formats: ["text", "json"], options: {} });
  const sections = ALL.map(async ({ name, summary, load }) => {
    const { operands, options } = (await load()).spec;
    const own = Object.entries<Options[string]>(options).filter(
      ([, { describedIn }]) => describedIn === undefined,
    );
    const hasNetwork = own.length < Object.keys(options).length;
    return [
      `## ${name}`,
      summary,
      `Usage: \`${`lintel ${name} ${operands}`.trimEnd()}\``,
      ...(own.length > 0 ? [optionTable(Object.fromEntries(own))] : []),
      ...(hasNetwork ? ["This command also has the [options of the network](network.md)."] : []),
    ];
  });
  return page([
    "# Commands",
    "Every command of Lintel with its options.",
    "`lintel COMMAND --help` shows examples, too. `lintel explain OPTION` names the commands that have an option.",
    "Every command has these options; `--output` and `--json` where it has [reports](output.md):",
    optionTable(everywhere),
    ...(await Promise.all(sections)).flat(),
  ]);
}

function optionTable(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const [label, description] = describeOption(name, option);
    return [label, description];
  });
  return table(["Option", "Meaning"], named(rows));
}

function codesPage(): string {
  const failures = Object.entries(FAILURES).map(([code, [exit, meaning]]) => [
    code,
    String(exit),
    meaning,
  ]);
  const problems = Object.entries(DIAGNOSTICS).map(([code, about]) => [code, ...about]);
  const rules = RULES.map(({ code, severity, meaning }) => [code, severity, meaning]);
  const guards = GUARDS.map((name) => [name, GUARD_RULES[name].stops]);
  return page([
    "# Codes",
    "Every code that a message, a report or an exit status of Lintel can have.",
    "`lintel explain CODE` explains each of them.",
    "## Exit statuses",
    table(["Status", "Meaning"], Object.entries(EXIT_MEANINGS)),
    "More: [exit status](exit-status.md).",
    "## Failures",
    "A failure stops a command, or one of its portals.",
    table(["Code", "Status", "Meaning"], named(failures)),
    "## Problems in files",
    table(["Code", "Severity", "Meaning"], named(problems)),
    "## Rules",
    "A file can choose another severity: `rules: { CODE: off }`, or `error`, or `warning`.",
    table(["Code", "Severity", "It finds"], named(rules)),
    "## Guards",
    "A guard blocks an apply until you allow it: see [guards](guards.md).",
    table(["Name", "It blocks"], named(guards)),
    "## Notes of a plan",
    table(["Code", "Meaning"], named(Object.entries(NOTE_CODES))),
  ]);
}

/** Rows whose first cell is a name. */
function named(rows: readonly (readonly string[])[]): string[][] {
  return rows.map(([name, ...cells]) => [`\`${name}\``, ...cells]);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [
    line(heads),
    line(heads.map(() => "---")).replaceAll(" --- ", "---"),
    ...rows.map(line),
  ].join("\n");
}

function page(paragraphs: readonly string[]): string {
  return `${paragraphs.join("\n\n")}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, text] of await referencePages()) writeFileSync(join(project, path), text);
}
