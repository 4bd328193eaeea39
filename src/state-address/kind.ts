// Declares what every kind of place for states provides: the form of its addresses, their errors, and the host that gets credentials.
import { didYouMean } from "../diagnostic.js";
import type { Io } from "../io.js";

export interface KindOfPlace {
  /** The schemes of its addresses, without the colon. */
  readonly schemes: readonly string[];
  /** An example to start with. */
  readonly example: string;
  /** Continues "It keeps states in". */
  readonly noun: string;
  /** What it is, and for whom. Shown by the manual, the README and init. */
  readonly reason: string;
  /** A regular expression for the schema. It may accept wrong addresses, but no right one may fail. */
  readonly pattern: string;
  /** Undefined for a right address. `written` is the address as in the file, if it contains references. */
  readonly wrongIn: (address: string, written: string | undefined) => Wrong | undefined;
  /** Its address contains a user, which is not secret. */
  readonly namesUser?: true;
  /** The host that gets credentials; absent if there are none, or if another program sends them. */
  readonly recipientOf?: (address: string, env: Io["env"]) => URL | undefined;
  /** An address can keep the state of one portal only. */
  readonly isForOne?: true;
}

/** The error in an address, without secrets: `why` continues its name, `help` shows the right form. */
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

/** The parameters after the "?" by name, or their error. */
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
