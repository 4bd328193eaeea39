// The words after a command's name → a call of it and where its reports go, or what is wrong with the words.
import yargs from "yargs";
import type { Call, Option, Options, Values, Words } from "../commands/command.js";
import { didYouMean } from "../diagnostic.js";
import { Failure } from "../failure.js";
import { readDestinations } from "./destinations.js";
import { optionsOf } from "./options.js";

export interface Reading {
  readonly call: Omit<Call, "paint">;
  /** Where the words are wrong; the reports that are asked for tell it, too. */
  readonly problem?: Failure;
}

export function readWords(name: string, command: Words, words: readonly string[]): Reading {
  const known = optionsOf(command);
  const { _: operands, $0: _program, "--": after = [], ...given } = parse(known, words);
  const { destinations, problem: unfit } = readDestinations(name, command, listOf(given["output"]));
  const all = [...operands, ...after].map(String);
  let problem: Failure | undefined;
  let values: Record<string, unknown> = {};
  try {
    assertOptions(name, known, words, given);
    values = valuesOf(known, given);
    if (!given["help"]) assertOperands(name, command.operands, all);
    problem = unfit;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problem = error;
  }
  const call = {
    operands: all,
    options: values as Values<Options>,
    given: new Set(Object.keys(given)),
    destinations,
  };
  return { call, ...(problem && { problem }) };
}

type Given = Readonly<Record<string, unknown>>;

function parse(known: Options, words: readonly string[]) {
  const parser = yargs([...words])
    .locale("en")
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail(false)
    .parserConfiguration({
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
      "greedy-arrays": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "strip-aliased": true,
    })
    .options(
      Object.fromEntries(
        Object.entries(known).map(([name, { short, value, isList }]) => [
          name,
          {
            type: value === undefined ? ("boolean" as const) : ("string" as const),
            // So that the value may be "-".
            requiresArg: value !== undefined,
            array: isList === true,
            ...(short !== undefined && { alias: short }),
          },
        ]),
      ),
    );
  try {
    parser.parseSync();
  } catch {
    // What was understood is in "parsed" all the same, and what is wrong with it is told in our own words. It is not
    // only a missing value: yargs stumbles over options with the name of a method, such as --constructor.
  }
  const { argv, error } = parser.parsed as unknown as Parsed;
  // "Not enough arguments following: url"
  const lacking = error?.message.split(" ").at(-1) ?? "";
  const [[option] = []] = Object.entries(known).filter(([name, { short }]) =>
    [name, short].includes(lacking),
  );
  return { ...argv, ...(option !== undefined && { [option]: "" }) };
}

interface Parsed {
  readonly argv: { readonly _: readonly (string | number)[]; readonly $0: string } & {
    readonly "--"?: readonly string[];
    readonly [name: string]: unknown;
  };
  readonly error: Error | null;
}

function assertOptions(command: string, known: Options, words: readonly string[], given: Given) {
  const end = words.indexOf("--");
  const spoken = end < 0 ? words : words.slice(0, end);
  for (const [name, value] of Object.entries(given)) {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!option) throw unknownOption(command, name, known);
    if (option.value === undefined) {
      const isWith = (word: string) =>
        word.startsWith(`--${name}=`) ||
        (option.short !== undefined && new RegExp(`^-\\w*${option.short}=`).test(word));
      if (!spoken.some(isWith)) continue;
      throw usage(`The option "--${name}" takes no value.`, `Write --${name} alone.`);
    }
    if (listOf(value).includes("")) {
      throw usage(`The option "--${name}" needs a value.`, `Write:\n  --${name} ${option.value}`);
    }
    if (Array.isArray(value) && !option.isList) {
      throw usage(`The option "--${name}" is given twice.`, "Keep one of the two.");
    }
  }
}

/** Every option of the command, with its default where it is not given. */
function valuesOf(known: Options, given: Given): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(known).map(([name, option]) => {
      if (option.value === undefined) return [name, given[name] === true];
      const texts = listOf(given[name]);
      const each =
        option.isList && option.values ? texts.flatMap((text) => text.split(",")) : texts;
      const values = each.map((text) => valueOf(name, option, text));
      return [name, option.isList ? values : (values[0] ?? option.default)];
    }),
  );
}

function valueOf(name: string, { values, number }: Option, text: string): string | number {
  if (values && !values.includes(text)) {
    throw usage(
      `"${text}" is not a value of "--${name}".`,
      didYouMean(text, values) ?? `Allowed: ${values.join(", ")}.`,
    );
  }
  if (!number) return text;
  const { least, most, isWhole } = number;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && !(isWhole && !Number.isInteger(value))) return value;
  throw usage(
    `"${text}" is not a value of "--${name}".`,
    `Write a ${isWhole ? "whole " : ""}number from ${least} to ${most}.`,
  );
}

function assertOperands(command: string, told: string, operands: readonly string[]): void {
  if (operands.includes("")) throw usage("An empty word names no file.", "Remove it, or name one.");
  const most = told.includes("…") ? Infinity : told.split(" ").filter(Boolean).length;
  const [tooMany] = operands.slice(most);
  if (tooMany === undefined) return;
  throw usage(
    `"${tooMany}" is one word too many.`,
    `Call it so:\n  lintel ${command} ${told}`.trimEnd(),
  );
}

function listOf(value: unknown): readonly string[] {
  return value === undefined ? [] : [value].flat().map(String);
}

function unknownOption(command: string, name: string, known: Options): Failure {
  const written = name.length === 1 ? `-${name}` : `--${name}`;
  const hint = didYouMean(
    written,
    Object.keys(known).map((each) => `--${each}`),
  );
  return usage(
    `"lintel ${command}" has no option "${written}".`,
    hint ?? `See:\n  lintel ${command} --help`,
  );
}

function usage(message: string, help: string): Failure {
  return new Failure("wrong-usage", message, help);
}
