// Keeps states on a branch: one file for each portal. Each write is a commit whose push fails if another run pushed first.
import { Failure } from "../failure.js";
import { systemUser, type Io } from "../io.js";
import { isEqual } from "../lib/json.js";
import { backOffMs, type BackOff } from "../lib/retry.js";
import { counted, shellWord, showForeign } from "../lib/text.js";
import { isSent } from "../settings.js";
import { branchAt, type BranchAddress } from "../state-address/branch.js";
import { LARGEST_STATE, parseState, printState } from "./format.js";
import * as git from "./git-branch.js";
import type { Branch, Tip } from "./git-branch.js";
import { hintFor } from "./place-refusal.js";
import { fitOf } from "./refusal.js";
import type { Author, State } from "./state.js";
import {
  StateConflict,
  UnclearWrite,
  type Place,
  type StateOwner,
  type StatesAt,
  type StateStore,
  type Stored,
  type Version,
} from "./state-store.js";

/** The states on one branch. All stores of a run on that branch share its fetches and pushes. */
export function openGitStates(place: Pick<Place, "io" | "address" | "written" | "from">): StatesAt {
  const { io, address, written: shown = address, from } = place;
  const found = fitOf(branchAt(address), place);
  let opening: Promise<SharedBranch> | undefined;
  async function open(file: string): Promise<SharedBranch> {
    try {
      opening ??= git
        .openBranch({ ...found, shown, from, file }, io)
        .then((branch) => new SharedBranch(branch, io));
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }
  return {
    storeOf: (owner) => openGitStore(owner, { io, shown, found, open: () => open(owner.file) }),
    async close() {
      // A branch that could not be opened has already failed.
      const opened = await opening?.catch(() => undefined);
      await opened?.idle();
    },
  };
}

interface Opening {
  readonly io: Io;
  readonly shown: string;
  readonly found: BranchAddress;
  readonly open: () => Promise<SharedBranch>;
}

function openGitStore({ portal }: StateOwner, { io, shown, found, open }: Opening): StateStore {
  const name = `${portal.key}.json`;
  const place = `${shown}/${name}`;
  let remote = found.remote ?? "origin";
  let isFirst = true;
  let last: Stored | undefined;

  /** Returns the tip if the branch can keep this state. */
  async function look(isShared: boolean) {
    const shared = await open();
    ({ remote } = shared.branch);
    const tip = await shared.tip(isShared);
    const refused = await refusalIn(shared.branch, tip, name, place);
    if (refused) throw refused;
    return { branch: shared.branch, tip };
  }

  const store: StateStore = {
    place,
    recovery() {
      return recoveryOf(found.name, remote, { file: name, isHidden: shown.includes("${") });
    },
    async read() {
      const isShared = isFirst;
      isFirst = false;
      const { branch, tip } = await look(isShared);
      const version = tip.files.get(name)?.object;
      if (version === undefined) return { state: undefined, version };
      const bytes = await git.readBlob(branch, version, io.signal);
      if (bytes.length > LARGEST_STATE) {
        throw oddEntry(place, `larger than ${LARGEST_STATE / 1024 / 1024} MiB`);
      }
      const state = parseState(bytes, { place, portal, recovery: store.recovery() });
      return (last = { state, version });
    },
    async write(state, version) {
      // A fetch from before the write does not show its outcome.
      isFirst = false;
      const shared = await open();
      const object = await git.writeBlob(shared.branch, printState(state));
      const before = version !== undefined && last?.version === version ? last.state : undefined;
      const note = noteOf(state, before, io);
      await shared.write({ name, place, key: portal.key, version, object, note });
      last = { state, version: object };
      return object;
    },
    async memoryName() {
      const { branch } = await open();
      return `git ${branch.url} ${branch.name} ${portal.key}`;
    },
    async probe() {
      const { branch, tip } = await look(false);
      const empty = { blobs: new Map<string, string>(), message: "probe", author: authorOf(io) };
      const commit = await git.commitOn(branch, tip, empty);
      const pushed = await git.push(branch, tip, commit, { isDry: true });
      // A dry run is rejected if another run pushed meanwhile. Then this one may push too.
      if (!pushed.isTaken && !pushed.isRejected) throw await git.notPushed(branch, pushed);
    },
  };
  return store;
}

/** Each write is a commit, so another commit restores an earlier state. */
function recoveryOf(
  name: string,
  remote: string,
  { file, isHidden }: { readonly file: string; readonly isHidden: boolean },
): string {
  // The values of references are never shown.
  const branch = isHidden ? "BRANCH" : name;
  const [branchWord, remoteWord, path] = [branch, remote, file].map(shellWord);
  return [
    "Each write is a commit on the branch. Find the newest one with a complete state, and push it again:",
    `git fetch ${remoteWord} ${branchWord}`,
    `git log --oneline FETCH_HEAD -- ${path}`,
    "git worktree add --detach ../states FETCH_HEAD",
    `git -C ../states checkout COMMIT -- ${path}`,
    'git -C ../states commit --message "Back to COMMIT [skip ci]"',
    `git -C ../states push ${remoteWord} HEAD:${branchWord}`,
    "git worktree remove ../states\nIf the branch was deleted or reset, push the newest commit in this clone:",
    `git reflog show ${git.ownRefOf(remote, branch)}`,
    `git push ${remoteWord} COMMIT:refs/heads/${branchWord}`,
  ].join("\n  ");
}

interface Write {
  readonly name: string;
  readonly place: string;
  readonly key: string;
  readonly version: Version | undefined;
  readonly object: string;
  readonly note: Note;
}

interface Waiting extends Write {
  readonly endMs: number;
  readonly done: () => void;
  readonly fail: (why: unknown) => void;
}

/** The longest time for which a write gives way to writes for other portals. */
const LONGEST_MS = 120_000;
const RACE = { leastMs: 100, mostMs: 2_000 };
const MOST_TRIES = 4;
const LOST = { leastMs: 1_000, mostMs: 8_000 };

/** The fetches and pushes of all stores of a run on one branch. */
class SharedBranch {
  readonly branch: Branch;
  readonly #io: Io;
  /** As of the last fetch or push. */
  #known: Tip | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #nextLook: Promise<Tip> | undefined;
  #queue: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(branch: Branch, io: Io) {
    this.branch = branch;
    this.#io = io;
  }

  /** The known tip if that is enough; else a fetch that all callers share until it begins. */
  async tip(isShared: boolean): Promise<Tip> {
    if (isShared && this.#known) return this.#known;
    this.#nextLook ??= this.#looking.then(() => {
      const look = this.#look(this.#io.signal);
      this.#nextLook = undefined;
      this.#looking = look.catch(() => {});
      return look;
    });
    return this.#nextLook;
  }

  /** Returns once the write is in the branch. */
  write(write: Write): Promise<void> {
    return new Promise((done, fail) => {
      const endMs = this.#io.machine.elapsedMs() + LONGEST_MS;
      this.#queue.push({ ...write, endMs, done, fail });
      this.#writing ??= this.#drain();
    });
  }

  async idle(): Promise<void> {
    await this.#writing;
    await this.#looking;
  }

  async #look(signal?: AbortSignal): Promise<Tip> {
    this.#known = await git.lookAt(this.branch, this.#known, signal);
    return this.#known;
  }

  /** Writes that arrive during a push are part of the next one. */
  async #drain(): Promise<void> {
    // Collects all writes that arrive at the same time.
    await Promise.resolve();
    for (let batch = this.#take([]); batch.length > 0; batch = this.#take([])) {
      await this.#deliver(batch);
    }
    this.#writing = undefined;
  }

  /** One write for each file. A later one for the same file is compared with the result of the first. */
  #take(already: readonly Waiting[]): Waiting[] {
    const batch = [...already];
    for (const each of this.#queue) {
      if (batch.every(({ name }) => name !== each.name)) batch.push(each);
    }
    this.#queue = this.#queue.filter((each) => !batch.includes(each));
    return batch;
  }

  async #deliver(batch: Waiting[]): Promise<void> {
    const { branch } = this;
    let left = batch;
    try {
      for (let races = 1; ; races++) {
        const tip = await this.#tipFor(left);
        left = await this.#fitting(left, tip);
        const [first] = left;
        if (!first) return;
        const blobs = new Map(left.map(({ name, object }) => [name, object]));
        const made = { blobs, message: messageOf(left), author: first.note.by };
        if (await this.#insist(tip, await git.commitOn(branch, tip, made))) {
          for (const { done } of left) done();
          return;
        }
        await this.#rest(races, RACE);
        left = this.#take(left);
      }
    } catch (error) {
      for (const { fail } of left) fail(error);
    }
  }

  /** The known tip if it fits. The push shows whether it is the newest. */
  async #tipFor(writes: readonly Waiting[]): Promise<Tip> {
    const known = this.#known;
    const fits = known && writes.every((each) => each.version === objectOf(known, each.name));
    return fits ? known : this.#lookInsisting();
  }

  /** Returns the writes whose version matches; the others fail. */
  async #fitting(writes: readonly Waiting[], tip: Tip): Promise<Waiting[]> {
    const fit: Waiting[] = [];
    for (const write of writes) {
      const { name, place, version, fail, endMs } = write;
      const refused = await refusalIn(this.branch, tip, name, place);
      if (refused) fail(refused);
      else if (objectOf(tip, name) !== version) fail(new StateConflict(place));
      else if (this.#io.machine.elapsedMs() > endMs) fail(crowded(this.branch));
      else fit.push(write);
    }
    return fit;
  }

  /** Pushes the same commit until its outcome is certain. Returns false if another run pushed first. */
  async #insist(tip: Tip, commit: Tip): Promise<boolean> {
    const { branch } = this;
    for (let tries = 1; ; tries++) {
      const pushed = await git.push(branch, tip, commit);
      if (pushed.isTaken) {
        this.#known = commit;
        return true;
      }
      const now = await this.#lookInsisting().catch(async (error: unknown) => {
        throw pushed.isRejected ? error : unknownEnd(branch, await git.notPushed(branch, pushed));
      });
      // Also checked after a refusal, because git itself repeats a push after a lost connection.
      if (await git.contains(branch, now, commit)) return true;
      if (now.commit !== tip.commit) return false;
      if (tries >= MOST_TRIES) throw await git.notPushed(branch, pushed);
      await this.#rest(tries, pushed.isRejected ? RACE : LOST);
    }
  }

  async #lookInsisting(): Promise<Tip> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#look();
      } catch (error) {
        const isLost = error instanceof Failure && error.code === "state-not-readable";
        if (!isLost || tries >= MOST_TRIES) throw error;
        await this.#rest(tries, LOST);
      }
    }
  }

  /** An interrupt ends no write, because an update that a portal took must be recorded. */
  #rest(failures: number, how: BackOff): Promise<void> {
    const ms = backOffMs(failures, how, this.#io.random());
    return this.#io.sleep(ms, new AbortController().signal);
  }
}

