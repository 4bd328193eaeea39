// Wraps a store: refuses a state that was moved, or that the file no longer points at.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { DEFAULT_STATE } from "../state-address/kinds.js";
import { oneLine, shellWord } from "../lib/text.js";
import { movedAway } from "./moved.js";
import type { StoreOptions, Stores } from "./open.js";
import type { State } from "./state.js";
import type { StateStore } from "./state-store.js";

interface Opening extends Pick<Stores, "open"> {
  readonly io: Io;
}

export function unlessMoved(
  store: StateStore,
  options: StoreOptions,
  { io, open }: Opening,
): StateStore {
  const { portal, file, said, address, written: from = address } = options;
  const looking = { subject: portal.key, file, said, io };
  return {
    ...store,
    async read() {
      const stored = await store.read();
      const { state } = stored;
      if (state?.moved) throw movedAway(state.moved, { ...looking, from });
      if (state || from === DEFAULT_STATE) return stored;
      const left = await leftAtDefault(options, open);
      const isUnfinished = left?.moved?.to === from;
      if (left && (isUnfinished || (!left.moved && options.isFromFile))) throw leftBehind(options);
      return stored;
    },
  };
}

/** If there is no state at the address, a run would begin a new one: finds an older one in the default folder. */
async function leftAtDefault(
  { file, portal }: StoreOptions,
  open: Stores["open"],
): Promise<State | undefined> {
  const usual = open({ address: DEFAULT_STATE, file, portal, mayBeMoved: true });
  // An unreadable default folder does not matter to this run.
  return (await usual.read().catch(() => undefined))?.state;
}

/** The address changed but the state was not moved: an apply would overwrite manual changes. */
function leftBehind({ file, address, written = address }: StoreOptions): Failure {
  return new Failure(
    "state-rewound",
    `"${oneLine(file)}" keeps its state at "${oneLine(written)}", where there is none. An earlier state of this portal is still at "${DEFAULT_STATE}".`,
    `Restore the line, then let Lintel move the state:\n  state: ${DEFAULT_STATE}\n  lintel state move ${shellWord(file)} ${shellWord(written)}\nIf you do not need the earlier state, delete it.`,
  );
}
