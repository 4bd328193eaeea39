// Draws the text of alternatives by the rules of programs.txt.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../support/run.js";
import type { Dice } from "./literals.js";
import { NAMES, VALUES, kindOf, type Kind } from "./values.js";

/** What the lines of one program share. */
export interface Draft {
  readonly settings: readonly string[];
  readonly aliases: string[];
  /** Variables, by the kind of what they hold. */
  readonly variables: Map<Kind, string[]>;
  /** Rule → the name of the function that it stands for. */
  readonly functions: Map<string, string>;
  /** Their text, which comes first. */
  readonly lines: string[];
  isDefined: boolean;
  names: number;
}

interface Alternative {
  readonly weight: number;
  readonly text: string;
}

/** What an alternative and all that it is made of have in common. */
interface Frame {
  readonly current: string;
  readonly alias: string;
  readonly variable: string;
}

const RULES = readRules(readFileSync(join(PROJECT, "test/migrate/programs.txt"), "utf8"));
const HOLE = /<([a-z][a-z-]*|"[a-z-]+")>|\$([a-zA-Z])\b/g;
/** Nothing is nested deeper; the first alternative is the simplest. */
const DEEPEST = 9;

/** What has no place here, for instance as the program has no list. */
class Unfit extends Error {}

export function emptyDraft(settings: readonly string[]): Draft {
  return {
    settings,
    aliases: [],
    variables: new Map(),
    functions: new Map(),
    lines: [],
    isDefined: false,
    names: 0,
  };
}

export function grow(rule: string, draft: Draft, dice: Dice): string {
  const [current = ""] = draft.settings;
  return expand(rule, { current, alias: "", variable: "" }, { draft, dice, depth: 0 });
}

interface Growing {
  readonly draft: Draft;
  readonly dice: Dice;
  readonly depth: number;
}

function expand(rule: string, frame: Frame, growing: Growing): string {
  const { dice, depth } = growing;
  let left = RULES.get(rule);
  if (!left) throw new TypeError(`programs.txt has no rule "${rule}"`);
  if (depth > DEEPEST) left = left.slice(0, 1);
  while (left.length > 0) {
    const chosen = choose(left, dice);
    try {
      return fill(chosen.text, frame, growing);
    } catch (thrown) {
      if (!(thrown instanceof Unfit)) throw thrown;
      left = left.filter((each) => each !== chosen);
    }
  }
  throw new Unfit();
}

function choose(all: readonly Alternative[], dice: Dice): Alternative {
  let left = dice.fraction() * all.reduce((sum, { weight }) => sum + weight, 0);
  const found = all.find(({ weight }) => (left -= weight) < 0) ?? all.at(-1);
  if (!found) throw new Unfit();
  return found;
}

function fill(text: string, outer: Frame, growing: Growing): string {
  const { draft, dice } = growing;
  const fresh = new Map<string, string>();
  let frame = outer;
  return text.replaceAll(HOLE, (_whole, hole: string | undefined, letter: string | undefined) => {
    if (letter !== undefined) {
      const name = fresh.get(letter) ?? freshName(letter, draft, dice);
      fresh.set(letter, name);
      return name;
    }
    const filled = fillHole(hole ?? "", frame, growing);
    frame = filled.frame ?? frame;
    return filled.text;
  });
}

interface Filled {
  readonly text: string;
  readonly frame?: Frame;
}

function fillHole(hole: string, frame: Frame, growing: Growing): Filled {
  const { draft, dice, depth } = growing;
  const deeper = { draft, dice, depth: depth + 1 };
  const kind = kindOf(frame.current);
  const named = (current: string) => ({ text: current, frame: { ...frame, current } });
  const ofAll = (rule: string, between: string) => ({
    text: draft.settings
      .map((current) => expand(rule, { ...frame, current }, deeper))
      .join(between),
  });
  switch (hole) {
    case "name":
      return named(dice.isOneIn(7) ? dice.pick(NAMES) : dice.pick(draft.settings));
    case "some":
      return { ...named(dice.pick(draft.settings)), text: "" };
    case "same":
      return { text: frame.current };
    case "number":
    case "flag":
    case "address":
    case "list": {
      const fitting = draft.settings.filter((each) => kindOf(each) === hole);
      if (fitting.length === 0) throw new Unfit();
      return named(dice.pick(fitting));
    }
    case "split": {
      const { current } = frame;
      const at = 1 + dice.below(current.length - 1);
      return { text: `"${current.slice(0, at)}" + "${current.slice(at)}"` };
    }
    case "value":
      return { text: dice.pick(VALUES[kind]) };
    case "typed":
      return { text: expand(`typed-${kind}`, frame, deeper) };
    case "entries":
      return ofAll("entry", ", ");
    case "own-entries":
      return ofAll("own-entry", "; ");
    case "global-entries":
      return ofAll("global-entry", "; ");
    case "fields":
      return ofAll("own-field", "; ");
    case "config":
      if (!draft.isDefined && !dice.isOneIn(30)) throw new Unfit();
      return { text: expand(hole, frame, deeper) };
    case "defined":
      draft.isDefined = true;
      return { text: "" };
    case "alias": {
      const alias = freshName("c", draft, dice);
      draft.aliases.push(alias);
      return { text: alias, frame: { ...frame, alias } };
    }
    case "that":
      return { text: frame.alias };
    case "known-alias":
      if (draft.aliases.length === 0) throw new Unfit();
      return { text: dice.pick(draft.aliases) };
    case "var": {
      const variable = freshName("v", draft, dice);
      draft.variables.set(kind, [...(draft.variables.get(kind) ?? []), variable]);
      return { text: variable, frame: { ...frame, variable } };
    }
    case "that-var":
      return { text: frame.variable };
    case "known-var": {
      const known = draft.variables.get(kind);
      if (!known) throw new Unfit();
      return { text: dice.pick(known) };
    }
    case "param":
    case "cookie":
      return { text: functionOf(`${hole}-helper`, frame, deeper) };
    case "body":
      return { text: "<body>" };
    default:
      if (!hole.startsWith('"')) return { text: expand(hole, frame, deeper) };
      if (hole === '"value"') return { text: JSON.stringify(dice.pick(VALUES[kind])) };
      return { text: JSON.stringify(expand(hole.slice(1, -1), frame, deeper)) };
  }
}

function functionOf(rule: string, frame: Frame, growing: Growing): string {
  const { draft } = growing;
  const known = draft.functions.get(rule);
  if (known !== undefined) return known;
  const text = expand(rule, frame, growing);
  const name = /function (\w+)\(|var (\w+) = (?:function|n =>)/.exec(text);
  const found = name?.[1] ?? name?.[2] ?? "";
  draft.functions.set(rule, found);
  draft.lines.push(text);
  return found;
}

/** Mostly one of its own; else a short one, as tools make them, which may be another's too. */
function freshName(letter: string, draft: Draft, dice: Dice): string {
  draft.names++;
  if (dice.isOneIn(16)) return dice.pick(["e", "t", "n", "r", "c", "k"]);
  return `${letter}${draft.names}`;
}

function readRules(text: string): Map<string, Alternative[]> {
  const rules = new Map<string, Alternative[]>();
  let current: Alternative[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, weight, alternative] = /^ {2}(\d+) (.*)$/.exec(line) ?? [];
    if (weight === undefined || alternative === undefined) {
      current = [];
      rules.set(line, current);
    } else current.push({ weight: Number(weight), text: alternative.replaceAll("\\n", "\n") });
  }
  return rules;
}
