// What a script left in each world → for each setting one value, or why it is not known.
import type { Node } from "acorn";
import { USUAL_NAME } from "../known.js";
import type { Parsed } from "../read.js";
import { lineAt as lineIn, type Stretch } from "../script.js";
import { LANGUAGE, OUTSIDE, WINDOWS } from "./outside.js";
import { CALLED, reached, sourcesOf, wayOut, type Flow } from "./flow.js";
import type { Branch, Branches } from "./instrument.js";
import type { Names } from "./names.js";
import { nodesOf } from "./tree.js";
import type { Note } from "./page/ask.js";
import type { Look, Seen } from "./page/look.js";
import type { Report } from "./page/page.js";
import type { World } from "./worlds.js";

export interface Told {
  readonly world: World;
  readonly report: Report;
}

/** What stays the same in all worlds. */
export interface Analysed {
  readonly parsed: readonly Parsed[];
  readonly names: Names;
  readonly branches: Branches;
  readonly flow: Flow;
  readonly settings: readonly string[];
  /** Where the portal is. */
  readonly isKnown: boolean;
}

export interface Finding {
  /** The value in every world whose page is loaded over https. */
  readonly seen?: Seen;
  /** Over http it is another one: this, as JSON, where it has one. */
  readonly isAssumed: boolean;
  readonly overHttp?: string | undefined;
  readonly cause?: Cause;
  /** What gave it its value; the first line where that cannot be told. */
  readonly statement?: Stretch;
}

/** Why a value is not known. */
export interface Cause {
  /** The question that the worlds answer differently, or what else keeps it from being known. */
  readonly why: string;
  readonly at: Stretch;
  /** Values of two worlds, as JSON; undefined where there is none. */
  readonly values?: readonly [string | undefined, string | undefined];
}

export interface Evaluation {
  readonly look: Look;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly notes: readonly Note[];
}

interface Unmet {
  readonly branch: Branch;
  readonly reached: ReadonlySet<string>;
}

type Statements = ReadonlyMap<string, Stretch>;

export function judgeWorlds(
  analysed: Analysed,
  told: readonly Told[],
  statements: Statements,
): Evaluation {
  const [base] = told;
  if (!base) throw new TypeError("nothing was run");
  const https = told.filter((each) => !isHttp(each.world, base.world));
  const look = sinceItIsThere(base.report)[0] ?? { names: [], values: {} };
  const seen = new Set(
    https.flatMap(({ report }) => report.looks.flatMap(({ values }) => Object.keys(values))),
  );
  const unmet = unmetIn(analysed, told, https);
  const findings = new Map<string, Finding>();
  for (const name of analysed.settings) {
    // Of what others may set in it, only what the file names is told.
    const isNamed = Object.hasOwn(look.values, name) || analysed.flow.from.has(name);
    if (!isNamed || (!seen.has(name) && look.from === undefined)) continue;
    const statement = statements.get(name) ?? lineAt(analysed, { line: 1, file: "0.js" });
    const evidence = { analysed, told, look, unmet, start: statement };
    findings.set(name, { ...judgeOne(name, evidence), statement });
  }
  return { look, findings, notes: base.report.notes };
}

interface Evidence {
  readonly analysed: Analysed;
  readonly told: readonly Told[];
  readonly look: Look;
  readonly unmet: readonly Unmet[];
  readonly start: Stretch;
}

function judgeOne(name: string, evidence: Evidence): Finding {
  const { analysed, told, look, start } = evidence;
  const textsIn = ({ report }: Told) =>
    sinceItIsThere(report).map(({ values, from }) =>
      from === undefined ? textOf(values[name]) : from,
    );
  const [base] = told as [Told];
  const [first] = textsIn(base);
  const others = (each: Told) => textsIn(each).filter((text) => text !== first);
  const differing = told.filter((each) => others(each).length > 0);
  if (differing[0] === base) {
    return {
      isAssumed: false,
      cause: { why: "later", at: start, values: [first, others(base)[0]] },
    };
  }
  const overHttps = differing.filter(({ world }) => !isHttp(world, base.world));
  // What differs by one question alone tells most.
  const [telling] = overHttps.toSorted(
    (one, other) => one.world.differs.length - other.world.differs.length,
  );
  if (telling) {
    const [why = ""] = telling.world.differs;
    const question = telling.report.asked.find(([key]) => key === why)?.[1];
    const at = question ? lineAt(analysed, question) : start;
    return { isAssumed: false, cause: { why, at, values: [first, others(telling)[0]] } };
  }
  const [http] = differing;
  const assumed = { isAssumed: http !== undefined, overHttp: http && others(http)[0] };
  const cause = whyNot(name, evidence);
  const seen = look.values[name];
  return cause ? { ...assumed, cause } : { ...assumed, ...(seen && { seen }) };
}

