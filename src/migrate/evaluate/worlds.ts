// What a script asked of the world outside → the ways to answer it.
import { USUAL_NAME } from "../known.js";
import type { PortalAddress } from "../location.js";
import { MARK, type Answer, type Primitive, type Question, type World } from "./seam.js";

/** One of the ways to answer a question. */
export type Choice = { readonly answer: Answer } | { readonly now: number; readonly zone: number };

/** What is known of a question. */
export interface Asked extends Partial<Question> {
  readonly key: string;
  /** How often another one was asked before. */
  readonly nth: number;
  /** What the scripts seem to wait for. */
  readonly guesses: readonly Primitive[];
  /** In the plain world it is not there; the scripts define it themselves; they end early without it. */
  readonly isMissing: boolean;
  readonly isGiven: boolean;
  readonly isNeeded: boolean;
}

export const SOMETHING: Answer = { is: "something" };
export const MISSING: Answer = { is: "undefined" };
export const value = (given: Primitive): Answer => ({ is: "value", value: given });

const CONTEXT = "/portal";
const AGENT =
  "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

/** What every browser has: its value in the plain world, and others; "~a" stands for a mark that is known wherever it comes to. */
const USUAL: Readonly<Record<string, readonly Primitive[]>> = {
  "location.protocol": ["https:"],
  "location.host": ["portal.example.com", "~a.example.org:7443"],
  "location.pathname": [
    `${CONTEXT}/home/`,
    "/~a/home/~b/~c.html",
    "/",
    `${CONTEXT}/home/~a/~b.html`,
  ],
  "location.search": ["", "?~a=~b&~c=~d"],
  "location.hash": ["", "#~a", "#~a/~b=~c"],
  "document.cookie": ["", "~a=~b; ~c=~d"],
  "document.referrer": ["", "https://~a/~b"],
  "document.title": ["", "~a"],
  "document.readyState": ["loading"],
  "navigator.language": ["en-US", "ar-EG", "~a"],
  "navigator.userAgent": [`Mozilla/5.0 ${AGENT}`, "Mozilla/5.0 (~a) ~b"],
  "navigator.appVersion": [`5.0 ${AGENT}`, "5.0 (~a) ~b"],
  "navigator.platform": ["Win32", "~a"],
  "navigator.onLine": [true, false],
  "navigator.cookieEnabled": [true, false],
  "screen.width": [1920, 320, 5000],
  "screen.height": [1080, 240, 3000],
  "window.innerWidth": [1919, 320, 5000],
  "window.innerHeight": [960, 240, 3000],
  random: [0.37, 0, 0.72, 0.999],
};
/** What is stored was not before. */
const STORED = [null, "~a", ""];
const UNUSUAL = [null, "~a", 0, 1, true];
const NUMBERS = ["4731", "2"];
const STORAGE = /^(?:local|session)Storage\./;

export function plainWorld(portal: PortalAddress | undefined): World {
  const plain = Object.entries(USUAL).map(([key, [first = null]]) => [key, value(first)] as const);
  const known = portal && {
    "location.protocol": value(portal.protocol),
    "location.host": value(portal.host),
    "location.pathname": value(`${portal.context}/home/`),
  };
  const answers = { ...Object.fromEntries(plain), ...known };
  return {
    answers,
    now: Date.UTC(2017, 6, 14, 2, 40),
    zone: 0,
    differs: [],
    forced: {},
    called: [],
  };
}

export function withChoices(world: World, choices: Iterable<readonly [string, Choice]>): World {
  return [...choices].reduce((before, [key, choice]) => {
    const differs = [...before.differs.filter((each) => each !== key), key];
    return "answer" in choice
      ? { ...before, differs, answers: { ...before.answers, [key]: choice.answer } }
      : { ...before, differs, ...choice };
  }, world);
}

/** The names of the window, each of which may be missing, are questions as well. */
export function isName(key: string): boolean {
  return /^[\w$]+$/.test(key) && key !== "time" && key !== "random";
}

/** The most telling first. */
export function choicesFor(asked: Asked, portal: PortalAddress | undefined): Choice[] {
  const { key, nth, guesses, isMissing, isUsed, isListed } = asked;
  if (key === "time") return clocks();
  const something = isMissing ? [{ answer: SOMETHING }] : [];
  // Whoever had a configuration before had it as an object.
  if (key === USUAL_NAME) return something;
  // What the script gives a value itself may have been there before.
  if (isName(key) && asked.isGiven) return isMissing ? [...something, { answer: value("") }] : [];
  if (/^(?:callback|change):/.test(key)) return [{ answer: value(true) }];
  if (key.includes("~")) return [true, NUMBERS[0] ?? null].map((each) => ({ answer: value(each) }));
  if (portal && key === "location.host") return [];
  const own = Object.hasOwn(USUAL, key) ? USUAL[key] : STORAGE.test(key) ? STORED : undefined;
  const texts = (own ?? UNUSUAL)
    .slice(1)
    .map((each) =>
      typeof each !== "string"
        ? each
        : each.replace(/~/g, `zq${nth}`).replace(CONTEXT, portal?.context ?? CONTEXT),
    );
  const values = [...texts, ...guesses].filter(
    (each) => !portal || !/^\/(?:zq.*)?$/.test(String(each)),
  );
  // A number may stand in each of the texts.
  const numbers = NUMBERS.flatMap((digits) =>
    values.flatMap((each) =>
      /^location\.(?:search|hash)|cookie$|Storage\./.test(key) && MARK.test(String(each))
        ? [String(each).replace(new RegExp(MARK, "gi"), digits)]
        : [],
    ),
  );
  const all = [...new Set([...values, ...numbers])].map((each) => ({ answer: value(each) }));
  if (own) return all;
  const mayMiss = isName(key) ? !isMissing && !asked.isNeeded : isUsed || isListed;
  const missing = mayMiss ? [{ answer: MISSING }] : [];
  const settings = isListed ? [{ answer: { is: "settings" } as const }] : [];
  // Of a configuration that was there before nobody knows what it holds.
  const isOpen =
    isUsed || isListed || key.startsWith(`${USUAL_NAME}.`) || /^navigator\.[^.(]+$/.test(key);
  return [...something, ...settings, ...missing, ...(isOpen ? all : [])];
}

const HOUR = 3_600_000;

/** In every month, on every day of the week, and at twelve hours. */
function clocks(): Choice[] {
  return Array.from({ length: 12 }, (_, nth) => (nth * 5) % 12).map((at) => ({
    now: Date.UTC(2000 + ((at * 7) % 60), at, 1 + at * 2, 0, 40) + at * 7 * HOUR,
    zone: at % 2 ? -60 : 480,
  }));
}
