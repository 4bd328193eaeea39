// Finds the value that each setting has on every page, or why it has none.
import { isDeepStrictEqual } from "node:util";
import type { AnyNode, Node } from "acorn";
import { USUAL_NAME } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import { dependsOn, reachedFrom, type Test } from "./flow.js";
import { force, type Forcing } from "./force.js";
import type { Site } from "./instrument.js";
import type { Look, Note, Seen, World } from "./protocol.js";
import type { Engine } from "./runner.js";
import {
  askedIn,
  errorsIn,
  hasAlways,
  isOverHttp,
  looksSinceMade,
  openRuns,
  valueIn,
  type Outcome,
  type Runs,
} from "./runs.js";
import { isText, namesIn, nameOf, nodesOf, propertyOf, writtenIn } from "./tree.js";
import { plainWorld, withOther, withOthers } from "./worlds.js";

export interface Evaluation {
  readonly look: Look;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly notes: readonly Note[];
}

export interface Finding {
  /** The value on every page over https. */
  readonly seen?: Seen;
  /** Over http, the value is another one: this, as JSON, where it has one. */
  readonly isAssumed: boolean;
  readonly overHttp?: string | undefined;
  readonly cause?: Cause;
  /** The statement that sets the value; the first line where that is not known. */
  readonly statement?: Stretch;
}

/** Why a value is not known. */
export interface Cause {
  /** The question that pages answer differently, or a word of its own. */
  readonly why: string;
  readonly at: Stretch;
  /** Two values, as JSON; undefined where there is none. */
  readonly values?: readonly [string | undefined, string | undefined];
}

const NO_LOOK: Look = { names: [], values: {} };

export async function evaluate(
  parsed: readonly Parsed[],
  portal: PortalAddress | undefined,
  engine: Engine,
): Promise<Evaluation> {
  const runs = openRuns(parsed, portal, engine);
  const base = await runs.runPlain(plainWorld(portal));
  const natural = [base, ...(await vary(runs, base))];
  const isOutside = runs.outside(natural.flatMap(askedIn));
  const forcing = await force(runs, natural, isOutside);
  const statements = await statementsOf(runs, base);
  const evidence = new Evidence(runs, natural, forcing, isOutside);
  const findings = new Map<string, Finding>();
  const [look = NO_LOOK] = looksSinceMade(base);
  const named = namesOfSettings(parsed, runs.settings);
  for (const name of runs.settings) {
    if (!evidence.isSeen(name, named.has(name))) continue;
    const statement = statements.get(name) ?? runs.stretchOf({ file: "0.js", line: 1 });
    const cause = evidence.causeOf(name, statement);
    const http = evidence.overHttp(name);
    const seen = look.values[name];
    findings.set(name, {
      isAssumed: http !== undefined,
      overHttp: http && valueIn(http, name),
      statement,
      ...(cause ? { cause } : seen && { seen }),
    });
  }
  return { look, findings, notes: base.report.notes };
}

/** Pages that answer one question differently, or all of them, and some over http. */
async function vary(runs: Runs, base: Outcome): Promise<Outcome[]> {
  const { portal, names } = runs;
  const keys = new Set(names);
  const found: Outcome[] = [];
  const learn = (outcome: Outcome) => askedIn(outcome).forEach((key) => keys.add(key));
  const go = async (world: World, question?: string) => {
    if (runs.isSpent()) return;
    const outcome = await runs.run(world);
    if (!outcome) return;
    found.push({ ...outcome, ...(question !== undefined && { question }) });
    learn(outcome);
  };
  const other = (which: "first" | "last") => withOthers(base.world, keys, which, portal);
  learn(base);
  // Another page may ask for more.
  for (const which of ["first", "last", "first", "last"] as const) await go(other(which));
  if (!portal && keys.has("location.protocol"))
    for (const { answers, ...world } of [base.world, other("last")])
      await go({ ...world, answers: { ...answers, "location.protocol": "http:" } });
  for (const key of keys) {
    const [first, last] = [
      withOther(base.world, key, "first", portal),
      withOther(base.world, key, "last", portal),
    ];
    if (first !== base.world) await go(first, key);
    if (!isDeepStrictEqual(first, last)) await go(last, key);
  }
  return found;
}

