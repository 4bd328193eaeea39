// A branch in the repository that holds the file → a store of states: one file a portal, and each write a commit that is pushed.
import type { Http } from "../../http/http.js";
import { interrupted } from "../../failure.js";
import type { Io } from "../../io.js";
import { branchAt } from "../../state-address/branch.js";
import { printState } from "../format.js";
import * as common from "../refusal.js";
import { openOthers, type Others } from "../others.js";
import type { Backend, Holder, OwnState, Place, Store } from "../store.js";
import { assertNext } from "../succession.js";
import type { Branch } from "./branch.js";
import { tryPush } from "./delivery.js";
import { fetchedOf, type Fetched } from "./reading/fetched.js";
import { openLease, type Lease } from "./lease.js";
import * as refusal from "./refusal.js";
import { neighboursOn } from "./neighbours.js";
import { openNewest, type Newest } from "./newest.js";
import { openReading, originOf } from "./reading/reading.js";
import { findRepository, openWorkshop } from "./repository.js";
import { openWriter, type Writer } from "./writer.js";

// An open journal is what keeps others out: a lock of its own would cost two pushes more, and platforms take a few a
// minute. Whoever pushes first has won, and whoever comes second is refused by the remote, since each push says what it
// goes on from.
export const gitBackend: Backend = {
  exclusion: "journal",
  deadLock: "ends-by-itself",
  open(place) {
    const shown = place.written ?? place.address;
    const found = common.fitOf(branchAt(place.address), place);
    const shared = sharedBy(place.http);
    let opened: Promise<Opened> | undefined;
    // Once for all portals of the folder.
    const openFor = (file: string) =>
      (opened ??= openOnce(place, { ...found, shown, file }, shared).catch((error: unknown) => {
        opened = undefined;
        throw error;
      }));
    return {
      storeOf: (own) =>
        openGitStore({
          ...own,
          io: place.io,
          shown,
          open: () => openFor(own.file),
        }),
      async close() {
        const all = [...shared.values()];
        shared.clear();
        for (const each of all) {
          // One that could not be opened has told so already.
          const opened = await each.catch(() => undefined);
          await opened?.close();
        }
      },
    };
  },
};

interface Opened {
  /** The same in every clone of the remote. */
  readonly memoryKey: string;
  readonly branch: Branch;
  readonly fetched: Fetched;
  readonly newest: Newest;
  readonly writer: Writer;
  readonly others: Others;
  close(): Promise<void>;
}

type Shared = Map<string, Promise<Opened>>;

/** Files in several folders of a repository share one branch, which their run opens once; a run has one HTTP client. */
const runs = new WeakMap<Http, Shared>();

function sharedBy(run: Http): Shared {
  const known = runs.get(run) ?? new Map<string, Promise<Opened>>();
  runs.set(run, known);
  return known;
}

interface Wanted extends Pick<Branch, "name" | "shown"> {
  readonly remote: string | undefined;
  readonly file: string;
}

async function openOnce({ io, from }: Place, wanted: Wanted, shared: Shared): Promise<Opened> {
  const { name, shown } = wanted;
  const found = await findRepository(from, wanted, io);
  const key = JSON.stringify([found.repository.folder, found.remote, name]);
  const opening = async (): Promise<Opened> => {
    const workshop = await openWorkshop(found, io);
    const branch = { name, shown, remote: found.remote, workshop };
    const newest = openNewest(branch, io);
    const writer = openWriter(branch, newest, io);
    return {
      memoryKey: `${found.address} ${name}`,
      branch,
      fetched: await fetchedOf(branch),
      newest,
      writer,
      others: openOthers(neighboursOn(branch, newest)),
      close: async () => {
        await writer.idle();
        await workshop.close();
      },
    };
  };
  const opened = shared.get(key) ?? opening();
  shared.set(key, opened);
  return opened;
}

interface GitStoreOptions extends OwnState {
  readonly io: Io;
  readonly shown: string;
  readonly open: () => Promise<Opened>;
}

function openGitStore({ io, shown, portal, file, open }: GitStoreOptions): Store {
  const name = `${portal.key}.json`;
  const place = `${shown}/${name}`;
  let opened: Promise<Opened> | undefined;
  let held: Holder | undefined;
  let lease: Lease | undefined;
  const there = () => (opened ??= open());
  const reading = openReading({ name, place, portal, file });

  return {
    place,
    exclusion: async () => "journal",
    async read(asOf) {
      const { branch, fetched, newest } = await there();
      // Under the lock as of now; elsewhere one look a run is enough.
      const tip = (!held && asOf !== "now" && newest.known()) || (await newest.fresh());
      return reading.stateOn({ branch, fetched }, tip);
    },
    trace: async () => reading.trace(await there()),
    others: async (ownKey) => (await there()).others(ownKey),
    back: async () => originOf((await there()).branch, name).back,
    memoryKey: async () => `${(await there()).memoryKey}/${name}`,
    // Nobody holds what keeps nobody out.
    holder: async () => undefined,
    forceUnlock: async () => undefined,

    async write(state, expected) {
      const holder = held;
      if (!holder) throw common.lockLost(portal.key);
      const { branch, writer } = await there();
      let text: string | undefined;
      const began = await writer.write({
        name,
        async over(found) {
          const before = await reading.stateIn(branch, found);
          assertNext(state, { place, portal, stored: before, expected });
          text ??= printState(state);
          return { text, key: portal.key, before, after: state, holder };
        },
      });
      lease = state.journal && openLease(io, began);
      // What follows a write is often another one.
      if (held) writer.join(name);
    },

    tryOut: async () => tryPush(await there()),
    async lock(holder) {
      if (io.signal.aborted) throw interrupted();
      const { writer } = await there();
      held = holder;
      writer.join(name);
    },
    assertLeased() {
      if (!held || !lease) throw common.lockLost(portal.key);
      const overMs = lease.overForMs();
      if (overMs !== undefined) throw refusal.tooLate(portal.key, overMs);
    },
    async unlock(holder) {
      if (held?.id !== holder.id) throw common.lockLost(portal.key);
      held = undefined;
      lease = undefined;
      (await there()).writer.leave(name);
    },
  };
}
