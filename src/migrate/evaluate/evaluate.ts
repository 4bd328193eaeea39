// Parsed scripts → the value that each setting has in every world, or what it depends on.
import { USUAL_NAME, settingNames } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import type { Run } from "./engine.js";
import type { Note } from "./page/ask.js";
import { FlowReader } from "./read-flow.js";
import { branchesOf, instrument } from "./instrument.js";
import { namesOf } from "./names.js";
import type { Report } from "./page/page.js";
import { choicesOf, isName, questionsOf } from "./questions.js";
import { EngineFailure, type Engine } from "./runner.js";
import {
  judgeWorlds,
  sinceItIsThere,
  type Analysed,
  type Evaluation,
  type Told,
} from "./verdict.js";
import {
  MISSING,
  SOMETHING,
  plainWorld,
  value,
  withChoices,
  type Choice,
  type World,
} from "./worlds.js";

/** Scripts that are loaded before others have none of these, unless they need them. */
const LACKING = [USUAL_NAME, "define", "exports", "module"];

const MOST_WORLDS = 40;
/** Kept for worlds that answer several questions at once. */
const SEVERAL = 10;
/** Of worlds that take too long; then no more are tried, and what they would have met stays unmet. */
const MOST_LOST = 3;
/** Statements of the next script are numbered from here on. */
const SCRIPT = 1_000_000;

export async function evaluate(
  parsed: readonly Parsed[],
  portal: PortalAddress | undefined,
  engine: Engine,
): Promise<Evaluation> {
  const programs = parsed.map(({ program }) => program);
  const branches = branchesOf(programs);
  const analysed = {
    parsed,
    branches,
    names: namesOf(programs),
    flow: new FlowReader(branches).read(programs),
    settings: settingNames(),
    isKnown: portal !== undefined,
  };
  const runs = new Runs(analysed, engine);
  const base = await plainRun(runs, portal);
  if (!portal && base.report.asked.some(([key]) => key === "location.protocol")) {
    await runs.try(withChoices(base.world, [OVER_HTTP]));
  }
  const choices = await vary(runs, base, portal);
  const first = choices.flatMap(([key, [choice]]) => (choice ? [[key, choice] as const] : []));
  if (!portal && first.length > 0) await runs.try(withChoices(base.world, [...first, OVER_HTTP]));
  return judgeWorlds(analysed, runs.told, await placesIn(runs, base));
}

const OVER_HTTP = ["location.protocol", { answer: value("http:") }] as const;

/** Runs of the same scripts, each in a world of its own. */
class Runs {
  readonly told: Told[] = [];
  readonly analysed: Analysed;
  readonly #engine: Engine;
  readonly #begun = performance.now();
  readonly #counters: string;
  readonly #scripts: Run["scripts"];
  #lost = 0;

  constructor(analysed: Analysed, engine: Engine) {
    this.analysed = analysed;
    this.#engine = engine;
    const taken = analysed.parsed.map(({ script }) => script.text).join("");
    let counters = "lintel";
    while (taken.includes(counters)) counters += "_";
    this.#counters = counters;
    this.#scripts = this.instrumented(false);
  }

  instrumented(isProbed: boolean) {
    return this.analysed.parsed.map(({ script, program }, at) => {
      const first = isProbed ? at * SCRIPT : undefined;
      const own = { program, text: script.text, first, counters: this.#counters };
      return { ...instrument(own, this.analysed.branches), file: `${at}.js` };
    });
  }

  /** Undefined where the world took too long. */
  run(world: World, scripts = this.#scripts, probed?: string): Promise<Report | undefined> {
    const { names, settings } = this.analysed;
    const given = {
      ...world,
      names: [
        ...new Set([...names.used, ...names.lookedFor, ...Object.keys(world.answers)]),
      ].filter(isName),
      lexical: names.lexical,
      settings,
      usual: USUAL_NAME,
      counters: this.#counters,
      probed,
    };
    const code = scripts.map(({ file, code }) => ({ file, code }));
    // The plain world has more time, because nothing is known without it.
    const limitMs = this.told.length === 0 || probed !== undefined ? 4_000 : 600;
    return this.#engine.run(
      { scripts: code, world: given, zone: world.zone, limitMs },
      this.#begun,
    );
  }

