// Commands and options → the help that people read, examples first.
import { didYouMean } from "../diagnostic.js";
import { EXIT, Failure } from "../failure.js";
import { inColumns } from "../report/text/layout.js";
import { WORDS } from "../report/model/words.js";
import { optionsOf } from "./arguments.js";
import type { Run, Spec } from "./command.js";
import { COMMANDS, findCommand } from "./list.js";
import { TOPIC_NAMES, TOPICS, type Topic } from "./topics.js";

/** What each exit status means; the README's table says the same. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done, or nothing to do",
  failed: "failed; also: declined at the prompt",
  pending: "changes pending (plan --detailed-exitcode, drift)",
  invalid: "the files are invalid",
  refused: "sign-in or portal refused, or unreachable",
  stale: "the plan is stale",
  locked: "the state is locked",
  stopped: "stopped by a guard or a hold",
  unknown: "outcome unknown",
  mixed: "several portals failed in different ways",
  usage: "wrong usage",
  bug: "a bug in Lintel",
  interrupted: "interrupted",
};

export const run: Run = async (_io, { operands: [topic] }) => {
  const text = topic === undefined ? overview() : topicText(topic);
  return { outcome: { command: "help", exit: EXIT.done, diagnostics: [] }, text: () => text };
};

function topicText(topic: string): string {
  const spec = findCommand(topic);
  if (spec) return commandHelp(spec);
  const named = TOPIC_NAMES.find((each) => each === topic);
  if (named) return TEXTS[named]();
  const topics = [...COMMANDS.map((each) => each.name), ...TOPIC_NAMES];
  throw new Failure(
    "wrong-usage",
    `There is no help on "${topic}".`,
    didYouMean(topic, topics) ?? `Topics: ${topics.join(", ")}.`,
  );
}

const TEXTS: Readonly<Record<Topic, () => string>> = {
  "exit-status": exitText,
  words: wordsText,
};

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
    ...Object.entries(TOPICS).map(
      ([topic, what]) => `${`${what}:`.padEnd(22)}lintel help ${topic}`,
    ),
    "Version:              lintel --version\n",
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

function exitText(): string {
  const rows = Object.entries(EXIT_MEANINGS).map(([name, meaning]): [string, string] => [
    `  ${String(EXIT[name as keyof typeof EXIT]).padStart(3)}`,
    meaning,
  ]);
  return ["Exit status", ...inColumns(rows), ""].join("\n");
}

function wordsText(): string {
  const rows = Object.entries(WORDS).map(([word, meaning]): [string, string] => [
    `  ${word}`,
    `${meaning}.`,
  ]);
  return ["Words, in the sense in which Lintel uses them", ...inColumns(rows), ""].join("\n");
}

/** A call and what it does, side by side where both fit, else one below the other. */
function wrapPair(call: string, meaning: string): string[] {
  const column = 52;
  return call.length < column - 1
    ? [`${call.padEnd(column)}${meaning}`]
    : [call, `${" ".repeat(column)}${meaning}`];
}