/** By setting, the statement that sets its value: from one more run of the plain page. */
async function statementsOf(runs: Runs, base: Outcome): Promise<Map<string, Stretch>> {
  const [look] = looksSinceMade(base);
  const found = new Map<string, Stretch>();
  if (look?.name === undefined || look.isModule) return found;
  const outcome = await runs.once(base.world, look.name);
  for (const [name, id] of Object.entries(outcome?.report.placed ?? {})) {
    const site = runs.sites[id - 1];
    if (site) found.set(name, site.at);
  }
  return found;
}

function namesOfSettings(parsed: readonly Parsed[], settings: readonly string[]): Set<string> {
  const all = parsed.flatMap(({ program }) => [...nodesOf(program)].flatMap(textsOf));
  return new Set(settings.filter((each) => all.some((text) => text.includes(each))));
}

/** A text may hold names as well, such as JSON. */
function textsOf(node: AnyNode): string[] {
  return node.type === "TemplateElement" ? [node.value.raw] : [nameOf(node) ?? []].flat();
}

/** A condition that asks for a host need not be met by any that was tried. */
const HOST = /\blocation\.(?:host|hostname|origin|port)\b/;

/** All runs of the scripts, and what they say of a setting. */
class Evidence {
  readonly #runs: Runs;
  readonly #base: Outcome;
  readonly #look: Look;
  readonly #https: readonly Outcome[];
  readonly #http: readonly Outcome[];
  readonly #forcing: Forcing;
  /** Code that no run entered, or that may go another way than any run did. */
  readonly #unclear: readonly { readonly why: string; readonly site: Site }[];

