// lintel help: renders the help of a command, examples first, or a page of the manual.
import { TEXTS } from "../../generated/docs/index.js";
import type { CommandSpec, Option, Run } from "../commands/command.js";
import { didYouBegin } from "../diagnostic.js";
import { done } from "../commands/result/result.js";
import { wrongUsage } from "../failure.js";
import { inColumns, wrap } from "../report/text/layout.js";
import type { Paint } from "../report/text/paint.js";
import { aliasesOf, ALL, NAMES, optionsOf } from "./all.js";

/** The topics of the manual, one page of docs/ each. */
const TOPICS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

export const spec = {
  operands: "[TOPIC]",
  options: {},
  formats: ["text"],
  examples: [
    ["lintel help validate", "the same as lintel validate --help"],
    ["lintel help exit-status", "what each exit status means"],
    ["lintel help glossary", "what each word means"],
    ["lintel help recover", "what to do when something went wrong"],
  ],
  // Some pages have the name of a command.
  offers: [[...new Set([...NAMES, ...TOPICS])]],
} as const satisfies CommandSpec;

export const run: Run<{}> = async (_io, { operands: [topic], paint }) => {
  const text = topic === undefined ? overview(paint) : await textOn(topic, paint);
  return done("help", {}, () => text);
};

/** Undefined where there is no such page. */
async function topicText(name: string, paint: Paint): Promise<string | undefined> {
  const topic = TOPICS.find((each) => each === name);
  if (topic === undefined) return undefined;
  const { pageText } = await import("../report/text/page.js");
  return pageText((await TEXTS[topic]()).default, paint);
}

/** Where a command and a page have one name, the page goes on where the command's help ends. */
async function textOn(name: string, paint: Paint): Promise<string> {
  const listed = ALL.find((each) => each.name === name);
  const help = listed && commandHelp(name, listed.summary, (await listed.load()).spec, paint);
  const texts = [help, await topicText(name, paint)].filter((each) => each !== undefined);
  if (texts.length > 0) return texts.join("\n");
  const [names] = spec.offers;
  throw wrongUsage(
    `There is no help on "${name}".`,
    didYouBegin(name, names) ?? `Topics: ${names.join(", ")}.`,
  );
}

export function overview(paint: Paint): string {
  return [
    ...wrap(
      "Lintel keeps a GIS portal's settings in git: one YAML file says how the portal should be.",
      paint.width,
    ),
    "",
    "Begin",
    ...inColumns(
      [
        ["  lintel init", "write a portal.yaml"],
        ["  lintel validate", "check it"],
        ["  lintel plan", "see what it would change on the portal"],
        ["  lintel apply", "change that"],
      ],
      paint,
    ),
    "\nCommands",
    ...inColumns(
      ALL.map((each) => [`  ${each.name}`, each.summary]),
      paint,
    ),
    "",
    ...inColumns(
      [
        ["Help on one of them:", "lintel COMMAND --help"],
        ["Version:", "lintel --version"],
      ],
      paint,
    ),
    "",
    ...inColumns([["The manual, one topic at a time:", "lintel help TOPIC"]], paint),
    ...wrap(TOPICS.join(", "), paint.width - 4).map((line) => `  ${line}`),
    "",
  ].join("\n");
}

export function commandHelp(
  name: string,
  summary: string,
  spec: CommandSpec,
  paint: Paint,
): string {
  const { examples, formats } = spec;
  return [
    ...wrap(`lintel ${name} ${spec.operands}`.trimEnd(), paint.width),
    ...wrap(summary, paint.width),
    "\nExamples",
    ...examples.flatMap(([call, description]) => wrapPair(`  ${call}`, description, paint)),
    "\nOptions",
    ...inColumns(
      Object.entries(optionsOf(spec)).map(([each, option]) => {
        const [label, description] = describeOption(each, option);
        return [`  ${label.startsWith("--") ? "    " : ""}${label}`, description];
      }),
      paint,
    ),
    ...(formats.length > 1 ? ["", ...wrap(`Reports: ${formats.join(", ")}.`, paint.width)] : []),
    "",
  ].join("\n");
}

/** An option with its short name, as "-y, --yes", and its description. */
export function describeOption(name: string, option: Option): [label: string, description: string] {
  const { value, values, description, default: unsaid } = option;
  const aliases = aliasesOf(option);
  const short = aliases.find((each) => each.length === 1);
  const others = aliases.filter((each) => each !== short).map((each) => `--${each}`);
  return [
    `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`,
    [
      description,
      ...(values ? [`One of: ${values.join(", ")}.`] : []),
      ...(unsaid === undefined ? [] : [`Default: ${unsaid}.`]),
      ...(others.length > 0 ? [`Also: ${others.join(", ")}.`] : []),
    ].join(" "),
  ];
}

/** A call and what it does, side by side where both fit, else one below the other. */
function wrapPair(call: string, description: string, { width }: Paint): string[] {
  const column = width < 80 ? 6 : 52;
  const [first = "", ...more] = wrap(description, width - column).map(
    (line) => " ".repeat(column) + line,
  );
  return call.length < column - 1
    ? [call + first.slice(call.length), ...more]
    : [call, first, ...more];
}
