// Writes the pages of the manual that list every option, every code and every key of a JSON document.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ALL, optionsOf } from "../src/cli/all.js";
import { describeOption } from "../src/cli/help.js";
import type { Options } from "../src/commands/command.js";
import { EXIT_MEANINGS } from "../src/commands/explain/code.js";
import { DIAGNOSTICS } from "../src/diagnostic.js";
import { RULES } from "../src/document/check/rules/all.js";
import { FAILURES } from "../src/failure.js";
import { GUARDS, type GuardName } from "../src/guard.js";
import { GUARD_RULES, type GuardRule } from "../src/plan/guards/all.js";
import { NOTE_CODES } from "../src/plan/note.js";
import { writeFiles } from "../schemas/generate/write-files.js";
import { project } from "./options.js";

/** Each page's path within the project, and its text. */
export async function referencePages(): Promise<Map<string, string>> {
  return new Map([
    ["docs/commands.md", await commandsPage()],
    ["docs/codes.md", codesPage()],
    ["docs/documents.md", documentsPage()],
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
  const guards = GUARDS.map((name) => [name, ruleOf(name).stops]);
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

/** A new guard has its name first, and its rule later. */
function ruleOf(name: GuardName): GuardRule {
  const rules: Partial<typeof GUARD_RULES> = GUARD_RULES;
  const rule = rules[name];
  if (!rule) throw new Error(`"${name}" has no rule yet. Add it to src/plan/guards/all.ts.`);
  return rule;
}

/** What every entry of `portals` has. */
const MEMBER_KEYS = ["name", "url", "id", "file", "exitCode", "failure"];

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

function documentsPage(): string {
  const schemaOf = (name: string, path: string) => {
    const text = textOf(`schemas/output/${path}.schema.json`);
    return text === undefined ? [] : [{ name, schema: JSON.parse(text) as Schema }];
  };
  const schemas = ALL.flatMap(({ name }) => [
    ...schemaOf(name, name),
    ...schemaOf(`${name} --output jsonl`, `${name}.jsonl`),
  ]);
  const objects = new Map(schemas.flatMap(({ schema }) => Object.entries(schema.$defs ?? {})));
  const keysOf = (command: string) =>
    schemas.find(({ name }) => name === command)?.schema.properties ?? {};
  const command = { type: "string", description: "The command's name." };
  const common = { ...keysOf("validate"), command };
  const member = keysOf("unhold")["portals"]?.items?.properties ?? {};
  const ofPortal = Object.entries(member).filter(([key]) => MEMBER_KEYS.includes(key));
  const commands = schemas.flatMap(({ name, schema }) => {
    const tables = (schema.anyOf ?? [schema]).flatMap(({ properties = {} }) => {
      const own = Object.entries(properties).filter(([key]) => !(key in common));
      // The events of `serve` are on the page about it.
      return own.length === 0 || "event" in properties ? [] : [keyTable(own)];
    });
    return tables.length === 0 ? [] : [`## ${name}`, ...tables];
  });
  const shared = [...objects]
    .toSorted(([one], [other]) => (objectName(one) < objectName(other) ? -1 : 1))
    .flatMap(([name, { properties = {} }]) => [
      `### ${objectName(name)}`,
      keyTable(Object.entries(properties)),
    ]);
  return page([
    "# JSON documents",
    "Every key of the documents that `--output json` writes.",
    "Every document has these keys. A document of a run that failed early may lack the others. [Output](output.md) describes events, the history and the dashboard.",
    keyTable(Object.entries(common)),
    "`portals` has an entry for each file. Each entry has these keys, and those that its command lists. For a single file, the keys of the command are also at the top of the document.",
    keyTable(ofPortal),
    ...commands,
    "## Objects",
    ...shared,
  ]);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(project, path), "utf8");
  } catch {
    return undefined;
  }
}

/** The keys of an object, and of objects in it that have no name. */
function keyTable(keys: readonly (readonly [key: string, schema: Schema])[]): string {
  const inPortals = new Map(keys).get("portals")?.items?.properties ?? {};
  const rows = keys
    .filter(([key]) => !(key in inPortals) || key === "file")
    .flatMap(([key, schema]) => keyRows(key, schema));
  return table(["Key", "Type", "Meaning"], rows);
}

/** Objects whose keys have no description, such as a state, are not shown in detail. */
function keyRows(key: string, schema: Schema): string[][] {
  const object = [schema, ...(schema.anyOf ?? [])]
    .flatMap((each) => [each, ...(each.items ? [each.items] : [])])
    .find(({ properties }) => properties);
  const below = Object.entries(object?.properties ?? {});
  const own = key === "portals" ? below.filter(([name]) => !MEMBER_KEYS.includes(name)) : below;
  const isDescribed = below.some(([, { description }]) => description !== undefined);
  return [
    [`\`${key}\``, typeText(schema), (schema.description ?? "").replace(/\.$/, "")],
    ...(isDescribed ? own.flatMap(([name, held]) => keyRows(`${key}.${name}`, held)) : []),
  ];
}

/** More values are on a page of their own. */
const MOST_VALUES = 12;

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = objectName(schema.$ref.replace("#/$defs/", ""));
    return `[${name}](#${name.toLowerCase().replaceAll(" ", "-")})`;
  }
  if (schema.anyOf) return schema.anyOf.map(typeText).toSorted(nullLast).join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) {
    if (schema.enum.includes(130)) return "[exit status](exit-status.md)";
    const values = schema.enum.map((value) => `\`${String(value)}\``);
    return values.length > MOST_VALUES ? "code" : values.join(", ");
  }
  switch (schema.type) {
    case "array":
      return `list of ${typeText(schema.items ?? {})}`;
    case undefined:
      return "any value";
    default:
      return schema.type;
  }
}

function nullLast(one: string, other: string): number {
  return Number(one === "null") - Number(other === "null");
}

/** "DriftPortalDocument" is shown as "Drift portal". */
function objectName(type: string): string {
  const words = type.replace(/Document$/, "").replaceAll(/(?<=[a-z])[A-Z]/g, " $&");
  return words.slice(0, 1) + words.slice(1).toLowerCase();
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
  writeFiles(project, new Map(await referencePages()));
}
