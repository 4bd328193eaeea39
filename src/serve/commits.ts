// Reads commits of the repository for the dashboard: the newest on the branch, and the newest of a file.
import { relative, resolve, sep } from "node:path";
import type { FileSource } from "./dashboard/views/portal-page.js";
import type { RolloutCommit } from "./dashboard/views/rollout-page.js";
import type { Io } from "../io.js";
import { isUsable, openRepository, SHORT_LIMIT_MS, textOf } from "../lib/git.js";
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

  async function log(words: readonly string[]): Promise<readonly Commit[]> {
    if (opened === "not-yet") opened = openRepository(io, resolve(io.cwd, folder));
    if (!isUsable(opened)) return [];
    const ended = await opened.run(["log", FORMAT, ...words], { limitMs: SHORT_LIMIT_MS });
    return ended.exit === 0 ? textOf(ended).split("\n").flatMap(readCommit) : [];
  }

  return {
    newest: (most) => log([`--max-count=${most}`]),
    async of(file, parts = []) {
      const path = resolve(io.cwd, file);
      const [commit] = await log(["--max-count=1", "--", path]);
      // Answers are cached for each environment, and files change.
      const now = { ...io, env: { ...io.env } };
      const isDirty = (await commitOf(now, [file, ...parts]))?.endsWith("-dirty") ?? false;
      if (opened === "not-yet" || !isUsable(opened)) return undefined;
      const inside = relative(opened.root, path);
      const own = inside.startsWith("..") ? {} : { path: inside.split(sep).join("/") };
      return { ...commit, ...own, isDirty };
    },
  };
}

type Commit = Required<Pick<RolloutCommit, "commit" | "author" | "timeMs" | "subject">>;

function readCommit(line: string): readonly Commit[] {
  const [commit = "", author = "", seconds = "", subject = ""] = line.split("\0");
  const isCommit = /^[0-9a-f]{40,64}$/.test(commit);
  return isCommit ? [{ commit, author, timeMs: 1000 * Number(seconds), subject }] : [];
}
