// Opens the store for a state address. Stores of a run with the same address share a connection.
import { dirname, resolve } from "node:path";
import type { Place as FilePlace } from "../diagnostic.js";
import { Failure } from "../failure.js";
import { isPipeline, type Io } from "../io.js";
import { folderAt } from "../state-address/folder.js";
import { DEFAULT_STATE, stateKindOf, wrongIn, type StateKind } from "../state-address/kinds.js";
import { checkedStore } from "./checked-store.js";
import { openFileStore } from "./file-store.js";
import { openGitStates } from "./git-store.js";
import { openHttpStates } from "./http-store.js";
import { openDatabaseStates } from "./postgres-store.js";
import { badAddress, fitOf } from "./refusal.js";
import { openBucketStates } from "./s3-store.js";
import type { Place, StateOwner, StatesAt, StateStore } from "./state-store.js";
import { unlessMoved } from "./unless-moved.js";

const BACKENDS: Readonly<Record<Exclude<StateKind, "file">, (place: Place) => StatesAt>> = {
  git: openGitStates,
  postgres: openDatabaseStates,
  http: openHttpStates,
  s3: openBucketStates,
};

export interface StoreOptions extends StateOwner, Pick<Place, "address" | "written"> {
  /** The line with the address, if it is in another file, such as a base. */
  readonly said?: Pick<FilePlace, "file" | "line"> | undefined;
  /** Also reads a moved state, for the command that moves it. */
  readonly mayBeMoved?: boolean;
  /** Whether the address is from the file, not from the command line. */
  readonly isFromFile?: boolean;
  /** Also reads an older or unsigned state, for the commands that accept or sign it. */
  readonly isUnchecked?: boolean;
}

export interface Stores {
  /** Fails with bad-state-address. Connects only at the first read or write. */
  open(options: StoreOptions): StateStore;
  close(): Promise<void>;
}

export function openStores({
  onAgeUnknown,
  ...shared
}: Pick<Place, "io" | "http" | "assertAllowed" | "ca"> & {
  /** Called once, if a state exists that this machine has never seen. */
  readonly onAgeUnknown?: ((sentence: string) => void) | undefined;
}): Stores {
  const { io } = shared;
  const places = new Map<string, StatesAt>();
  let isAgeSaid = false;
  return {
    open,
    async close() {
      for (const place of places.values()) await place.close();
      places.clear();
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

  function placed({ address, written, notice, portal, file }: StoreOptions): StateStore {
    const wrong = wrongIn(address, written);
    if (wrong) throw badAddress(wrong, { address, written });
    const kind = stateKindOf(address) as StateKind;
    const from = resolve(io.cwd, dirname(file));
    if (kind === "file") {
      const folder = resolve(from, fitOf(folderAt(address), { address, written }).path);
      return openFileStore({ portal, file, folder, shown: written ?? folder });
    }
    const key = JSON.stringify([kind === "git" ? from : "", address, written]);
    const states = places.get(key) ?? BACKENDS[kind]({ ...shared, address, written, from });
    places.set(key, states);
    return states.storeOf({ portal, file, notice });
  }
}

const AGE_NOT_VERIFIED =
  "State age not verified: this machine has not seen this state before. To keep a record between pipeline jobs, set LINTEL_STATE_CACHE to a folder that they keep.";

/**
 * In a pipeline, the runner and its folder are deleted after the job, unless the file sets `state: file:…`. A plan
 * warns with this failure, an apply ends with it.
 */
export function notKept(written: string | undefined, env: Io["env"]): Failure | undefined {
  if (written !== undefined || !isPipeline(env)) return undefined;
  return new Failure(
    "bad-state-address",
    'The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline.',
    `Name a permanent place. If this folder is kept between runs, write:\n  state: ${DEFAULT_STATE}`,
  );
}
