// Takes each way of each condition that depends on the page, once.
import { isDeepStrictEqual } from "node:util";
import { USUAL_NAME } from "../known.js";
import type { Stretch } from "../script.js";
import type { Code } from "./code.js";
import type { Test } from "./flow.js";
import type { Site } from "./instrument.js";
import type { Forced } from "./protocol.js";
import { askedIn, errorsIn, isOverHttp, type Outcome, type Runs } from "./runs.js";
import { withOthers } from "./worlds.js";

export interface Forcing {
  readonly forced: readonly Outcome[];
  /** Conditions whose other way came to no end that a page would have. */
  readonly unclear: readonly Site[];
  /** The first condition that was left out, because there are too many. */
  readonly untried?: Stretch | undefined;
}

export async function force(
  runs: Runs,
  code: Code,
  natural: readonly Outcome[],
  isOutside: Test,
): Promise<Forcing> {
  const { sites } = code;
  const [base] = natural as [Outcome];
  const forced: Outcome[] = [];
  const unclear: Site[] = [];
  /** By site, the first run that got there, and the ways that were taken. */
  const reached = new Map<number, Outcome>();
  const taken = new Map<number, Set<string>>();
  const learn = (outcome: Outcome) => {
    if (isOverHttp(outcome) !== isOverHttp(base)) return;
    for (const [id, ways] of outcome.report.taken) {
      if (!reached.has(id)) reached.set(id, outcome);
      taken.set(id, new Set([...(taken.get(id) ?? []), ...ways]));
    }
  };
  natural.forEach(learn);
  const isDecided = (site: Site) =>
    (site.kind === "condition" || site.kind === "loop") &&
    site.about.some(isOutside) &&
    !code.isOfProtocolAlone(site);
  const ways = sites.flatMap((site, nth) =>
    isDecided(site) ? ["1", "0"].map((way) => ({ id: nth + 1, site, way })) : [],
  );
  const plain = new Map(base.report.taken);
  // What goes both ways on one page may go one way on another.
  const isOpen = ({ id, way, site }: (typeof ways)[number]) =>
    reached.has(id) &&
    (taken.get(id)?.has(way) !== true ||
      (site.kind === "condition" && plain.get(id)?.length === 2));
  for (;;) {
    const next = ways.find(isOpen);
    if (!next) break;
    if (runs.isSpent()) return { forced, unclear, untried: next.site.at };
    ways.splice(ways.indexOf(next), 1);
    const { id, site, way } = next;
    const from = reached.get(id) ?? base;
    const outcome = await runs.run({
      ...from.world,
      forced: { ...from.world.forced, [id]: atEach(way, site) },
    });
    if (outcome) learn(outcome);
    if (!outcome || fails(outcome, from, code, isOutside)) unclear.push(site);
    else forced.push({ ...outcome, site });
    if (!outcome) continue;
    // A parameter that the plain page lacks may be a key or a value on this way.
    for (const which of ["first", "last"] as const) {
      const world = withOthers(outcome.world, askedIn(outcome), which, code.portal);
      if (isDeepStrictEqual(world, outcome.world)) continue;
      const other = await runs.run(world);
      if (other && !fails(other, from, code, isOutside)) forced.push({ ...other, site });
    }
  }
  // A way that fails alone would fail together with others, too.
  const isUseful = (site: Site) => isDecided(site) && !unclear.includes(site);
  for (const [site, some] of variationsOf(base, sites, isUseful)) {
    if (runs.isSpent()) return { forced, unclear, untried: site.at };
    const outcome = await runs.run({ ...base.world, forced: Object.fromEntries(some) });
    const isUsable = outcome && !fails(outcome, base, code, isOutside);
    if (isUsable) forced.push(some.length === 1 ? { ...outcome, site } : outcome);
  }
  return { forced, unclear };
}

type Variation = readonly (readonly [id: number, forced: Forced])[];

/** Ways to force one visit of a condition, or several conditions at once, each with a condition that it forces. */
function variationsOf(
  base: Outcome,
  sites: readonly Site[],
  isDecided: (site: Site) => boolean,
): (readonly [Site, Variation])[] {
  const taken = new Map(base.report.taken);
  const decided = sites
    .map((site, nth) => ({ id: nth + 1, site }))
    .filter(({ site }) => site.kind === "condition" && isDecided(site));
  // In a loop, one visit may go another way than the others, as where a list is searched.
  const visits = new Map(base.report.visits);
  const single = decided.flatMap(({ id, site }) =>
    ["1", "0"]
      .filter((way) => taken.get(id)?.join() !== way)
      .flatMap((way) =>
        Array.from(
          { length: Math.min(visits.get(id) ?? 0, MOST_VISITS) },
          (_, nth): readonly [Site, Variation] => [
            site,
            [[id, { way, first: nth + 1, last: nth + 1 }]],
          ],
        ),
      ),
  );
  // One condition may hide the effect of another: of each two, each way of one meets each way of the other.
  const opposite = decided.flatMap(({ id, site }): Variation => {
    const [way, other] = taken.get(id) ?? [];
    if (way === undefined || other !== undefined) return [];
    return [[id, atEach(way === "1" ? "0" : "1", site)]];
  });
  const together = halvesOf(opposite).flatMap((some) => {
    const site = sites[(some[0]?.[0] ?? 0) - 1];
    return site ? [[site, some] as const] : [];
  });
  return [...single, ...together];
}

const MOST_VISITS = 24;

/** A loop that is forced to go on has to come to an end. */
function atEach(way: string, { kind }: Site): Forced {
  return { way, first: 1, last: kind === "loop" ? 12 : 200 };
}

/** All of them, and halves, so that any two are together in one, and apart in two others. */
function halvesOf<T>(all: readonly T[]): T[][] {
  const halves: T[][] = all.length > 1 ? [[...all]] : [];
  for (let bit = 1; bit <= all.length && all.length > 1; bit *= 2)
    for (const is of [true, false])
      halves.push(all.filter((_, nth) => (((nth + 1) & bit) !== 0) === is));
  return halves.filter((each) => each.length > 1);
}

/** Whether the forced way, and not the script, is the reason for an error. */
function fails(outcome: Outcome, from: Outcome, code: Code, isOutside: Test): boolean {
  const known = new Set(errorsIn(from).map(({ text, line }) => `${line} ${text}`));
  return errorsIn(outcome)
    .filter(({ text, line }) => !known.has(`${line} ${text}`))
    .some((error) => {
      const isDoubtful = /^(?:Type|Reference)Error/.test(error.text);
      const statements = code.statementsAt(error);
      const isOfPage = statements.length === 0 || statements.some(isOutside);
      return isDoubtful && !error.text.includes(USUAL_NAME) && isOfPage;
    });
}
