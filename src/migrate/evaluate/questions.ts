// What was asked in the worlds so far → the questions, with what the script's conditions say about each, and the ways to answer it.
import { USUAL_NAME } from "../known.js";
import type { PortalAddress } from "../location.js";
import { sourcesOf } from "./flow.js";
import { markOf, type Question } from "./page/ask.js";
import type { Analysed, Told } from "./verdict.js";
import { MISSING, SOMETHING, choicesFor, namesFor, value, type Choice } from "./worlds.js";

export function choicesOf(
  asked: ReturnType<typeof questionsOf>[number],
  { world }: Told,
  portal: PortalAddress | undefined,
): Choice[] {
  const { key, isNeeded, isUsed, isGiven } = asked;
  // Where no condition is about it, any other answer shows what depends on it.
  if (!isName(key)) return choicesFor(asked, portal).slice(0, isUsed ? undefined : 2);
  const isMissing = world.answers[key]?.is === "undefined";
  // Whoever had a configuration before had it as an object.
  if (key === USUAL_NAME) return isMissing ? [{ answer: SOMETHING }] : [];
  // What the script gives a value itself may have been there before.
  if (isGiven) return isMissing ? [{ answer: SOMETHING }, { answer: value("") }] : [];
  const other = isMissing ? [{ answer: SOMETHING }] : isNeeded ? [] : [{ answer: MISSING }];
  return [...other, ...choicesFor(asked, portal)];
}

/** The names of the window, each of which may be missing, are questions as well. */
export function isName(key: string): boolean {
  return /^[\w$]+$/.test(key) && key !== "time" && key !== "random";
}

/** `needed` are the names without which the script ends early. */
export function questionsOf(
  { names, branches, flow }: Analysed,
  told: readonly Told[],
  needed: ReadonlySet<string>,
) {
  const asked = new Map<string, Partial<Question>>();
  for (const name of Object.keys(told[0]?.world.answers ?? {})) {
    if (isName(name) && (flow.to.has(name) || flow.to.has(`"${name}`))) asked.set(name, {});
  }
  for (const [key, question] of told.flatMap(({ report }) => report.asked)) {
    asked.set(key, { ...asked.get(key), ...question });
  }
  const tests = [...branches.values()].filter(({ kind }) => kind === "test" || kind === "nullish");
  const conditions = tests.map(({ id }) => sourcesOf(flow, `?${id}`));
  return [...asked].map(([key, { isConverted, isListed }], nth) => {
    const own = namesFor(key);
    const about = conditions.filter((sources) =>
      own.some((path) => path.every((name) => sources.has(name))),
    );
    const literals = about.flatMap((sources) =>
      [...sources].flatMap((each) => (each.startsWith('"') ? [each.slice(1)] : [])),
    );
    return {
      key,
      literals: [...new Set(literals)]
        .filter((each) => each !== "" && each.length < 200)
        .slice(0, 6),
      // Of a configuration that was there before nobody knows what it holds.
      isUsed: about.length > 0 || isConverted === true || key.startsWith(`${USUAL_NAME}.`),
      isListed: isListed === true,
      isGiven: names.given.has(key),
      isNeeded: needed.has(key) || !names.used.includes(key),
      mark: markOf(nth),
    };
  });
}
