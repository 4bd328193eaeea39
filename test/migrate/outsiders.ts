// Makes a script that defines the names a program takes from elsewhere, differently in every world.
import type { Dice, Literals } from "./literals.js";

/** A program uses them without asking, so that they are always there. */
const PRESENT: Readonly<Record<string, "object" | "function" | "text">> = {
  lib: "object",
  i18n: "object",
  portalInfo: "object",
  compute: "function",
  siteName: "text",
};

/** A program asks for them first, so that they may be missing. */
const TESTED = ["analytics", "isTest", "overrides", "legacy", "DEBUG_MODE", "siteSettings"];

export function usesOutsiders(text: string): boolean {
  return [...Object.keys(PRESENT), ...TESTED].some((name) => text.includes(name));
}

/** Members that every text has, which are no names of an outsider's own. */
const OF_TEXTS =
  /^(length|indexOf|toLowerCase|toUpperCase|split|charAt|slice|substr|substring|match|replace|trim|test)$/;
const OF_ALL = /^(apply|call|bind|toString|hasOwnProperty)$/;

interface Shape {
  isCalled: boolean;
  isText: boolean;
  readonly members: Map<string, Shape>;
}

interface Drawing {
  readonly literals: Literals;
  /** Another literal each time. */
  readonly word: () => string;
  readonly dice: Dice;
  readonly isPlain: boolean;
  /** It uses the configuration before it defines one: another file has done so. */
  readonly isTaken: boolean;
}

/** A plain one has nothing in them, and none of those that may be missing. */
export function setupOf(text: string, drawing: Drawing): string {
  const { dice, isPlain, isTaken } = drawing;
  const lines: string[] = [];
  for (const [name, kind] of Object.entries(PRESENT)) {
    const shape = shapeOf(name, text);
    if (!shape) continue;
    shape.isCalled ||= kind === "function";
    shape.isText ||= kind === "text";
    lines.push(`${name} = ${valueOf(shape, drawing, kind === "object")};`);
  }
  for (const name of TESTED) {
    const shape = shapeOf(name, text);
    if (!shape || isPlain || dice.isOneIn(2)) continue;
    const isBare = !shape.isCalled && !shape.isText && shape.members.size === 0;
    lines.push(`${name} = ${isBare ? anything(drawing) : valueOf(shape, drawing)};`);
  }
  const isTested = /esriGeowConfig *(\|\||&&|\?)|typeof (window\.)?esriGeowConfig/.test(text);
  if (isTaken || !definesConfiguration(text) || (isTested && !isPlain && dice.isOneIn(2))) {
    lines.push(`esriGeowConfig = ${settings(drawing)};`);
  }
  return lines.join("\n");
}

/** Where it does not, another file has done so. One that is empty is no page's, but stands in for the window. */
export function definesConfiguration(text: string): boolean {
  return /esriGeowConfig"?\]?\s*=(?!=)|"esriGeowConfig", \{|Config"\] = |esriGeowConfig: \{(?!\})/.test(
    text,
  );
}

/** As it is used: what is called is a function, what has members is an object. */
function shapeOf(name: string, text: string): Shape | undefined {
  if (!text.includes(name)) return undefined;
  const shape = empty();
  const use = new RegExp(`(?<![\\w.$])(?:(?:window|self)\\.)?${name}\\b((?:\\.\\w+|\\()*)`, "g");
  for (const [, path = ""] of text.matchAll(use)) {
    let at = shape;
    for (const [part, member] of path.matchAll(/\.(\w+)|\(/g)) {
      if (part === "(") at.isCalled = true;
      else if (member !== undefined && OF_TEXTS.test(member)) at.isText = true;
      else if (member !== undefined && !OF_ALL.test(member)) {
        const next = at.members.get(member) ?? empty();
        at.members.set(member, next);
        at = next;
        continue;
      }
      break;
    }
  }
  return shape;
}

function empty(): Shape {
  return { isCalled: false, isText: false, members: new Map() };
}

function valueOf(shape: Shape, drawing: Drawing, isObject = false): string {
  const { word, dice, isPlain } = drawing;
  if (shape.isText) return JSON.stringify(isPlain ? "" : word());
  if (shape.isCalled) return functionOf(drawing);
  if (shape.members.size === 0 && !isObject) return leaf(drawing);
  const held = [...shape.members].map(([name, each]) => `${name}: ${valueOf(each, drawing)}`);
  if (!isPlain && dice.isOneIn(3)) held.push(`extra: ${leaf(drawing)}`, "tokenExpiration: 88");
  return `{ ${held.join(", ")} }`;
}

/** What it is given it may call, at once or later, and change. */
function functionOf(drawing: Drawing): string {
  const { dice, isPlain } = drawing;
  const returned = `return ${leaf(drawing)};`;
  if (isPlain || dice.isOneIn(2)) return `function () { ${returned} }`;
  const call = dice.pick(["given();", "setTimeout(given, 0);"]);
  return `function (given) {
    if (typeof given === "function") ${call}
    if (given && given.tokenExpiration) given.tokenExpiration = 66;
    ${returned}
  }`;
}

function leaf(drawing: Drawing): string {
  const { literals, word, dice, isPlain } = drawing;
  if (isPlain) return "undefined";
  if (dice.isOneIn(2)) return JSON.stringify(word());
  const numbers = literals.numbers.flatMap((each) => [String(each), String(each + 1)]);
  if (numbers.length > 0 && dice.isOneIn(3)) return dice.pick(numbers);
  return dice.pick(["true", "false", "undefined", '""', "0", settings(drawing)]);
}

function anything(drawing: Drawing): string {
  return drawing.dice.pick([leaf(drawing), "true", settings(drawing), functionOf(drawing)]);
}

/** As if another script had configured something. */
function settings({ dice }: Drawing): string {
  const all = [
    "tokenExpiration: 77",
    "longTokenExpiration: 777",
    'surveyUrl: "https://outside.example.org"',
    "webAppBuilderEnabled: false",
  ];
  return `{ ${["on: true", ...all.filter(() => dice.isOneIn(2))].join(", ")} }`;
}
