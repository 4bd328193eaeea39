// Wraps a store: refuses a state that was moved away, or that the file no longer points at, with a word on where it is.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { DEFAULT_STATE } from "../state-address/kinds.js";
import { oneLine, shellWord } from "../lib/text.js";
import { arrivalOf, lookableAt, movedAway } from "./moved.js";
import type { StoreOptions, Stores } from "./open.js";
import type { Moved, State } from "./state.js";
import type { StateStore } from "./state-store.js";

interface Opening extends Pick<Stores, "open"> {
  readonly io: Io;
}

interface Mark {
  readonly mark: State;
  /** Where it stands, as a file writes it. */
  readonly from: string;
}

export function unlessMoved(
  store: StateStore,
  options: StoreOptions,
  opening: Opening,
): StateStore {
  return {
    ...store,
    async read() {
      const stored = await store.read();
      const { state } = stored;
      const { address, written: from = address } = options;
      const found = state ? { mark: state, from } : await leftAtDefault(options, opening);
      if (found?.mark.moved) throw await awayOf(found, found.mark.moved, options, opening);
      if (!state && found && options.isFromFile) throw leftBehind(found.from, options);
      return stored;
    },
  };
}

/** Nothing stands at the address, so that a run would begin a new state: whether one of this portal is in the default folder. */
async function leftAtDefault(options: StoreOptions, { open }: Opening): Promise<Mark | undefined> {
  const { portal, file, address, written = address } = options;
  if (written === DEFAULT_STATE) return undefined;
  const usual = open({ address: DEFAULT_STATE, file, portal, mayBeMoved: true });
  // What cannot be read there is none of this run's business.
  const stored = await usual.read().catch(() => undefined);
  const mark = stored?.state;
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
  found: Mark,
  moved: Moved,
  options: StoreOptions,
  { io, open }: Opening,
): Promise<Failure> {
  const { portal, file, said } = options;
  const to = lookableAt(moved, { key: portal.key, file, io });
  const looking = { subject: portal.key, file, from: found.from, said, io };
  if (to === undefined) return movedAway(moved, looking);
  try {
    const { state } = await open({ address: to, file, portal, mayBeMoved: true }).read();
    return movedAway(moved, looking, arrivalOf(found.mark, state));
  } catch {
    // What keeps this run from looking is for whoever goes on there.
    return movedAway(moved, looking);
  }
}
