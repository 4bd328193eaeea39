// A state address → the store behind it. Stores of a run that share an address share what leads there.
import { dirname, resolve } from "node:path";
import type { Place as FilePlace } from "../diagnostic.js";
import { Failure } from "../failure.js";
import { isPipeline, type Io } from "../io.js";
import { folderAt } from "../state-address/folder.js";
import { DEFAULT_STATE, stateKindOf, wrongIn, type StateKind } from "../state-address/kinds.js";
import { withLockAround } from "./adapter.js";
import { checkedStore } from "./checked-store.js";
import { openFileStore } from "./file-store.js";
import { openGitStates } from "./git-store.js";
import { badAddress, fitOf } from "./refusal.js";
import type { StateOwner, StateStore } from "./state-store.js";
import type { Backend, Place, StoresAt } from "./store.js";
import { unlessMoved } from "./unless-moved.js";

type LockingKind = Exclude<StateKind, "file" | "git">;

/** Loaded when an address asks for them. */
const LOCKING: Readonly<Record<LockingKind, () => Promise<Backend>>> = {
  postgres: async () => (await import("./postgres/backend.js")).postgresBackend,
  http: async () => (await import("./http/backend.js")).httpBackend,
  s3: async () => (await import("./s3/backend.js")).s3Backend,
};

export interface StoreOptions extends StateOwner, Pick<Place, "address" | "written"> {
  /** Called with what a person should know, such as whom a write waits for. */
  readonly notice?: ((sentence: string) => void) | undefined;
  /** The line that says the address, where that stands in another file, as a base. */
  readonly said?: Pick<FilePlace, "file" | "line"> | undefined;
  /** Also reads what was moved away, for the command that moves it. */
  readonly mayBeMoved?: boolean;
  /** The address stands in the file, and not on the command line. */
  readonly isFromFile?: boolean;
  /** Also reads what is older or not signed, for the command that accepts or signs it. */
  readonly isUnchecked?: boolean;
}

/** The states of a run, until it ends. */
export interface Stores {
  /** Fails with bad-state-address; opens nothing before it is asked for something. */
  open(options: StoreOptions): StateStore;
  close(): Promise<void>;
}

/** Backends of the caller's own, each in the place of the usual one. */
export type OwnBackends = Partial<Readonly<Record<LockingKind, Backend>>>;

export function openStores({
  own: ownBackends = {},
  onAgeUnknown,
  ...shared
}: Pick<Place, "io" | "http" | "assertAllowed" | "ca"> & {
  readonly own?: OwnBackends;
  /** Called once, where a state stands and this machine has seen none of it before. */
  readonly onAgeUnknown?: ((sentence: string) => void) | undefined;
}): Stores {
  const { io } = shared;
  const places = new Map<string, Promise<StoresAt>>();
  const branches = new Map<string, ReturnType<typeof openGitStates>>();
  let isAgeSaid = false;
  return {
    open,
    async close() {
      for (const branch of branches.values()) await branch.close();
      for (const place of places.values()) {
        // One that could not be opened has failed its caller already.
        const opened = await place.catch(() => undefined);
        await opened?.close();
      }
      places.clear();
      branches.clear();
    },
  };

  function open(options: StoreOptions): StateStore {
    const { mayBeMoved = false, isUnchecked = false, file } = options;
    const ageNotVerified = () => {
      if (!isAgeSaid) onAgeUnknown?.(AGE_NOT_VERIFIED);
      isAgeSaid = true;
    };
    let store = placed(options);
    if (!isUnchecked) store = checkedStore(store, { file, io, mayBeMoved, ageNotVerified });
    return mayBeMoved ? store : unlessMoved(store, options, { io, open });
  }

  async function openPlace(kind: LockingKind, place: Place): Promise<StoresAt> {
    return (ownBackends[kind] ?? (await LOCKING[kind]())).open(place);
  }

  /** The store itself. */
  function placed({ address, written, notice, portal, file }: StoreOptions): StateStore {
    const wrong = wrongIn(address, written);
    if (wrong) throw badAddress(wrong, { address, written });
    const kind = stateKindOf(address) as StateKind;
    const from = resolve(io.cwd, dirname(file));
    const owner = { portal, file };
    if (kind === "file") {
      const folder = resolve(from, fitOf(folderAt(address), { address, written }).path);
      return openFileStore({ ...owner, folder, shown: written ?? folder });
    }
    const key = JSON.stringify([kind === "git" ? from : "", address, written]);
    if (kind === "git") {
      const states = branches.get(key) ?? openGitStates({ io, address, written, from });
      branches.set(key, states);
      return states.storeOf(owner);
    }
    const place = { ...shared, address, written, from };
    const opened = () => {
      const found = places.get(key) ?? openPlace(kind, place);
      places.set(key, found);
      return found;
    };
    const own = { ...owner, notice };
    return withLockAround({
      ...owner,
      io,
      address,
      place: written ?? address,
      notice: notice ?? (() => {}),
      open: async () => (await opened()).storeOf(own),
    });
  }
}

const AGE_NOT_VERIFIED =
  "State age not verified: this machine has not seen this state before. To keep a record between pipeline jobs, set LINTEL_STATE_CACHE to a folder that is kept.";

/**
 * In a pipeline the runner is thrown away with the state beside the file, unless the file says `state: file:…` itself.
 * A plan warns with this, an apply ends with it.
 */
export function notKept(written: string | undefined, env: Io["env"]): Failure | undefined {
  if (written !== undefined || !isPipeline(env)) return undefined;
  return new Failure(
    "state-not-kept",
    'The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline.',
    `Name a place that stays. If this folder is kept between runs, say so:\n  state: ${DEFAULT_STATE}`,
  );
}
