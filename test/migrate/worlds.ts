// Makes twelve worlds of a program's own literals, and runs it in each.
import type { Json } from "../../src/lib/json.js";
import { createRandom } from "../../src/sandbox/faults.js";
import { PLAIN, compile, run, type World } from "./page.js";
import {
  deckOf,
  diceOf,
  literalsOf,
  shuffled,
  type Deck,
  type Dice,
  type Literals,
} from "./literals.js";
import { setupOf } from "./outsiders.js";

export interface Drawn {
  readonly world: World;
  /** The same but for its protocol stands at this place. */
  readonly twin?: number;
}

export interface Seen {
  readonly atEnd: Readonly<Record<string, Json>>;
  readonly afterwards: Readonly<Record<string, Json>>;
  readonly error?: string | undefined;
}

export const PORTAL = "https://portal.example.org/portal";
const PAGES = ["home/index.html", "home/", "home/webmap/viewer.html", "home/signin.html"];
const HOSTS = ["portal.example.org", "gis.example.com", "localhost:8443", "test.example.net"];
const LANGUAGES = ["en-US", "de", "fr-FR", "ar", "he", "ja", "en"];
const AGENTS = [
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/16.1 Safari/605.1.15",
  "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) Version/16.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0",
];
const OVER_HTTPS = 10;
const OVER_HTTP = 2;
const AT_A_PORTAL = 6;

/** Drawn by the text alone: the same ones in every run. */
export function worldsOf(text: string, portal?: string): readonly Drawn[] {
  const dice = diceOf(createRandom(hashOf(text)));
  const literals = literalsOf(text);
  const deck = deckOf(literals, dice);
  const alone = { text, literals, deck, dice, portal, isTaken: false };
  // It has run on a portal, so that another file has defined what it uses before it does.
  const plain = run(compile(text), drawWorld({ ...alone, at: 0 }));
  const isTaken = /esriGeowConfig is not defined/.test(plain?.error ?? "");
  const drawing = { ...alone, isTaken };
  const length = portal === undefined ? OVER_HTTPS : AT_A_PORTAL;
  const many = Array.from({ length }, (_, at) => drawWorld({ ...drawing, at }));
  if (portal !== undefined) return many.map((world) => ({ world }));
  const twins = many.slice(0, OVER_HTTP).map((world, twin) => ({
    world: { ...world, url: world.url.replace("https:", "http:") },
    twin,
  }));
  return [...many.map((world) => ({ world })), ...twins];
}

