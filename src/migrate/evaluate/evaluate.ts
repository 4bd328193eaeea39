// Parsed scripts → the value that each setting has in every world, or what it depends on.
import { USUAL_NAME } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import { force } from "./force.js";
import { EngineFailure, type Engine } from "./runner.js";
import { MOST_WORLDS, Runs, thrownIn, type Told } from "./runs.js";
import type { Note } from "./seam.js";
import { judgeWorlds, sinceItIsThere, type Evaluation } from "./verdict.js";
import {
  MISSING,
  SOMETHING,
  choicesFor,
  isName,
  plainWorld,
  value,
  withChoices,
  type Choice,
} from "./worlds.js";

/** Kept for worlds that answer several questions at once. */
const SEVERAL = 10;
/** Scripts that are loaded before others have none of these, unless they need them. */
const LACKING = [USUAL_NAME, "define", "exports", "module"];

export async function evaluate(
  parsed: readonly Parsed[],
  portal: PortalAddress | undefined,
  engine: Engine,
): Promise<Evaluation> {
  const runs = new Runs(parsed, portal, engine);
  const base = await plainRun(runs);
  if (!portal && base.report.asked.some(([key]) => key === "location.protocol"))
    await runs.try(withChoices(base.world, [OVER_HTTP]));
  await vary(runs, base);
  const forced = await force(runs, base);
  return judgeWorlds({ runs, base, forced, statements: await placesIn(runs, base) });
}

const OVER_HTTP = ["location.protocol", { answer: value("http:") }] as const;

/** The plain world has more time, because nothing is known without it. */
const PLAIN_MS = 4_000;

/** What is only looked for is missing, unless the script ends early without it: it did work on a portal. */
async function plainRun(runs: Runs): Promise<Told> {
  const { lookedFor, assigned, sources } = runs.names;
  const missing = new Set([...lookedFor, ...LACKING]);
  const found = new Set<string>();
  for (;;) {
    const answers = Object.fromEntries([...missing].map((name) => [name, MISSING]));
    const there = Object.fromEntries([...found].map((name) => [name, SOMETHING]));
    const plain = plainWorld(runs.portal);
    const world = { ...plain, answers: { ...plain.answers, ...answers, ...there } };
    const told = await runs.run(world, PLAIN_MS);
    if (!told) throw new EngineFailure("time");
    const isFull = ({ kind, text }: Note) => kind === "limit" && /memory|too long/.test(text);
    if (told.report.notes.some(isFull)) throw new EngineFailure("memory");
    const thrown = thrownIn(told);
    const needed = async () => {
      for (const name of thrown.length > 0 ? missing : []) {
        if (assigned.has(name) || (name === USUAL_NAME && sources.has(name))) continue;
        const other = await runs.run(withChoices(world, [[name, { answer: SOMETHING }]]));
        if (!other || thrownIn(other).length >= thrown.length) continue;
        // It is no other script's where this one makes it in the end.
        if (name !== USUAL_NAME || other.report.looks.at(-1)?.names.length === 0) return name;
      }
      return undefined;
    };
    const unknown = thrown.flatMap(
      (text) => /^ReferenceError: '?([\w$]+)'? is not/.exec(text)?.[1] ?? [],
    );
    const isNew = (each: string) => !found.has(each) && !missing.has(each) && !assigned.has(each);
    const name = unknown.find(isNew) ?? (await needed());
    if (name === undefined || found.size > 8) {
      runs.told.push(told);
      return told;
    }
    missing.delete(name);
    found.add(name);
  }
}

/** Each question by itself, then several at once; what is asked on the way is answered, too. */
async function vary(runs: Runs, base: Told): Promise<void> {
  const tried = new Set<string>();
  const needed = new Set<string>();
  for (let nth = 0; nth < MOST_WORLDS; nth++) {
    for (const [key, given] of choicesIn(runs, base, needed)) {
      // Those that were asked late are tried as often as the others.
      for (const choice of given.slice(0, nth + 1)) {
        const which = JSON.stringify([key, choice]);
        if (tried.has(which) || runs.told.length >= MOST_WORLDS - SEVERAL) continue;
        tried.add(which);
        const from =
          runs.told.find(({ report }) => report.asked.some(([each]) => each === key)) ?? base;
        const told = await runs.try(withChoices(from.world, [[key, choice]]));
        const isMissing = "answer" in choice && choice.answer.is === "undefined" && isName(key);
        if (!told || !isMissing || thrownIn(told).length <= thrownIn(base).length) continue;
        // Without it the script would not have worked on a portal.
        runs.told.pop();
        needed.add(key);
      }
    }
  }
  const several = choicesIn(runs, base, needed).filter(([, given]) => given.length > 0);
  const most = Math.max(0, ...several.map(([, given]) => given.length));
  const last = MOST_WORLDS - 1;
  for (let nth = 0; several.length > 1 && nth < 2 * most && runs.told.length < last; nth++) {
    const all = several.flatMap(([key, given], at) => {
      const choice = given[(nth + (nth >= most ? at : 0)) % given.length];
      return choice ? [[key, choice] as const] : [];
    });
    const which = JSON.stringify(all);
    if (!tried.has(which)) await runs.try(withChoices(base.world, all));
    tried.add(which);
  }
  const first = several.map(([key, [choice]]) => [key, choice as Choice] as const);
  if (!runs.portal && first.length > 0)
    await runs.try(withChoices(base.world, [...first, OVER_HTTP]));
}

function choicesIn(
  { names, told, portal }: Runs,
  { world }: Told,
  needed: ReadonlySet<string>,
): [string, Choice[]][] {
  const isMentioned = (name: string) =>
    names.given.has(name) || names.used.includes(name) || names.lookedFor.includes(name);
  const asked = new Map<string, object>();
  for (const name of Object.keys(world.answers).filter(isName))
    if (isMentioned(name)) asked.set(name, {});
  for (const [key, question] of told.flatMap(({ report }) => report.asked))
    asked.set(key, { ...asked.get(key), ...question });
  const guesses = told.flatMap(({ report }) => report.guesses);
  return [...asked].map(([key, question], nth) => {
    const known = {
      ...question,
      key,
      nth,
      guesses: guesses.flatMap(([about, guess]) => (about === key ? [guess] : [])),
      isMissing: world.answers[key]?.is === "undefined",
      isGiven: names.given.has(key),
      isNeeded: needed.has(key) || !names.used.includes(key),
    };
    return [key, choicesFor(known, portal)];
  });
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
