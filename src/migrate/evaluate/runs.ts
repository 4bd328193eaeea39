// Runs the scripts in worlds, as many as there may be.
import { USUAL_NAME, settingNames } from "../known.js";
import type { Hooked } from "./instrument.js";
import type { namesOf } from "./names.js";
import type { Look, Note, Report, World } from "./protocol.js";
import { EngineFailure, type Engine } from "./runner.js";

export interface Outcome {
  readonly world: World;
  readonly report: Report;
}

const MOST_RUNS = 300;
const MOST_LOST = 3;
/** In all runs. A file of 40 kB takes a hundred. */
const MOST_STEPS_IN_ALL = 1_500;
/** For all runs, should native calls count no steps. A file of 40 kB takes less than a second. */
const LAST_RESORT_MS = 60_000;
/** Of the engine, each of some ten thousand jumps and calls. A file of 40 kB takes one or two. */
const MOST_STEPS = 500;
const UNKNOWN = /^ReferenceError: '?([\w$]+)'? is not/;
const MOST_NAMES = 12;

export type Runs = ReturnType<typeof openRuns>;

export function openRuns(
  { scripts, hooks }: Hooked,
  { all, own, lexical, keys }: ReturnType<typeof namesOf>,
  engine: Engine,
) {
  const settings = settingNames();
  const endMs = performance.now() + LAST_RESORT_MS;
  let [count, lost, steps] = [0, 0, 0];

  async function once(world: World): Promise<Outcome | undefined> {
    const given = { ...world, lexical, settings, keys, usual: USUAL_NAME, hooks };
    count++;
    const leftMs = endMs - performance.now();
    const report = await engine.run({ scripts, given, steps: MOST_STEPS }, leftMs);
    steps += report?.steps ?? MOST_STEPS;
    if (!report) lost++;
    return report && { world, report };
  }

  /** Undefined where the run takes too many steps. Scripts ran on a portal, which had the names that they take for granted. Their own configuration is none of those. */
  async function run(world: World): Promise<Outcome | undefined> {
    let outcome = await once(world);
    for (let added = 0; outcome && added < MOST_NAMES; added++) {
      const { names } = outcome.world;
      const name = errorsIn(outcome)
        .map(({ text }) => UNKNOWN.exec(text)?.[1])
        .find(
          (each) => each !== undefined && !own.has(each) && ![...names, USUAL_NAME].includes(each),
        );
      if (name === undefined) break;
      outcome = await once({ ...outcome.world, names: [...names, name] });
    }
    return outcome;
  }

  /** The page that all others are compared with has to come to its end. A name that the scripts only look for is missing there, unless they fail without it. */
  async function runPlain(world: World): Promise<Outcome> {
    const plain = async (names: readonly string[]) => {
      const outcome = await run({ ...world, names });
      if (!outcome) throw new EngineFailure("steps");
      const isFull = ({ kind, text }: Note) => kind === "limit" && /memory|too long/.test(text);
      if (outcome.report.notes.some(isFull)) throw new EngineFailure("memory");
      return outcome;
    };
    let outcome = await plain([]);
    const looked = errorsIn(outcome).length > 0 ? await run({ ...world, names: all }) : undefined;
    const isLooked = (name: string) => all.includes(name) && !own.has(name);
    for (const name of looked ? [USUAL_NAME, ...askedIn(looked)].filter(isLooked) : []) {
      const { names } = outcome.world;
      if (names.includes(name)) continue;
      const other = await plain([...names, name]);
      // A configuration that the scripts make later is their own.
      const isOwn = name === USUAL_NAME && (other.report.looks.at(-1)?.names.length ?? 0) > 0;
      if (errorsIn(other).length < errorsIn(outcome).length && !isOwn) outcome = other;
    }
    return outcome;
  }

  return {
    run,
    runPlain,
    isSpent: () => count > MOST_RUNS || lost > MOST_LOST || steps > MOST_STEPS_IN_ALL,
  };
}

export function errorsIn({ report }: Outcome): Note[] {
  return report.notes.filter(({ kind }) => kind === "thrown");
}

export function askedIn({ report }: Outcome): string[] {
  return report.asked.map(([key]) => key);
}

export function isOverHttp({ world }: Outcome): boolean {
  return world.answers["location.protocol"] === "http:";
}

/** A module may make the configuration after the page has loaded. */
export function looksSinceMade({ report: { looks } }: Outcome): readonly Look[] {
  const from = looks.findIndex(({ name }) => name !== undefined);
  return looks.slice(Math.max(0, from));
}

/** The setting's value as text; undefined where it has none. */
export function valueIn({ values, from }: Look, setting: string): string | undefined {
  const seen = values[setting];
  if (!seen || from !== undefined) return from;
  if ("json" in seen) return seen.json;
  return "odd" in seen ? seen.odd : seen.reason;
}

/** Whether the setting has this value at each moment of a run. */
export function hasAlways(outcome: Outcome, setting: string, value: string | undefined): boolean {
  return looksSinceMade(outcome).every((look) => valueIn(look, setting) === value);
}
