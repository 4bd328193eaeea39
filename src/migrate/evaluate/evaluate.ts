// Finds the value that each setting has on every page, or why it has none.
import { isDeepStrictEqual } from "node:util";
import { settingNames } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import { lineAt, type Stretch } from "../script.js";
import { causeOf, type Evidence, type Finding } from "./evidence.js";
import { force } from "./force.js";
import { instrument } from "./instrument.js";
import { namesOf } from "./names.js";
import type { Look, Note, World } from "./protocol.js";
import type { Engine } from "./runner.js";
import {
  askedIn,
  isOverHttp,
  looksSinceMade,
  openRuns,
  valueIn,
  type Outcome,
  type Runs,
} from "./runs.js";
import { changesIn } from "./unentered.js";
import { plainWorld, withOther, withOthers } from "./worlds.js";

export interface Evaluation {
  readonly look: Look;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly notes: readonly Note[];
  /** The first line. */
  readonly start: Stretch;
}

export async function evaluate(
  parsed: readonly [Parsed, ...Parsed[]],
  portal: PortalAddress | undefined,
  engine: Engine,
): Promise<Evaluation> {
  const names = namesOf(parsed.map(({ program }) => program));
  const hooked = instrument(parsed, names.own);
  const runs = openRuns(hooked, names, engine);
  const base = await runs.runPlain(plainWorld(portal));
  const natural = await vary(runs, base, names.all, portal);
  const forcing = await force(runs, hooked.sites, natural, (world, asked) => [
    ...OTHERS.map((which) => withOthers(world, asked, which, portal)),
    withNames(world, names.all),
  ]);
  const isOfBase = ({ outcome }: Varied) => isOverHttp(outcome) === isOverHttp(base);
  const found = [...natural.filter(isOfBase), ...forcing.forced];
  const entered = new Set([...natural, ...found].flatMap(({ outcome }) => outcome.report.entered));
  const unentered = hooked.sites.filter(
    ({ kind }, nth) =>
      kind === "with" || kind === "logical" || (kind === "function" && !entered.has(nth + 1)),
  );
  const evidence: Evidence = {
    parsed,
    base,
    look: looksSinceMade(base)[0] ?? { names: [], values: {} },
    found,
    unclear: [
      ...forcing.unclear.map((site) => ({ why: "unmet", site })),
      ...unentered.map((site) => {
        if (site.kind === "with") return { why: "with", site };
        const why = site.kind === "logical" ? "unmet" : "called";
        return { why, site, changes: changesIn(site.node, names.own) };
      }),
    ],
    untried: forcing.untried?.at,
    sites: hooked.sites,
  };
  const { look } = evidence;
  const http = natural.filter((each) => !isOfBase(each));
  const findings = new Map<string, Finding>();
  for (const name of settingNames()) {
    const cause = causeOf(evidence, name);
    const value = valueIn(look, name);
    const other = http
      .flatMap(({ outcome }) => looksSinceMade(outcome))
      .find((each) => valueIn(each, name) !== value);
    const seen = look.values[name];
    if (!isSeen(evidence, natural, name, cause?.why)) continue;
    const overHttp = { isAssumed: other !== undefined, overHttp: other && valueIn(other, name) };
    findings.set(name, { ...overHttp, ...(cause ? { cause } : seen && { seen }) });
  }
  return { look, findings, notes: base.report.notes, start: lineAt(parsed[0].script, 1) };
}

/** In some run, or in code that no run entered. What other scripts may set counts where the file names it. */
function isSeen(
  { parsed, found, look }: Evidence,
  natural: readonly Varied[],
  name: string,
  why = "",
): boolean {
  const isNamed = parsed.some(({ script }) => script.text.includes(name));
  const seen = [...natural, ...found]
    .flatMap(({ outcome }) => outcome.report.looks)
    .flatMap(({ values }) => values[name] ?? []);
  if (seen.some((each) => isNamed || !("reason" in each))) return true;
  return isNamed && (look.from !== undefined || /^(?:unmet|called|with)$/.test(why));
}

/** A page, and the only question that it answers differently. */
export interface Varied {
  readonly outcome: Outcome;
  readonly question?: string;
}

function withNames(world: World, names: readonly string[]): World {
  return { ...world, names: [...new Set([...world.names, ...names])] };
}

const OTHERS = ["first", "last"] as const;

/** The plain page, one where other scripts define all names, pages that answer every question or one differently, and some over http. */
async function vary(
  runs: Runs,
  base: Outcome,
  names: readonly string[],
  portal: PortalAddress | undefined,
): Promise<Varied[]> {
  const found: Varied[] = [{ outcome: base }];
  const keys = new Set(askedIn(base));
  const pages = [{ world: base.world, outcome: base }];
  const go = async (world: World, question?: string) => {
    if (runs.isSpent()) return;
    const ran = pages.find((each) => isDeepStrictEqual(world, each.world));
    const outcome = ran?.outcome ?? (await runs.run(world));
    if (!outcome || outcome === base) return;
    pages.push({ world, outcome });
    found.push({ outcome, ...(question !== undefined && { question }) });
    for (const key of askedIn(outcome)) keys.add(key);
  };
  await go(withNames(base.world, names));
  // Another page may ask for more.
  for (const which of [...OTHERS, ...OTHERS]) await go(withOthers(base.world, keys, which, portal));
  if (!portal && keys.has("location.protocol"))
    for (const world of [base.world, withOthers(base.world, keys, "last", portal)])
      await go({ ...world, answers: { ...world.answers, "location.protocol": "http:" } });
  for (const key of keys) await go(withOther(base.world, key, "first", portal), key);
  // A condition may begin or end at a date.
  await go(withOther(base.world, "time", "last", portal), "time");
  return found;
}
