// What stands on a branch and what the clone has fetched of it last → the refusal where a state was removed or set back, or where the branch is somebody's work.
import { Failure } from "../../../failure.js";
import { shellWord, showForeign } from "../../../lib/text.js";
import { LARGEST_STATE } from "../../format.js";
import type { State } from "../../state.js";
import { blob, type Branch, type Tip } from "../branch.js";
import { refOf, type Own } from "./fetched.js";

/** To begin anew, or to go on from what was before, would hide what was applied since. */
export async function assertNotSetBack(
  branch: Branch,
  tip: Tip,
  found: State | undefined,
  { before, ...own }: Own & { readonly before: State | undefined },
): Promise<void> {
  if (found) {
    if (!before || before.moved) return;
    if (found.lineage !== before.lineage) throw replaced(branch, own, before);
    if (found.serial < before.serial) throw setBack(branch, own, found, before);
    return;
  }
  if (before && !before.moved) throw gone(branch, tip, { ...own, serial: before.serial });
  const odd = await oddIn(branch, tip);
  if (odd !== undefined) throw notForStates(branch, odd);
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
  branch: Branch,
  { commit }: Tip,
  { name, place, file, serial }: Own & { readonly serial: number },
): Failure {
  const what = commit === undefined ? "the branch" : "the file from the branch";
  const { remote } = branch;
  const word = shellWord(remote);
  return new Failure(
    "state-rewound",
    `The state "${place}" is gone, and this clone has fetched its serial ${serial}: somebody has removed ${what}.`,
    commit === undefined
      ? `It may have moved: get the newest files first, which may name another place by now.\n  git pull\nIf they still name this one, put the branch back, as it was fetched last:\n  ${pushBack(branch)}\nIf it was removed on purpose, forget it here too, and begin anew:\n  git fetch --prune ${word}\n  lintel state accept ${shellWord(file)}`
      : `See who did, and bring it back with a commit on top:\n  git fetch ${word}\n  git log ${shellWord(`${remote}/${branch.name}`)} -- ${shellWord(name)}\nIf it was removed on purpose, begin anew:\n  lintel state accept ${shellWord(file)}`,
  );
}

function replaced(branch: Branch, { place, file }: Own, before: State): Failure {
  return new Failure(
    "state-rewound",
    `The state "${place}" was begun anew, and this clone has fetched serial ${before.serial} of the one before it.`,
    `Put the earlier one back, as it was fetched last:\n  ${pushBack(branch)}\nIf it was begun anew on purpose, go on with what stands there:\n  git fetch ${shellWord(branch.remote)}\n  lintel state accept ${shellWord(file)}`,
  );
}

function setBack(branch: Branch, { place, file }: Own, found: State, before: State): Failure {
  return new Failure(
    "state-rewound",
    `The state "${place}" has serial ${found.serial}, and this clone has fetched its serial ${before.serial}: somebody has set the branch back.`,
    `Put it back, as it was fetched last:\n  ${pushBack(branch)}\nIf it was set back on purpose, or git refuses that because others have written on top since, go on with what stands there:\n  git fetch ${shellWord(branch.remote)}\n  lintel state accept ${shellWord(file)}`,
  );
}

function pushBack(branch: Branch): string {
  const both = `${refOf(branch)}:refs/heads/${branch.name}`;
  return `git push ${[branch.remote, both].map(shellWord).join(" ")}`;
}

function notForStates({ name }: Branch, odd: string): Failure {
  const shown = showForeign(Buffer.from(odd, "latin1").toString("utf8"), [], 100);
  return new Failure(
    "bad-state-address",
    `The branch "${name}" holds other files, such as "${shown}", and no state: it is no place for states.`,
    "Name a branch that is for the state alone; it is made by the first apply:\n  state: git:lintel-state",
  );
}
