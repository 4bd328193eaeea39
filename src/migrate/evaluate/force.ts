// Ways that no world went, though some might → runs that go them all the same.
import type { Stretch } from "../script.js";
import type { Site } from "./instrument.js";
import { thrownIn, type Runs, type Told } from "./runs.js";
import type { World } from "./seam.js";

export interface Forcing {
  readonly forced: readonly Told[];
  /** A way that was not tried, because there are too many. */
  readonly untried?: Stretch | undefined;
}

const MOST_RUNS = 100;
const LIMIT_MS = 300;

interface Way {
  readonly name: string;
  readonly site: Site;
  /** The first run that came there. */
  readonly from: Told;
  readonly world: Partial<World>;
}

export async function force(runs: Runs, natural: readonly Told[]): Promise<Forcing> {
  const [base] = natural as [Told];
  const seen = natural.filter((each) => protocolOf(each) === protocolOf(base));
  const forced: Told[] = [];
  const tried = new Set<string>();
  for (;;) {
    const next = waysIn(runs, natural, seen).find(({ name }) => !tried.has(name));
    if (!next) break;
    const { from, site } = next;
    if (runs.isSpent(6) || forced.length >= MOST_RUNS) return { forced, untried: site.at };
    tried.add(next.name);
    const go = async (errors?: object) => {
      const ways = { ...from.world.forced, ...next.world.forced, ...errors };
      const told = await runs.run({ ...from.world, ...next.world, forced: ways }, LIMIT_MS);
      return told && { ...told, forcedAt: site.at, about: site.about };
    };
    const told = await go();
    if (!told) continue;
    seen.push(told);
    // An error may come of a way that does not fit its values, or be the script's own end there.
    const hasErred =
      told.world.forced[0] === undefined && told.report.came.some(([id]) => id === 0);
    const isAll = next.name.startsWith("all");
    const strict = hasErred && !isAll ? await go({ 0: "0" }) : undefined;
    // Ways that contradict each other are none that a page goes together; where it errs by itself, that tells nothing.
    const isContrary = isAll && hasErred && !erred(from);
    forced.push(...(isContrary ? [] : [told]), ...(strict ? [strict] : []));
  }
  return { forced };
}

/** Whether an error was passed over, or ended a script. */
function erred(told: Told): boolean {
  return told.report.came.some(([id]) => id === 0) || thrownIn(told).length > 0;
}

export const protocolOf = ({ world }: Told) => world.answers["location.protocol"];

function waysIn(runs: Runs, natural: readonly Told[], seen: readonly Told[]): Way[] {
  const { sites } = runs.instrumented;
  const [base] = natural as [Told];
  const came = new Map<number, { from: Told; ways: Set<string> }>();
  for (const from of [...seen, ...natural]) {
    for (const [id, ways] of from.report.came) {
      // What is come to over http alone is no matter.
      if (!came.has(id) && seen.includes(from)) came.set(id, { from, ways: new Set() });
      for (const way of ways) came.get(id)?.ways.add(way);
    }
  }
  const isOutside = runs.outside(seen.flatMap(({ report }) => report.asked.map(([key]) => key)));
  const isOpen = ({ about }: Site) => about.some(isOutside);
  const settings = Object.keys(base.report.looks.at(-1)?.values ?? {});
  const [first] = sites;
  if (!first) return [];
  const isCaught = sites.some(({ kind }, nth) => kind === "catch" && came.has(nth + 1));
  const isFailing = isCaught || thrownIn(base).length > 0;
  const called = sites.flatMap(({ kind }, at) =>
    kind === "entry" && !came.has(at + 1) ? [at + 1] : [],
  );
  const all = { site: first, from: base };
  const errors = isFailing ? [{ ...all, name: "errors", world: { forced: { 0: "1" } } }] : [];
  const calls =
    called.length > 0 ? [{ ...all, name: "calls", world: { forced: { 0: "1" }, called } }] : [];
  const plain = new Map(base.report.came);
  const ways = sites.flatMap((site, nth): Way[] => {
    const goes = (id: number, all: readonly string[]) =>
      all.flatMap((way): Way[] => {
        const known = came.get(id);
        const world = { forced: { [id]: way } };
        // What goes both ways in one page may always go the same in another.
        const isBoth = site.kind === "condition" && plain.get(id)?.length === 2;
        return !known || (known.ways.has(way) && !isBoth)
          ? []
          : [{ name: `${id} ${way}`, site, from: known.from, world }];
      });
    if (site.kind === "catch")
      return came.has(nth + 1) ? [] : site.throws.flatMap((each) => goes(each, ["throw"]));
    const isDecided = site.kind === "condition" || site.kind === "loop";
    if (isDecided) return isOpen(site) ? goes(nth + 1, ["1", "0"]) : [];
    return site.kind === "key" && isOpen(site) ? goes(nth + 1, settings) : [];
  });
  return [...errors, ...calls, ...ways, ...together(base, sites, isOpen)];
}

/**
 * An effect may need several ways at once: all that the plain world does not go, with either alone where it goes both, and
 * by halves.
 */
function together(base: Told, sites: readonly Site[], isOpen: (site: Site) => boolean): Way[] {
  const came = new Map(base.report.came);
  const both: number[] = [];
  const all = sites.flatMap((site, nth): [number, string][] => {
    const [way, other] = came.get(nth + 1) ?? [];
    if (site.kind === "catch" && way === undefined)
      return site.throws.slice(0, 1).map((id) => [id, "throw"]);
    if (site.kind !== "condition" || way === undefined || !isOpen(site)) return [];
    if (other === undefined) return [[nth + 1, way === "1" ? "0" : "1"]];
    both.push(nth + 1);
    return [];
  });
  const bits = Array.from({ length: Math.ceil(Math.log2(all.length)) }, (_, bit) => bit);
  const halves = bits.flatMap((bit) =>
    [0, 1].map((side) => all.filter((_, nth) => ((nth >> bit) & 1) === side)),
  );
  const alone = both.length > 0 ? ["0", "1"] : [];
  const whole = alone.map((way) => [...all, ...both.map((id): [number, string] => [id, way])]);
  return [all, ...whole, ...halves].flatMap((some, nth): Way[] => {
    const site = sites[(some[0]?.[0] ?? 0) - 1];
    const world = { forced: Object.fromEntries(some) };
    return site && some.length > 1 ? [{ name: `all ${nth}`, site, from: base, world }] : [];
  });
}
