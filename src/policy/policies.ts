// Opens the policies of a run: those from outside of the repository, and each file's own.
import { dirname, join, relative, resolve } from "node:path";
import { eachOnce, type Diagnostic } from "../diagnostic.js";
import type { PortalFile } from "../document/read/desired.js";
import { isOpenTo, repositoryOf } from "../document/read/repository.js";
import { diagnose, itemsOf, nodeAt, textOf, type Node, type Text } from "../document/read/tree.js";
import { NONE, type Policy, type ReadPolicies } from "./policy.js";
import { policyFiles, readPolicies, readPolicy, sameNames } from "./read.js";

export interface Policies {
  readonly outside: ReadPolicies;
  /** All policies for a file, from outside and its own; problems and paths only of its own. */
  of(desired: Pick<PortalFile, "root">): ReadPolicies & OwnPaths;
}

export interface OwnPaths {
  /** Absolute paths of the files. */
  readonly paths: readonly string[];
  /** The searched folders, even if missing: a new file there may be a new policy. */
  readonly folders: readonly string[];
}

export function openPolicies(paths: readonly string[], cwd: string): Policies {
  const outside = paths.length > 0 ? readPolicies(paths, cwd) : NONE;
  // Cached, because a base may name them for a thousand files.
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
      // A policy that is also named from outside counts once.
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

/** The policies that a file names itself. */
export function namesIn(root: Node): Text[] {
  const node = nodeAt(root, ["policy"]);
  if (!node) return [];
  const nodes = node.kind === "list" ? itemsOf(node) : [node];
  return nodes.filter((each): each is Text => textOf(each) !== undefined);
}

/** Limited, because each may take a second, and a change under review can name any number. */
const MOST_OWN = 100;

/** From the named folder down to those with the files; none for a file. */
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

/** The files of a policy path, which must be visible in the repository's review, like bases. */
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