  async try(world: World): Promise<Told | undefined> {
    if (this.#lost > MOST_LOST || this.told.length >= MOST_WORLDS) return undefined;
    const report = await this.run(world);
    if (!report) this.#lost++;
    if (report) this.told.push({ world, report });
    return report && { world, report };
  }
}

/** What is only looked for is missing, unless the script ends early without it: it did work on a portal. */
async function plainRun(runs: Runs, portal: PortalAddress | undefined): Promise<Told> {
  const { flow, names } = runs.analysed;
  const { lookedFor, assigned } = names;
  const missing = new Set([...lookedFor, ...LACKING]);
  const found = new Set<string>();
  for (;;) {
    const answers = Object.fromEntries([...missing].map((name) => [name, MISSING]));
    const there = Object.fromEntries([...found].map((name) => [name, SOMETHING]));
    const plain = plainWorld(portal);
    const world = { ...plain, answers: { ...plain.answers, ...answers, ...there } };
    const report = await runs.run(world);
    if (!report) throw new EngineFailure("time");
    const isFull = ({ kind, text }: Note) => kind === "limit" && /memory|too long/.test(text);
    if (report.notes.some(isFull)) throw new EngineFailure("memory");
    const needed = async () => {
      for (const name of thrownIn(report).length > 0 ? missing : []) {
        if (assigned.has(name) || (name === USUAL_NAME && flow.from.has(name))) continue;
        const other = await runs.run(withChoices(world, [[name, { answer: SOMETHING }]]));
        if (other && thrownIn(other).length < thrownIn(report).length) return name;
      }
      return undefined;
    };
    const unknown = thrownIn(report).flatMap(
      (text) => /^ReferenceError: '?([\w$]+)'? is not/.exec(text)?.[1] ?? [],
    );
    const name =
      unknown.find((each) => !found.has(each) && !missing.has(each) && !assigned.has(each)) ??
      (await needed());
    if (name === undefined || found.size > 8) {
      runs.told.push({ world, report });
      return { world, report };
    }
    missing.delete(name);
    found.add(name);
  }
}

function thrownIn({ notes }: Report): string[] {
  return notes.flatMap(({ kind, text }) => (kind === "thrown" ? [text] : []));
}

/** Each question by itself, then several at once; what is asked on the way is answered, too. */
async function vary(
  runs: Runs,
  base: Told,
  portal: PortalAddress | undefined,
): Promise<(readonly [string, Choice[]])[]> {
  const tried = new Set<string>();
  const needed = new Set<string>();
  const choices = () =>
    questionsOf(runs.analysed, runs.told, needed).map((asked): [string, Choice[]] => [
      asked.key,
      choicesOf(asked, base, portal),
    ]);
  for (let nth = 0; nth < MOST_WORLDS; nth++) {
    for (const [key, given] of choices()) {
      // Those that were asked late are tried as often as the others.
      for (const choice of given.slice(0, nth + 1)) {
        const which = JSON.stringify([key, choice]);
        if (tried.has(which) || runs.told.length >= MOST_WORLDS - SEVERAL) continue;
        tried.add(which);
        const told = await runs.try(withChoices(base.world, [[key, choice]]));
        const isMissing = "answer" in choice && choice.answer.is === "undefined" && isName(key);
        if (!told || !isMissing || thrownIn(told.report).length <= thrownIn(base.report).length)
          continue;
        // Without it the script would not have worked on a portal.
        runs.told.pop();
        needed.add(key);
      }
    }
  }
  const several = choices().filter(([, given]) => given.length > 0);
  const most = Math.max(0, ...several.map(([, given]) => given.length));
  for (
    let nth = 0;
    several.length > 1 && nth < 2 * most && runs.told.length < MOST_WORLDS - 1;
    nth++
  ) {
    const all = several.flatMap(([key, given], at) => {
      const choice = given[(nth + (nth >= most ? at : 0)) % given.length];
      return choice ? [[key, choice] as const] : [];
    });
    await runs.try(withChoices(base.world, all));
  }
  return several;
}

/** By setting, the statement that gave it its value: from one more run of the plain world. */
async function placesIn(runs: Runs, { world, report }: Told): Promise<Map<string, Stretch>> {
  const scripts = runs.instrumented(true);
  const [look] = sinceItIsThere(report);
  const found = new Map<string, Stretch>();
  if (look?.name === undefined || look.isModule) return found;
  const told = await runs.run(world, scripts, look.name);
  for (const [name, id] of Object.entries(told?.placed ?? {})) {
    const at = Math.floor(id / SCRIPT);
    const node = scripts[at]?.statements[id % SCRIPT];
    const script = runs.analysed.parsed[at]?.script;
    if (script && node) found.set(name, { script, start: node.start, end: node.end });
  }
  return found;
}
