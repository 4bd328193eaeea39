// Ways that no world went, though some might → runs that go them all the same.
import { MOST_LOST, isSecure, thrownIn, type Runs, type Told } from "./runs.js";
import type { Site } from "./instrument.js";
import type { Stretch } from "../script.js";

export interface Forcing {
  /** The runs that went another way, and where. */
  readonly runs: readonly (Told & { readonly at: Stretch })[];
  /** A way that was not tried, because there are too many. */
  readonly untried?: Stretch | undefined;
}

const MOST_RUNS = 60;
const MOST_TOGETHER = 12;
const MOST_KEYS = 24;
const LIMIT_MS = 300;

interface Way {
  readonly name: string;
  /** Where it begins, in the first run that came there. */
  readonly at: Stretch;
  readonly from: Told;
  readonly forced: Told["world"]["forced"];
  readonly called?: readonly number[];
}

export async function force(runs: Runs, base: Told): Promise<Forcing> {
  const natural = runs.told.filter(isSecure(base));
  const seen = [...natural];
  const found: (Told & { at: Stretch })[] = [];
  const tried = new Map<string, Way>();
  const mostLost = runs.lost + MOST_LOST;
  const go = async ({ from, at, forced, called = from.world.called }: Way, mayFail = true) => {
    const world = { ...from.world, forced: { ...from.world.forced, ...forced }, called };
    const told = await runs.run(world, LIMIT_MS);
    // Ways that contradict each other are none that a page goes together.
    const isSound = mayFail || !told?.report.came.some(([id]) => id === 0);
    if (told && isSound) found.push({ ...told, at });
    return told;
  };
  for (;;) {
    const next = waysIn(runs, natural, seen).find(({ name }) => !tried.has(name));
    if (!next) break;
    if (runs.isSpent(mostLost) || found.length >= MOST_RUNS)
      return { runs: found, untried: next.at };
    tried.set(next.name, next);
    const told = await go(next);
    if (told) seen.push(told);
  }
  const several = natural.filter(({ world }) => world.differs.length > 1).slice(-3);
  const ways = together(runs, base, [...tried.values()]);
  for (const way of [
    ...several.flatMap((from) => ways.slice(0, 1).map((way) => ({ ...way, from }))),
    ...ways,
  ])
    if (!runs.isSpent(mostLost) && found.length < MOST_RUNS + MOST_TOGETHER) await go(way, false);
  return { runs: found };
}

/** Ways may have to be gone at once: all that the plain world does not go, and by halves. */
function together(runs: Runs, base: Told, tried: readonly Way[]): Way[] {
  const { sites } = runs.instrumented;
  const isOpen = openIn(runs, [base]);
  const isIt = (id: string | number) => {
    const site = sites[Number(id) - 1];
    return site?.kind === "condition" && isOpen(site);
  };
  const inverse = base.report.came.flatMap(([id, [way, other]]): [string, string][] =>
    isIt(id) && other === undefined ? [[String(id), way === "1" ? "0" : "1"]] : [],
  );
  const found = tried.flatMap(({ forced }) => Object.entries(forced).filter(([id]) => isIt(id)));
  const all = Object.entries(Object.fromEntries([...inverse, ...found]));
  const at = sites[0]?.at;
  if (!at || all.length < 2) return [];
  const bits = Array.from({ length: Math.ceil(Math.log2(all.length)) }, (_, bit) => bit);
  const halves = bits.flatMap((bit) =>
    [0, 1].map((side) => all.filter((_, nth) => ((nth >> bit) & 1) === side)),
  );
  return [all, ...halves].map((ways) => ({
    name: "",
    at: atOf(runs, ways) ?? at,
    from: base,
    forced: Object.fromEntries(ways),
  }));
}

function atOf(runs: Runs, ways: readonly [string, string][]): Stretch | undefined {
  return runs.instrumented.sites[Number(ways[0]?.[0]) - 1]?.at;
}

/** Whether a place goes by the world outside, as far as that was asked for. */
function openIn({ outside }: Runs, seen: readonly Told[]): (site: Site | undefined) => boolean {
  const asked = new Set(seen.flatMap(({ report }) => report.asked.map(([key]) => key)));
  const isOutside = outside(asked);
  return (site) => site?.about.some(isOutside) === true;
}

function waysIn(runs: Runs, natural: readonly Told[], seen: readonly Told[]): Way[] {
  const { sites } = runs.instrumented;
  const came = new Map<number, { from: Told; ways: Set<string> }>();
  for (const from of [...seen, ...runs.told]) {
    for (const [id, ways] of from.report.came) {
      // What is come to over http alone is no matter.
      if (!came.has(id) && seen.includes(from)) came.set(id, { from, ways: new Set() });
      for (const way of ways) came.get(id)?.ways.add(way);
    }
  }
  const varies = (id: number) => {
    const keys = natural.map(({ report }) =>
      report.came.find(([each]) => each === id)?.[1].join(" "),
    );
    return new Set(keys).size > 1 || keys.some((each) => each?.includes("zq"));
  };
  const isOpen = openIn(runs, seen);
  const [base] = natural as [Told];
  const settings = Object.keys(base.report.looks.at(-1)?.values ?? {});
  const uncalled = sites.flatMap(({ kind }, at) =>
    kind === "entry" && !came.has(at + 1) ? [at + 1] : [],
  );
  const first = { at: sites[0]?.at as Stretch, from: base };
  const isCaught = sites.some(({ kind }, nth) => kind === "catch" && came.has(nth + 1));
  const isFailing = isCaught || thrownIn(base).length > 0;
  const errors = isFailing ? [{ ...first, name: "errors", forced: { 0: "1" } }] : [];
  const calls =
    uncalled.length > 0 ? [{ ...first, name: "calls", forced: { 0: "1" }, called: uncalled }] : [];
  const ways = sites.flatMap((site, nth): Way[] => {
    const id = nth + 1;
    const ways = (all: readonly string[], of = id): Way[] =>
      all.flatMap((way) => {
        const known = came.get(of);
        const isNew = known && !known.ways.has(way);
        return isNew
          ? [{ name: `${of} ${way}`, at: site.at, from: known.from, forced: { [of]: way } }]
          : [];
      });
    if (site.kind === "condition") return isOpen(site) ? ways(["1", "0"]) : [];
    if (site.kind === "catch")
      return came.has(id) ? [] : site.throws.flatMap((each) => ways(["throw"], each));
    if (site.kind === "write" && varies(id)) return ways(settings);
    // A key may also be one that is not there.
    const keys = [...(came.get(-id)?.ways ?? []), "missing"].slice(0, MOST_KEYS);
    return site.kind === "read" && (varies(id) || isOpen(site)) ? ways(keys) : [];
  });
  return [...errors, ...calls, ...ways];
}
