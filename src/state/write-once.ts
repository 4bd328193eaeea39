// A write whose answer may be lost → the state written once for sure, or the refusal: after each try, what stands there tells.
import type { Failure } from "../failure.js";
import { CallFailure } from "../http/http.js";
import type { Answer } from "../request.js";
import { printState } from "./format.js";
import { conflict, writtenOrNot } from "./refusal.js";
import type { State } from "./state.js";

export const MOST_TRIES = 5;

/** How a try ended: it is written; what stands there is another than was to be replaced; or an answer that leaves that open, or none at all. */
type Sent = "written" | "unmet" | Answer | CallFailure;

interface Writing {
  readonly place: string;
  /** The desired-state file, for messages that name a command. */
  readonly file: string;
  /** The serial that the writer saw. */
  readonly expected: number;
  /** Fails where nothing was sent. */
  readonly send: (text: string) => Promise<Sent>;
  /** What stands there now; fails where it is certain that this write never comes. */
  readonly look: (text: string) => Promise<State | undefined>;
  /** Of an answer after which nothing more is on its way, why it was refused. */
  readonly refusalOf?: (answer: Answer) => Failure | undefined;
  /** Under a lock that keeps everybody else from writing meanwhile; fails with state-lock-lost. */
  readonly assertHeld: () => Promise<void>;
}

export async function writeOnce(
  state: State,
  { place, file, expected, send, look, refusalOf, assertHeld }: Writing,
): Promise<void> {
  const text = printState(state);
  for (let times = 1; ; times++) {
    const sent = await unlessUnsent(() => send(text));
    if (sent === "written") return;
    // A place may answer with an error after it has written, and an answer may be lost on the way.
    const now = await look(text).catch((error: unknown) => {
      throw error instanceof CallFailure ? writtenOrNot(place, file, sent) : error;
    });
    if (now && printState(now) === text) return;
    const found = now?.serial ?? 0;
    if (found !== expected) throw conflict(place, expected, found);
    await assertHeld();
    const isAnswer = sent !== "unmet" && !(sent instanceof CallFailure);
    const refusal = isAnswer ? refusalOf?.(sent) : undefined;
    if (refusal) throw refusal;
    // It may still be on its way; written again it is the same.
    if (times === MOST_TRIES) throw writtenOrNot(place, file, sent);
  }
}

async function unlessUnsent(send: () => Promise<Sent>): Promise<Sent> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof CallFailure && error.sent) return error;
    throw error;
  }
}
