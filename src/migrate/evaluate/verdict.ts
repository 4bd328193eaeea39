// What a script left in each world → for each setting one value, or why it is not known.
import type { Stretch } from "../script.js";
import { dependsOn, reachedFrom } from "./names.js";
import { protocolOf, type Forcing } from "./force.js";
import { thrownIn, type Runs, type Told } from "./runs.js";
import { questionIn, type Look, type Note, type Report, type Seen } from "./seam.js";

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

interface Evidence extends Forcing {
  readonly runs: Runs;
  readonly base: Told;
  readonly natural: readonly Told[];
  readonly statements: ReadonlyMap<string, Stretch>;
}

export function judgeWorlds(evidence: Evidence): Evaluation {
  const { runs, base, natural, forced, statements } = evidence;
  const [look = NOTHING] = sinceItIsThere(base.report);
  const https = natural.filter((each) => protocolOf(each) === protocolOf(base));
  const seen = new Set(
    [...https, ...forced].flatMap(({ report }) =>
      report.looks.flatMap(({ values }) => Object.keys(values)),
    ),
  );
  const findings = new Map<string, Finding>();
  for (const name of runs.settings) {
    // Of what others may set in it, only what the file names is told.
    const isNamed = Object.hasOwn(look.values, name) || runs.names.sources.has(name);
    if (!isNamed || (!seen.has(name) && look.from === undefined)) continue;
    const statement = statements.get(name) ?? runs.lineOf({ file: "0.js", line: 1 });
    const cause = causeOf(name, look, statement, { ...evidence, natural: https });
    const others = (each: Told) => textsIn(each, name).some((text) => text !== textIn(look, name));
    const http = natural.find((each) => !https.includes(each) && others(each));
    const value = look.values[name];
    findings.set(name, {
      isAssumed: http !== undefined,
      overHttp: http && textsIn(http, name)[0],
      statement,
      ...(cause ? { cause } : value && { seen: value }),
    });
  }
  return { look, findings, notes: base.report.notes };
}

const NOTHING: Look = { names: [], values: {} };

function causeOf(name: string, look: Look, start: Stretch, evidence: Evidence): Cause | undefined {
  const { runs, base, natural, forced, untried } = evidence;
  if (look.from !== undefined) return { why: look.from, at: start };
  const seen = look.values[name];
  if (seen && "reason" in seen) return { why: seen.reason, at: start };
  const first = textIn(look, name);
  const otherIn = (told: Told) =>
    sinceItIsThere(told.report).find((each) => textIn(each, name) !== first);
  const all = [base, ...forced, ...natural];
  const telling = all.find(otherIn);
  const other = telling && otherIn(telling);
  if (telling && other) {
    const why = telling === base ? "later" : whyIn(telling, other, name, evidence);
    const question = telling.report.asked.find(([key]) => key === why)?.[1];
    const site = runs.instrumented.sites[(other.called ?? 0) - 1];
    const at = site?.at ?? telling.forcedAt ?? (question ? runs.lineOf(question) : start);
    // Where the script ends early, what is not set tells nothing of a portal that worked.
    const isEnded = thrownIn(telling).length > thrownIn(base).length;
    const text = textIn(other, name);
    // What was made up here is nothing that a page shows.
    const isMadeUp = text?.startsWith("forced") ?? false;
    return { why, at, ...(!isEnded && !isMadeUp && { values: [first, text] }) };
  }
  const isAbout = ({ kind, text }: Note) => {
    if (kind === "foreign") return text === name;
    const named = runs.settings.filter((each) => text.includes(each));
    // What it changes may go on from there.
    return (
      kind === "hidden" && (named.length === 0 || reachedFrom(named, runs.names.sources).has(name))
    );
  };
  const note = all.flatMap(({ report }) => report.notes).find(isAbout);
  if (note) return { why: note.kind, at: runs.lineOf(note) };
  return untried && { why: "unmet", at: untried };
}

/** What a value comes from, or the question by which a condition goes. */
function whyIn(
  telling: Told,
  other: Look,
  name: string,
  { runs, base, natural }: Evidence,
): string {
  if (other.called !== undefined) return "called";
  const seen = other.values[name];
  const { answers, missing } = telling.world;
  const from =
    seen && "reason" in seen ? seen.reason : questionIn(JSON.stringify(seen ?? ""), answers);
  // What others list has every name.
  if (from !== undefined && /[.()]/.test(from) && !from.startsWith("forced"))
    return from.endsWith(`.${name}`) ? from.slice(0, -name.length - 1) : from;
  const { sources } = runs.names;
  const asked = [telling, ...natural].flatMap(({ report }) => report.asked.map(([key]) => key));
  // By its own name first, then by what it is a part of.
  const asks = (decides: (name: string) => boolean) => {
    const parts = (key: string) => (key === "time" ? ["Date"] : (key.match(/[\w$]+/g) ?? [key]));
    const first = asked.findLast((key) => decides(parts(key).at(-1) ?? key));
    return first ?? asked.findLast((key) => decides(parts(key)[0] ?? key));
  };
  const plain = new Map(base.report.came);
  const turned = telling.report.came.find(
    ([id, ways]) =>
      runs.instrumented.sites[id - 1]?.kind === "condition" &&
      ways.some((way) => plain.get(id)?.includes(way) === false),
  );
  const about = telling.about ?? runs.instrumented.sites[(turned?.[0] ?? 0) - 1]?.about ?? [];
  return (
    (telling.about ? undefined : asks((part) => reachedFrom([part], sources).has(name))) ??
    asks((part) => about.some(dependsOn([part], sources))) ??
    base.world.missing.find((each) => !telling.about && !missing.includes(each)) ??
    "unmet"
  );
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
  return "odd" in seen ? seen.odd : seen.reason;
}