/** It is the same in all worlds that were tried, and may be another one all the same. */
function whyNot(name: string, { analysed, told, look, unmet, start }: Evidence): Cause | undefined {
  const seen = look.values[name];
  if (look.from !== undefined) return { why: look.from, at: start };
  if (seen && "reason" in seen) return { why: seen.from ?? seen.reason, at: start };
  const notes = told.flatMap(({ report }) => report.notes);
  const isAbout = ({ kind, text }: Note) => {
    if (kind !== "hidden") return kind === "foreign" && text === name;
    const named = analysed.settings.filter((each) => text.includes(each));
    // What it changes may go on from there.
    return named.length === 0 || reached(named, analysed.flow.to).has(name);
  };
  const note = notes.find(isAbout);
  if (note) return { why: note.kind, at: lineAt(analysed, note) };
  const config = look.name ?? USUAL_NAME;
  const tokens = [name, `in:${name}`, `use:${name}`, config, `use:${config}`, ...WHOLE];
  const may = unmet.find((each) => tokens.some((token) => each.reached.has(token)));
  if (!may) return undefined;
  const { node, kind } = may.branch;
  const why = kind === "entry" && node.type === "BlockStatement" ? "called" : "unmet";
  return { why, at: stretchOf(analysed, node) };
}

/** What holds the configuration. */
const WHOLE = ["use:window", "use:self", "use:globalThis", "use:this", "in:?"];

/** Ways that no world went, though some might: those of conditions about the world outside. */
function unmetIn(
  { branches, flow, names, isKnown }: Analysed,
  told: readonly Told[],
  https: readonly Told[],
): Unmet[] {
  const hits = new Set(told.flatMap(({ report }) => report.hits));
  const keys = https.map(({ report }) => new Map(report.keys));
  const isFree = (name: string) => !LANGUAGE.has(name);
  const outside = new Set([
    CALLED,
    ...OUTSIDE,
    ...[...names.used, ...names.lookedFor].filter(isFree),
  ]);
  return [...branches.values()].flatMap((branch) => {
    const { id, kind } = branch;
    const isOpen =
      kind === "key" && (hits.has(2 * id) || new Set(keys.map((each) => each.get(id))).size > 1);
    const ways = kind === "entry" || kind === "next" ? [true] : [true, false];
    const missed = ways.filter((isMet) =>
      kind === "key" ? isOpen : !hits.has(2 * id + (isMet ? 0 : 1)),
    );
    const sources = sourcesOf(flow, `?${id}`);
    const isAny = (names: readonly string[]) => names.some((each) => sources.has(each));
    // Where the portal is known, so is what its host decides.
    const isOfHost = isKnown && isAny(HOST) && !isAny(PAGE);
    // Whether a statement throws does not go by what the script defines itself.
    const isOwn = (each: string) => kind === "next" && (WINDOWS.has(each) || names.given.has(each));
    const isOutside = (each: string) =>
      outside.has(each) && !isOwn(each) && !(isOfHost && each === "location");
    const isAlive = missed.length > 0 && [...sources].some(isOutside);
    if (!isAlive) return [];
    return [
      {
        branch,
        reached: reached(
          missed.map((isMet) => wayOut(id, isMet)),
          flow.to,
        ),
      },
    ];
  });
}

const HOST = ["protocol", "host", "hostname", "port", "origin"];
const PAGE = ["pathname", "search", "hash", "href", "toString"];

/** A module may make the configuration when the page has loaded. */
export function sinceItIsThere({ looks }: Report): readonly Look[] {
  return looks.slice(
    Math.max(
      0,
      looks.findIndex(({ name }) => name !== undefined),
    ),
  );
}

function textOf(seen: Seen | undefined): string | undefined {
  if (!seen) return undefined;
  if ("json" in seen) return seen.json;
  return "odd" in seen ? seen.odd : `${seen.reason} ${seen.from ?? ""}`;
}

/** Otherwise than the portal itself, where it is known. */
function isHttp({ answers }: World, plain: World): boolean {
  const protocol = ({ "location.protocol": answer }: World["answers"]) =>
    answer?.is === "value" ? answer.value : undefined;
  return protocol(answers) !== protocol(plain.answers);
}

function stretchOf({ parsed }: Analysed, node: Node): Stretch {
  const own = parsed.find(({ program }) => [...nodesOf(program)].includes(node)) ?? parsed[0];
  if (!own) throw new TypeError("nothing was evaluated");
  return { script: own.script, start: node.start, end: node.end };
}

/** The line without what stands before its first word. */
function lineAt(
  { parsed }: Analysed,
  { file, line }: { readonly file: string; readonly line: number },
): Stretch {
  const script = (parsed[Number.parseInt(file, 10)] ?? parsed[0])?.script;
  if (!script) throw new TypeError("nothing was evaluated");
  return lineIn(script, line);
}
