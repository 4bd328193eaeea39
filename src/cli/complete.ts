// Computes shell completions for the last word of a command line. Shells complete file names themselves.
import type { Option } from "../commands/command.js";
import type { Io } from "../io.js";
import { aliasesOf, ALL, optionsOf } from "./all.js";

interface Offer {
  readonly word: string;
  readonly description?: string;
}

/** One completion a line; zsh, fish and PowerShell show its description. The first word is the program's name. */
export async function offered(words: readonly string[], { env }: Io): Promise<string> {
  const offers = await offersFor(words);
  // The zsh script of yargs sets COMP_CWORD, our scripts for fish and PowerShell LINTEL_COMPLETES.
  const isZsh = Boolean(env["COMP_CWORD"]);
  const between = isZsh ? ":" : env["LINTEL_COMPLETES"] ? "\t" : undefined;
  return offers
    .map(({ word, description }) => {
      // zsh ends the word at the first unescaped colon.
      const whole = isZsh ? word.replaceAll(":", "\\:") : word;
      return (between && description ? `${whole}${between}${description}` : whole) + "\n";
    })
    .join("");
}

async function offersFor(words: readonly string[]): Promise<readonly Offer[]> {
  const [, name, ...rest] = joined(words);
  const current = rest.pop();
  if (current === undefined) {
    const always = ["--help", "--version"].map((word) => ({ word }));
    return [...ALL.map(({ name, summary }) => ({ word: name, description: summary })), ...always];
  }
  const listed = ALL.find((each) => each.name === name);
  if (!listed) return [];
  const { spec } = await listed.load();
  const options = Object.entries(optionsOf(spec));
  const taking = (written = "") =>
    options.find(
      ([name, option]) => option.value !== undefined && spellings(name, option).includes(written),
    )?.[1];
  const plain = (each: readonly string[] = []) => each.map((word) => ({ word }));
  const offersOf = (option: Option) => option.values ?? option.offers;

  const hasEnded = rest.includes("--");
  if (!hasEnded) {
    const option = taking(rest.at(-1));
    if (option) return plain(offersOf(option));
    const [flag, value] = current.split("=");
    const given = value === undefined ? undefined : taking(flag);
    // bash completes the part after "=" as a separate word.
    const before = words.slice(-2).includes("=") ? "" : `${flag}=`;
    if (given) return plain(offersOf(given)?.map((each) => before + each));
    if (current.startsWith("-")) {
      return options.map(([name, { description }]) => ({ word: `--${name}`, description }));
    }
  }
  const { parseWords } = await import("./parse.js");
  const { operands } = parseWords(listed.name, spec, rest);
  const offers = typeof spec.offers === "function" ? await spec.offers() : (spec.offers ?? []);
  return plain(offers[Math.min(operands.length, offers.length - 1)]);
}

function spellings(name: string, option: Option): string[] {
  return [name, ...aliasesOf(option)].map((each) => (each.length === 1 ? `-${each}` : `--${each}`));
}

/** bash splits "--output=js" into three words. */
function joined(words: readonly string[]): string[] {
  return words.reduce<string[]>((all, word, at) => {
    const isPart = at > 0 && (word === "=" || words[at - 1] === "=");
    return isPart ? [...all.slice(0, -1), `${all.at(-1)}${word}`] : [...all, word];
  }, []);
}
