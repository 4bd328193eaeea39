// Opens the policies of a run: those named outside its repositories, and for each file its own.
import { dirname, join, relative, resolve } from "node:path";
import { eachOnce, type Diagnostic } from "../diagnostic.js";
import type { PortalFile } from "../document/read/desired.js";
import { isOpenTo, repositoryOf } from "../document/read/repository.js";
import { diagnose, itemsOf, nodeAt, textOf, type Node, type Text } from "../document/read/tree.js";
import { NONE, type Policy, type ReadPolicies } from "./policy.js";
import { policyFiles, readPolicies, readPolicy, sameNames } from "./read.js";

export interface Policies {
  readonly outside: ReadPolicies;
  /** For a file: those from outside, and its own beside them; the problems and the paths are of its own alone. */
  of(desired: Pick<PortalFile, "root">): ReadPolicies & OwnPaths;
}

export interface OwnPaths {
  /** The files, absolute. */
  readonly paths: readonly string[];
  /** What was searched for them, whether it is there or not: one more file there may be one more policy. */
  readonly folders: readonly string[];
}

export function openPolicies(paths: readonly string[], cwd: string): Policies {
  const outside = paths.length > 0 ? readPolicies(paths, cwd) : NONE;
  // A base may name them for a thousand files.
  const known = new Map<string, ReturnType<typeof readPolicy>>();
  const readOnce = (file: string) => {
    const path = resolve(cwd, file);
    const found = known.get(path) ?? readPolicy(file, cwd);
    known.set(path, found);
    return found;
  };
  return {
    outside,
    of: ({ root }) => {
      const problems: Diagnostic[] = [];
      const own: Policy[] = [];
      const paths = new Set<string>();
      const folders = new Set<string>();
      for (const name of namesIn(root)) {
        const files = ownFiles(name, cwd);
        if (!Array.isArray(files)) {
          problems.push(files);
          folders.add(pathOf(name, cwd));
          continue;
        }
        for (const folder of searchedFor(name, files, cwd)) folders.add(folder);
        for (const file of files) {
          paths.add(resolve(cwd, file));
          const read = readOnce(file);
          problems.push(...read.problems);
          if (read.policy) own.push(read.policy);
        }
      }
      // One that is named from outside, too, is one.
      const all = eachOnce(
        [...outside.policies, ...own],
        ({ at }) => at.span.source.path ?? at.span.source.file,
      );
      return {
        policies: all,
        problems: [...problems, ...sameNames(all)],
        paths: [...paths],
        folders: [...folders],
      };
    },
  };
}

/** Whether a file names policies of its own. */
export function namesIn(root: Node): Text[] {
  const node = nodeAt(root, ["policy"]);
  if (!node) return [];
  const nodes = node.kind === "list" ? itemsOf(node) : [node];
  return nodes.filter((each): each is Text => textOf(each) !== undefined);
}

/** Each may take a second, and a change under review can name as many as it likes. */
const MOST_OWN = 100;

/** From the folder that is named down to those that the files stand in; none where it is a file. */
function searchedFor(name: Text, files: readonly string[], cwd: string): readonly string[] {
  const top = pathOf(name, cwd);
  return files.flatMap((file) => {
    const above: string[] = [];
    for (let path = resolve(cwd, file); path !== top && path !== dirname(path);) {
      path = dirname(path);
      above.push(path);
    }
    return above.at(-1) === top ? above : [];
  });
}

function pathOf(name: Text, cwd: string): string {
  return resolve(dirname(name.span.source.path ?? join(cwd, "-")), name.value);
}

/** The files at a path that a file names: such as a review of its repository shows, as with a base. */
function ownFiles(name: Text, cwd: string): string[] | Diagnostic {
  const from = name.span.source.path ?? join(cwd, "-");
  const path = pathOf(name, cwd);
  const repository = repositoryOf(from);
  const files = policyFiles(relative(cwd, path) || path, cwd);
  if (!Array.isArray(files)) return diagnose("file-not-found", name, files.message, files.help);
  if (files.length > MOST_OWN) {
    const message = `"${name.value}" holds ${files.length} policies; more than ${MOST_OWN} are not read for one file.`;
    return diagnose("file-too-large", name, message, "Name those that the file needs.");
  }
  const isHidden = (each: string) =>
    repository !== undefined && !isOpenTo(repository, resolve(cwd, each));
  if (!files.some(isHidden)) return files;
  const message = `"${name.value}" is not what a review of this repository shows.`;
  const help =
    "Name a file or a folder inside the repository. Policies from outside are named where Lintel is called:\n  --policy PATH\nor by LINTEL_POLICY.";
  return diagnose("outside-repository", name, message, help);
}
