// A portal that somebody looks at on the page → what its state remembers, read when it is asked for; many who ask at once share one look.
import { caught, type Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { resolveFile, resolvePortal } from "../../apply/portal-context.js";
import type { State } from "../../state/state.js";
import type { Rounds } from "../rounds.js";
import type { Seen } from "./board.js";

export interface Remembered {
  /** Absent where nothing was ever applied, and where it cannot be read. */
  readonly state?: State | undefined;
  readonly failure?: Pick<Failure, "code" | "message" | "help">;
}

/** From the state alone: no portal is asked. Never rejects. */
export type Remember = (seen: Pick<Seen, "file" | "key">) => Promise<Remembered>;

export function rememberWith(io: Io, rounds: Pick<Rounds, "within">): Remember {
  return async ({ file }) => {
    try {
      const { value, failure } = await rounds.within((contextAt) =>
        resolveFile({ ...contextAt(io.now()), isOnline: false }, file, resolvePortal),
      );
      if (failure) return { failure };
      return { state: (await value?.store.read())?.state };
    } catch (error) {
      return { failure: caught(error, io) };
    }
  };
}

/** A state holds all that its history remembers, and there may be thousands. */
const MOST_AT_ONCE = 8;

export function openReading(remember: Remember): Remember {
  const underWay = new Map<string, Promise<Remembered>>();
  const waiting: (() => void)[] = [];
  let reading = 0;

  async function read(seen: Parameters<Remember>[0]): Promise<Remembered> {
    if (reading >= MOST_AT_ONCE) await new Promise<void>((turn) => waiting.push(turn));
    reading++;
    try {
      return await remember(seen);
    } finally {
      reading--;
      underWay.delete(seen.key);
      waiting.shift()?.();
    }
  }

  return (seen) => {
    const known = underWay.get(seen.key);
    if (known) return known;
    const asked = read(seen);
    underWay.set(seen.key, asked);
    return asked;
  };
}
