// A state address → the store behind it; those of a run that share an address share what leads there. Refuses addresses that this version cannot use, and places that would not last.
import { dirname, resolve } from "node:path";
import type { Place as FilePlace } from "../diagnostic.js";
import { Failure } from "../failure.js";
import { isPipeline, type Io } from "../io.js";
import { DEFAULT_STATE, stateKindOf, wrongIn, type StateKind } from "../state-address/kinds.js";
import { fileBackend } from "./file/backend.js";
import { guarded } from "./trust/guarded.js";
import { openWarnings } from "./trust/highest.js";
import { unlessMoved } from "./unless-moved.js";
import { badAddress, canLock, lockLost } from "./refusal.js";
import type { Backend, OwnState, Place, Store, StoresAt } from "./store.js";

/** Loaded when an address asks for them; the usual one is there at once. */
const BACKENDS: Readonly<Record<StateKind, () => Promise<Backend>>> = {
  file: async () => fileBackend,
  git: async () => (await import("./git/git.js")).gitBackend,
  postgres: async () => (await import("./postgres/backend.js")).postgresBackend,
  http: async () => (await import("./http/backend.js")).httpBackend,
  s3: async () => (await import("./s3/backend.js")).s3Backend,
};

export interface StoreOptions extends OwnState, Pick<Place, "address" | "written"> {
  /** The line that says the address, where that stands in another file, as a base. */
  readonly said?: Pick<FilePlace, "file" | "line"> | undefined;
  /** Gives also what was moved away: for those who move it. */
  readonly mayBeMoved?: boolean;
  /** The address stands in the file, and not on the command line. */
  readonly isFromFile?: boolean;
  /** Also what nobody has signed, for those who look at it before they sign it; what is written is then not signed by itself. */
  readonly isUnguarded?: boolean;
}

/** The states of a run, until it ends. */
export interface Stores {
  /** Fails with bad-state-address; opens nothing before it is asked for something. */
  open(options: StoreOptions): Store;
  close(): Promise<void>;
}

/** Backends of the caller's own, each in the place of the usual one. */
export type OwnBackends = Partial<Readonly<Record<StateKind, Backend>>>;

export function openStores({
  isUnlocked = false,
  own: ownBackends = {},
  ...shared
}: Pick<Place, "io" | "http" | "assertAllowed" | "ca"> &
  Partial<Pick<Place, "isUnlocked">> & { readonly own?: OwnBackends }): Stores {
  const places = new Map<string, Promise<StoresAt>>();
  const warn = openWarnings(shared.io);
  const folders = new Map<string, StoresAt>();
  return {
    open,
    async close() {
      for (const place of places.values()) {
        // One that could not be opened has told so already.
        const opened = await place.catch(() => undefined);
        await opened?.close();
      }
      places.clear();
    },
  };

  function open({ mayBeMoved = false, isUnguarded = false, ...options }: StoreOptions): Store {
    const { io } = shared;
    // Of the two places of a move, one may be able to lock.
    const kind = isUnlocked && !mayBeMoved ? stateKindOf(options.address) : undefined;
    if (kind && kind !== "http") throw canLock(kind);
    let store = placed(options);
    if (!isUnguarded) store = guarded(store, options, { io, mayBeMoved, warn });
    return mayBeMoved ? store : unlessMoved(store, options, { io, open });
  }

  async function backendOf(kind: StateKind): Promise<Backend> {
    return ownBackends[kind] ?? BACKENDS[kind]();
  }

  /** The store itself, whose backend is loaded when it is asked for something. */
  function placed({ address, written, ...own }: StoreOptions): Store {
    const wrong = wrongIn(address, written);
    if (wrong) throw badAddress(wrong, { address, written });
    const kind = stateKindOf(address) as StateKind;
    const from = resolve(shared.io.cwd, dirname(own.file));
    const place = { ...shared, address, written, from, isUnlocked };
    // Elsewhere than on this machine's disk, files of all folders share what leads to one address.
    const key = JSON.stringify([kind === "file" || kind === "git" ? from : "", address, written]);
    if (kind === "file") {
      const folder = folders.get(key) ?? fileBackend.open(place);
      folders.set(key, folder);
      return folder.storeOf(own);
    }
    const opened = () => {
      const known = places.get(key) ?? backendOf(kind).then((backend) => backend.open(place));
      places.set(key, known);
      return known;
    };
    return whenAsked(written ?? address, own, async () => (await opened()).storeOf(own));
  }
}

/** A store whose backend is loaded at its first use. */
function whenAsked(place: string, { portal }: OwnState, load: () => Promise<Store>): Store {
  let loaded: Store | undefined;
  let loading: Promise<Store> | undefined;
  const store = async () => (loaded ??= await (loading ??= load()));
  return {
    place,
    read: async (asOf) => (await store()).read(asOf),
    trace: async () => (await store()).trace?.(),
    exclusion: async () => (await store()).exclusion(),
    holder: async () => (await store()).holder(),
    others: async (ownKey) => (await store()).others(ownKey),
    back: async () => (await store()).back(),
    memoryKey: async () => (await store()).memoryKey?.(),
    earlier: async function* (state) {
      yield* (await store()).earlier?.(state) ?? [];
    },
    write: async (state, expected) => (await store()).write(state, expected),
    tryOut: async () => (await store()).tryOut?.(),
    lock: async (holder, options) => (await store()).lock(holder, options),
    assertLeased: () => {
      if (!loaded) throw lockLost(portal.key);
      loaded.assertLeased();
    },
    unlock: async (holder) => (await store()).unlock(holder),
    forceUnlock: async (by) => (await store()).forceUnlock(by),
  };
}

/**
 * In a pipeline the runner is thrown away, and a state beside the file with it, unless somebody has seen to it: then
 * the file says so. A plan warns with this, an apply ends with it.
 */
export function notKept(written: string | undefined, env: Io["env"]): Failure | undefined {
  if (written !== undefined || !isPipeline(env)) return undefined;
  return new Failure(
    "state-not-kept",
    'The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline.',
    `Name a place that stays. If this folder is kept between runs, say so:\n  state: ${DEFAULT_STATE}`,
  );
}
