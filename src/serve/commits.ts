// Reads commits of the repository for the dashboard: the newest on the branch, and the newest of a file with its parts.
import { resolve } from "node:path";
import type { FileSource } from "./dashboard/views/portal-page.js";
import type { RolloutCommit } from "./dashboard/views/rollout-page.js";
import type { Io } from "../io.js";
import { isUsable, openRepository, SHORT_LIMIT_MS, textOf, type Repository } from "../lib/git.js";
import { pathWithin } from "../lib/paths.js";
import { commitOf } from "../state/author/checkout.js";

const FORMAT = "--format=%H%x00%an%x00%ct%x00%s";

export interface Commits {
  newest(most: number): Promise<readonly RolloutCommit[]>;
  /** `parts`: its bases and other files with its values. */
  of(file: string, parts?: Iterable<string>): Promise<FileSource | undefined>;
}

/** `folder` is the folder of the files. Outside of a repository there are no commits. */
export function openCommits(io: Io, folder: string): Commits {
  let opened: ReturnType<typeof openRepository> | "not-yet" = "not-yet";

  function repository(): Repository | undefined {
    if (opened === "not-yet") opened = openRepository(io, resolve(io.cwd, folder));
    return isUsable(opened) ? opened : undefined;
  }

  async function log(words: readonly string[]): Promise<readonly Commit[]> {
    const ended = await repository()?.run(["log", FORMAT, ...words], { limitMs: SHORT_LIMIT_MS });
    return ended?.exit === 0 ? textOf(ended).split("\n").flatMap(readCommit) : [];
  }

  return {
    newest: (most) => log([`--max-count=${most}`]),
    async of(file, parts = []) {
      const root = repository()?.root;
      if (root === undefined) return undefined;
      const path = resolve(io.cwd, file);
      const all = [path, ...[...parts].map((part) => resolve(io.cwd, part))];
      const inside = all.flatMap((each) => pathWithin(root, each) ?? []);
      const [commit] = inside.length > 0 ? await log(["--max-count=1", "--", ...inside]) : [];
      // Answers are cached for each environment, and files change.
      const now = { ...io, env: { ...io.env } };
      const isDirty = (await commitOf(now, [file, ...parts]))?.endsWith("-dirty") ?? false;
      const own = pathWithin(root, path);
      return { ...commit, ...(own !== undefined && { path: own }), isDirty };
    },
  };
}

type Commit = Required<Pick<RolloutCommit, "commit" | "author" | "timeMs" | "subject">>;

function readCommit(line: string): readonly Commit[] {
  const [commit = "", author = "", seconds = "", subject = ""] = line.split("\0");
  const isCommit = /^[0-9a-f]{40,64}$/.test(commit);
  return isCommit ? [{ commit, author, timeMs: 1000 * Number(seconds), subject }] : [];
}
