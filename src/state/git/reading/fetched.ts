// The branches of a remote as the repository has fetched them last → the state of a portal on one of them, and the mark of one that went from another.
import { parseState } from "../../format.js";
import type { PortalIdentity } from "../../key.js";
import type { State } from "../../state.js";
import type { Branch } from "../branch.js";

/** The file of one portal on the branch. */
export interface Own {
  readonly name: string;
  readonly place: string;
  readonly portal: PortalIdentity;
  /** The desired-state file, for messages that name a command. */
  readonly file: string;
}

/** Its files by their names, as they were before this run asked the remote: what is fetched meanwhile makes nothing look old. */
export type Fetched = ReadonlyMap<string, string>;

export function refOf({ name, remote }: Branch): string {
  return `refs/remotes/${remote}/${name}`;
}

export async function fetchedOf(branch: Branch): Promise<Fetched> {
  const words = ["ls-tree", "-z", "--full-tree", refOf(branch)];
  const { exit, stdout } = await branch.workshop.asItStands(words);
  const lines = exit === 0 ? stdout.toString("latin1").split("\0") : [];
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, object = "", name = ""] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return name === "" ? [] : [[name, object]];
    }),
  );
}

/** Undefined also for what cannot be understood, which says nothing of what was there. */
export async function fetchedState(
  { workshop }: Branch,
  object: string | undefined,
  own: Own,
): Promise<State | undefined> {
  if (object === undefined) return undefined;
  const { exit, stdout } = await workshop.asItStands(["cat-file", "blob", object]);
  return exit === 0 ? understood(stdout, own) : undefined;
}

/** The mark of a state that went from another branch to this one, as `addresses` call it. */
export async function markedFor(
  { remote, workshop }: Branch,
  addresses: readonly string[],
  own: Own,
): Promise<{ readonly mark: State; readonly from: string } | undefined> {
  const words = ["for-each-ref", "--format=%(refname)", `refs/remotes/${remote}/`];
  const refs = (await workshop.asItStands(words)).stdout.toString("utf8").split("\n");
  const asked = refs.filter(Boolean).map((ref) => `${ref}:${own.name}\n`);
  const input = asked.join("");
  const { stdout } = await workshop.asItStands(["cat-file", "--batch"], { input });
  let at = 0;
  for (const ref of refs.filter(Boolean)) {
    const end = stdout.indexOf("\n", at);
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(stdout.toString("latin1", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) continue;
    const mark = understood(stdout.subarray(at, at + Number(size)), own);
    at += Number(size) + 1;
    if (!mark?.moved || !addresses.includes(mark.moved.to)) continue;
    return { mark, from: `git:${ref.slice(`refs/remotes/${remote}/`.length)}@${remote}` };
  }
  return undefined;
}

function understood(text: Buffer, { place, portal }: Own): State | undefined {
  try {
    return parseState(text, { place, portal });
  } catch {
    return undefined;
  }
}