  constructor(runs: Runs, natural: readonly Outcome[], forcing: Forcing, isOutside: Test) {
    const [base] = natural as [Outcome];
    this.#runs = runs;
    this.#base = base;
    this.#look = looksSinceMade(base)[0] ?? NO_LOOK;
    this.#https = natural.filter((each) => isOverHttp(each) === isOverHttp(base));
    this.#http = natural.filter((each) => !this.#https.includes(each));
    this.#forcing = forcing;
    const all = [...natural, ...forcing.forced];
    const entered = new Set(all.flatMap(({ report }) => report.taken.map(([id]) => id)));
    // An error that the page decides about may end the script elsewhere, or not at all.
    const mayGoOn = errorsIn(base).some((error) => {
      const code = runs.siteAt(error)?.code;
      return code !== undefined && isOutside(code);
    });
    this.#unclear = [
      ...forcing.unclear.map((site) => ({ why: "unmet", site })),
      ...runs.sites.flatMap((site, nth) => {
        if (entered.has(nth + 1)) return [];
        if (site.kind === "with") return [{ why: "with", site }];
        if (site.kind === "function") {
          // One that was not even made is not called either.
          const around = runs.sites.findIndex(({ code }) => code === site.around);
          return around < 0 || entered.has(around + 1) ? [{ why: "called", site }] : [];
        }
        const isTried = site.kind === "tried" || site.kind === "catch";
        if (isTried && isOutside(site.code)) return [{ why: "caught", site }];
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
    return isNamed && (this.#look.from !== undefined || this.#unclearFor(name) !== undefined);
  }

  overHttp(name: string): Look | undefined {
    const value = valueIn(this.#look, name);
    return this.#http.flatMap(looksSinceMade).find((look) => valueIn(look, name) !== value);
  }

  causeOf(name: string, start: Stretch): Cause | undefined {
    const { from, values } = this.#look;
    if (from !== undefined) return { why: from, at: start };
    const seen = values[name];
    if (seen && "reason" in seen) return { why: seen.reason, at: start };
    const value = valueIn(this.#look, name);
    const differs = (each: Outcome) => !hasAlways(each, name, value);
    if (differs(this.#base)) return this.#difference("later", this.#base, name, start);
    const natural = this.#https.find(differs);
    const forced = this.#forcing.forced.find(differs);
    const single = this.#https.find((each) => each.question !== undefined && differs(each));
    if (single?.question !== undefined)
      return this.#difference(single.question, single, name, start);
    if (forced?.site) {
      const { about, at } = forced.site;
      const asks = ({ start, end }: Node) => HOST.test(at.script.text.slice(start, end));
      const isOfHost = !this.#runs.portal && about.some(asks);
      return this.#difference(isOfHost ? "location.host" : "unmet", forced, name, at);
    }
    if (natural) return this.#difference("several", natural, name, start);
    const unclear = this.#unclearFor(name);
    if (unclear) return { why: unclear.why, at: unclear.site.at };
    const note = this.#noteFor(name);
    if (note) return { why: note.kind, at: this.#runs.stretchOf(note) };
    const { untried } = this.#forcing;
    return untried && { why: "untried", at: untried };
  }

  #difference(why: string, outcome: Outcome, name: string, start: Stretch): Cause {
    const value = valueIn(this.#look, name);
    const looks = looksSinceMade(outcome);
    const other = looks.map((each) => valueIn(each, name)).find((each) => each !== value);
    const question = outcome.report.asked.find(([key]) => key === why)?.[1];
    const at = question ? this.#runs.stretchOf(question) : start;
    const made = looks.flatMap(({ values }) => values[name] ?? []).find((each) => "reason" in each);
    // A script that ended early says nothing of a portal that worked.
    const isEnded = errorsIn(outcome).length > errorsIn(this.#base).length;
    return {
      why: made?.reason.includes("()") && !made.reason.startsWith("forced") ? made.reason : why,
      at,
      ...(!isEnded && other !== "forced" && { values: [value, other] }),
    };
  }

  #unclearFor(name: string) {
    return this.#unclear.find(({ site }) => mayChange(site.code, name, this.#runs));
  }

  #noteFor(name: string): Note | undefined {
    const { settings, sources } = this.#runs;
    const all = [...this.#https, ...this.#forcing.forced].flatMap(({ report }) => report.notes);
    return all.find(({ kind, text }) => {
      if (kind === "foreign") return text === name;
      const named = settings.filter((each) => text.includes(each));
      // What the code changes may flow on.
      return kind === "hidden" && (named.length === 0 || reachedFrom(named, sources).has(name));
    });
  }
}

const MERGES = /^(?:assign|mixin|extend|defaults|define(?:Property|Properties)|set|Function)$/;

const READS =
  /^(?:join|indexOf|lastIndexOf|includes|concat|slice|split|test|match|replace|toLowerCase|toUpperCase|toString|getElementById|querySelector)$/;

/** As in eval("(" + text + ")"), the way in which JSON was read before there was JSON.parse. */
function isData(text: Node | undefined): boolean {
  const all = text ? [...nodesOf(text)].filter(isText) : [];
  const parts = all.toSorted((one, other) => one.start - other.start).map((each) => nameOf(each));
  return parts[0]?.startsWith("(") === true && parts.at(-1)?.endsWith(")") === true;
}

/** Whether code may change a setting, as far as names show. */
function mayChange(code: Node, name: string, { sources }: Runs): boolean {
  const isOf = dependsOn([name], sources);
  const isOfConfiguration = dependsOn([USUAL_NAME], sources);
  for (const node of nodesOf(code)) {
    for (const target of writtenIn(node))
      if (isChangedBy(target, name, isOf, isOfConfiguration, sources)) return true;
    if (node.type === "Property" && nameOf(node.key) === name) return true;
    if (isText(node) && nameOf(node) === name) return true;
    if (node.type !== "CallExpression" && node.type !== "NewExpression") continue;
    const { callee } = node;
    const isMember = callee.type === "MemberExpression";
    const all = [...node.arguments, ...(isMember ? [callee.object] : [])];
    const called = isMember ? propertyOf(callee) : nameOf(callee);
    if (READS.test(called ?? "")) continue;
    if (all.some(isOf)) return true;
    if (
      called === "eval"
        ? !isData(node.arguments[0])
        : MERGES.test(called ?? "") && all.some(isOfConfiguration)
    )
      return true;
  }
  return false;
}

function isChangedBy(
  target: AnyNode,
  name: string,
  isOf: Test,
  isOfConfiguration: Test,
  sources: Runs["sources"],
): boolean {
  if (reachedFrom(namesIn(target), sources).has(name)) return true;
  if (target.type !== "MemberExpression") return false;
  const isComputed = propertyOf(target) === undefined;
  return isOf(target.object) || (isComputed && isOfConfiguration(target.object));
}
