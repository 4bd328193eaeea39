// Makes the manual page, as man reads it, from the specs of all commands.
import packageFacts from "../../package.json" with { type: "json" };
import { ALL, optionsOf } from "../../src/cli/all.js";
import { describeOption } from "../../src/cli/help.js";
import type { CommandSpec } from "../../src/commands/command.js";
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

/** An option of so many commands is described once, in a section of its own. */
const SHARED_BY = 3;

export async function manualPage({ epochS, topics, exits }: ManualPage): Promise<string> {
  const day = new Date(epochS * 1000).toISOString().slice(0, 10);
  const commands = await Promise.all(
    ALL.map(async ({ name, summary, load }) => ({ name, summary, spec: (await load()).spec })),
  );
  const shared = sharedOptions(commands.map(({ spec }) => describedOptions(spec)));
  const network = Object.entries(NETWORK).filter(([, option]) => "describedIn" in option);
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
    text("lintel COMMAND --help also shows examples."),
    ...commands.flatMap(({ name, summary, spec }) => aboutCommand(name, summary, spec, shared)),
    section("SHARED OPTIONS"),
    ...pairs([...shared]),
    section("NETWORK OPTIONS"),
    text("Every command that sends requests has these options."),
    ...pairs(network.map(([name, option]) => describeOption(name, option))),
    section("THE MANUAL"),
    text("lintel help TOPIC prints a page of the manual."),
    ...pairs(topics),
    section("EXIT STATUS"),
    ...pairs(exits),
    section("FILES"),
    ...pairs(FILES),
    section("SEE ALSO"),
    ".BR git (1)",
    "",
  ].join("\n");
}

type Pair = readonly [name: string, meaning: string];

/** Without the options of the network, which have a section of their own. */
function describedOptions(spec: CommandSpec): Pair[] {
  return Object.entries(optionsOf(spec))
    .filter(([, { describedIn }]) => describedIn === undefined)
    .map(([name, option]) => describeOption(name, option));
}

function sharedOptions(commands: readonly (readonly Pair[])[]): ReadonlyMap<string, string> {
  const isIn = (options: readonly Pair[], [label, meaning]: Pair) =>
    options.some((each) => each[0] === label && each[1] === meaning);
  const isShared = (option: Pair) =>
    commands.filter((options) => isIn(options, option)).length >= SHARED_BY;
  return new Map(commands.flat().filter(isShared));
}

function aboutCommand(
  name: string,
  summary: string,
  spec: CommandSpec,
  shared: ReadonlyMap<string, string>,
): string[] {
  const options = describedOptions(spec);
  const isShared = ([label, meaning]: Pair) => shared.get(label) === meaning;
  const names = options.filter(isShared).map(([label]) => /--[\w-]+/.exec(label)?.[0]);
  return [
    `.SS ${quoted(`lintel ${name} ${spec.operands}`.trimEnd())}`,
    text(summary),
    // They name the actions.
    ...pairs(spec.operands.startsWith("ACTION") ? spec.examples : []),
    ...pairs(options.filter((option) => !isShared(option))),
    ".PP",
    text(`Shared options: ${names.join(", ")}.`),
  ];
}

function section(name: string): string {
  return `.SH ${quoted(name)}`;
}

/** One below the other, without blank lines. */
function pairs(all: readonly Pair[]): string[] {
  if (all.length === 0) return [];
  const lines = all.flatMap(([name, meaning]) => [".TP 28", `.B ${quoted(name)}`, text(meaning)]);
  return [".PD 0", ...lines, ".PD"];
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
