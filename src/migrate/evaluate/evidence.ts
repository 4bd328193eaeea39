// Compares all runs of the scripts: whether a setting differs between them, and why.
import type { Node } from "acorn";
import { settingNames } from "../known.js";
import type { Stretch } from "../script.js";
import { openChanges, type MayChange } from "./change.js";
import type { Code } from "./code.js";
import type { Cause } from "./evaluate.js";
import { reachedFrom, type Test } from "./flow.js";
import type { Forcing } from "./force.js";
import type { Site } from "./instrument.js";
import type { Look, Note } from "./protocol.js";
import { PAGE_WORDS } from "./worlds.js";
import { errorsIn, hasAlways, isOverHttp, looksSinceMade, valueIn, type Outcome } from "./runs.js";

/** A condition that asks for a host need not be met by any that was tried. */
const HOST = /\blocation\.(?:host|hostname|origin|port)\b/;

/** More pieces of code are not looked through: each costs time and memory. */
const MOST_UNCLEAR = 400;
const NO_LOOK: Look = { names: [], values: {} };

/** All runs of the scripts, and what they say of a setting. */
export class Evidence {
  readonly #code: Code;
  readonly #mayChange: MayChange;
  readonly #base: Outcome;
  /** The configuration when the plain page's scripts have ended. */
  readonly look: Look;
  readonly #https: readonly Outcome[];
  readonly #http: readonly Outcome[];
  readonly #forcing: Forcing;
  /** Code that no run entered, or that may go another way than any run did. */
  readonly #unclear: readonly { readonly why: string; readonly site: Site }[];

