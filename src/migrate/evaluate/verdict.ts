// What a script left in each world → for each setting one value, or why it is not known.
import { lineAt as lineIn, type Stretch } from "../script.js";
import { isSecure, type Runs, type Told } from "./runs.js";
import type { Forcing } from "./force.js";
import { reachedFrom } from "./names.js";
import type { Look, Note, Report, Seen } from "./seam.js";

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

interface Evidence {
  readonly runs: Runs;
  readonly base: Told;
  readonly forced: Forcing;
  readonly statements: ReadonlyMap<string, Stretch>;
}

export function judgeWorlds(evidence: Evidence): Evaluation {
  const { runs, base, forced, statements } = evidence;
  const https = runs.told.filter(isSecure(base));
  const look = sinceItIsThere(base.report)[0] ?? { names: [], values: {} };
  const seen = new Set(
    [...https, ...forced.runs].flatMap(({ report }) =>
      report.looks.flatMap(({ values }) => Object.keys(values)),
    ),
  );
  const findings = new Map<string, Finding>();
  for (const name of runs.settings) {
    // Of what others may set in it, only what the file names is told.
    const isNamed = Object.hasOwn(look.values, name) || runs.names.sources.has(name);
    if (!isNamed || (!seen.has(name) && look.from === undefined)) continue;
    const statement = statements.get(name) ?? lineAt(runs, { line: 1, file: "0.js" });
    findings.set(name, { ...judgeOne(name, look, statement, evidence), statement });
  }
  return { look, findings, notes: base.report.notes };
}

function judgeOne(name: string, look: Look, start: Stretch, evidence: Evidence): Finding {
  const { runs, base } = evidence;
  const [first] = textsIn(base, name);
  const others = (each: Told) => textsIn(each, name).filter((text) => text !== first);
  if (others(base).length > 0) {
    const values = [first, others(base)[0]] as const;
    return { isAssumed: false, cause: { why: "later", at: start, values } };
  }
  const differing = runs.told.filter((each) => others(each).length > 0);
  // What differs by one question alone tells most.
  const [telling] = differing
    .filter(isSecure(base))
    .toSorted((one, other) => one.world.differs.length - other.world.differs.length);
  if (telling) {
    // What is made of an answer is a question of its own.
    const [why = ""] = telling.world.differs.at(-1)?.split("~") ?? [];
    const question = telling.report.asked.find(([key]) => key === why)?.[1];
    const at = question ? lineAt(runs, question) : start;
    return { isAssumed: false, cause: { why, at, values: [first, others(telling)[0]] } };
  }
  const [http] = differing;
  const assumed = { isAssumed: http !== undefined, overHttp: http && others(http)[0] };
  const cause = whyNot(name, look, start, evidence);
  const seen = look.values[name];
  return cause ? { ...assumed, cause } : { ...assumed, ...(seen && { seen }) };
}

/** It is the same in all worlds that were tried, and may be another one all the same. */
function whyNot(name: string, look: Look, start: Stretch, evidence: Evidence): Cause | undefined {
  const { runs, base, forced } = evidence;
  const seen = look.values[name];
  if (look.from !== undefined) return { why: look.from, at: start };
  if (seen && "reason" in seen) return { why: seen.from ?? seen.reason, at: start };
  const isAbout = ({ kind, text }: Note) => {
    if (kind === "foreign") return text === name;
    if (kind === "key") return true;
    const named = runs.settings.filter((each) => text.includes(each));
    // What it changes may go on from there.
    return (
      kind === "hidden" && (named.length === 0 || reachedFrom(named, runs.names.sources).has(name))
    );
  };
  const note = [...runs.told, ...forced.runs].flatMap(({ report }) => report.notes).find(isAbout);
  if (note) return { why: note.kind === "key" ? note.text : note.kind, at: lineAt(runs, note) };
  const [first] = textsIn(base, name);
  const changed = forced.runs.find((each) => textsIn(each, name).some((text) => text !== first));
  if (changed) {
    const { called } =
      sinceItIsThere(changed.report).find((each) => textIn(each, name) !== first) ?? {};
    const site = runs.instrumented.sites[(called ?? 0) - 1];
    const why = changed.world.called.length > 0 ? "called" : "unmet";
    return { why, at: site?.at ?? changed.at };
  }
  return forced.untried && { why: "unmet", at: forced.untried };
}

/** A module may make the configuration when the page has loaded. */
export function sinceItIsThere({ looks }: Report): readonly Look[] {
  const from = looks.findIndex((each) => each.name !== undefined);
  return looks.slice(Math.max(0, from));
}

function textsIn({ report }: Told, setting: string): (string | undefined)[] {
  return sinceItIsThere(report).map((look) => textIn(look, setting));
}

function textIn({ values, from }: Look, setting: string): string | undefined {
  const seen = values[setting];
  if (!seen || from !== undefined) return from;
  if ("json" in seen) return seen.json;
  return "odd" in seen ? seen.odd : `${seen.reason} ${seen.from ?? ""}`;
}

/** The line without what stands before its first word. */
function lineAt({ parsed }: Runs, { file, line }: Pick<Note, "file" | "line">): Stretch {
  const script = (parsed[Number.parseInt(file, 10)] ?? parsed[0])?.script;
  if (!script) throw new TypeError("nothing was evaluated");
  return lineIn(script, line);
}
