// Updates the checkout of the files: fetches its upstream every 30 seconds, and only fast-forwards.
import { pulled as pullEvent } from "./events/run-events.js";
import type { LogEvent } from "./events/event.js";
import { comingMs } from "./poll-times.js";
import { endSoon } from "./wake-up.js";
import type { Io } from "../io.js";
import { errorTextOf, isUsable, openRepository, textOf } from "../lib/git.js";
import { shellWord } from "../lib/text.js";

/** "stuck": the newest commit is unknown, or the checkout stays behind it. */
export type Pulled =
  | { readonly is: "newest"; readonly commit: string }
  | { readonly is: "moved"; readonly from: string; readonly commit: string }
  | { readonly is: "stuck"; readonly why: string; readonly help: string };

export interface CheckoutOptions {
  /** The consequence of a stuck checkout, as a sentence. */
  readonly meanwhile: string;
  readonly report: (event: LogEvent) => void;
  readonly onPulled: () => void;
}

/** How often the upstream is fetched. */
const EVERY_MS = 30_000;
/** Lets running reads finish. */
const BEFORE_MOVE_MS = 250;
/** Git reports progress after a delay even with --quiet, and dies if its output is closed. */
const SILENTLY = { GIT_PROGRESS_DELAY: "86400" };

export class Checkout {
  readonly #io: Io;
  readonly #folder: string;
  readonly #options: CheckoutOptions;
  #nextMs = 0;
  #isMoving = false;
  #stuck = "";
  #current: { readonly begunMs: number; readonly ended: Promise<Pulled> } | undefined;
  #next: Promise<Pulled> | undefined;

  constructor(io: Io, folder: string, options: CheckoutOptions) {
    this.#io = io;
    this.#folder = folder;
    this.#options = options;
  }

  get nextMs(): number {
    return comingMs(this.#nextMs, this.#io.now(), EVERY_MS);
  }

  /** Its files are being written. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Why it may be behind its upstream. */
  get stuck(): string | undefined {
    return this.#stuck || undefined;
  }

  pull(): Promise<Pulled> {
    this.#nextMs = this.#io.now() + EVERY_MS;
    return this.pulledSince(this.#io.now());
  }

  /** The first pull. Everything except an interrupt waits for it. */
  begin(): Promise<void> {
    return new Promise((done, fail) => {
      this.#io.signal.addEventListener("abort", () => done(), { once: true });
      this.pull().then(() => done(), fail);
    });
  }

  /** The result of a pull that began at that moment or later. Callers at the same time share one. */
  pulledSince(ms: number): Promise<Pulled> {
    const current = this.#current;
    // A start in the future means that the clock was corrected since.
    if (current && current.begunMs >= ms && current.begunMs <= this.#io.now()) return current.ended;
    this.#next ??= (current?.ended ?? Promise.resolve()).then(() => {
      this.#next = undefined;
      const ended = this.#pullNow();
      this.#current = { begunMs: this.#io.now(), ended };
      return ended;
    });
    return this.#next;
  }

  /** Completes a move that has begun, if it ends soon, because no record of a partial move exists. */
  end(): Promise<void> {
    return endSoon(this.#io, [Promise.resolve(this.#next ?? this.#current?.ended)]);
  }

  async #pullNow(): Promise<Pulled> {
    const { meanwhile, report, onPulled } = this.#options;
    const pulled = await this.#fetchAndMove();
    this.#isMoving = false;
    if (this.#io.signal.aborted) return pulled;
    const event = pullEvent(pulled, this.#stuck, meanwhile);
    if (event) report(event);
    this.#stuck = pulled.is === "stuck" ? pulled.why : "";
    onPulled();
    return pulled;
  }

  async #fetchAndMove(): Promise<Pulled> {
    const io = this.#io;
    const folder = this.#folder;
    const help = "Use a clone of the repository, or omit --pull.";
    const repository = openRepository(io, folder);
    if (!repository) return stuck("the folder of the files is not in a git repository", help);
    if (!isUsable(repository)) return stuck(repository.why, repository.help);
    const { signal } = io;
    const run = (...words: readonly string[]) => repository.run(words, { signal });
    const cd = `  cd ${shellWord(folder)}\n`;
    const head = await run("rev-parse", "--verify", "--quiet", "HEAD");
    if (head.exit !== 0)
      return stuck(head.trouble ?? "the repository of the files has no commit yet", help);
    const branch = await run("symbolic-ref", "--quiet", "--short", "HEAD");
    if (branch.exit !== 0)
      return stuck("no branch is checked out", `Check one out:\n${cd}  git switch main`);
    const full = ["--verify", "--quiet", "--symbolic-full-name", "@{upstream}"];
    if ((await run("rev-parse", ...full)).exit !== 0) {
      const name = textOf(branch);
      return stuck(
        `the branch "${name}" has no upstream`,
        `Set it:\n${cd}  git branch --set-upstream-to=origin/${shellWord(name)}`,
      );
    }
    const fetching = ["fetch", "--quiet", "--no-recurse-submodules"];
    const fetched = await repository.run(fetching, { signal, mayConnect: true });
    if (fetched.exit !== 0) {
      return stuck(
        `git cannot fetch: ${errorTextOf(fetched)}`,
        "Lintel retries every 30 seconds. Git must sign in without a terminal.",
      );
    }
    const from = textOf(head);
    const commit = textOf(await run("rev-parse", "@{upstream}"));
    if ((await run("merge-base", "--is-ancestor", commit, from)).exit === 0)
      return { is: "newest", commit: from };
    if ((await run("merge-base", "--is-ancestor", from, commit)).exit !== 0) {
      return stuck(
        "the checkout and its upstream have diverged",
        `Lintel does not merge. Compare the two:\n${cd}  git log --oneline --left-right HEAD...@{upstream}\nTo discard the commits of the checkout:\n  git reset --keep @{upstream}`,
      );
    }
    this.#isMoving = true;
    // After an interrupt, git moves nothing.
    await io.sleep(BEFORE_MOVE_MS, signal).catch(() => undefined);
    if (signal.aborted) return stuck("it was interrupted", "Run the command again.");
    // Must complete once it has begun: a mix of new and old files would block the next pull.
    const merged = await repository.run(["merge", "--ff-only", "--quiet", commit], {
      isApart: true,
      // A partial clone fetches the files that it checks out.
      mayConnect: true,
      env: SILENTLY,
    });
    if (merged.exit === 0) return { is: "moved", from, commit };
    return stuck(
      `git cannot fast-forward it: ${errorTextOf(merged)}`,
      `Local changes are not overwritten. Stash them:\n${cd}  git status\n  git stash`,
    );
  }
}

function stuck(why: string, help: string): Pulled {
  return { is: "stuck", why, help };
}
