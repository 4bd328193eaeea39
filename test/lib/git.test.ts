// Which repository git works in, whose it is, and which configuration counts there: as git itself has it, and no less careful.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { authorOf } from "../../src/state/author/author.js";
import {
  isUnusable,
  isUsable,
  openRepository,
  settingOf,
  textOf,
  trackedFiles,
  userSettings,
  type Repository,
} from "../../src/lib/git.js";
import { io } from "../state/places.js";
import { newFolder } from "../state/programs.js";
import { AS_EVE, gitEnvironment, makeServer, run, type Server } from "../state/repositories.js";

function open(folder: string, env: Readonly<Record<string, string>>) {
  return openRepository({ ...io, env }, folder);
}

function usable(folder: string, env: Readonly<Record<string, string>>): Repository {
  const opened = open(folder, env);
  if (!isUsable(opened)) throw new Error(opened?.why ?? "no repository");
  return opened;
}

async function ask(repository: Repository, ...words: string[]): Promise<string> {
  const ended = await repository.run(words);
  expect(ended).toMatchObject({ exit: 0 });
  return textOf(ended);
}

function cloneWith(server: Server, files: Readonly<Record<string, string>>, name = "clone") {
  const clone = server.clone(name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(clone, path, ".."), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
  run(clone, server.env, ["add", "--all"]);
  run(clone, { ...server.env, ...AS_EVE }, ["commit", "--quiet", "--message", "more"]);
  return clone;
}

describe("the repository that holds a folder", () => {
  test("is the one above it, as its links lead; outside of git there is none", () => {
    const server = makeServer();
    const clone = cloneWith(server, { "portals/a.yaml": "" });
    const way = join(server.home, "way");
    symlinkSync(join(clone, "portals"), way);
    for (const folder of [clone, join(clone, "portals"), way])
      expect(usable(folder, server.env)).toMatchObject({ root: clone, folder: `${clone}/.git` });
    expect(open(newFolder(), server.env)).toBeUndefined();
    expect(open(join(clone, "not/there"), server.env)).toBeUndefined();
  });

  test("is a linked work tree or a submodule, each with its own commit", async () => {
    const server = makeServer();
    const clone = server.clone("clone");
    const linked = join(server.home, "linked");
    run(clone, server.env, ["worktree", "add", "--quiet", linked, "-b", "topic"]);
    expect(usable(linked, server.env).root).toBe(linked);
    expect(await ask(usable(linked, server.env), "symbolic-ref", "HEAD")).toBe("refs/heads/topic");
    const other = makeServer();
    const way = ["-c", "protocol.file.allow=always"];
    run(clone, server.env, [...way, "submodule", "--quiet", "add", other.folder, "shared"]);
    const shared = usable(join(clone, "shared"), server.env);
    expect(shared).toMatchObject({
      root: join(clone, "shared"),
      folder: join(clone, ".git/modules/shared"),
    });
    expect(await ask(shared, "rev-parse", "HEAD")).toBe(other.git("rev-parse", "main").trim());
  });

  test("is not the one that GIT_DIR names, as in a hook", async () => {
    const server = makeServer();
    const [clone, other] = [server.clone("clone"), server.clone("other")];
    const env = { ...server.env, GIT_DIR: join(other, ".git"), GIT_INDEX_FILE: "/nowhere" };
    expect(await ask(usable(clone, env), "rev-parse", "--absolute-git-dir")).toBe(`${clone}/.git`);
  });

  test("is not usable where its .git is none", () => {
    const folder = newFolder();
    mkdirSync(join(folder, ".git"));
    // How far git looks up depends on where the folder is mounted.
    const said = `git cannot use the repository "${folder}": not a git repository`;
    expect(open(folder, gitEnvironment(folder))).toEqual({
      why: expect.stringContaining(said) as string,
      help: `See what git says there:\n  cd ${folder}\n  git status`,
    });
    // Nor is the one taken that is above it, or that the files beside it make.
    const server = makeServer();
    const clone = server.clone("clone");
    mkdirSync(join(clone, "below/.git"), { recursive: true });
    run(clone, server.env, ["init", "--quiet", "--bare", "below"]);
    expect(isUsable(open(join(clone, "below"), server.env))).toBe(false);
  });
});

describe("a repository of another user", () => {
  test("is refused where git refuses it, and taken where git takes it", () => {
    const server = makeServer();
    const clone = server.clone("clone");
    const own = join(server.home, "own");
    mkdirSync(own);
    const env = { ...server.env, HOME: own, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
    const asGit = () => spawnSync("git", ["status"], { cwd: clone, env }).status === 0;
    const opened = open(clone, env);
    expect(isUsable(opened)).toBe(asGit());
    if (!isUsable(opened)) {
      expect(opened).toEqual({
        why: `the repository "${clone}" belongs to another user, and git does not read it`,
        help: `If you trust it, mark it as safe:\n  git config --global --add safe.directory ${clone}`,
      });
    }
    run(own, { ...env, GIT_DIR: "/nowhere" }, ["config", "--global", "safe.directory", clone]);
    expect([isUsable(open(clone, env)), asGit()]).toEqual([true, true]);
    // What the repository says of itself does not count.
    run(own, env, ["config", "--global", "--unset", "safe.directory"]);
    run(clone, server.env, ["config", "safe.directory", "*"]);
    expect(isUsable(open(clone, env))).toBe(asGit());
  });
});

describe("configuration", () => {
  test("is the repository's, the user's and what they include from elsewhere", () => {
    const server = makeServer();
    const clone = cloneWith(server, { "team.gitconfig": "[user]\n\tname = Team\n" });
    const outside = join(server.home, "outside.gitconfig");
    writeFileSync(outside, "[user]\n\tname = Outside\n\temail = o@example.org\n");
    writeFileSync(join(server.home, ".gitconfig"), "[user]\n\tname = Home\n[pull]\n\tff = only\n");
    run(clone, server.env, ["config", "include.path", outside]);
    const { settings } = usable(clone, server.env);
    expect(settingOf(settings, "user.name")).toBe("Outside");
    expect(settingOf(settings, "pull.ff")).toBe("only");
    expect(settingOf(settings, "user.nothing")).toBeUndefined();
    expect(settingOf(userSettings({ env: server.env }), "user.name")).toBe("Home");
    // Nor is a file in the work tree that git does not track, such as one of a home that is a repository.
    writeFileSync(join(clone, ".gitconfig"), "[user]\n\tname = Local\n");
    const env = { ...server.env, HOME: clone };
    expect(settingOf(userSettings({ env }), "user.name")).toBe("Local");
    expect(settingOf(usable(clone, env).settings, "user.name")).toBe("Outside");
  });

  test("is refused where the repository tracks a part of it, also below a tracked link or in a submodule", () => {
    const server = makeServer();
    const clone = cloneWith(server, { "team/gitconfig": "[user]\n\tname = Team\n" });
    const refusal = (path: string) => {
      run(clone, server.env, ["config", "include.path", path]);
      const opened = open(clone, server.env);
      return isUsable(opened) ? undefined : opened?.why;
    };
    expect(refusal("../team/gitconfig")).toMatch(
      /team\/gitconfig" is part of git's configuration and tracked by the repository, so that/,
    );
    mkdirSync(join(server.home, "elsewhere"));
    writeFileSync(join(server.home, "elsewhere/gitconfig"), "[user]\n\tname = Elsewhere\n");
    symlinkSync("../elsewhere", join(clone, "linked"));
    expect(refusal("../linked/gitconfig")).toBeUndefined();
    run(clone, server.env, ["add", "linked"]);
    expect(refusal("../linked/gitconfig")).toContain("linked/gitconfig");
    const way = ["-c", "protocol.file.allow=always"];
    run(clone, server.env, [...way, "submodule", "--quiet", "add", server.folder, "shared"]);
    writeFileSync(join(clone, "shared/gitconfig"), "[user]\n\tname = Shared\n");
    expect(refusal("../shared/gitconfig")).toContain("shared/gitconfig");
  });

  test("of a submodule below runs nothing: git does not enter it", async () => {
    const server = makeServer();
    const clone = server.clone("clone");
    const other = makeServer();
    const way = ["-c", "protocol.file.allow=always"];
    run(clone, server.env, [...way, "submodule", "--quiet", "add", other.folder, "shared"]);
    run(clone, { ...server.env, ...AS_EVE }, ["commit", "--quiet", "--message", "shared"]);
    const ran = join(server.home, "ran");
    run(join(clone, "shared"), server.env, ["config", "core.fsmonitor", `touch ${ran}; :`]);
    run(clone, server.env, ["config", "submodule.recurse", "true"]);
    const commitOf = async (...files: string[]) =>
      (await authorOf({ ...io, env: { ...server.env }, cwd: clone }, files)).commit;
    const head = run(clone, server.env, ["rev-parse", "HEAD"]).trim();
    expect(await commitOf("portal.yaml", "shared/portal.yaml")).toBe(head);
    expect(existsSync(ran)).toBe(false);
    // What was changed there shows all the same, once it is a part of the file.
    writeFileSync(join(clone, "shared/portal.yaml"), "x-note: changed\n");
    expect(await commitOf("portal.yaml")).toBe(head);
    expect(await commitOf("portal.yaml", "shared/portal.yaml")).toBe(`${head}-dirty`);
    expect(existsSync(ran)).toBe(false);
  });
});

describe("remotes", () => {
  /** A partial clone that lacks what its files were, over SSH with a program of its own configuration. */
  function overSsh() {
    const server = makeServer();
    server.git("config", "uploadpack.allowFilter", "true");
    server.git("config", "uploadpack.allowAnySHA1InWant", "true");
    const clone = server.clone("clone", "--filter=blob:none", "--no-checkout");
    const ssh = join(server.home, "ssh");
    writeFileSync(
      ssh,
      `#!/bin/sh\necho asked >> ${ssh}.told\nfor last; do :; done\nexec sh -c "$last"\n`,
      {
        mode: 0o755,
      },
    );
    const url = `ssh://git@git.example.com${server.folder}`;
    run(clone, server.env, ["remote", "set-url", "origin", url]);
    run(clone, server.env, ["config", "core.sshCommand", ssh]);
    return { clone, env: server.env, told: `${ssh}.told` };
  }

  test("are asked with the SSH program of the repository's own configuration, by a call that may", async () => {
    const { clone, env, told } = overSsh();
    const repository = usable(clone, env);
    expect(await repository.run(["fetch", "--quiet"], { mayConnect: true })).toMatchObject({
      exit: 0,
    });
    expect(existsSync(told)).toBe(true);
    const shown = await repository.run(["show", "HEAD:README.md"], { mayConnect: true });
    expect(textOf(shown)).toBe("Ours");
  });

  test("are asked by no other call, also where a partial clone lacks an object", async () => {
    const { clone, env, told } = overSsh();
    const repository = usable(clone, env);
    for (const words of [["fetch"], ["ls-remote"], ["show", "HEAD:README.md"]])
      expect((await repository.run(words)).exit).not.toBe(0);
    expect(repository.runSync(["cat-file", "blob", "HEAD:README.md"]).exit).not.toBe(0);
    expect(existsSync(told)).toBe(false);
  });

  test("are never programs, even if the configuration allows them", async () => {
    const server = makeServer();
    const clone = server.clone("clone");
    const ran = join(server.home, "ran");
    run(clone, server.env, ["config", "protocol.ext.allow", "always"]);
    run(clone, server.env, ["remote", "set-url", "origin", `ext::touch ${ran}`]);
    const fetched = await usable(clone, server.env).run(["fetch"], { mayConnect: true });
    expect(fetched.stderr).toContain("transport 'ext' not allowed");
    expect(existsSync(ran)).toBe(false);
  });
});

test("what is tracked is what the index holds, by names of every kind", () => {
  const server = makeServer();
  const names = ["a.txt", "a/b c/über uns.txt", "a/new\nline.txt", 'a/quote".txt'];
  const clone = cloneWith(server, Object.fromEntries(names.map((name) => [name, ""])));
  writeFileSync(join(clone, "untracked.txt"), "");
  const tracked = trackedFiles(usable(clone, server.env));
  if (isUnusable(tracked)) throw new Error(tracked.why);
  expect([...tracked].toSorted()).toEqual([...names, "README.md", "portal.yaml"].toSorted());
});

describe("git", () => {
  test("that is missing is reported, and no program starts after an interrupt", async () => {
    const server = makeServer();
    const clone = server.clone("clone");
    const none = { ...server.env, PATH: newFolder() };
    expect(open(clone, none)).toEqual({
      why: "git is not installed",
      help: "Install git 2.31 or later, where this command finds it.",
    });
    expect(userSettings({ env: none })).toEqual([]);
    const call = { signal: AbortSignal.abort() };
    expect(await usable(clone, server.env).run(["version"], call)).toMatchObject({
      exit: undefined,
      trouble: "it was interrupted",
    });
  });

  test("that does not end is ended", async () => {
    const server = makeServer();
    const repository = usable(server.clone("clone"), server.env);
    const never = ["-c", "alias.never=!sleep 9", "never"];
    expect(await repository.run(never, { limitMs: 50 })).toMatchObject({
      exit: undefined,
      trouble: "git did not end within 0.05 s",
    });
  });

  test("gets none of Lintel's secrets, and may ask nothing in a pipeline", () => {
    const server = makeServer();
    const clone = server.clone("clone");
    const told = join(server.home, "told");
    const tools = newFolder();
    const { PATH = "" } = server.env;
    writeFileSync(join(tools, "git"), `#!/bin/sh\nenv >> ${told}\nPATH='${PATH}' exec git "$@"\n`, {
      mode: 0o755,
    });
    usable(clone, {
      ...server.env,
      PATH: `${tools}:${PATH}`,
      LINTEL_STATE_KEY: "hidden",
      GH_TOKEN: "for-a-helper",
    });
    const seen = readFileSync(told, "utf8");
    expect(seen).not.toMatch(/hidden|LINTEL_/);
    for (const each of ["GH_TOKEN=for-a-helper", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"])
      expect(seen).toContain(each);
  });
});
