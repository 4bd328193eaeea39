// What each kind of place for states says of itself: how its addresses begin, what is wrong with one, and whom it gives credentials to.
import { didYouMean } from "../diagnostic.js";
import type { Io } from "../io.js";

export interface KindOfPlace {
  /** What such an address begins with, without the colon. */
  readonly schemes: readonly string[];
  /** One to begin with. */
  readonly example: string;
  /** Continues "It keeps states in". */
  readonly noun: string;
  /** What it is, and for whom; manual, README and the question of init say it so. */
  readonly reason: string;
  /** A regular expression for the schema, as a coarse first look: what is right must pass. */
  readonly pattern: string;
  /** Undefined for such an address; `written` is the one that the file has, where that holds references. */
  readonly wrongIn: (address: string, written: string | undefined) => Wrong | undefined;
  /** Its address says as whom, which is no secret. */
  readonly namesUser?: true;
  /** Whom credentials go to; absent where there are none, or where another program sees to them. */
  readonly recipientOf?: (address: string, env: Io["env"]) => URL | undefined;
  /** One address keeps the state of one portal. */
  readonly isForOne?: true;
}

/** What is wrong with an address: to go on from what it is called, without what may be secret; and what to write. */
export interface Wrong {
  readonly why: string;
  readonly help: string;
}

export function isWrong(found: object): found is Wrong {
  return "why" in found;
}

export function wrongOf(found: object): Wrong | undefined {
  return isWrong(found) ? found : undefined;
}

/** What stands behind the "?", by its names; or what is wrong with it. */
export function wordsIn(
  { searchParams }: URL,
  known: readonly string[],
  example: string,
): ReadonlyMap<string, string> | Wrong {
  const given = new Map<string, string>();
  for (const [key, value] of searchParams) {
    const list = `Behind the "?" may stand ${known.join(", ").replace(/, (?=[^,]*$)/, " and ")}`;
    const help = `${list}, such as:\n  state: ${example}`;
    const shown = JSON.stringify(key.length > 40 ? `${key.slice(0, 39)}…` : key);
    if (given.has(key)) return { why: `says ${shown} twice`, help };
    if (!known.includes(key)) {
      const hint = didYouMean(key, known);
      return { why: `cannot take ${shown}`, help: hint ? `${hint} ${help}` : help };
    }
    given.set(key, value);
  }
  return given;
}
