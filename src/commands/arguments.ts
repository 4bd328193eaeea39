// Words of a command line → a call of one command, or why it is none.
import { parseArgs } from "node:util";
import { didYouMean } from "../diagnostic.js";
import { Failure } from "../failure.js";
import type { Call, Destination, Option, Spec } from "./command.js";

/** Options that every command has. */
export const COMMON: Readonly<Record<string, Option>> = {
  help: { short: "h", meaning: "Show this help." },
  quiet: { short: "q", meaning: "Print nothing where there is no problem." },
  "no-color": { meaning: "Print without colour." },
};

const OUTPUT: Option = {
  short: "o",
  value: "FORMAT[=FILE]",
  isRepeatable: true,
  meaning: "A report, to standard output or to a file; may be given several times.",
};

export type Arguments = Omit<Call, "paint" | "destinations">;

export function optionsOf(spec: Spec): Readonly<Record<string, Option>> {
  return { ...spec.options, ...(spec.formats.length > 1 && { output: OUTPUT }), ...COMMON };
}

export function readArguments(spec: Spec, words: readonly string[]): Arguments {
  const known = optionsOf(spec);
  // Not strict, because the messages of its own are not of a kind with ours.
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(known).map(([name, option]) => [
        name,
        {
          type: option.value ? ("string" as const) : ("boolean" as const),
          ...(option.short && { short: option.short }),
        },
      ]),
    ),
  });
  const operands: string[] = [];
  const options: Record<string, string | true | string[]> = {};
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (token.value === "")
        throw usage("An empty word names no file.", "Remove it, or name one.");
      operands.push(token.value);
    }
    if (token.kind !== "option") continue;
    const option = known[token.name];
    if (!option) throw unknownOption(spec, token.rawName, Object.keys(known));
    const value = readValue(token.rawName, option, token.value);
    const before = options[token.name];
    if (option.isRepeatable) {
      options[token.name] = [...(Array.isArray(before) ? before : []), String(value)];
    } else if (before !== undefined && option.value) {
      throw usage(`The option "${token.rawName}" is given twice.`, "Keep one of the two.");
    } else options[token.name] = value;
  }
  if (operands.length > spec.mostOperands && !options["help"]) {
    throw usage(
      `"${operands[spec.mostOperands]}" is one word too many.`,
      `Call it so:\n  lintel ${spec.name} ${spec.operands}`.trimEnd(),
    );
  }
  return { operands, options };

  function readValue(name: string, option: Option, value: string | undefined): string | true {
    if (!option.value) {
      if (value === undefined) return true;
      throw usage(`The option "${name}" takes no value.`, `Write ${name} alone.`);
    }
    // "--url --name x" forgets a value; a file may well be called "-".
    if (!value || (/^-./.test(value) && !words.includes(`${name}=${value}`))) {
      throw usage(`The option "${name}" needs a value.`, `Write:\n  ${name} ${option.value}`);
    }
    if (option.values && !option.values.includes(value)) {
      throw usage(
        `"${value}" is not a value of "${name}".`,
        didYouMean(value, option.values) ?? `Allowed: ${option.values.join(", ")}.`,
      );
    }
    return value;
  }
}

/** Where the reports go: text to standard output, unless another format is meant to stand there. */
export function readDestinations(spec: Spec, { options }: Arguments): Destination[] {
  const asked = options["output"];
  const destinations = (Array.isArray(asked) ? asked : []).map((text): Destination => {
    const [name = "", ...rest] = text.split("=");
    const format = spec.formats.find((each) => each === name);
    if (!format) {
      throw usage(
        `"lintel ${spec.name}" has no report "${name}".`,
        didYouMean(name, spec.formats) ?? `Its reports: ${spec.formats.join(", ")}.`,
      );
    }
    if (rest.length === 0) return { format };
    const file = rest.join("=");
    if (file === "") throw usage(`"${text}" names no file.`, `Write ${name}=FILE.`);
    return { format, file };
  });
  const shown = destinations.filter(({ file }) => file === undefined);
  if (shown.length > 1) {
    const names = shown.map(({ format }) => format).join(" and ");
    throw usage(
      `Two reports would be mixed on standard output: ${names}.`,
      `Give all but one a file:\n  --output ${shown[1]?.format}=FILE`,
    );
  }
  return shown.length === 0 ? [{ format: "text" }, ...destinations] : destinations;
}

function unknownOption(spec: Spec, name: string, known: readonly string[]): Failure {
  const hint = didYouMean(
    name,
    known.map((each) => `--${each}`),
  );
  return usage(
    `"lintel ${spec.name}" has no option "${name}".`,
    hint ?? `See:\n  lintel ${spec.name} --help`,
  );
}

function usage(message: string, help: string): Failure {
  return new Failure("wrong-usage", message, help);
}
