// The words after a command's name → its call, or what is wrong with them; and where its reports go in both cases.
import type { DetailedArguments } from "yargs-parser";
import Parser from "yargs-parser/browser";
import type { Call, Destination, Option, Options, Values, Words } from "../commands/command.js";
import { didYouBegin, didYouMean } from "../diagnostic.js";
import { wrongUsage } from "../failure.js";
import { optionsOf } from "./all.js";
import { readDestinations } from "./destinations.js";

export interface Reading {
  readonly destinations: readonly Destination[];
  /** Fails where the words are wrong; the reports that are asked for tell it, too. */
  call(): Omit<Call, "paint">;
}

type Given = Readonly<Record<string, unknown>>;

export function readWords(name: string, command: Words, words: readonly string[]): Reading {
  const known = optionsOf(command);
  const { _: before, "--": after = [], ...given } = parse(known, words);
  const operands = [...before, ...after].map(String);
  const { destinations, problem } = readDestinations(name, command, listOf(given["output"]));
  const call = () => {
    assertOptions(name, known, words, given);
    const options = valuesOf(known, given);
    if (!options["help"]) assertOperands(name, command, operands);
    if (problem) throw problem;
    return { operands, options, given: new Set(Object.keys(given)), destinations };
  };
  return { destinations, call };
}

const CONFIGURATION = {
  "boolean-negation": false,
  "camel-case-expansion": false,
  "dot-notation": false,
  "greedy-arrays": false,
  "parse-numbers": false,
  "parse-positional-numbers": false,
  "populate--": true,
  "strip-aliased": true,
};

/** By the parser of yargs alone: what yargs makes of its findings is told in our own words, and takes long to load. */
function parse(known: Options, words: readonly string[]): DetailedArguments["argv"] {
  const options = Object.entries(known);
  const namesOf = (isMeant: (option: Option) => boolean) =>
    options.flatMap(([name, option]) => (isMeant(option) ? name : []));
  const takesValue = ({ value }: Option) => value !== undefined;
  // A switch would take a "true" or "false" that follows it for its own.
  const marked = words.map((word) => (/^(true|false)$/.test(word) ? word + MARK : word));
  const { argv: found, error } = Parser.detailed(marked, {
    boolean: namesOf((option) => !takesValue(option)),
    string: namesOf(takesValue),
    array: namesOf(({ isList = false }) => isList),
    // A value that is asked for may be "-".
    narg: Object.fromEntries(namesOf(takesValue).map((name) => [name, Number.NaN])),
    alias: Object.fromEntries(options.map(([name, { short = [] }]) => [name, short])),
    configuration: CONFIGURATION,
  });
  const argv = Object.fromEntries(
    Object.entries(found).map(([name, value]) => [name, withoutMark(value)]),
  ) as typeof found;
  // "Not enough arguments following: url"
  const lacking = error?.message.split(" ").at(-1) ?? "";
  const option = Object.keys(known).find((name) => [name, known[name]?.short].includes(lacking));
  return option === undefined ? argv : { ...argv, [option]: [argv[option] ?? [], ""].flat() };
}

/** No word of a command line can hold it. */
const MARK = "\0";

function withoutMark(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMark);
  return typeof value === "string" ? value.replace(MARK, "") : value;
}

function assertOptions(command: string, known: Options, words: readonly string[], given: Given) {
  const spoken = words.slice(0, words.includes("--") ? words.indexOf("--") : undefined);
  // The keys under which yargs keeps other things.
  const kept = spoken.find((word) => /^--?(_|\$0)(=|$)/.test(word));
  if (kept) throw unknownOption(command, kept.replace(/=.*/s, ""), known);
  for (const [name, value] of Object.entries(given)) {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!option) throw unknownOption(command, name.length === 1 ? `-${name}` : `--${name}`, known);
    const { short = name, value: takes, isList } = option;
    if (takes === undefined) {
      const valued = new RegExp(`^(--${name}|-\\w*${short})=`);
      if (!spoken.some((word) => valued.test(word))) continue;
      throw wrongUsage(`The option "--${name}" takes no value.`, `Write --${name} alone.`);
    }
    if (listOf(value).includes("")) {
      throw wrongUsage(`The option "--${name}" needs a value.`, `Write:\n  --${name} ${takes}`);
    }
    if (Array.isArray(value) && !isList) {
      throw wrongUsage(`The option "--${name}" is given twice.`, "Keep one of the two.");
    }
  }
}

/** Every option of the command, with its default where it is not given. */
function valuesOf(known: Options, given: Given): Values<Options> {
  const entries = Object.entries(known).map(([name, option]) => {
    if (option.value === undefined) return [name, given[name] === true];
    const texts = listOf(given[name]);
    const each = option.isList && option.values ? texts.flatMap((text) => text.split(",")) : texts;
    const values = each.map((text) => valueOf(name, option, text));
    return [name, option.isList ? values : (values[0] ?? option.default)];
  });
  return Object.fromEntries(entries) as Values<Options>;
}

function valueOf(name: string, option: Option, text: string): string | number {
  const { values, number } = option;
  const wrong = (help: string) => wrongUsage(`"${text}" is not a value of "--${name}".`, help);
  if (values && !values.includes(text)) {
    throw wrong(didYouMean(text, values) ?? `Allowed: ${values.join(", ")}.`);
  }
  if (!number) return text;
  const { least, most, isWhole, example = option.default ?? Math.max(least, 1) } = number;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && !(isWhole && !Number.isInteger(value))) return value;
  throw wrong(
    `Write a ${isWhole ? "whole " : ""}number from ${least} to ${most}, such as:\n  --${name} ${example}`,
  );
}

function assertOperands(command: string, words: Words, operands: readonly string[]): void {
  if (operands.includes("")) {
    throw wrongUsage("An empty word names no file.", "Remove it, or name one.");
  }
  const most = words.operands.includes("…")
    ? Infinity
    : words.operands.split(" ").filter(Boolean).length;
  const tooMany = operands[most];
  if (tooMany === undefined) return;
  throw wrongUsage(
    `"${tooMany}" is one word too many.`,
    `Call it so:\n  lintel ${command} ${words.operands}`.trimEnd(),
  );
}

function listOf(value: unknown): readonly string[] {
  return value === undefined ? [] : [value].flat().map(String);
}

function unknownOption(command: string, written: string, known: Options) {
  const names = Object.keys(known).map((each) => `--${each}`);
  return wrongUsage(
    `"lintel ${command}" has no option "${written}".`,
    didYouBegin(written, names) ?? `See:\n  lintel ${command} --help`,
  );
}
