// Parses the arguments of one command with yargs, and checks them against its spec.
import yargs, { type Options as YargsOptions } from "yargs";
import type {
  CommandSpec,
  Destination,
  Option,
  Options,
  ParsedArguments,
  Values,
} from "../commands/command.js";
import { didYouBegin, didYouMean } from "../diagnostic.js";
import { wrongUsage, type Failure } from "../failure.js";
import { aliasesOf, FROM_OTHER_TOOLS, optionsOf } from "./all.js";

/** The arguments as yargs parses them, unchecked. */
export interface Parsed {
  readonly command: string;
  readonly spec: CommandSpec;
  /** All options of the command, including common ones. */
  readonly options: Options;
  readonly operands: readonly string[];
  /** The given options by their full names: true for a switch, else text. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The error of yargs, if any. */
  readonly refusal: Error | undefined;
  /** A long option with one dash, as in Terraform and Go: yargs would read several short options. */
  readonly oneDash: string | undefined;
}

const CONFIGURATION = {
  "boolean-negation": false,
  "camel-case-expansion": false,
  "dot-notation": false,
  "greedy-arrays": false,
  "parse-numbers": false,
  "parse-positional-numbers": false,
  "strip-aliased": true,
};

/** Options of yargs itself, which it accepts although the spec lacks them. */
const RESERVED = /^(?:--(_|\$0|get-yargs-completions)(?:=|$)|-(?!\d)\w*(_))/;

/** Never throws, because reporting the error requires its destination. */
export function parseWords(command: string, spec: CommandSpec, words: readonly string[]): Parsed {
  const options = optionsOf(spec);
  // yargs may read "--" as the value of an unknown short option.
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const [before, after] = [words.slice(0, end), words.slice(end + 1)];
  const isReserved = (word: string) => RESERVED.test(word);
  const isLong = (name: string) =>
    namesOf(options).includes(name) || FROM_OTHER_TOOLS.has(`--${name}`);
  const oneDash = before
    .flatMap((word) => /^-([a-z][\w-]+)(?:=|$)/.exec(word)?.[1] ?? [])
    .find(isLong);
  const [, long, short] = RESERVED.exec(before.find(isReserved) ?? "") ?? [];
  const reserved = long ?? short;

  const parser = yargs()
    .locale("en")
    .help(false)
    .version(false)
    .strictOptions()
    .fail(false)
    .parserConfiguration(CONFIGURATION)
    .options(
      Object.fromEntries(Object.entries(options).map(([name, option]) => [name, toYargs(option)])),
    );
  let refusal: Error | undefined;
  try {
    parser.parseSync(before.filter((word) => !isReserved(word)));
  } catch (error) {
    refusal = error as Error;
  }
  const { _: others, $0: _program, ...given } = parser.parsed ? parser.parsed.argv : { _: [] };
  return {
    command,
    spec,
    options,
    operands: [...others, ...after].map(String),
    given: reserved === undefined ? given : { [reserved]: true, ...given },
    refusal,
    oneDash,
  };
}

function toYargs(option: Option): YargsOptions {
  const alias = aliasesOf(option);
  return option.value === undefined
    ? // Without the 0 a switch takes a "true" that follows it.
      { alias, type: "boolean", nargs: 0 }
    : { alias, type: "string", array: option.isList === true, requiresArg: true };
}

/** The names of all options, including aliases. */
function namesOf(options: Options): string[] {
  return Object.entries(options).flatMap(([name, option]) => [name, ...aliasesOf(option)]);
}

/** Throws for wrong arguments. */
export function readArguments(parsed: Parsed): Omit<ParsedArguments, "styles"> {
  const { operands, given, oneDash } = parsed;
  if (oneDash !== undefined) {
    throw wrongUsage(
      `Unknown option "-${oneDash}".`,
      namesOf(parsed.options).includes(oneDash)
        ? `Write two dashes:\n  --${oneDash}`
        : FROM_OTHER_TOOLS.get(`--${oneDash}`),
    );
  }
  assertOptions(parsed);
  const options = valuesOf(parsed);
  if (!options["help"]) assertOperands(parsed);
  const { destinations, problem } = readDestinations(parsed);
  if (problem) throw problem;
  return { operands, options, given: new Set(Object.keys(given)), destinations };
}

/** yargs' messages for a missing value, and for a switch with a value. */
const REFUSAL = /^(?:Not enough arguments following|Argument unexpected for): (.*)$/s;

