// What is to be told of a portal → the same with the moment and an id that is made of what it tells.
import { digest } from "../../lib/digest.js";
import type { Json } from "../../lib/json.js";
import type { Identity } from "../../apply/reconcile.js";
import type { News } from "./news.js";

export interface Event extends News {
  /** The same for whoever finds the same again, and of no other event. */
  readonly id: string;
  readonly timeMs: number;
  /** The portal's. */
  readonly key: string;
  readonly about: { readonly portal: Identity; readonly file: string };
}

/** `fact`: what it tells, and what tells that apart from whatever else is told of its portal, ever. */
export interface Told extends Omit<News, "about" | "id"> {
  readonly fact?: readonly Json[];
}

/** 128 bits: by chance, no two are ever the same. */
const DIGITS = 32;

export function eventOf(
  { fact = [], ...news }: Told,
  of: Pick<Event, "about" | "timeMs" | "key">,
): Event {
  const id = digest([of.key, news.kind, ...fact]).slice(0, DIGITS);
  return { ...news, id, ...of };
}
