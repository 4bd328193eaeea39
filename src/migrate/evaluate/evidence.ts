// Compares all runs of the scripts: whether a setting differs between them, and why.
import { isDeepStrictEqual } from "node:util";
import { settingNames } from "../known.js";
import type { Parsed } from "../read.js";
import { lineAt, type Stretch } from "../script.js";
import type { Varied } from "./evaluate.js";
import type { Forced } from "./force.js";
import type { Site } from "./instrument.js";
import type { Look, Seen } from "./protocol.js";
import { errorsIn, hasAlways, looksSinceMade, valueIn, type Outcome } from "./runs.js";
import type { Changes } from "./unentered.js";
import { PAGE_WORDS } from "./worlds.js";

export interface Finding {
  /** The value on every page over https. */
  readonly seen?: Seen;
  /** Over http, the value is another one: this, as JSON, where it has one. */
  readonly isAssumed: boolean;
  readonly overHttp?: string | undefined;
  readonly cause?: Cause;
}

/** Why a value is not known. */
export interface Cause {
  /** The question that pages answer differently, or a word of its own. */
  readonly why: string;
  /** The property's own place, when left out. */
  readonly at?: Stretch | undefined;
  /** Two values, as JSON; undefined where there is none. */
  readonly values?: readonly [string | undefined, string | undefined] | undefined;
}

export interface Evidence {
  readonly parsed: readonly Parsed[];
  readonly base: Outcome;
  /** The configuration when the plain page's scripts have ended. */
  readonly look: Look;
  /** All runs but those over the other protocol. */
  readonly found: readonly (Varied & Partial<Forced>)[];
  /** Code that no run entered, or that may go another way than any run did: it may change any setting, or some. */
  readonly unclear: readonly {
    readonly why: string;
    readonly site: Site;
    readonly changes?: Changes;
  }[];
  /** The first place that was left out, because there are too many. */
  readonly untried: Stretch | undefined;
  readonly sites: readonly Site[];
}

export function causeOf(evidence: Evidence, name: string): Cause | undefined {
  const cause = found(evidence, name);
  return cause && { ...cause, why: shownPath(cause.why, evidence.parsed) };
}

function found(evidence: Evidence, name: string): Cause | undefined {
  const { base, look, found, unclear, untried } = evidence;
  const seen = look.values[name];
  if (look.from !== undefined) return { why: look.from };
  if (seen && "reason" in seen) return { why: seen.reason };
  const value = valueIn(look, name);
  const differing = found.filter(
    ({ outcome }) => !hasAlways(outcome, name, value) || differsAtCondition(outcome, base, name),
  );
  const [first] = differing;
  if (first?.outcome === base) return difference("later", base, name, evidence);
  const single = differing.find(({ question }) => question !== undefined);
  if (single?.question) return difference(single.question, single.outcome, name, evidence);
  const forced = differing.find(({ site }) => site);
  if (forced?.site) {
    const why = isOfHost(forced.site, evidence) ? "location.host" : "unmet";
    return { ...difference(why, forced.outcome, name, evidence), at: forced.site.at };
  }
  if (first) return difference("several", first.outcome, name, evidence);
  const open = unclear.find(
    ({ changes }) => !changes || changes.isAny || changes.names.some((each) => each.includes(name)),
  );
  if (open) return { why: open.why, at: open.site.at };
  const note = found
    .flatMap(({ outcome }) => outcome.report.notes)
    .find(({ kind, text }) => kind === "hidden" || (kind === "foreign" && text === name));
  if (note) return { why: note.kind, at: placeOf(note, evidence) };
  return untried && { why: "untried", at: untried };
}

/** A later condition may keep the value that a setting has when the scripts come to it. */
function differsAtCondition(outcome: Outcome, base: Outcome, name: string): boolean {
  const nth = settingNames().indexOf(name);
  const all = new Set(base.report.moments.map((each) => each[nth]));
  return outcome.report.visited.some(({ id, moments }) => {
    const usual = base.report.visited.find((each) => each.id === id)?.moments;
    const values = usual ? new Set(usual.map((at) => base.report.moments[at]?.[nth])) : all;
    return moments.some((at) => !values.has(outcome.report.moments[at]?.[nth]));
  });
}

/** What is computed there, or in a part of it, is computed from something else where the host differs, and nowhere else in the address. */
function isOfHost({ at: { script, start, end } }: Site, { base, found, sites }: Evidence): boolean {
  const operandsOf = ({ report }: Outcome, nth: number) =>
    report.visited.find(({ id }) => id === nth + 1)?.operands;
  const inside = [...sites.keys()].filter((nth) => {
    const at = sites[nth]?.at;
    return at?.script === script && at.start >= start && at.end <= end;
  });
  const differing = found.filter(({ question, outcome }) => {
    if (!/^location\.(?!protocol)/.test(question ?? "")) return false;
    return inside.some(
      (nth) => !isDeepStrictEqual(operandsOf(outcome, nth), operandsOf(base, nth)),
    );
  });
  return differing.length > 0 && differing.every(({ question }) => question === "location.host");
}

function difference(why: string, outcome: Outcome, name: string, evidence: Evidence): Cause {
  const { base, look } = evidence;
  const value = valueIn(look, name);
  const looks = looksSinceMade(outcome);
  const other = looks.find((each) => valueIn(each, name) !== value);
  const isValue = other && !("reason" in (other.values[name] ?? {}));
  const reasons = looks.flatMap(({ values }) => {
    const seen = values[name];
    return seen && "reason" in seen ? [seen.reason] : [];
  });
  const made = reasons.find(
    (each) => (why === "others" || each.includes("()")) && !each.startsWith("forced"),
  );
  const asked = outcome.report.asked.find(([key]) => key === why)?.[1];
  // A script that ended early says nothing of a portal that worked.
  const isEnded = errorsIn(outcome).length > errorsIn(base).length;
  return {
    why: made ?? why,
    at: asked && placeOf(asked, evidence),
    ...(!isEnded && isValue && { values: [value, valueIn(other, name)] }),
  };
}

function placeOf({ file, line }: { file: string; line: number }, { parsed }: Evidence) {
  const script = parsed[Number.parseInt(file, 10)]?.script;
  return script && lineAt(script, line);
}

/** A part of a path that the scripts do not write as a name may be a key. */
function shownPath(path: string, parsed: readonly Parsed[]): string {
  const isName = (word: string) =>
    PAGE_WORDS.has(word) ||
    parsed.some(({ script }) =>
      new RegExp(`[.\\s(]${word.replaceAll("$", "\\$")}\\b`).test(script.text),
    );
  const [module = ""] = /^"[\w./-]*/.exec(path) ?? [];
  const rest = path.slice(module.length).replace(/\?[^"]*(?=")/, "");
  return module + rest.replace(/[\w$]+/g, (word) => (isName(word) ? word : "…"));
}
