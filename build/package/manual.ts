// Makes the manual page, as man reads it, from the specs of all commands.
import packageFacts from "../../package.json" with { type: "json" };
import { ALL, optionsOf } from "../../src/cli/all.js";
import { describeOption } from "../../src/cli/help.js";
import type { CommandSpec } from "../../src/commands/command.js";

export interface ManualPage {
  readonly epochS: number;
  /** Each with the sentence that it begins with. */
  readonly topics: readonly (readonly [name: string, sentence: string])[];
  readonly exits: readonly (readonly [status: string, meaning: string])[];
}

const ABOUT = [
  "Lintel keeps a GIS portal's settings in git: one YAML file says how the portal should be. It checks the file before anybody's portal is touched, shows a plan before it changes anything, and carries out that plan and nothing else.",
  'Files may be named, or folders, or patterns; no argument means portal.yaml here, else every portals/*.yaml; "-" is standard input.',
];

const FILES = [
  ["portal.yaml", "how a portal should be"],
  ["~/.config/lintel", "what a person has said and seen on this machine"],
  ["~/.cache/lintel", "compiled code, so that the next command starts faster"],
] as const;

export async function manualPage({ epochS, topics, exits }: ManualPage): Promise<string> {
  const day = new Date(epochS * 1000).toISOString().slice(0, 10);
  const commands = await Promise.all(
    ALL.map(async ({ name, summary, load }) => aboutCommand(name, summary, (await load()).spec)),
  );
  return [
    `.TH LINTEL 1 "${day}" "Lintel ${packageFacts.version}" "User Commands"`,
    section("NAME"),
    text(`lintel - keeps a GIS portal's settings in git`),
    section("SYNOPSIS"),
    ".B lintel",
    ".I COMMAND",
    text("[FILE…] [OPTION…]"),
    section("DESCRIPTION"),
    ...ABOUT.flatMap((each) => [text(each), ".PP"]),
    section("COMMANDS"),
    ...commands.flat(),
    section("THE MANUAL"),
    text("lintel help TOPIC prints a page of the manual."),
    ...topics.flatMap(([name, sentence]) => pair(name, sentence)),
    section("EXIT STATUS"),
    ...exits.flatMap(([status, meaning]) => pair(status, meaning)),
    section("FILES"),
    ...FILES.flatMap(([name, meaning]) => pair(name, meaning)),
    section("SEE ALSO"),
    ".BR git (1)",
    "",
  ].join("\n");
}

function aboutCommand(name: string, summary: string, spec: CommandSpec): string[] {
  return [
    `.SS ${quoted(`lintel ${name} ${spec.operands}`.trimEnd())}`,
    text(summary),
    ...spec.examples.flatMap(([call, description]) => pair(call, description)),
    ...Object.entries(optionsOf(spec)).flatMap(([each, option]) =>
      pair(...describeOption(each, option)),
    ),
  ];
}

function section(name: string): string {
  return `.SH ${quoted(name)}`;
}

function pair(name: string, meaning: string): string[] {
  return [".TP", `.B ${quoted(name)}`, text(meaning)];
}

/** An argument of a request. */
function quoted(argument: string): string {
  return `"${escaped(argument).replaceAll('"', "\\(dq")}"`;
}

/** A line that begins with a point or a quote would be a request. */
function text(line: string): string {
  return escaped(line).replace(/^(?=[.'])/, "\\&");
}

/**
 * What is typed is a minus, and no hyphen that man may turn into another sign. Where the language is "C", as on a server
 * that nobody has set up for another, man knows no ellipsis: it complains, and leaves it out.
 */
function escaped(line: string): string {
  const signs: Readonly<Record<string, string>> = {
    "\\": "\\e",
    "-": "\\-",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
    "'": "\\(aq",
    "…": "...",
  };
  return line.replaceAll(/[\\\-`^~'…]/g, (sign) => signs[sign] ?? sign);
}
