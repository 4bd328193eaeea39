// Gets one answer for a new file: from its option, from a person at a terminal, or a default.
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { shellWord } from "../../lib/text.js";
import { wrap } from "../../report/text-layout.js";

type Flag = "url" | "sign-in-url" | "state" | "name" | "cron";

interface AnswerArguments {
  readonly operands: readonly string[];
  readonly options: { readonly yes: boolean; readonly ci?: string | undefined } & {
    readonly [flag in Flag]: string | undefined;
  };
}

export interface Question {
  readonly flag: Flag;
  readonly text: string;
  /** What is wrong with an answer, if anything is. */
  readonly check: (text: string) => string | undefined | Promise<string | undefined>;
  /** Without it the question needs an answer; the empty text stands for "none". */
  readonly byDefault?: string;
}

export async function answer(io: Io, call: AnswerArguments, question: Question): Promise<string> {
  const { flag, text, check, byDefault } = question;
  const given = call.options[flag];
  if (given !== undefined) {
    const wrong = await check(given);
    if (wrong) throw notTaken(flag, given, wrong);
    return given;
  }
  if (!io.stdin.isTerminal || call.options.yes) {
    if (byDefault !== undefined) return byDefault;
    throw missing(flag, call);
  }
  for (;;) {
    const line = await io.stdin.ask(`${text}${byDefault ? ` [${byDefault}]` : ""}: `);
    if (line === undefined) throw new Failure("interrupted", "Interrupted. Nothing was written.");
    const typed = line.trim() || (byDefault ?? "");
    const wrong = await check(typed);
    if (!wrong) return typed;
    const { columns = Infinity } = io.stderr;
    io.stderr.write(`${wrap(wrong.replace(/\s+/g, " "), columns).join("\n")}\n`);
  }
}

/** An address may hold a password or a token, which would stay in the log of a pipeline. */
export function notTaken(flag: string, given: string, wrong: string): Failure {
  const shown = given.replace(/^.*@/s, "…@").replace(/([?;&#]).*/s, "$1…");
  return wrongUsage(`"--${flag}" cannot be "${shown}".`, wrong);
}

function missing(flag: Flag, { operands, options: { ci } }: AnswerArguments): Failure {
  const message = `Cannot prompt for "--${flag}": standard input is not a terminal, or --yes is set.`;
  if (flag !== "url") {
    return wrongUsage(message, `Add, for example:\n  --${flag} https://accounts.example.com`);
  }
  const words = [...operands.map(shellWord), ...(ci ? [`--ci ${ci}`] : [])];
  const example = ["lintel init", ...words, "--url https://gis.example.com/portal"].join(" ");
  return wrongUsage(message, `For example:\n  ${example}`);
}
