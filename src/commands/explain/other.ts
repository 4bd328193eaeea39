// Explains what is not a setting: a key of the file, a guard, a rule, a code, an exit status, an option; else searches by words.
import { pathsOf, SETTING_PATHS, SETTINGS } from "../../catalog/catalog.js";
import { NAMES as COMMANDS } from "../../cli/all.js";
import { didYouBegin } from "../../diagnostic.js";
import { wrongUsage, type Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Styles } from "../../report/styles.js";
import { oneLine } from "../../lib/text.js";
import { inColumns } from "../../report/text-layout.js";
import type { Result } from "../command.js";
import { done } from "../../cli/result.js";
import { factsOf, MORE, plain } from "./explain.js";
import { explainKey, FILE_KEYS, findKey, meaningOfKey } from "./file-key.js";
import { CODES, explainCode } from "./code.js";
import { explainInFile } from "./in-file.js";
import { explainOption, optionUsages } from "./option.js";
import { explainName, meaningOfName, NAMES } from "./guard-or-rule.js";

interface Topic {
  readonly name: string;
  readonly meaning: string;
}

export async function explainOther(
  asked: string,
  file: string | undefined,
  io: Io,
): Promise<Result> {
  const key = findKey(asked);
  if (file === undefined) {
    // A word may name several things, such as the key and the option "allow".
    const found = [
      key && explainKey(key),
      explainName(asked),
      explainCode(asked),
      await explainOption(asked),
      explainCommand(asked),
    ].filter((each) => each !== undefined);
    return found.length > 0 ? together(found) : explainWords(asked);
  }
  if (key) return explainInFile(file, "keys", [key], io);
  throw wrongUsage(
    `"${asked}" is nothing that a file sets.`,
    didYouBegin(asked, [...SETTING_PATHS, ...FILE_KEYS]) ??
      "To list every setting:\n  lintel explain",
  );
}

function explainCommand(asked: string): Result | undefined {
  if (!COMMANDS.includes(asked)) return undefined;
  const text = `"${asked}" is a command. Show its help:\n  lintel ${asked} --help\n`;
  return done("explain", {}, () => text);
}

function together(results: readonly Result[]): Result {
  const more = Object.assign({}, ...results.map(({ outcome }) => outcome.more)) as object;
  return done("explain", more, (styles) => results.map((each) => each.text(styles)).join("\n"));
}

async function explainWords(asked: string): Promise<Result> {
  const words = asked.split(/\s+/).filter((word) => word.length > 1);
  const speaks = ({ name, meaning }: Topic) =>
    words.length > 0 && words.every((word) => holds(`${name} ${meaning}`, word));
  const settings = SETTINGS.filter(({ path, parameter, property }) =>
    speaks({ name: path, meaning: property?.meaning ?? parameter.meaning }),
  );
  const keys = FILE_KEYS.map((name) => ({ name, meaning: meaningOfKey(name) })).filter(speaks);
  const names = NAMES.map((name) => ({ name, meaning: meaningOfName(name) })).filter(speaks);
  const others = [...keys, ...names];
  if (settings.length + others.length === 0) throw await nothingOf(asked);
  const found = settings.map(({ path, parameter, property }) => ({
    name: path,
    meaning: property?.meaning ?? parameter.meaning,
  }));
  const facts = { settings: settings.map(factsOf), others: others.map((each) => ({ ...each })) };
  return done("explain", facts, (styles) => topicsText([...found, ...others], styles));
}

/** In any letter case; words that names are made of count, too. */
function holds(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}

function topicsText(topics: readonly Topic[], styles: Styles): string {
  const rows = topics.map(({ name, meaning }) => {
    const [sentence = ""] = /^.*?[.](?=\s|$)/s.exec(meaning) ?? [meaning];
    return [name, plain(sentence)] as const;
  });
  return `${inColumns(rows, styles).join("\n")}\n\n${MORE}`;
}

async function nothingOf(asked: string): Promise<Failure> {
  const settings = SETTINGS.flatMap((setting) => [setting.path, ...pathsOf(setting).flat()]);
  const options = (await optionUsages()).map(({ name }) => name);
  if (asked.startsWith("policy/")) {
    return wrongUsage(
      `"${oneLine(asked)}" is a policy of your organisation, which no reference describes.`,
      "Its message and its help say what to do. Read more:\n  lintel help policy",
    );
  }
  return wrongUsage(
    `There is no setting "${asked}", no code and no option, and no description contains it.`,
    didYouBegin(asked, [...settings, ...FILE_KEYS, ...NAMES, ...CODES, ...options]) ??
      "To list every setting:\n  lintel explain",
  );
}
