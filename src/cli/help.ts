// lintel help: prints the list of commands, a command's help, the list of topics, or a page of the manual.
import { TEXTS } from "../../generated/docs/index.js";
import {
  GROUPS,
  type CommandSpec,
  type Listed,
  type Option,
  type Run,
} from "../commands/command.js";
import { didYouBegin } from "../diagnostic.js";
import { done } from "./result.js";
import { wrongUsage } from "../failure.js";
import type { Styles } from "../report/styles.js";
import { inColumns, wrap } from "../report/text-layout.js";
import { aliasesOf, ALL, FROM_OTHER_TOOLS, NAMES, optionsOf, specAt } from "./all.js";

/** Each is a page of docs/. */
const TOPICS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

/** The name that lists the topics. */
const LIST = "topics";

export const spec = {
  operands: "[NAME] [ACTION]",
  options: {},
  formats: ["text"],
  examples: [
    ["lintel help plan", "a command: same as lintel plan --help"],
    ["lintel help topics", "list the topics of the manual"],
    ["lintel help recover", "what to do after a failed run"],
    ["lintel help state", "a topic: the page of the manual"],
    ["lintel state --help", "the help of the command"],
  ],
  // Some pages have the name of a command.
  offers: [[...new Set([...NAMES, LIST, ...TOPICS])]],
} as const satisfies CommandSpec;

export const run: Run<{}> = async (_io, { operands: [name, action], styles }) => {
  const text = name === undefined ? overview(styles) : await helpOn(name, action, styles);
  return done("help", {}, () => text);
};

/** A page has priority over a command of the same name, because the command also has --help. */
async function helpOn(name: string, action: string | undefined, styles: Styles): Promise<string> {
  const listed = ALL.find((each) => each.name === name);
  if (action !== undefined) {
    const ofActions = listed && (await listed.load()).spec;
    if (!listed || !ofActions?.operands.startsWith("ACTION")) {
      throw wrongUsage(`Unexpected argument "${action}".`, `Write:\n  lintel help ${name}`);
    }
    const own = specAt(listed, ofActions, [action]);
    return commandHelp({ ...listed, ...own }, own.spec, styles);
  }
  if (name === LIST) return topicList(styles);
  const topic = TOPICS.find((each) => each === name);
  if (topic) {
    const { pageText } = await import("../report/manual-page.js");
    const page = pageText((await TEXTS[topic]()).default, styles);
    return listed ? `${page}\nOptions: lintel ${name} --help\n` : page;
  }
  if (listed) return commandHelp(listed, (await listed.load()).spec, styles);
  const [names] = spec.offers;
  throw wrongUsage(
    `Unknown command or topic "${name}".`,
    FROM_OTHER_TOOLS.get(name) ??
      didYouBegin(name, names) ??
      `List them:\n  lintel --help\n  lintel help ${LIST}`,
  );
}

async function topicList(styles: Styles): Promise<string> {
  const rows = TOPICS.map(async (topic) => {
    const sentence = firstSentence((await TEXTS[topic]()).default);
    return [`  ${topic}`, sentence] as const;
  });
  return [
    styles.bold("Topics of the manual"),
    ...inColumns(await Promise.all(rows), styles),
    "",
    "Show a topic: lintel help TOPIC",
    "",
  ].join("\n");
}

/** The sentence below a page's title. */
export function firstSentence(page: string): string {
  const [, sentence = ""] = page.split("\n\n");
  return sentence.replaceAll(/`|\[(.*?)\]\(.*?\)/g, "$1");
}

export function overview(styles: Styles): string {
  const longest = Math.max(...NAMES.map((name) => name.length));
  const groups = GROUPS.flatMap((group) => [
    "",
    styles.bold(group),
    ...inColumns(
      ALL.filter((each) => each.group === group).map(({ name, summary }) => [
        `  ${name.padEnd(longest)}`,
        summary,
      ]),
      styles,
    ),
  ]);
  return [
    ...wrap("Lintel keeps the settings of ArcGIS Enterprise portals in git.", styles.width),
    ...groups,
    "",
    ...inColumns(
      [
        ["Help for a command:", "lintel COMMAND --help"],
        ["Topics, and the version:", `lintel help ${LIST}, lintel --version`],
        ["Secrets from a vault:", "~/.config/lintel/config.yaml, or LINTEL_CONFIG=FILE"],
      ],
      styles,
    ),
    "",
  ].join("\n");
}

export function commandHelp(
  { name, summary, topic }: Pick<Listed, "name" | "summary" | "topic">,
  spec: CommandSpec,
  styles: Styles,
): string {
  const { examples, formats } = spec;
  const options = Object.entries(optionsOf(spec));
  const pages = new Set(options.flatMap(([, { describedIn }]) => describedIn ?? []));
  return [
    ...wrap(summary, styles.width),
    ...wrap(`Usage: lintel ${name} ${spec.operands}`.trimEnd(), styles.width),
    "",
    styles.bold("Examples"),
    ...exampleLines(examples, styles),
    "",
    styles.bold("Options"),
    ...inColumns(
      options
        .filter(([, { describedIn }]) => describedIn === undefined)
        .map(([each, option]) => {
          const [label, description] = describeOption(each, option);
          return [`  ${label.startsWith("--") ? "    " : ""}${label}`, description];
        }),
      styles,
    ),
    "",
    ...(formats.length > 1 ? wrap(`Reports: ${formats.join(", ")}`, styles.width) : []),
    ...[...pages].map((page) => `${titled(page)} options: lintel help ${page}`),
    `Manual: lintel help ${topic ?? LIST}`,
    "",
  ].join("\n");
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** An option with its short name, such as "-y, --yes", and its description. */
export function describeOption(name: string, option: Option): [label: string, description: string] {
  const { value, values, valuesIn, description, default: unsaid, variable } = option;
  const aliases = aliasesOf(option);
  const short = aliases.find((each) => each.length === 1);
  const others = aliases.filter((each) => each !== short).map((each) => `--${each}`);
  return [
    `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`,
    [
      description,
      ...(valuesIn ? [`See: lintel help ${valuesIn}.`] : []),
      ...(values && !valuesIn
        ? [`${option.isList ? "Values" : "One of"}: ${values.join(", ")}.`]
        : []),
      ...(unsaid === undefined ? [] : [`Default: ${unsaid}.`]),
      ...(variable ? [`Env: ${variable}.`] : []),
      ...(option.isList && !values ? ["Repeatable."] : []),
      ...(others.length > 0 ? [`Also: ${others.join(", ")}.`] : []),
    ].join(" "),
  ];
}

/** Notes are beside the examples if all fit, else below. */
function exampleLines(examples: CommandSpec["examples"], { width }: Styles): string[] {
  const column = Math.max(...examples.map(([call]) => call.length)) + 4;
  if (examples.every(([, note]) => column + note.length <= width)) {
    return examples.map(([call, note]) => `  ${call}`.padEnd(column) + note);
  }
  return examples.flatMap(([call, note]) => [
    `  ${call}`,
    ...wrap(note, width - 6).map((line) => `      ${line}`),
  ]);
}
