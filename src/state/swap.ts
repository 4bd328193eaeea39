// One write at a place whose answers may be lost: what stands there afterwards tells what became of it.
import { randomUUID } from "node:crypto";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { backOffMs } from "../lib/retry.js";
import { shellWord } from "../lib/text.js";
import { printState } from "./format.js";
import type { State } from "./state.js";
import { StateConflict, UnclearWrite, type Version } from "./state-store.js";

/** What stands at the place, as a text. */
export interface StoredText {
  readonly text: string;
  readonly version: Version;
}

/** How a try ended: it is written; another version stands there; or nobody knows, and why. */
export type Sent = { readonly version: Version } | "conflict" | { readonly unclear: Failure };

interface Swap {
  readonly io: Io;
  readonly place: string;
  /** The desired-state file, for messages that name a command. */
  readonly file: string;
  /** Puts the text in the place of the version, or nothing. Throws where surely nothing was written. */
  readonly send: (text: string) => Promise<Sent>;
  readonly look: () => Promise<StoredText | undefined>;
  readonly print?: typeof printState;
}

const MOST_TRIES = 5;
const PAUSE = { leastMs: 100, mostMs: 2_000 };
const NEVER = new AbortController().signal;

/**
 * The text carries an id of its own, so that to find it there means success. Sent again it is the same write: one that
 * is still on its way and this one cannot both replace the version.
 */
export async function swap(
  state: State,
  version: Version | undefined,
  { io, place, file, send, look, print = printState }: Swap,
): Promise<Version> {
  const text = print(state, randomUUID());
  let unclear: Failure | undefined;
  /** Once a try was unclear, what keeps the next one from its place does not tell what became of the first. */
  const unknown = (error: unknown) => {
    throw unclear ? writtenOrNot(place, file, unclear) : error;
  };
  for (let times = 1; ; times++) {
    const sent = await send(text).catch(unknown);
    if (sent !== "conflict" && "version" in sent) return sent.version;
    if (sent !== "conflict") ({ unclear } = sent);
    const now = await look().catch(unknown);
    if (now?.text === text) return now.version;
    if (now?.version !== version) throw new StateConflict(place);
    if (times === MOST_TRIES) return unknown(new StateConflict(place));
    await io.sleep(backOffMs(times, PAUSE, io.random()), NEVER);
  }
}

/** The answer to a write was lost, and so was the way to look. */
function writtenOrNot(place: string, file: string, why: Failure): Failure {
  return new UnclearWrite(
    "state-not-writable",
    `It is unknown whether the state "${place}" was written. ${why.message}`,
    `When the place answers again, check what it holds:\n  lintel state show ${shellWord(file)}`,
    { cause: why },
  );
}
