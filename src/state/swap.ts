// Writes a state once to a place whose answers may be lost, and finds the outcome by reading.
import { randomUUID } from "node:crypto";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { backOffMs } from "../lib/retry.js";
import { shellWord } from "../lib/text.js";
import { printState } from "./format.js";
import type { State } from "./state.js";
import { StateConflict, UnclearWrite, type Version } from "./state-store.js";

export interface StoredText {
  readonly text: string;
  readonly version: Version;
}

/** How an attempt ended: written, another version is there, or unknown, with the reason. */
export type Sent = { readonly version: Version } | "conflict" | { readonly unclear: Failure };

interface Swap {
  readonly io: Io;
  readonly place: string;
  /** The desired-state file, for commands in messages. */
  readonly file: string;
  /** Replaces the version with the text, or changes nothing. Throws if certainly nothing was written. */
  readonly send: (text: string) => Promise<Sent>;
  readonly look: () => Promise<StoredText | undefined>;
  readonly print?: typeof printState;
}

const MOST_TRIES = 5;
const PAUSE = { leastMs: 100, mostMs: 2_000 };
const NEVER = new AbortController().signal;

/**
 * The text contains an id, so finding it means success. A repeated attempt is the same write: it and a delayed earlier
 * one cannot both replace the version.
 */
export async function swap(
  state: State,
  version: Version | undefined,
  { io, place, file, send, look, print = printState }: Swap,
): Promise<Version> {
  const text = print(state, randomUUID());
  let unclear: Failure | undefined;
  /** After an unclear attempt, the refusal of the next one says nothing about the first. */
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

/** The answer to a write was lost, and the place cannot be read. */
function writtenOrNot(place: string, file: string, why: Failure): Failure {
  return new UnclearWrite(
    "state-not-writable",
    `It is unknown whether the state "${place}" was written. ${why.message}`,
    `When the place answers again, check the state:\n  lintel state show ${shellWord(file)}`,
    { cause: why },
  );
}