/** Nothing where it does not end in one of them. */
export function evaluate(text: string, worlds: readonly Drawn[]): readonly Seen[] | undefined {
  const script = compile(text);
  const seen: Seen[] = [];
  const parsed = new Map<string, Record<string, Json>>();
  const parse = (json: string) => {
    const value = parsed.get(json) ?? (JSON.parse(json) as Record<string, Json>);
    parsed.set(json, value);
    return value;
  };
  for (const { world } of worlds) {
    const left = run(script, world);
    if (!left) return undefined;
    const { atEnd, afterwards, error } = left;
    seen.push({ atEnd: parse(atEnd), afterwards: parse(afterwards), error });
  }
  return seen;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

interface Drawing {
  readonly text: string;
  readonly literals: Literals;
  readonly deck: Deck;
  readonly dice: Dice;
  /** The first one is plain. */
  readonly at: number;
  readonly portal: string | undefined;
  readonly isTaken: boolean;
}

type Part =
  | "search"
  | "hash"
  | "cookie"
  | "language"
  | "agent"
  | "path"
  | "host"
  | "referrer"
  | "stored";

/** By what a program may ask for it. */
const ASKED: Readonly<Record<Part, RegExp>> = {
  search: /search|href|\blocation\b(?!\.)/,
  hash: /hash|href/,
  cookie: /cookie/i,
  language: /[lL]anguage|locale|\.lang\b/,
  agent: /userAgent|platform|appVersion/,
  path: /pathname|href/,
  host: /\bhost|href|origin/,
  referrer: /referrer/,
  stored: /Storage/,
};

function drawWorld(drawing: Drawing): World {
  const { text, deck, dice, at, portal, literals, isTaken } = drawing;
  const setup = setupOf(text, { literals, word: deck.word, dice, isPlain: at === 0, isTaken });
  const plain: World = { ...PLAIN, setup, isLate: at % 3 === 1 };
  if (at === 0) return plain;
  const asked = (Object.keys(ASKED) as Part[]).filter((part) => ASKED[part].test(text));
  const set = new Set(shuffled(asked, dice).slice(0, 2 + dice.below(2)));
  const has = (part: Part) => set.has(part);
  const base = portal ?? `https://${has("host") ? hostOf(drawing) : "portal.example.org"}/portal`;
  const page = has("path") ? pathOf(drawing) : "home/index.html";
  const isLocal = has("path") && portal === undefined && dice.isOneIn(3);
  const path = isLocal ? `${new URL(base).origin}/${wordOf(drawing)}/${page}` : `${base}/${page}`;
  const search = has("search") ? searchOf(drawing) : "";
  const hash = has("hash") ? hashTextOf(drawing) : "";
  return {
    ...plain,
    url: `${path}${search}${hash}`.replaceAll(" ", "%20"),
    cookie: has("cookie") ? pairsOf(drawing, "; ") : "",
    language: has("language") ? dice.pick([wordOf(drawing), dice.pick(LANGUAGES)]) : "en",
    userAgent: has("agent")
      ? dice.pick([...AGENTS, `Mozilla/5.0 (${wordOf(drawing)}) ${wordOf(drawing)}`])
      : PLAIN.userAgent,
    platform: has("agent")
      ? dice.pick(["MacIntel", "iPhone", "Linux x86_64", wordOf(drawing)])
      : "Win32",
    referrer: has("referrer") ? dice.pick([`https://${hostOf(drawing)}/`, wordOf(drawing)]) : "",
    stored: has("stored") ? storedOf(drawing) : {},
    now: clockOf(drawing),
    random: dice.pick([0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 0.999]),
    width: dice.pick([320, 768, 800, 1024, 1280, 2560, ...widthsOf(literals)]),
  };
}

/** A year of its own for each world, every month, and every day of the week. */
function clockOf({ dice, at, literals }: Drawing): number {
  const years = literals.numbers.filter((year) => year > 1990 && year < 2050);
  const year =
    years.length > 0 && dice.isOneIn(2) ? dice.pick(years) + dice.below(3) - 1 : 2012 + at * 2;
  const month = (at * 5 + dice.below(2)) % 12;
  const hour = (at * 7 + dice.below(3)) % 24;
  const made = new Date(year, month, 1 + dice.below(20), hour, dice.below(60), dice.below(60));
  while (made.getDay() !== at % 7) made.setDate(made.getDate() + 1);
  return made.getTime();
}

function widthsOf({ numbers }: Literals): number[] {
  return numbers
    .filter((each) => each >= 100 && each < 10_000)
    .flatMap((each) => [each - 1, each, each + 1]);
}

function wordOf({ literals, deck, dice }: Drawing): string {
  const { numbers } = literals;
  if (numbers.length > 0 && dice.isOneIn(10)) return filled(dice.pick(numbers), dice);
  const word = deck.word();
  return dice.isOneIn(12) ? dice.pick([word.toUpperCase(), word.toLowerCase(), `${word}x`]) : word;
}

/** A number itself, or so many letters that a length is more than it. */
function filled(number: number, dice: Dice): string {
  return number < 60 && dice.isOneIn(2) ? "a".repeat(number + 1) : String(number);
}

/** A name and a value, mostly those that stand side by side in the program. */
function pairOf(drawing: Drawing): [string, string] {
  const { deck, dice } = drawing;
  const [name, value] = dice.isOneIn(4)
    ? [deck.word(), dice.pick([wordOf(drawing), "1", "true", ""])]
    : deck.pair();
  return [name.replace(/=.*$/, "").replace(/^[?&#]/, ""), value];
}

function pairsOf(drawing: Drawing, between: string): string {
  const { dice } = drawing;
  return Array.from({ length: 1 + dice.below(6) }, () => pairOf(drawing).join("=")).join(between);
}

function searchOf(drawing: Drawing): string {
  const { at, dice } = drawing;
  const exact = startingWith("?", drawing);
  const pairs = `?${pairsOf(drawing, "&")}`;
  const others = [`?${pairOf(drawing).join("=")}`, `?a=${wordOf(drawing)}`];
  // By turns, so that no form is left out by chance.
  const search = [exact, pairs, dice.pick([exact, pairs]), dice.pick(others)][at % 4] ?? exact;
  return search.replaceAll("#", "%23");
}

function hashTextOf(drawing: Drawing): string {
  const exact = startingWith("#", drawing);
  return drawing.dice.pick([
    exact,
    exact,
    exact.replace("#", "#/"),
    `#${pairOf(drawing).join("=")}`,
  ]);
}

/** A literal that does already, half of the time. */
function startingWith(mark: string, drawing: Drawing): string {
  const own = drawing.literals.texts.filter((each) => each.startsWith(mark));
  if (own.length > 0 && drawing.dice.isOneIn(2)) return drawing.dice.pick(own);
  const word = wordOf(drawing);
  return word.startsWith(mark) ? word : `${mark}${word.replaceAll(/[?#]/g, "")}`;
}

function hostOf(drawing: Drawing): string {
  const word = wordOf(drawing)
    .replaceAll(/[^\w.-]/g, "")
    .toLowerCase();
  const made = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$/.test(word)
    ? [word, `${word}.example.org`, `x.${word}`]
    : [];
  return drawing.dice.pick([...HOSTS, ...made]);
}

function pathOf(drawing: Drawing): string {
  const word = wordOf(drawing).replaceAll(/[?#]/g, "").replace(/^\/+/, "");
  return drawing.dice.pick([
    ...PAGES,
    `home/${word}`,
    `home/${word}.html`,
    `home/${word}/index.html`,
  ]);
}

function storedOf(drawing: Drawing): Record<string, string> {
  const pairs = Array.from({ length: 1 + drawing.dice.below(5) }, () => pairOf(drawing));
  return Object.fromEntries(pairs);
}