function objectOf(tip: Tip | undefined, name: string): string | undefined {
  return tip?.files.get(name)?.object;
}

function crowded({ shown }: Branch): Failure {
  return new Failure(
    "state-not-writable",
    `The state "${shown}" cannot be written: other runs pushed first for two minutes.`,
    "Run the command again when fewer runs write to the branch.",
  );
}

function unknownEnd({ remote }: Branch, { message }: Failure): Failure {
  return new UnclearWrite(
    "state-not-writable",
    `It is unknown whether "${remote}" accepted the push. ${message}`,
    "Check the state when the remote is reachable:\n  lintel status",
  );
}

function oddEntry(place: string, why: string): Failure {
  return new Failure(
    "state-not-readable",
    `The state "${place}" cannot be read: the entry is ${why}.`,
    "Lintel does not create such an entry. Remove it from the branch.",
  );
}

/** For an entry that is not a file, or a branch with other content. */
async function refusalIn(branch: Branch, tip: Tip, name: string, place: string) {
  const entry = tip.files.get(name);
  if (!entry) return foreignIn(branch, tip);
  if (entry.mode.startsWith("100")) return undefined;
  return oddEntry(place, entry.mode === "120000" ? "a link" : "no file");
}

/** The refusal of a branch with unrelated files, unless one of them is a state. */
async function foreignIn(branch: Branch, { files }: Tip): Promise<Failure | undefined> {
  const others = [...files].filter(([name]) => !/^(readme(\..*)?|\.git\w+)$/i.test(name));
  for (const [name, { mode, object }] of others) {
    if (!name.endsWith(".json") || !mode.startsWith("100")) continue;
    const text = (await git.readBlob(branch, object)).toString("latin1");
    // Matches damaged states too, and those with conflict markers.
    if (text.includes('"format"') && text.includes('"lineage"')) return undefined;
  }
  const [odd] = others.map(([name]) => Buffer.from(name, "latin1").toString("utf8"));
  if (odd === undefined) return undefined;
  return new Failure(
    "bad-state-address",
    `The branch "${branch.name}" contains other files, such as "${showForeign(odd, [], 100)}", and no state. It cannot keep states.`,
    hintFor("git", "not-ours"),
  );
}

