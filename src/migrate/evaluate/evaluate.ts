// Parsed scripts → the value that each setting has in every world, or what it depends on.
import { USUAL_NAME } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import { force } from "./force.js";
import { EngineFailure, type Engine } from "./runner.js";
import { LACKING, openRuns, thrownIn, type Runs, type Told } from "./runs.js";
import type { Note, World } from "./seam.js";
import { judgeWorlds, sinceItIsThere, type Evaluation } from "./verdict.js";
import { WAYS, plainWorld, withOther } from "./worlds.js";

/** The plain world has more time, because nothing is known without it. */
const PLAIN_MS = 4_000;
const MOST_FOUND = 8;
const UNKNOWN = /^ReferenceError: '?([\w$]+)'? is not/;

export async function evaluate(
  parsed: readonly Parsed[],
  portal: PortalAddress | undefined,
  engine: Engine,
): Promise<Evaluation> {
  const runs = openRuns(parsed, portal, engine);
  const base = await plainRun(runs);
  const natural = [base, ...(await vary(runs, base))];
  const forced = await force(runs, natural);
  return judgeWorlds({ runs, base, natural, ...forced, statements: await placesIn(runs, base) });
}

/** What is only looked for is missing, unless the script ends early without it: it did work on a portal. */
async function plainRun(runs: Runs): Promise<Told> {
  const { tested, assigned, declared, sources } = runs.names;
  const plainIn = async (missing: readonly string[]) => {
    const told = await runs.run({ ...plainWorld(runs.portal), missing }, PLAIN_MS);
    if (!told) throw new EngineFailure("time");
    const isFull = ({ kind, text }: Note) => kind === "limit" && /memory|too long/.test(text);
    if (told.report.notes.some(isFull)) throw new EngineFailure("memory");
    return told;
  };
  const isOwn = (each: string) => assigned.has(each) || declared.has(each);
  let told = await plainIn([...new Set([...tested, ...LACKING])]);
  for (let nth = 0; nth < MOST_FOUND; nth++) {
    const [, name] = UNKNOWN.exec(thrownIn(told)[0] ?? "") ?? [];
    const { missing } = told.world;
    if (name === undefined || isOwn(name) || [...missing, ...runs.found].includes(name)) break;
    runs.found.push(name);
    told = await plainIn(missing);
  }
  for (const name of told.world.missing) {
    const thrown = thrownIn(told);
    if (thrown.length === 0) break;
    if (isOwn(name) || (name === USUAL_NAME && sources.has(name))) continue;
    const other = await plainIn(told.world.missing.filter((each) => each !== name));
    // It is no other script's where this one makes it in the end.
    const isMadeHere = name === USUAL_NAME && (other.report.looks.at(-1)?.names.length ?? 0) > 0;
    if (thrownIn(other).length < thrown.length && !isMadeHere) told = other;
  }
  return told;
}

/** Everything that is asked is answered otherwise, what is asked on the way, too. Of pages over http at last. */
async function vary(runs: Runs, base: Told): Promise<Told[]> {
  const { portal, names } = runs;
  const found: Told[] = [];
  const all = [...names.tested, ...names.used, ...names.sources.keys()];
  const keys = new Set(base.world.missing.filter((each) => all.includes(each)));
  for (const [key] of base.report.asked) keys.add(key);
  const go = async (world: World) => {
    const told = runs.isSpent() ? undefined : await runs.run(world);
    if (told) found.push(told);
    for (const [key] of told?.report.asked ?? []) keys.add(key);
  };
  const other = (nth: number, bit = 0, side = 0) =>
    [...keys]
      .filter((_, at) => (at & bit) === side)
      .reduce((world, key) => withOther(world, key, nth, portal), base.world);
  // The second time with what the first one asked.
  for (const nth of [0, ...Array(WAYS).keys()]) await go(other(nth));
  // What one answer hides, another shows: by halves, so that any two are answered apart from each other.
  for (let bit = 1; bit < keys.size; bit *= 2)
    for (const side of [0, bit]) await go(other(0, bit, side));
  if (!portal && keys.has("location.protocol"))
    for (const world of [base.world, other(0)])
      await go({ ...world, answers: { ...world.answers, "location.protocol": "http:" } });
  return found;
}

/** By setting, the statement that gave it its value: from one more run of the plain world. */
async function placesIn(runs: Runs, { world, report }: Told): Promise<Map<string, Stretch>> {
  const [look] = sinceItIsThere(report);
  const found = new Map<string, Stretch>();
  if (look?.name === undefined || look.isModule) return found;
  const told = await runs.run(world, PLAIN_MS, look.name);
  for (const [name, id] of Object.entries(told?.report.placed ?? {})) {
    const site = runs.instrumented.sites[id - 1];
    if (site) found.set(name, site.at);
  }
  return found;
}
