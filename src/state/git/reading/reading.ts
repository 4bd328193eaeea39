// The newest of a branch → the state of one portal on it, refused where it was removed or set back; or where it went.
import { LARGEST_STATE, parseState } from "../../format.js";
import type { OwnOrigin } from "../../refusal.js";
import type { State } from "../../state.js";
import type { Trace } from "../../store.js";
import { shellWord } from "../../../lib/text.js";
import { assertNotSetBack } from "./absent.js";
import { blob, type Branch, type Entry, type Tip } from "../branch.js";
import { fetchedState, markedFor, type Fetched, type Own } from "./fetched.js";
import * as refusal from "../refusal.js";

interface At {
  readonly branch: Branch;
  readonly fetched: Fetched;
}

export function openReading(own: Own) {
  const { name, place, portal } = own;
  let seen: { readonly object: string; readonly state: State } | undefined;
  let before: Promise<State | undefined> | undefined;
  const knownBefore = ({ branch, fetched }: At) =>
    (before ??= fetchedState(branch, fetched.get(name), own));

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
    stateIn,
    async stateOn(at: At, tip: Tip): Promise<State | undefined> {
      const { branch, fetched } = at;
      const entry = tip.files.get(name);
      const state = await stateIn(branch, entry);
      if (entry && entry.object === fetched.get(name)) return state;
      await assertNotSetBack(branch, tip, state, { ...own, before: await knownBefore(at) });
      return state;
    },
    async trace(at: At): Promise<Trace | undefined> {
      const { branch } = at;
      const mark = await knownBefore(at);
      if (mark?.moved) return { mark, from: branch.shown };
      const short = `git:${branch.name}`;
      return markedFor(branch, [branch.shown, short, `${short}@${branch.remote}`], own);
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
export function originOf({ name, shown, remote }: Branch, file: string): OwnOrigin {
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
