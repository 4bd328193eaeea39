// A checkout → the same at the newest commit of its upstream, where it only has to move forward; or why it stays.
import type { Io } from "../../io.js";
import { errorTextOf, isUsable, openRepository, textOf } from "../../lib/git.js";
import { shellWord } from "../../lib/text.js";

/** `why` tells why nobody knows what is newest, or why the checkout stays behind it. */
export type Pulled =
  | { readonly is: "newest"; readonly commit: string }
  | { readonly is: "moved"; readonly from: string; readonly commit: string }
  | { readonly is: "stuck"; readonly why: string; readonly help: string };

export interface Pull {
  /** What came of a look at the upstream that was begun at that moment or later: many that ask at once share one. */
  since(ms: number): Promise<Pulled>;
  /** Once no look is under way. */
  atRest(): Promise<unknown>;
}

/** How far it is, it tells after a while however quiet it is to be, and ends at once where nobody listens any more. */
const SILENTLY = { GIT_PROGRESS_DELAY: "86400" };

/** `before` is waited for between the look and the move. */
export function openPull(
  io: Io,
  folder: string,
  before: () => Promise<void>,
  heard: (pulled: Pulled) => void,
): Pull {
  let current: { readonly begunMs: number; readonly ended: Promise<Pulled> } | undefined;
  let next: Promise<Pulled> | undefined;
  const begin = () => {
    const ended = pull(io, folder, before).then((pulled) => {
      heard(pulled);
      return pulled;
    });
    current = { begunMs: io.now(), ended };
    return ended;
  };
  return {
    since: (ms) => {
      // What was begun later than now was begun before the clock was put right.
      const isLater = current && current.begunMs >= ms && current.begunMs <= io.now();
      if (current && isLater) return current.ended;
      next ??= (current?.ended ?? Promise.resolve()).then(() => {
        next = undefined;
        return begin();
      });
      return next;
    },
    atRest: async () => next ?? current?.ended,
  };
}

async function pull(io: Io, folder: string, before: () => Promise<void>): Promise<Pulled> {
  const help = "Begin in a clone of the repository, or leave --pull out.";
  const repository = openRepository(io, folder);
  if (!repository) return stuck("the folder of the files is in no git repository", help);
  if (!isUsable(repository)) return stuck(repository.why, repository.help);
  const { signal } = io;
  const run = (...words: readonly string[]) => repository.run(words, { signal });
  const cd = `  cd ${shellWord(folder)}\n`;
  const head = await run("rev-parse", "--verify", "--quiet", "HEAD");
  if (head.exit !== 0) {
    return stuck(head.trouble ?? "the repository of the files has no commit yet", help);
  }
  const branch = await run("symbolic-ref", "--quiet", "--short", "HEAD");
  if (branch.exit !== 0) {
    return stuck("no branch is checked out", `Check one out:\n${cd}  git switch main`);
  }
  const upstream = await run(
    "rev-parse",
    "--verify",
    "--quiet",
    "--symbolic-full-name",
    "@{upstream}",
  );
  if (upstream.exit !== 0) {
    const name = textOf(branch);
    return stuck(
      `the branch "${name}" follows no other one`,
      `Say which one:\n${cd}  git branch --set-upstream-to=origin/${shellWord(name)}`,
    );
  }
  const fetching = ["fetch", "--quiet", "--no-recurse-submodules"];
  const fetched = await repository.run(fetching, { signal, mayConnect: true });
  if (fetched.exit !== 0) {
    return stuck(
      `git cannot fetch: ${errorTextOf(fetched)}`,
      "Lintel tries again every 30 seconds. Git's own credentials have to work without a terminal.",
    );
  }
  const from = textOf(head);
  const commit = textOf(await run("rev-parse", "@{upstream}"));
  if ((await run("merge-base", "--is-ancestor", commit, from)).exit === 0) {
    return { is: "newest", commit: from };
  }
  if ((await run("merge-base", "--is-ancestor", from, commit)).exit !== 0) {
    return stuck(
      "the checkout has commits that its upstream has not, and the other way round",
      `Nothing is merged unasked. See both:\n${cd}  git log --oneline --left-right HEAD...@{upstream}\nWhere nobody needs those of the checkout, leave them:\n  git reset --keep @{upstream}`,
    );
  }
  await before();
  if (io.signal.aborted) return stuck("it was interrupted", "Run the command again.");
  // Finished once it has begun: files of which some are new and some are old would stop the next look.
  const merged = await repository.run(["merge", "--ff-only", "--quiet", commit], {
    isApart: true,
    // A partial clone fetches the files that it checks out.
    mayConnect: true,
    env: SILENTLY,
  });
  if (merged.exit === 0) return { is: "moved", from, commit };
  return stuck(
    `git does not move it forward: ${errorTextOf(merged)}`,
    `Nothing that was changed there is overwritten. See what it is, and put it aside:\n${cd}  git status\n  git stash`,
  );
}

function stuck(why: string, help: string): Pulled {
  return { is: "stuck", why, help };
}