interface Note {
  readonly serial: number;
  readonly verb: string;
  readonly changes: number;
  readonly by: Pick<Author, "actor" | "host" | "job">;
}

/** Describes the write: a journal that opens or is withdrawn, or the new entry in the history. */
function noteOf(state: State, before: State | undefined, io: Io): Note {
  const { serial, journal, history } = state;
  const known = before?.history.at(-1) ?? null;
  const at = before ? history.findLastIndex((each) => isEqual(each, known)) : history.length - 2;
  const isNew = before !== undefined || !journal;
  const entry = history.slice(at + 1).find(({ outcome }) => isNew && outcome === undefined);
  if (entry) {
    return { serial, verb: entry.kind, changes: entry.changes.length, by: entry.by };
  }
  if (journal && !isEqual(journal, before?.journal ?? null)) {
    const changes = journal.changes.filter(isSent).length;
    return { serial, verb: `${journal.kind} begins`, changes, by: journal.by };
  }
  if (state.moved && !before?.moved) {
    return { serial, verb: "move begins", changes: 0, by: state.moved.by };
  }
  const verb = before?.journal && !journal ? "withdrawn" : "state";
  return { serial, verb, changes: 0, by: authorOf(io) };
}

function authorOf(io: Io): Note["by"] {
  return { actor: systemUser(io) ?? "lintel", host: io.machine.host };
}

/** A commit of a state needs no pipeline. */
const SKIP = "[skip ci]";

function messageOf(writes: readonly Write[]): string {
  const changes = (count: number) => (count === 0 ? "" : ` (${counted(count, "change")})`);
  const lines = writes.map(
    ({ key, note }) => `${note.verb}: ${key} serial ${note.serial}${changes(note.changes)}`,
  );
  const verbs = [...new Set(writes.map(({ note }) => note.verb))].join(", ");
  const total = writes.reduce((sum, { note }) => sum + note.changes, 0);
  const show = (text: string) => showForeign(text, [], 200);
  const authors = writes.map(({ note: { by } }) => {
    const job = by.job === undefined ? "" : `, in ${show(by.job)}`;
    return `By ${show(by.actor)} on ${show(by.host)}${job}`;
  });
  const [subject] = lines;
  const head =
    lines.length === 1
      ? [subject]
      : [`${verbs}: ${counted(lines.length, "portal")}${changes(total)}`, lines.join("\n")];
  return [...head, [...new Set(authors)].join("\n"), SKIP].join("\n\n");
}
