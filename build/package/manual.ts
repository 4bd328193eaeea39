// Makes the manual page, as man reads it, from the specs of all commands.
import packageFacts from "../../package.json" with { type: "json" };
import { ALL, optionsOf } from "../../src/cli/all.js";
import { describeOption } from "../../src/cli/help.js";
import type { CommandSpec, Option, Options } from "../../src/commands/command.js";
import { NETWORK } from "../../src/commands/options.js";

export interface ManualPage {
  readonly epochS: number;
  /** Each with the sentence that it begins with. */
  readonly topics: readonly (readonly [name: string, sentence: string])[];
  readonly exits: readonly (readonly [status: string, meaning: string])[];
}

const ABOUT = [
  "Lintel keeps the settings of ArcGIS Enterprise portals in git. One YAML file holds the desired state of a portal. Lintel checks the file, shows a plan, and applies exactly that plan.",
  'FILE is a file, a folder or a pattern. Without it, Lintel reads portal.yaml, else every portals/*.yaml. "-" is standard input.',
];

const FILES = [
  ["portal.yaml", "desired state of a portal"],
  ["~/.config/lintel", "confirmed hosts"],
  ["~/.cache/lintel", "last seen states"],
] as const;

export async function manualPage({ epochS, topics, exits }: ManualPage): Promise<string> {
  const day = new Date(epochS * 1000).toISOString().slice(0, 10);
  const commands = await Promise.all(
    ALL.map(async ({ name, summary, load }) => aboutCommand(name, summary, (await load()).spec)),
  );
  return [
    `.TH LINTEL 1 "${day}" "Lintel ${packageFacts.version}" "User Commands"`,
    section("NAME"),
    text("lintel - keep the settings of ArcGIS Enterprise portals in git"),
    section("SYNOPSIS"),
    ".B lintel",
    ".I COMMAND",
    text("[FILE…] [OPTION…]"),
    section("DESCRIPTION"),
    ...ABOUT.flatMap((each) => [text(each), ".PP"]),
    section("COMMANDS"),
    ...commands.flat(),
    section("NETWORK OPTIONS"),
    text("Every command that sends requests has these options."),
    ...optionPairs(NETWORK, ({ describedIn }) => describedIn !== undefined),
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
    ...optionPairs(optionsOf(spec), ({ describedIn }) => describedIn === undefined),
  ];
}

function optionPairs(options: Options, isWanted: (option: Option) => boolean): string[] {
  return Object.entries(options)
    .filter(([, option]) => isWanted(option))
    .flatMap(([name, option]) => pair(...describeOption(name, option)));
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
