// Gives each lane of kills a branch of a bare repository, where the open journal is the only lock.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Keeping } from "./kept.js";

export async function gitKeeping(above: string) {
  const home = join(above, "git");
  const server = join(home, "server.git");
  mkdirSync(home);
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  const git = (cwd: string, words: string) =>
    execFileSync("git", words.split(" "), { cwd, env, stdio: "pipe" });
  git(home, `init --quiet --bare --initial-branch=main ${server}`);
  let branches = 0;
  const keeping: Keeping = {
    name: "git:",
    byHand: [],
    async fresh(folder) {
      if (!existsSync(join(folder, ".git"))) {
        git(folder, "init --quiet --initial-branch=main");
        git(folder, `remote add origin ${server}`);
        git(folder, "commit --quiet --allow-empty -m begun");
        git(folder, "push --quiet --force origin main");
      }
      return { address: `git:state-${++branches}`, env };
    },
  };
  return { keeping, close: async () => {} };
}
