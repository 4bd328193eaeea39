// Finds the value that each setting has on every page, or why it has none.
import { isDeepStrictEqual } from "node:util";
import type { AnyNode } from "acorn";
import { settingNames } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import { analyse, type Code } from "./code.js";
import { Evidence } from "./evidence.js";
import { force } from "./force.js";
import type { Look, Note, Seen, World } from "./protocol.js";
import type { Engine } from "./runner.js";
import { askedIn, looksSinceMade, openRuns, valueIn, type Outcome, type Runs } from "./runs.js";
import { allNodesOf, nameOf } from "./tree.js";
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

export async function evaluate(
  parsed: readonly Parsed[],
  portal: PortalAddress | undefined,
  engine: Engine,
): Promise<Evaluation> {
  const code = analyse(parsed, portal);
  const runs = openRuns(code, engine);
  const base = await runs.runPlain(plainWorld(portal));
  const natural = [base, ...(await vary(runs, code, base))];
  const isOutside = code.outside(natural.flatMap(askedIn));
  const forcing = await force(runs, code, natural, isOutside);
  const statements = await statementsOf(runs, code, base);
  const evidence = new Evidence(code, natural, forcing, isOutside);
  const findings = new Map<string, Finding>();
  const { look } = evidence;
  const named = namedIn(parsed);
  for (const name of settingNames()) {
    if (!evidence.isSeen(name, named.has(name))) continue;
    const statement = statements.get(name) ?? code.stretchOf({ file: "0.js", line: 1 });
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
async function vary(runs: Runs, code: Code, base: Outcome): Promise<Outcome[]> {
  const { names, portal } = code;
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
async function statementsOf(runs: Runs, code: Code, base: Outcome): Promise<Map<string, Stretch>> {
  const [look] = looksSinceMade(base);
  const found = new Map<string, Stretch>();
  if (look?.name === undefined || look.isModule) return found;
  const outcome = await runs.once(base.world, look.name);
  for (const [name, id] of Object.entries(outcome?.report.placed ?? {})) {
    const site = code.sites[id - 1];
    if (site) found.set(name, site.at);
  }
  return found;
}

/** The settings that the scripts mention. */
function namedIn(parsed: readonly Parsed[]): Set<string> {
  const all = allNodesOf(parsed.map(({ program }) => program)).flatMap(textsOf);
  return new Set(settingNames().filter((each) => all.some((text) => text.includes(each))));
}

/** A text may hold names as well, such as JSON. */
function textsOf(node: AnyNode): string[] {
  return node.type === "TemplateElement" ? [node.value.raw] : [nameOf(node) ?? []].flat();
}