  constructor(code: Code, natural: readonly Outcome[], forcing: Forcing, isOutside: Test) {
    const [base] = natural as [Outcome];
    this.#code = code;
    this.#mayChange = openChanges(code.sources, code.functions);
    this.#base = base;
    this.look = looksSinceMade(base)[0] ?? NO_LOOK;
    this.#https = natural.filter((each) => isOverHttp(each) === isOverHttp(base));
    this.#http = natural.filter((each) => !this.#https.includes(each));
    this.#forcing = forcing;
    const all = [...natural, ...forcing.forced];
    const entered = new Set(all.flatMap(({ report }) => report.taken.map(([id]) => id)));
    // An error that the page decides about may end the script elsewhere, or not at all.
    const mayGoOn = errorsIn(base).some((error) => code.statementsAt(error).some(isOutside));
    this.#unclear = [
      ...forcing.unclear.map((site) => ({ why: "unmet", site })),
      ...code.sites.flatMap((site, nth) => {
        if (entered.has(nth + 1)) return [];
        if (site.kind === "with") return [{ why: "with", site }];
        if (site.kind === "default" || site.kind === "each") return [{ why: "unmet", site }];
        if (site.kind === "function") {
          // One that was not even made is not called either.
          const around = code.sites.findIndex((each) => each.code === site.around);
          return around < 0 || entered.has(around + 1) ? [{ why: "called", site }] : [];
        }
        if (site.kind === "tried" && isOutside(site.code)) return [{ why: "caught", site }];
        if (site.kind === "catch" && isOutside(site.around)) return [{ why: "caught", site }];
        return site.kind === "statement" && mayGoOn ? [{ why: "ended", site }] : [];
      }),
    ];
  }

  /** In any run, or in code that no run entered. What other scripts may set counts where the file names it. */
  isSeen(name: string, isNamed: boolean): boolean {
    const all = [...this.#https, ...this.#http, ...this.#forcing.forced];
    const seen = all.flatMap(({ report }) =>
      report.looks.flatMap(({ values }) => values[name] ?? []),
    );
    if (seen.some((each) => isNamed || !("reason" in each))) return true;
    return isNamed && (this.look.from !== undefined || this.#unclearFor(name) !== undefined);
  }

  overHttp(name: string): Look | undefined {
    const value = valueIn(this.look, name);
    return this.#http.flatMap(looksSinceMade).find((look) => valueIn(look, name) !== value);
  }

  causeOf(name: string, start: Stretch): Cause | undefined {
    const cause = this.#causeOf(name, start);
    return cause && { ...cause, why: shownPath(cause.why, this.#code.identifiers) };
  }

  #causeOf(name: string, start: Stretch): Cause | undefined {
    const { from, values } = this.look;
    if (from !== undefined) return { why: from, at: start };
    const seen = values[name];
    if (seen && "reason" in seen) return { why: seen.reason, at: start };
    const value = valueIn(this.look, name);
    const differs = (each: Outcome) => !hasAlways(each, name, value);
    if (differs(this.#base)) return this.#difference("later", this.#base, name, start);
    const natural = this.#https.find(differs);
    const forced = this.#forcing.forced.find((each) => each.site && differs(each));
    const single = this.#https.find((each) => each.question !== undefined && differs(each));
    if (single?.question !== undefined)
      return this.#difference(single.question, single, name, start);
    if (forced?.site) {
      const { about, at } = forced.site;
      const asks = ({ start, end }: Node) => HOST.test(at.script.text.slice(start, end));
      const isOfHost = !this.#code.portal && about.some(asks);
      return this.#difference(isOfHost ? "location.host" : "unmet", forced, name, at);
    }
    const several = natural ?? this.#forcing.forced.find(differs);
    if (several) return this.#difference("several", several, name, start);
    const unclear = this.#unclearFor(name);
    if (unclear) return { why: unclear.why, at: unclear.site.at };
    const note = this.#noteFor(name);
    if (note) return { why: note.kind, at: this.#code.stretchOf(note) };
    const { untried } = this.#forcing;
    return untried && { why: "untried", at: untried };
  }

  #difference(why: string, outcome: Outcome, name: string, start: Stretch): Cause {
    const value = valueIn(this.look, name);
    const looks = looksSinceMade(outcome);
    const other = looks.find((each) => valueIn(each, name) !== value);
    const isValue = other && !("reason" in (other.values[name] ?? {}));
    const question = outcome.report.asked.find(([key]) => key === why)?.[1];
    const asked = question && this.#code.stretchOf(question);
    const condition = this.#forcing.forced.find((each) => !hasAlways(each, name, value))?.site?.at;
    const at = asked && isWithin(asked, start) ? asked : (condition ?? start);
    const made = looks.flatMap(({ values }) => values[name] ?? []).find((each) => "reason" in each);
    // A script that ended early says nothing of a portal that worked.
    const isEnded = errorsIn(outcome).length > errorsIn(this.#base).length;
    return {
      why: made?.reason.includes("()") && !made.reason.startsWith("forced") ? made.reason : why,
      at,
      ...(!isEnded && isValue && { values: [value, valueIn(other, name)] }),
    };
  }

  #unclearFor(name: string) {
    const [first] = this.#unclear;
    if (first && this.#unclear.length > MOST_UNCLEAR) return { why: "untried", site: first.site };
    return this.#unclear.find(({ site }) => this.#mayChange(site.code, name));
  }

  #noteFor(name: string): Note | undefined {
    const { sources } = this.#code;
    const all = [...this.#https, ...this.#forcing.forced].flatMap(({ report }) => report.notes);
    return all.find(({ kind, text }) => {
      if (kind === "foreign") return text === name;
      const named = settingNames().filter((each) => text.includes(each));
      // What the code changes may flow on.
      return kind === "hidden" && (named.length === 0 || reachedFrom(named, sources).has(name));
    });
  }
}

/** A part of a path that the scripts do not write as a name may be a key. */
function shownPath(path: string, identifiers: ReadonlySet<string>): string {
  const shown = (word: string) => identifiers.has(word) || PAGE_WORDS.has(word);
  const [module = ""] = /^"[\w./-]*/.exec(path) ?? [];
  const rest = path.slice(module.length).replace(/\?[^"]*(?=")/, "");
  return module + rest.replace(/[\w$]+/g, (word) => (shown(word) ? word : "…"));
}

function isWithin(inner: Stretch, { script, start, end }: Stretch): boolean {
  return inner.script === script && inner.start >= start && inner.end <= end;
}
