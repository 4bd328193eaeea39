// Commands and options → the help that people read, examples first.
import { didYouMean } from "../diagnostic.js";
import { EXIT, Failure } from "../failure.js";
import { inColumns, wrap } from "../report/text/layout.js";
import type { Paint } from "../report/text/paint.js";
import { optionsOf } from "./arguments.js";
import type { Run, Spec } from "./command.js";
import { COMMANDS, findCommand } from "./list.js";
import { TOPICS, topicText } from "./topics.js";

export const run: Run = async (_io, { operands: [topic], paint }) => {
  const text = topic === undefined ? overview() : await textOn(topic, paint);
  return { outcome: { command: "help", exit: EXIT.done, diagnostics: [] }, text: () => text };
};

/** Where a command and a page have one name, the page goes on where the command's help ends. */
async function textOn(name: string, paint: Paint): Promise<string> {
  const spec = findCommand(name);
  const texts = [spec && commandHelp(spec), await topicText(name, paint)].filter((each) => each);
  if (texts.length > 0) return texts.join("\n");
  const names = [...COMMANDS.map((each) => each.name), ...TOPICS];
  throw new Failure(
    "wrong-usage",
    `There is no help on "${name}".`,
    didYouMean(name, names) ?? `Topics: ${names.join(", ")}.`,
  );
}

export function overview(): string {
  return [
    "Lintel keeps a GIS portal's settings in git: one YAML file says how the portal should be.\n",
    "Begin",
    ...inColumns([
      ["  lintel init", "write a portal.yaml"],
      ["  lintel validate", "check it"],
      ["  lintel plan", "see what it would change on the portal"],
      ["  lintel apply", "change that"],
    ]),
    "\nCommands",
    ...inColumns(COMMANDS.map((each) => [`  ${each.name}`, each.summary])),
    "\nHelp on one of them:  lintel COMMAND --help",
    "Version:              lintel --version",
    "\nThe manual, one topic at a time:  lintel help TOPIC",
    ...wrap(TOPICS.join(", "), 92).map((line) => `  ${line}`),
    "",
  ].join("\n");
}

export function commandHelp(spec: Spec): string {
  return [
    `lintel ${spec.name} ${spec.operands}`.trimEnd(),
    spec.summary,
    "\nExamples",
    ...spec.examples.flatMap(([call, meaning]) => wrapPair(`  ${call}`, meaning)),
    "\nOptions",
    ...inColumns(
      Object.entries(optionsOf(spec)).map(
        ([name, { short, value, values, meaning, hasNoDefault }]) => [
          `  ${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`,
          values
            ? `${meaning} One of: ${values.join(", ")}${hasNoDefault ? "" : "; the first when left out"}.`
            : meaning,
        ],
      ),
    ),
    ...(spec.formats.length > 1 ? [`\nReports: ${spec.formats.join(", ")}.`] : []),
    "",
  ].join("\n");
}

/** A call and what it does, side by side where both fit, else one below the other. */
function wrapPair(call: string, meaning: string): string[] {
  const column = 52;
  return call.length < column - 1
    ? [`${call.padEnd(column)}${meaning}`]
    : [call, `${" ".repeat(column)}${meaning}`];
}
