// A question and its flag → an answer that will do: the flag's, a person's or the usual one.
import { didYouMean } from "../../diagnostic.js";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { shellWord } from "../../lib/text.js";
import { targetBelow } from "./pipeline-file.js";

export function mayAsk(io: Io, { options }: AnswerArguments): boolean {
  return io.stdin.isTerminal && !options.yes;
}

export type Flag =
  | "url"
  | "target"
  | "deployment"
  | "method"
  | "sign-in-url"
  | "name"
  | "state"
  | "editor";

interface AnswerArguments {
  readonly operands: readonly string[];
  readonly options: { readonly yes: boolean; readonly ci?: string | undefined } & {
    readonly [flag in Flag]: string | undefined;
  };
}

/** What is wrong with an answer, if anything is. */
export type Check = (text: string) => string | undefined | Promise<string | undefined>;

/** A flag answers; in a terminal a person does, elsewhere there is a default, or the flag is missed. */
export async function answer(
  io: Io,
  call: AnswerArguments,
  flag: Flag,
  question: string,
  check: Check,
  byDefault?: string,
): Promise<string> {
  const given = call.options[flag];
  if (given !== undefined) {
    const wrong = await check(given);
    if (!wrong) return given;
    // An address may hold a password or a token, which would stay in the log of a pipeline.
    const shown = given.replace(/\/\/.*@/s, "//…@").replace(/([?;&#]).*/s, "$1…");
    throw wrongUsage(`"${shown}" is no answer to "--${flag}".`, wrong);
  }
  if (!mayAsk(io, call)) {
    if (byDefault !== undefined) return byDefault;
    const { ci } = call.options;
    const words = [...call.operands.map(shellWord), ...(ci ? [`--ci ${ci}`] : [])];
    const example =
      flag === "url"
        ? "https://gis.example.com/portal/sharing/rest"
        : "https://accounts.example.com";
    const there = ci && call.operands.length === 0 ? targetBelow(io) : undefined;
    const named = there ? `For what is there already:\n  lintel init ${there} --ci ${ci}\n` : "";
    throw wrongUsage(
      `The option "--${flag}" is missing, and nobody is to be asked.`,
      `${named}${there ? "To begin another portal's file" : "Write"}, for example:\n  ${["lintel init", ...words].join(" ")} --${flag} ${example}`,
    );
  }
  for (;;) {
    const line = await io.stdin.ask(`${question}${byDefault ? ` [${byDefault}]` : ""}: `);
    if (line === undefined) {
      throw new Failure("interrupted", "The input ended before the last answer.");
    }
    const text = line.trim() || (byDefault ?? "");
    const wrong = await check(text);
    if (!wrong) return text;
    io.stderr.write(`${wrong}\n`);
  }
}

export function choiceOf(choices: readonly string[]): Check {
  return (text) => {
    if (choices.includes(text)) return undefined;
    return didYouMean(text, choices) ?? `Choose one of: ${choices.join(", ")}.`;
  };
}