function assertOptions({ command, options, given, refusal }: Parsed): void {
  const [, refused = ""] = REFUSAL.exec(refusal?.message ?? "") ?? [];
  const isRefused = (name: string, option: Option) =>
    name === refused || aliasesOf(option).includes(refused);

  for (const [name, value] of Object.entries(given)) {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) throw unknownOption(command, name, options);
    const isWrong = option.value === undefined ? value !== true : textsOf(value).includes("");
    if (isWrong || isRefused(name, option)) throw faultyOption(name, option);
    if (Array.isArray(value) && !option.isList) {
      throw wrongUsage(`Option "--${name}" is given twice.`, "Remove one of the two.");
    }
  }
  for (const [name, option] of Object.entries(options)) {
    if (isRefused(name, option)) throw faultyOption(name, option);
  }
  if (refusal) throw refusal;
}

/** A switch with a value, or another option without one. */
function faultyOption(name: string, option: Option): Failure {
  return option.value === undefined
    ? wrongUsage(`Option "--${name}" takes no value.`, `Write:\n  --${name}`)
    : wrongUsage(`Option "--${name}" requires a value.`, `Write:\n  --${name} ${option.value}`);
}

function unknownOption(command: string, name: string, options: Options): Failure {
  const written = name.length === 1 ? `-${name}` : `--${name}`;
  const names = Object.keys(options).map((each) => `--${each}`);
  return wrongUsage(
    `Unknown option "${written}" for "lintel ${command}".`,
    FROM_OTHER_TOOLS.get(written) ??
      didYouBegin(written, names) ??
      (command === "explain" ? `To explain an option:\n  lintel explain ${name}` : undefined) ??
      `List its options:\n  lintel ${command} --help`,
  );
}

/** All options of the command; those not given have their defaults. */
function valuesOf({ options, given }: Parsed): Values<Options> {
  const entries = Object.entries(options).map(([name, option]) => {
    if (option.value === undefined) return [name, given[name] === true];
    const texts = textsOf(given[name]);
    const each = option.isList && option.values ? texts.flatMap((text) => text.split(",")) : texts;
    const values = each.map((text) => valueOf(name, option, text));
    return [name, option.isList ? values : (values[0] ?? option.default)];
  });
  return Object.fromEntries(entries) as Values<Options>;
}

function valueOf(name: string, option: Option, text: string): string | number {
  const { values, number } = option;
  const wrong = (help: string) => wrongUsage(`Invalid value "${text}" for "--${name}".`, help);
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

function assertOperands({ command, spec, operands }: Parsed): void {
  if (operands.includes("")) {
    throw wrongUsage("An argument is empty.", "Remove it, or name a file.");
  }
  // In "ci gap" the first operand is the action.
  const [, ...action] = command.split(" ");
  const most = spec.operands.includes("…")
    ? Infinity
    : spec.operands.split(" ").filter(Boolean).length + action.length;
  const tooMany = operands[most];
  if (tooMany === undefined) return;
  throw wrongUsage(
    `Unexpected argument "${tooMany}".`,
    `Usage:\n  lintel ${command} ${spec.operands}`.trimEnd(),
  );
}

/** Text goes to standard output unless another format does. Skips invalid values, and returns the first problem. */
export function readDestinations({ command, spec: { formats }, given }: Parsed): {
  readonly destinations: readonly Destination[];
  readonly problem?: Failure;
} {
  let problem: Failure | undefined;
  const fail = (message: string, help: string) => {
    problem ??= wrongUsage(message, help);
    return [];
  };
  const texts = textsOf(given["output"]);
  const isJson = given["json"] !== undefined && !texts.includes("json");
  const asked = [...texts, ...(isJson ? ["json"] : [])].flatMap((text): Destination[] => {
    const [, word = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const format = formats.find((each) => each === word);
    if (!format) {
      const help = didYouMean(word, formats) ?? `Reports: ${formats.join(", ")}.`;
      return fail(`Unknown report "${word}" for "lintel ${command}".`, help);
    }
    if (file === "") return fail(`"${text}" names no file.`, `Write ${word}=FILE.`);
    return [file === undefined ? { format } : { format, file }];
  });
  const shown = asked.filter(({ file }) => file === undefined);
  if (shown.length > 1) {
    const names = shown.map(({ format }) => format).join(" and ");
    const help = `Write all but one to a file:\n  --output ${shown[1]?.format}=FILE`;
    fail(`Standard output takes one report, not ${names}.`, help);
  }
  // A program that requested JSON also gets errors as JSON.
  const first = shown.find(({ format }) => format === "json") ?? (shown.length === 1 && shown[0]);
  const destinations = asked.filter((each) => each.file !== undefined || each === first);
  if (problem) return { destinations, problem };
  return { destinations: shown.length === 0 ? [{ format: "text" }, ...asked] : asked };
}

/** All texts of a repeated option. */
function textsOf(value: unknown): readonly string[] {
  return value === undefined ? [] : [value].flat().map(String);
}
