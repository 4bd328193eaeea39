// Takes the other way at each site where the page may decide, once.
import { USUAL_NAME } from "../known.js";
import type { Site } from "./instrument.js";
import type { Force, World } from "./protocol.js";
import { askedIn, errorsIn, isOverHttp, type Outcome, type Runs } from "./runs.js";

export interface Forcing {
  readonly forced: readonly Forced[];
  /** Whose other way came to no end that a page would have. */
  readonly unclear: readonly Site[];
  /** The first that was left out, because there are too many. */
  readonly untried?: Site | undefined;
}

/** A page where a site goes another way. */
export interface Forced {
  readonly outcome: Outcome;
  readonly site: Site;
}

/** What all runs recorded of a site. */
interface Known {
  /** The first run that came here; best the plain page or one that was forced from it. */
  from: Outcome;
  readonly ways: Set<string>;
  /** Of the plain page, and of forced ways. */
  readonly single: Set<string>;
  readonly operands: (readonly number[])[];
  isOutside: boolean;
  /** A run over which the page decided otherwise than over the plain one, and how. */
  other?: { readonly outcome: Outcome; readonly way: string };
}

const MOST_VISITS = 24;
const LAST = 200;
/** A loop that is forced to go on has to come to an end. */
const LAST_OF_LOOP = 12;

export async function force(
  runs: Runs,
  sites: readonly Site[],
  natural: readonly { readonly outcome: Outcome }[],
  marked: (world: World, asked: readonly string[]) => readonly World[],
): Promise<Forcing> {
  const [{ outcome: base }] = natural as [Pick<Forced, "outcome">];
  const forced: Forced[] = [];
  const unclear: Site[] = [];
  const { known, singles, learn } = openKnown(base);
  for (const { outcome } of natural) learn(outcome, outcome === base);
  const go = async (site: Site, from: Outcome, id: number, how: Force): Promise<void> => {
    const world = { ...from.world, forced: { ...from.world.forced, [id]: how } };
    let outcome = await runs.run(world);
    if (outcome && fails(outcome, from)) {
      // A page may end here, or it has what is missing.
      forced.push({ site, outcome });
      outcome = await runs.run({ ...world, isLenient: true });
    }
    if (!outcome || fails(outcome, from)) {
      // Another page went this way, and its settings are compared.
      if (!known.get(id)?.ways.has(how.way)) unclear.push(site);
      return;
    }
    // Places that neither the plain page nor another forced way came to.
    const isNew =
      outcome.report.visited.some(({ id }) => !known.get(id)?.single.size) ||
      outcome.report.entered.some((id) => !base.report.entered.includes(id));
    if (singles.has(from)) singles.add(outcome);
    learn(outcome, singles.has(from));
    forced.push({ site, outcome });
    // What is asked on this way only may be a key or a value there.
    for (const other of isNew ? marked(outcome.world, askedIn(outcome)) : []) {
      const again = await runs.run(other);
      if (!again || fails(again, from)) continue;
      learn(again, false);
      forced.push({ site, outcome: again });
    }
  };
  const done = new Set<string>();
  for (;;) {
    const next = nextOf(sites, known, done);
    if (!next) break;
    if (runs.isSpent()) return { forced, unclear, untried: next.site };
    done.add(next.key);
    const last = next.site.kind === "loop" ? LAST_OF_LOOP : LAST;
    await go(next.site, next.from, next.id, { way: next.way, first: 1, last });
  }
  for (const { site, from, id, how } of visitsOf(sites, known)) {
    if (runs.isSpent() || how.first > MOST_VISITS) return { forced, unclear, untried: site };
    await go(site, from, id, how);
  }
  return { forced, unclear };
}

function openKnown(base: Outcome) {
  const known = new Map<number, Known>();
  /** The plain page, and those that differ from it by what is forced. */
  const singles = new Set([base]);
  const none = () => ({ ways: new Set<string>(), single: new Set<string>(), operands: [] });
  const learn = (outcome: Outcome, isSingle: boolean) => {
    if (isOverHttp(outcome) !== isOverHttp(base)) return;
    for (const { id, ways, operands, isMarked } of outcome.report.visited) {
      const here: Known = known.get(id) ?? { ...none(), from: outcome, isOutside: false };
      known.set(id, here);
      if (isSingle && !singles.has(here.from)) here.from = outcome;
      if (here.ways.size > 0 && !isNested(ways, [...here.ways])) {
        here.isOutside = true;
        const [way = ""] = ways;
        if (/^(?:[01]|boolean:.*)$/.test(way)) here.other ??= { outcome, way };
      }
      for (const way of ways) here.ways.add(way);
      for (const way of isSingle ? ways : []) here.single.add(way);
      here.isOutside ||= isMarked || here.operands.some((each) => !isNested(each, operands));
      here.operands.push(operands);
    }
  };
  return { known, singles, learn };
}

/** In a loop, one visit may go another way than the others, as where a list is searched. */
function visitsOf(sites: readonly Site[], known: ReadonlyMap<number, Known>) {
  return [...known].flatMap(([id, { from, isOutside }]) => {
    const site = sites[id - 1];
    const visited = from.report.visited.find((each) => each.id === id);
    if (!site || !visited || visited.count < 2 || !isOutside) return [];
    if (site.kind !== "test" && site.kind !== "result") return [];
    return Array.from({ length: Math.min(visited.count, MOST_VISITS + 1) }, (_, nth) => {
      const way = site.kind === "result" ? "x" : visited.taken[nth] === "1" ? "0" : "1";
      return { site, from, id, how: { way, first: nth + 1, last: nth + 1 } };
    });
  });
}

function nextOf(
  sites: readonly Site[],
  known: ReadonlyMap<number, Known>,
  done: ReadonlySet<string>,
) {
  for (const [nth, site] of sites.entries()) {
    const id = nth + 1;
    const here = known.get(id);
    if (!here?.isOutside) continue;
    for (const way of openWays(site, here))
      if (!done.has(`${id} ${way}`)) return { id, site, way, from: here.from, key: `${id} ${way}` };
    // What the plain page finds, such as its own host in a list, another page may not find.
    if (here.other && !done.has(`${id} other`)) {
      const way = site.kind === "test" ? (here.other.way === "1" ? "0" : "1") : "x";
      return { id, site, way, from: here.other.outcome, key: `${id} other` };
    }
  }
  return undefined;
}

function openWays({ kind, isTried }: Site, { ways, single }: Known): string[] {
  if (kind === "test" || kind === "loop") return ["1", "0"].filter((way) => !single.has(way));
  if (kind === "list") return ["x"];
  if (kind !== "result") return [];
  // Of a truth, both values may have been seen; any other result may be a third.
  const isTruth = [...ways].every((way) => way.startsWith("boolean"));
  const isSeen = isTruth && single.size > 1;
  return [...(isSeen ? [] : ["x"]), ...(isTried ? ["throw"] : [])];
}

/** One of two runs may have come there more often. */
function isNested<T>(one: readonly T[], other: readonly T[]): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  return few.every((each) => many.includes(each));
}

/** Whether the forced way, and not the script, is the reason for an error. */
function fails(outcome: Outcome, from: Outcome): boolean {
  if (outcome.report.notes.some(({ kind }) => kind === "limit")) return true;
  const known = new Set(errorsIn(from).map(({ text, line }) => `${line} ${text}`));
  return errorsIn(outcome).some(
    ({ text, line }) =>
      !known.has(`${line} ${text}`) &&
      /^(?:Type|Reference)Error/.test(text) &&
      !text.includes(USUAL_NAME),
  );
}
