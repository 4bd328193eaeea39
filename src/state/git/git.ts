// A branch in the repository that holds the file → a store of states: one file a portal, and each write a commit that is pushed.
import type { Http } from "../../http/http.js";
import { interrupted } from "../../failure.js";
import type { Io } from "../../io.js";
import { branchAt } from "../../state-address/branch.js";
import { LARGEST_STATE, parseState, printState } from "../format.js";
import * as common from "../refusal.js";
import { openOthers, type Others } from "../others.js";
import type { OwnOrigin } from "../refusal.js";
import type { State } from "../state.js";
import type { Backend, Holder, OwnState, Place, Store } from "../store.js";
import { shellWord } from "../../text.js";
import { assertNext } from "../succession.js";
import { assertNeverThere } from "./absent.js";
import { blob, type Branch, type Entry } from "./branch.js";
import { tryPush } from "./delivery.js";
import { openLease, type Lease } from "./lease.js";
import * as refusal from "./refusal.js";
import { neighboursOn } from "./neighbours.js";
import { openNewest, type Newest } from "./newest.js";
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
  readonly branch: Branch;
  readonly newest: Newest;
  readonly writer: Writer;
  readonly others: Others;
  close(): Promise<void>;
}

type Shared = Map<string, Promise<Opened>>;

/** Files in several folders of a repository share one branch, which their run opens once; a run has one door to the network. */
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
  if (found.checkedOut.includes(name)) throw refusal.checkedOut({ name });
  const key = JSON.stringify([found.folder, found.remote, name]);
  const opening = async (): Promise<Opened> => {
    const workshop = await openWorkshop(found, io);
    const branch = { name, shown, remote: found.remote, workshop };
    const newest = openNewest(branch, io);
    const writer = openWriter(branch, newest, io);
    return {
      branch,
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

function openGitStore({ io, shown, portal, open }: GitStoreOptions): Store {
  const name = `${portal.key}.json`;
  const place = `${shown}/${name}`;
  let opened: Promise<Opened> | undefined;
  let held: Holder | undefined;
  let lease: Lease | undefined;
  let seen: { readonly object: string; readonly state: State } | undefined;
  const there = () => (opened ??= open());

  async function stateIn(branch: Branch, entry: Entry | undefined): Promise<State | undefined> {
    if (!entry) return undefined;
    if (entry.object !== seen?.object) {
      const bytes = await bytesOf(branch, entry, place);
      seen = {
        object: entry.object,
        state: parseState(bytes, { ...originOf(branch, name), portal }),
      };
    }
    return seen.state;
  }

  return {
    place,
    exclusion: async () => "journal",
    async read() {
      const { branch, newest } = await there();
      // Under the lock as of now; elsewhere one look a run is enough.
      const tip = (!held && newest.known()) || (await newest.fresh());
      const entry = tip.files.get(name);
      if (!entry) await assertNeverThere(branch, tip, { name, place, portal });
      return stateIn(branch, entry);
    },
    others: async (isMeant) => (await there()).others(isMeant),
    back: async () => originOf((await there()).branch, name).back,
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
          const before = await stateIn(branch, found);
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

async function bytesOf(branch: Branch, { mode, object, size }: Entry, place: string) {
  if (!mode.startsWith("100") || size === undefined)
    throw refusal.oddEntry(place, mode === "120000" ? "it is a link" : "it is no file");
  if (size > LARGEST_STATE)
    throw refusal.oddEntry(place, `it is larger than ${LARGEST_STATE / 1024 / 1024} MiB`);
  return blob(branch, object);
}

/** Each write is a commit, so that what stood there before is put on top of them again. */
function originOf({ name, shown, remote }: Branch, file: string): OwnOrigin {
  const branch = shown.includes("${") ? "BRANCH" : shellWord(name);
  const word = shellWord(file);
  return {
    place: `${shown}/${file}`,
    back: [
      "Each write to the branch is a commit. Find the newest whose state is whole, put that on top, and push it:",
      `git fetch ${shellWord(remote)} ${branch}`,
      `git log --oneline FETCH_HEAD -- ${word}`,
      "git worktree add --detach ../states FETCH_HEAD",
      `git -C ../states checkout COMMIT -- ${word}`,
      `git -C ../states commit --message "Back to COMMIT [skip ci]"`,
      `git -C ../states push ${shellWord(remote)} HEAD:${branch}`,
      "git worktree remove ../states\nWhere it is not among them, because somebody took commits off the branch, a clone that has fetched it before still knows them:",
      `git reflog show ${branch === "BRANCH" ? `${remote}/BRANCH` : shellWord(`${remote}/${name}`)}`,
    ].join("\n  "),
  };
}
