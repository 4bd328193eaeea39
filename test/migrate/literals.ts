// Lists the words and numbers of a program, and ways to draw from them.
export interface Literals {
  /** In the order of the program, so that what is compared stands beside what it is compared with. */
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

const STRING = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`$\\]*)`/;
const REGEX =
  /(?<=[(=,:&|!?{};[\n]\s*|return )\/((?:[^/\\\n[*]|\\.|\[[^\]\n]*\])(?:[^/\\\n[]|\\.|\[[^\]\n]*\])*)\//;
const KEY = /(?<=[{,]\s*)([A-Za-z_]\w*)(?=\s*:)/;
const NUMBER = /(?<![\w.$])(\d+(?:\.\d+)?)(?![\w.])/;
const LITERAL = new RegExp([STRING, REGEX, KEY, NUMBER].map(({ source }) => source).join("|"), "g");

/** Words that no outside text is compared with, though they stand in the program. */
const OF_SCRIPTS =
  /^(title|url|email|type|value|enumerable|writable|configurable|[gs]et|contactUs|undefined|object|function|.*\.example\.org)$/;

export function literalsOf(text: string): Literals {
  const texts: string[] = [];
  const numbers: number[] = [];
  const add = (given: string) => {
    const isWord = given.length <= 24 && !/:\/\/|[@{}();, ]|^esriGeow/.test(given);
    if (isWord && given !== "" && !OF_SCRIPTS.test(given) && texts.at(-1) !== given) {
      texts.push(given);
    }
  };
  for (const [, double, single, raw, regex, key, number] of text.matchAll(LITERAL)) {
    const string = double ?? single ?? raw;
    if (string !== undefined) {
      const read = string.replaceAll(/\\(.)/g, "$1");
      add(read);
      // What is evaluated holds literals of its own.
      if (/[=(].*["'/]/.test(read)) {
        const inner = literalsOf(read);
        inner.texts.forEach(add);
        numbers.push(...inner.numbers);
      }
    } else if (regex !== undefined) {
      for (const word of regex.match(/\w{2,}|\d/g) ?? []) add(word.replace(/^[bdsw](?=[A-Z])/, ""));
    } else if (key !== undefined) add(key);
    else if (number !== undefined) numbers.push(Number(number));
  }
  return { texts, numbers };
}

/** Each literal comes once before any comes twice, so that few worlds try many. */
export interface Deck {
  readonly word: () => string;
  readonly pair: () => readonly [string, string];
}

export function deckOf({ texts }: Literals, dice: Dice): Deck {
  const all = texts.length > 0 ? [...new Set(texts)] : ["x"];
  const isSetting = (word: string) => /^[a-z]+[A-Z]\w{6,}$/.test(word);
  const words = [
    ...shuffled(
      all.filter((word) => !isSetting(word)),
      dice,
    ),
    ...shuffled(all.filter(isSetting), dice),
  ];
  const beside = (far: number) =>
    texts.slice(0, -far).map((name, at): [string, string] => [name, texts[at + far] ?? ""]);
  const pairs = [...shuffled(beside(1), dice), ...shuffled(beside(2), dice)];
  const names = words.map((word): [string, string] => [word, "1"]);
  const dealt = pairs.length > 0 ? pairs : names;
  let [nextWord, nextPair] = [0, 0];
  return {
    word: () => words[nextWord++ % words.length] ?? "x",
    pair: () => dealt[nextPair++ % dealt.length] ?? ["x", "1"],
  };
}

export function shuffled<T>(list: readonly T[], dice: Dice): T[] {
  const ranked = list.map((each) => ({ each, rank: dice.fraction() }));
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ each }) => each);
}

export interface Dice {
  fraction(): number;
  below(count: number): number;
  isOneIn(count: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function diceOf(random: () => number): Dice {
  const below = (count: number) => Math.floor(random() * count);
  return {
    fraction: random,
    below,
    isOneIn: (count) => below(count) === 0,
    pick: (list) => {
      const found = list[below(list.length)];
      if (found === undefined) throw new TypeError("nothing to pick from");
      return found;
    },
  };
}
