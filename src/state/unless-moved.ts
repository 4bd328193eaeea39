// A store → the same for whoever would go on with its state: what was moved away, or never arrived, is refused by a word on where it is.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { DEFAULT_STATE } from "../state-address/kinds.js";
import { oneLine, shellWord } from "../lib/text.js";
import { arrivalOf, lookableAt, movedAway } from "./moved.js";
import type { StoreOptions, Stores } from "./open.js";
import type { Moved } from "./state.js";
import type { Store, Trace } from "./store.js";

interface Opening extends Pick<Stores, "open"> {
  readonly io: Io;
}

/** Whoever would go on with a state that has moved away is told where it is. */
export function unlessMoved(store: Store, options: StoreOptions, opening: Opening): Store {
  return {
    ...store,
    async read(asOf) {
      const state = await store.read(asOf);
      const { address, written: from = address } = options;
      const trace = state ? { mark: state, from } : await traceOf(store, options, opening);
      if (trace?.mark.moved) throw await awayOf(trace, trace.mark.moved, options, opening);
      if (!state && trace && options.isFromFile) throw leftBehind(trace.from, options);
      return state;
    },
  };
}

/** Nothing stands there, so that a run would begin anew: whether a state went from there, or never arrived. */
async function traceOf(
  store: Store,
  options: StoreOptions,
  { open }: Opening,
): Promise<Trace | undefined> {
  const { portal, file, address, written = address } = options;
  const found = await store.trace?.();
  if (found || written === DEFAULT_STATE) return found;
  const usual = open({ address: DEFAULT_STATE, file, portal, mayBeMoved: true });
  // What cannot be understood there is none of this run's business.
  const mark = await usual.read().catch(() => undefined);
  const isAboutThis = mark && (!mark.moved || mark.moved.to === written);
  return isAboutThis ? { mark, from: DEFAULT_STATE } : undefined;
}

/** The address was changed and the state was not moved: an apply would overwrite manual changes unseen. */
function leftBehind(from: string, { file, address, written = address }: StoreOptions): Failure {
  return new Failure(
    "state-rewound",
    `"${oneLine(file)}" keeps its state at "${oneLine(written)}", where there is none. An earlier state of this portal is still at "${from}".`,
    `Move it:\n  lintel state move ${shellWord(file)} ${from} ${shellWord(written)}\nIf you do not need it, delete it.`,
  );
}

async function awayOf(
  trace: Trace,
  mark: Moved,
  options: StoreOptions,
  { io, open }: Opening,
): Promise<Failure> {
  const { portal, file, said } = options;
  const to = lookableAt(mark, { key: portal.key, file, io });
  const looking = { subject: portal.key, file, from: trace.from, said, io };
  if (to === undefined) return movedAway(mark, looking);
  try {
    const found = await open({ address: to, file, portal, mayBeMoved: true }).read();
    return movedAway(mark, looking, arrivalOf(trace.mark, found));
  } catch {
    // What keeps this run from looking is for whoever goes on there.
    return movedAway(mark, looking);
  }
}
