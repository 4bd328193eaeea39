// A branch without the state that is looked for → nothing where there never was one; the refusal where it was removed, or where the branch is somebody's work.
import { Failure } from "../../failure.js";
import { shellWord, showForeign } from "../../text.js";
import { LARGEST_STATE, parseState } from "../format.js";
import type { PortalIdentity } from "../key.js";
import { blob, type Branch, type Tip } from "./branch.js";

/** The file of one portal on the branch. */
interface Own {
  readonly name: string;
  readonly place: string;
  readonly portal: PortalIdentity;
}

export async function assertNeverThere(branch: Branch, tip: Tip, own: Own): Promise<void> {
  const serial = await serialKnown(branch, own);
  if (serial !== undefined) throw gone(branch, tip, { ...own, serial });
  const odd = await oddIn(branch, tip);
  if (odd !== undefined) throw notForStates(branch, odd);
}

/** Of the state as the repository has fetched it last; to begin anew would hide what was applied since. */
async function serialKnown(
  { name: branch, remote, workshop }: Branch,
  { name, place, portal }: Own,
): Promise<number | undefined> {
  const ref = `refs/remotes/${remote}/${branch}`;
  const { exit, stdout } = await workshop.asItStands(["cat-file", "blob", `${ref}:${name}`]);
  if (exit !== 0) return undefined;
  try {
    const { serial, moved } = parseState(stdout, { place, portal });
    return moved ? undefined : serial;
  } catch {
    // What cannot be understood says nothing of what was there.
    return undefined;
  }
}

const judged = new WeakMap<Tip["files"], Promise<string | undefined>>();

/** Something that nobody keeps beside states, where no state of Lintel stands beside it. */
function oddIn(branch: Branch, { files }: Tip): Promise<string | undefined> {
  const known = judged.get(files) ?? lookFor(branch, files);
  judged.set(files, known);
  return known;
}

async function lookFor(branch: Branch, files: Tip["files"]): Promise<string | undefined> {
  const names = [...files.keys()].filter((name) => !/^(readme(\..*)?|\.git\w+)$/i.test(name));
  for (const name of names.filter((each) => each.endsWith(".json"))) {
    const { object = "", type, size = 0 } = files.get(name) ?? {};
    if (type !== "blob" || size > LARGEST_STATE) continue;
    const text = (await blob(branch, object)).toString("utf8");
    // Also one that is damaged, or was left with conflict markers.
    if (["format", "digest", "lineage"].every((key) => text.includes(`"${key}"`))) return undefined;
  }
  return names[0];
}

/** Nobody has it any more but this clone, as it was fetched last. */
function gone(
  { name: branch, remote }: Branch,
  { commit }: Tip,
  { name, place, serial }: Own & { readonly serial: number },
): Failure {
  const what = commit === undefined ? "the branch" : "the file from the branch";
  const ref = `refs/remotes/${remote}/${branch}`;
  const [word, both] = [remote, `${ref}:refs/heads/${branch}`].map(shellWord);
  return new Failure(
    "state-rewound",
    `The state "${place}" is gone, and this clone has seen its serial ${serial}: somebody has removed ${what}.`,
    commit === undefined
      ? `Put it back, as it was fetched last:\n  git push ${word} ${both}\nIf it was removed on purpose, forget it here too, and begin anew:\n  git fetch --prune ${word}`
      : `See who did, and bring it back with a commit on top:\n  git fetch ${word}\n  git log ${shellWord(`${remote}/${branch}`)} -- ${shellWord(name)}\nOnce that is fetched this clone knows of none, and an apply begins anew.`,
  );
}

function notForStates({ name }: Branch, odd: string): Failure {
  const shown = showForeign(Buffer.from(odd, "latin1").toString("utf8"), [], 100);
  return new Failure(
    "bad-state-address",
    `The branch "${name}" holds other files, such as "${shown}", and no state: it is no place for states.`,
    "Name a branch that is for the state alone; it is made by the first apply:\n  state: git:lintel-state",
  );
}
