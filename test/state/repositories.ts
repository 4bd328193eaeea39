// Real repositories for states on a branch: a bare one as the server, clones, and their exact content.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesIn } from "./places.js";
import { newFolder } from "./programs.js";
import { PORTAL } from "./samples.js";

export const BRANCH = "lintel-state";
export const STATE_FILE = `${PORTAL.key}.json`;
const REF = `refs/heads/${BRANCH}`;

/** What the machine has configured must not decide. */
export function gitEnvironment(home: string): Record<string, string> {
  const { PATH = "" } = process.env;
  return { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
}

export interface Server {
  /** The folder of everything. */
  readonly home: string;
  /** The bare repository. */
  readonly folder: string;
  readonly env: Record<string, string>;
  git(...words: string[]): string;
  /** A clone of its own for somebody; `words` go to git clone. */
  clone(name: string, ...words: string[]): string;
  /** The same over another way to the server, with such a configuration. */
  cloneOf(url: string, name: string, config?: Readonly<Record<string, string>>): string;
  /** What the branch holds; undefined where it is not there. */
  stored(name?: string): string | undefined;
  /** As somebody else would. */
  plant(text: string | Uint8Array, name?: string): void;
  /** The subjects of the branch's commits, the newest first. */
  subjects(): readonly string[];
  hook(name: string, script: string): void;
}

export function run(
  cwd: string,
  env: Record<string, string>,
  words: readonly string[],
  input?: string | Uint8Array,
): string {
  return execFileSync("git", words, { cwd, env, input: input ?? "", stdio: "pipe" }).toString();
}

export const AS_EVE = {
  GIT_AUTHOR_NAME: "Eve",
  GIT_AUTHOR_EMAIL: "eve@example.org",
  GIT_COMMITTER_NAME: "Eve",
  GIT_COMMITTER_EMAIL: "eve@example.org",
};

/** Made by the first test of a file that wants one. */
let template: string | undefined;

/** With a file on its default branch; each is a copy of one that a dozen calls of git have made. */
export function makeServer(): Server {
  const home = newFolder();
  const folder = join(home, "server.git");
  if (template === undefined) {
    const kept = mkdtempSync(join(tmpdir(), "lintel-server-"));
    process.once("exit", () => rmSync(kept, { recursive: true, force: true }));
    template = join(kept, "server.git");
    run(kept, gitEnvironment(kept), [
      "init",
      "--quiet",
      "--bare",
      "--template=",
      "--initial-branch=main",
      template,
    ]);
    const { commit } = serverAt(kept, template);
    commit("refs/heads/main", { "portal.yaml": "x-note: none\n" });
    commit("refs/heads/main", { "README.md": "Ours\n" });
    mkdirSync(join(template, "hooks"));
  }
  cpSync(template, folder, { recursive: true });
  return serverAt(home, folder).server;
}

export function serverAt(home: string, folder: string) {
  const env = gitEnvironment(home);
  const git = (...words: string[]) => run(folder, env, words);
  const as = { ...env, ...AS_EVE };
  /** On top of what the branch holds, with all its other files. */
  const commit = (ref: string, files: Readonly<Record<string, string | Uint8Array>>) => {
    const before = tryOut(() => git("rev-parse", "--verify", "--quiet", ref).trim());
    const own = Object.keys(files);
    const kept = before === undefined ? [] : git("ls-tree", before).split("\n").filter(Boolean);
    const others = kept.filter((line) => !own.includes(line.split("\t")[1] ?? ""));
    const blobs = Object.entries(files).map(([name, text]) => {
      const blob = run(folder, env, ["hash-object", "-w", "--stdin"], text).trim();
      return `100644 blob ${blob}\t${name}`;
    });
    const tree = run(folder, env, ["mktree"], `${[...others, ...blobs].join("\n")}\n`).trim();
    const parents = before === undefined ? [] : ["-p", before];
    const made = run(folder, as, ["commit-tree", tree, ...parents, "-m", "by hand"]).trim();
    git("update-ref", ref, made);
  };
  const server: Server = {
    home,
    folder,
    env,
    git,
    clone(name, ...words) {
      const path = join(home, name);
      run(home, env, ["clone", "--quiet", ...words, `file://${folder}`, path]);
      return path;
    },
    cloneOf(url, name, config = {}) {
      const path = join(home, name);
      // The server of the test lives in this process, so that nothing may wait for git.
      run(home, env, ["init", "--quiet", path]);
      for (const [key, value] of Object.entries(config)) run(path, env, ["config", key, value]);
      run(path, env, ["remote", "add", "origin", url]);
      run(path, env, ["fetch", "--quiet", folder, "main"]);
      run(path, env, ["checkout", "--quiet", "-b", "main", "FETCH_HEAD"]);
      return path;
    },
    stored: (name = STATE_FILE) => tryOut(() => git("cat-file", "blob", `${REF}:${name}`)),
    plant: (text, name = STATE_FILE) => commit(REF, { [name]: text }),
    subjects: () => git("log", "--format=%s", REF).split("\n").filter(Boolean),
    hook: (name, script) =>
      writeFileSync(join(folder, "hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
  };
  return { server, commit };
}

function tryOut(action: () => string): string | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Everything that git and people keep in a checkout, byte for byte. */
export function standingOf(checkout: string, env: Record<string, string>) {
  const git = (...words: string[]) => run(checkout, env, ["--no-optional-locks", ...words]);
  const folders = [checkout, git("rev-parse", "--path-format=absolute", "--git-common-dir").trim()];
  const digests = folders.flatMap((folder) =>
    filesIn(folder).map((name) => {
      const digest = createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex");
      return `${name} ${digest}`;
    }),
  );
  return { status: git("status", "--porcelain=v2", "--branch"), refs: git("show-ref"), digests };
}
