// States on a branch, from every kind of checkout: nothing of it is touched, and nothing of git's other business gets in the way.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Failure } from "../../src/failure.js";
import { emptyState, marked } from "../../src/state/steps.js";
import { io, machine, newFolder, storesOf } from "./places.js";
import { printState } from "../../src/state/format.js";
import { makeServer, openIn, run, standingOf, type Server } from "./repositories.js";
import { holderFor, MOVED, PORTAL, stateAfter } from "./samples.js";

const BRANCH = "git:lintel-state";

async function writeFrom(from: string, server: Server, serial = 1, address = BRANCH) {
  const store = openIn(from, address, { env: server.env });
  const holder = holderFor(machine);
  await store.lock(holder);
  await store.read();
  await store.write(stateAfter(serial), serial - 1);
  await store.unlock(holder);
}

/** What runs that are under way keep beside a checkout. */
function keptFor(from: string): string[] {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith("lintel-git-"));
  return folders
    .map((name) => join(tmpdir(), name))
    .filter((path) => existsSync(path) && whoseObjects(path).startsWith(from));
}

function whoseObjects(path: string): string {
  const list = join(path, "objects/info/alternates");
  return existsSync(list) ? readFileSync(list, "utf8") : "";
}

/** Makes a checkout of the server, and what a person may have left half done in it. */
const CHECKOUTS: Readonly<Record<string, (server: Server) => string>> = {
  "a clone": (server) => server.clone("clone"),
  "a shallow clone": (server) => server.clone("clone", "--depth", "1"),
  "a clone without blobs": (server) => server.clone("clone", "--filter=blob:none"),
  "a detached HEAD, as a pipeline leaves it": (server) => {
    const from = join(server.home, "job");
    run(server.home, server.env, ["init", "--quiet", from]);
    const git = (...words: string[]) => run(from, server.env, words);
    git("remote", "add", "origin", `file://${server.folder}`);
    git("fetch", "--quiet", "--depth=1", "--no-tags", "origin", "+refs/heads/main:refs/jobs/1");
    git("checkout", "--quiet", "--detach", "refs/jobs/1");
    return from;
  },
  "a linked work tree": (server) => {
    const clone = server.clone("clone");
    const from = join(server.home, "linked");
    run(clone, server.env, ["worktree", "add", "--quiet", from, "-b", "topic"]);
    return from;
  },
  "a work tree of a bare repository": (server) => {
    const bare = server.clone("bare", "--bare");
    const from = join(server.home, "linked");
    run(bare, server.env, ["worktree", "add", "--quiet", from, "main"]);
    return from;
  },
  "a folder below, of a clone with a configuration of each work tree": (server) => {
    const clone = server.clone("clone");
    run(clone, server.env, ["config", "extensions.worktreeConfig", "true"]);
    run(clone, server.env, ["config", "--worktree", "core.sparseCheckout", "false"]);
    mkdirSync(join(clone, "portals"));
    return join(clone, "portals");
  },
  "a clone that is changed, staged, and has fetched the branch itself": (server) => {
    server.plant("ours\n", "README.md");
    const from = server.clone("clone");
    const git = (...words: string[]) => run(from, server.env, words);
    writeFileSync(join(from, "README.md"), "staged\n");
    writeFileSync(join(from, "new.txt"), "new\n");
    git("add", "README.md", "new.txt");
    writeFileSync(join(from, "README.md"), "staged, and changed again\n");
    writeFileSync(join(from, "untracked.txt"), "untracked\n");
    return from;
  },
};

describe("nothing of a checkout is touched:", () => {
  test.each(Object.keys(CHECKOUTS))("%s", async (name) => {
    const server = makeServer();
    const from = CHECKOUTS[name]?.(server) ?? "";
    const before = standingOf(from, server.env);
    await writeFrom(from, server, 1);
    await writeFrom(from, server, 2);
    expect((await openIn(from, BRANCH, { env: server.env }).read())?.serial).toBe(2);
    expect(standingOf(from, server.env)).toEqual(before);
    expect(server.subjects().slice(0, 2)).toEqual([
      `apply: ${PORTAL.key} serial 2 (2 changes)`,
      `apply: ${PORTAL.key} serial 1 (2 changes)`,
    ]);
    // Whole as git sees it, with all of its history.
    server.git("fsck", "--strict");
    expect(server.git("rev-list", "--count", "main").trim()).toBe("2");
  });

  test("whose branches nobody has fetched, nothing is fetched but the newest commit", async () => {
    const server = makeServer();
    for (const serial of [1, 2, 3, 4, 5]) server.plant(`${serial}\n`, "README.md");
    const from = server.clone("clone", "--depth", "1");
    expect(await openIn(from, BRANCH, { env: server.env }).read()).toBeUndefined();
    const [own = ""] = keptFor(from);
    const tip = server.git("rev-parse", "lintel-state").trim();
    expect(readFileSync(join(own, "shallow"), "utf8").split("\n")).toContain(tip);
    await writeFrom(from, server);
    expect(server.stored("README.md")).toBe("5\n");
    expect(server.subjects()).toHaveLength(6);
  });

  test("its hooks and its signing are about other branches, and are left alone", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    for (const hook of ["pre-push", "reference-transaction", "post-checkout", "pre-commit"]) {
      const path = join(from, ".git/hooks", hook);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho ${hook} >> ${from}/ran\nexit 1\n`, { mode: 0o755 });
    }
    const git = (...words: string[]) => run(from, server.env, words);
    git("config", "push.gpgSign", "if-asked");
    git("config", "push.followTags", "true");
    git("config", "fetch.prune", "true");
    git("config", "remote.origin.mirror", "true");
    const before = standingOf(from, server.env);
    await writeFrom(from, server);
    expect(standingOf(from, server.env)).toEqual(before);
    expect(readdirSync(from)).not.toContain("ran");
  });

  test("in a hook of another repository, it is the file's own that counts", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const other = newFolder();
    run(other, server.env, ["init", "--quiet"]);
    const env = { ...server.env, GIT_DIR: join(other, ".git"), GIT_INDEX_FILE: join(other, "x") };
    await writeFrom(from, { ...server, env });
    expect(server.subjects()).toHaveLength(1);
  });

  test("where only the surroundings tell which repository it is, they do", async () => {
    const server = makeServer();
    const from = newFolder();
    const env = { ...server.env, GIT_DIR: join(server.clone("clone"), ".git") };
    await writeFrom(from, { ...server, env });
    expect(server.subjects()).toHaveLength(1);
  });
});

describe("what goes up", () => {
  test("other files of the branch stay, whatever they are and are called", async () => {
    const server = makeServer();
    server.plant(printState(stateAfter(1)), "of-another-portal.json");
    server.plant(Buffer.from([0, 255, 10]), "bytes");
    server.plant("x", "ä ö.txt");
    const before = server.git("ls-tree", "lintel-state");
    await writeFrom(server.clone("clone"), server);
    const after = server.git("ls-tree", "lintel-state").split("\n");
    expect(after.filter((line) => !line.endsWith(`${PORTAL.key}.json`)).join("\n")).toBe(before);
  });

  test("is written as git is told to call its author, else after whoever applies", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const author = () => server.git("log", "-1", "--format=%an <%ae> %cn", "lintel-state").trim();
    await writeFrom(from, server, 1);
    expect(author()).toBe(`ada <ada@${machine.host}> ada`);
    run(from, server.env, ["config", "user.name", "Grace Example"]);
    run(from, server.env, ["config", "user.email", "grace@example.org"]);
    await writeFrom(from, server, 2);
    expect(author()).toBe("Grace Example <grace@example.org> Grace Example");
    expect(server.git("log", "-1", "--format=%b", "lintel-state").trim()).toBe(
      `By ada on ${machine.host}, in https://ci.example.com/jobs/12\n\n[skip ci]`,
    );
  });

  test("to another remote, and to the one that the branch follows", async () => {
    const [server, upstream] = [makeServer(), makeServer()];
    const from = server.clone("clone");
    const git = (...words: string[]) => run(from, server.env, words);
    git("remote", "add", "upstream", upstream.folder);
    await writeFrom(from, server, 1, `${BRANCH}@upstream`);
    expect([upstream, server].map((each) => each.stored() !== undefined)).toEqual([true, false]);
    git("config", "branch.main.remote", "upstream");
    await writeFrom(from, server, 2);
    expect(upstream.subjects()).toHaveLength(2);
    await writeFrom(from, server, 1, `${BRANCH}@origin`);
    expect(server.subjects()).toHaveLength(1);
  });

  test("over SSH, with the program that the surroundings name", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const ssh = join(server.home, "ssh");
    // Does here what it is asked to do there.
    writeFileSync(
      ssh,
      `#!/bin/sh\necho "$*" >> ${ssh}.told\nfor last; do :; done\nexec sh -c "$last"\n`,
      { mode: 0o755 },
    );
    run(from, server.env, [
      "remote",
      "set-url",
      "origin",
      `ssh://git@git.example.com${server.folder}`,
    ]);
    await writeFrom(from, { ...server, env: { ...server.env, GIT_SSH_COMMAND: ssh } });
    expect(server.subjects()).toHaveLength(1);
    expect(readFileSync(`${ssh}.told`, "utf8")).toContain("git@git.example.com git-receive-pack");
  });

  test("to the only remote there is, whatever it is called", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["remote", "rename", "origin", "our.place"]);
    run(from, server.env, ["config", "--unset", "branch.main.remote"]);
    await writeFrom(from, server);
    expect(server.subjects()).toHaveLength(1);
  });
});

test("git gets what it may need, and none of Lintel's secrets", async () => {
  const server = makeServer();
  const told = join(server.home, "told");
  const { PATH } = server.env;
  const tools = newFolder();
  // Before the real one on the way, for every call.
  writeFileSync(join(tools, "git"), `#!/bin/sh\nenv >> ${told}\nPATH='${PATH}' exec git "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    ...server.env,
    PATH: `${tools}:${PATH}`,
    LINTEL_WEB_SERVICES_KEY: "hidden-1",
    LINTEL_STATE_KEY: "hidden-2".padEnd(32, "x"),
    LINTEL_VAR_SOMETHING: "hidden-3",
    GH_TOKEN: "for-a-helper",
    SSH_AUTH_SOCK: "/run/agent",
    https_proxy: "http://proxy.example.com:3128",
  };
  const from = server.clone("clone");
  await writeFrom(from, { ...server, env });
  const seen = readFileSync(told, "utf8");
  expect(seen).not.toMatch(/hidden|LINTEL_/);
  for (const each of ["GH_TOKEN=for-a-helper", "SSH_AUTH_SOCK=/run/agent", "https_proxy="])
    expect(seen).toContain(each);
  expect(seen).toContain("GIT_TERMINAL_PROMPT=0");
});

test("what a run keeps beside the repository is for its user alone, and goes with the run", async () => {
  const server = makeServer();
  const from = server.clone("clone");
  const stores = storesOf({ ...io, env: server.env, cwd: from });
  onTestFinished(() => stores.close());
  await stores.open({ address: BRANCH, file: "portal.yaml", portal: PORTAL }).read();
  const [own = "", ...others] = keptFor(from);
  expect(others).toEqual([]);
  expect((statSync(own).mode & 0o777).toString(8)).toBe("700");
  await stores.close();
  expect(keptFor(from)).toEqual([]);
});

test("what a run left behind that was killed is taken away after a day, and nothing that is in use", async () => {
  const server = makeServer();
  const from = server.clone("clone");
  const kept = (pid: number, name: string) => {
    const path = join(tmpdir(), `lintel-git-${pid}-${name}`);
    mkdirSync(path);
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const gone = spawnSync("true").pid;
  const [old, young, living] = [kept(gone, "old"), kept(gone, "new"), kept(process.pid, "own")];
  const before = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const path of [old, living]) utimesSync(path, before, before);
  await openIn(from, BRANCH, { env: server.env }).read();
  expect([old, young, living].map((path) => existsSync(path))).toEqual([false, true, true]);
});

test("files in several folders of a repository share one look at its branch", async () => {
  const server = makeServer();
  const from = server.clone("clone");
  const stores = storesOf({ ...io, env: server.env, cwd: from });
  onTestFinished(() => stores.close());
  for (const folder of ["north", "south"]) mkdirSync(join(from, folder));
  const stateOf = (file: string) => stores.open({ address: BRANCH, file, portal: PORTAL }).read();
  await Promise.all(["portal.yaml", "north/portal.yaml", "south/portal.yaml"].map(stateOf));
  expect(keptFor(from)).toHaveLength(1);
});

describe("a branch on which the state is not", () => {
  const read = (from: string, server: Server) => openIn(from, BRANCH, { env: server.env }).read();
  const refusal = (code: string, ...words: readonly string[]) =>
    words.map((word) =>
      expect.objectContaining({ code, told: expect.stringContaining(word) as string }),
    );
  const told = (from: string, server: Server) =>
    read(from, server).then(
      () => ({ code: "none", told: "" }),
      ({ code, message, help }: Failure) => ({ code, told: `${message}\n${help}` }),
    );

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a program", { "package.json": "{}", "index.js": "" }],
    ["one file that is no README", { "notes.txt": "" }],
    ["JSON of others alone", { "settings.json": '{ "format": 1 }' }],
  ])("is refused before anything is written where it holds %s", async (_, files) => {
    const server = makeServer();
    for (const [name, text] of Object.entries(files)) server.plant(text, name);
    const from = server.clone("clone");
    const before = server.subjects();
    const [expected] = refusal(
      "bad-state-address",
      `such as "${Object.keys(files).toSorted()[0]}", and no state`,
    );
    expect(await told(from, server)).toEqual(expected);
    await expect(writeFrom(from, server)).rejects.toThrow("is no place for states");
    expect(server.subjects()).toEqual(before);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a README", { "README.md": "States.", ".gitattributes": "" }],
    [
      "states of other portals beside anything",
      { "notes.txt": "", "x.json": printState(stateAfter(1)) },
    ],
    ["a state that is damaged", { "x.json": `<<<<<<<\n${printState(stateAfter(1))}` }],
  ])("is begun where it holds %s", async (_, files) => {
    const server = makeServer();
    for (const [name, text] of Object.entries(files)) server.plant(text, name);
    const from = server.clone("clone");
    expect(await read(from, server)).toBeUndefined();
    await writeFrom(from, server);
    expect(server.stored()).toBeDefined();
  });

  test("is no new one to a clone that has fetched it: what was removed is told, with how to bring it back", async () => {
    const server = makeServer();
    server.plant(printState(stateAfter(3)));
    const [knows, never] = [server.clone("knows"), server.clone("never", "--single-branch")];
    server.git("branch", "-D", "lintel-state");
    const back = "git push origin refs/remotes/origin/lintel-state:refs/heads/lintel-state";
    for (const expected of refusal(
      "state-rewound",
      "fetched its serial 3",
      "removed the branch",
      back,
    )) {
      expect(await told(knows, server)).toEqual(expected);
    }
    await expect(writeFrom(knows, server, 1)).rejects.toThrow("somebody has removed the branch");
    expect(await read(never, server)).toBeUndefined();

    run(knows, server.env, back.split(" ").slice(1));
    expect((await read(knows, server))?.serial).toBe(3);
    server.git("update-ref", "-d", "refs/heads/lintel-state");
    server.plant("States.", "README.md");
    const [removed] = refusal("state-rewound", "somebody has removed the file from the branch");
    expect(await told(knows, server)).toEqual(removed);
    // Forgotten by the clone, and not by the machine that has read it since.
    run(knows, server.env, ["fetch", "--quiet", "--prune", "origin"]);
    const [gone] = refusal("state-rewound", "is gone, and this machine has seen its serial 3");
    expect(await told(knows, server)).toEqual(gone);
  });

  test("is where it went away from, as this clone has fetched it, and may go back to", async () => {
    const server = makeServer();
    server.plant(printState(marked(stateAfter(3), MOVED)));
    const from = server.clone("clone");
    server.git("branch", "-D", "lintel-state");
    const [away] = refusal("state-moved", `was moved to "${MOVED.to}"`);
    expect(await told(from, server)).toEqual(away);
    const stores = storesOf({ ...io, env: server.env, cwd: from });
    onTestFinished(() => stores.close());
    const back = { address: BRANCH, file: "portal.yaml", portal: PORTAL, mayBeMoved: true };
    expect(await stores.open(back).read()).toBeUndefined();
  });

  test("is where one was to come that another branch still has, as this clone has fetched it", async () => {
    const server = makeServer();
    server.plant(printState(marked(stateAfter(3), { ...MOVED, to: "git:states" })));
    const from = server.clone("clone");
    const there = openIn(from, "git:states", { env: server.env });
    const lost = await there.read().catch((error: unknown) => error);
    expect(lost).toMatchObject({
      code: "state-moved",
      help: expect.stringContaining(
        "lintel state move portal.yaml git:lintel-state@origin git:states\n",
      ) as string,
    });
    expect(await openIn(from, "git:others", { env: server.env }).read()).toBeUndefined();
  });
});

test("a branch that was set back is told to a clone that has fetched it, with the push that brings it back", async () => {
  const server = makeServer();
  server.plant(printState(stateAfter(1)));
  const before = server.git("rev-parse", "lintel-state").trim();
  server.plant(printState(stateAfter(2)));
  const [from, other] = [server.clone("clone"), server.clone("other")];
  // On a machine that has read none of them.
  const read = (folder: string) =>
    openIn(folder, BRANCH, { env: { ...server.env, XDG_CONFIG_HOME: newFolder() } }).read();
  server.plant(printState(stateAfter(3)));
  expect((await read(from))?.serial).toBe(3);
  server.git("update-ref", "refs/heads/lintel-state", before);
  const back = "git push origin refs/remotes/origin/lintel-state:refs/heads/lintel-state";
  await expect(read(from)).rejects.toMatchObject({
    code: "state-rewound",
    help: expect.stringContaining(`${back}\n`) as string,
  });
  run(other, server.env, ["fetch", "--quiet", "origin"]);
  expect((await read(other))?.serial).toBe(1);
  run(from, server.env, back.split(" ").slice(1));
  expect((await read(from))?.serial).toBe(2);

  // Begun anew by another run, after it was removed.
  server.git("branch", "-D", "lintel-state");
  server.plant(printState(stateAfter(9, emptyState("another", PORTAL))));
  await expect(read(from)).rejects.toMatchObject({
    code: "state-rewound",
    message: expect.stringContaining("was begun anew") as string,
  });
});

/** What becomes of the branch, or of the file on it, after its third write. */
const LOSSES: Readonly<Record<string, (server: Server) => void>> = {
  "is removed with its branch": (server) => void server.git("branch", "-D", "lintel-state"),
  "is removed from its branch": (server) => {
    server.git("branch", "-D", "lintel-state");
    server.plant("States.", "README.md");
  },
  "is set back": (server) => void server.git("branch", "-f", "lintel-state", "lintel-state~1"),
  "is begun anew": (server) => {
    server.git("branch", "-D", "lintel-state");
    server.plant(printState(stateAfter(9, emptyState("another", PORTAL))));
  },
};

describe.each(["", "portals"])("a state whose file lies in the folder %j", (folder) => {
  const rewound = { code: "state-rewound" };

  function checkedOut() {
    const server = makeServer();
    for (const serial of [1, 2, 3]) server.plant(printState(stateAfter(serial)));
    const clone = server.clone("clone");
    mkdirSync(join(clone, folder), { recursive: true });
    return { server, clone, from: join(clone, folder) };
  }

  const lost = Object.entries(LOSSES).filter(([name]) => name !== "is begun anew");
  test.each(lost)("and that %s, is missed by a clone that has fetched it", async (_, lose) => {
    const { server, from } = checkedOut();
    lose(server);
    const store = openIn(from, BRANCH, { env: server.env });
    await expect(store.read()).rejects.toMatchObject(rewound);
    await expect(writeFrom(from, server, 1)).rejects.toMatchObject(rewound);
  });

  test.each(Object.entries(LOSSES))(
    "and that %s, is missed by a machine that has read it, whoever fetches since",
    async (_, lose) => {
      const { server, clone, from } = checkedOut();
      expect((await openIn(from, BRANCH, { env: server.env }).read())?.serial).toBe(3);
      lose(server);
      run(clone, server.env, ["fetch", "--quiet", "--prune", "origin"]);
      const store = openIn(from, BRANCH, { env: server.env });
      await expect(store.read()).rejects.toMatchObject({
        ...rewound,
        message: expect.stringContaining("this machine has seen its serial 3") as string,
        help: expect.stringContaining("lintel state accept portal.yaml") as string,
      });
      const branch = server.subjects.bind(server);
      const before = lose === LOSSES["is removed with its branch"] ? undefined : branch();
      await expect(writeFrom(from, server, 1)).rejects.toMatchObject(rewound);
      if (before) expect(branch()).toEqual(before);
      // Where it was never read, nobody knows of it.
      const elsewhere = { ...server.env, XDG_CONFIG_HOME: newFolder() };
      await openIn(from, BRANCH, { env: elsewhere }).read();
    },
  );
});

test("what another run on this machine has written meanwhile makes nothing look old", async () => {
  const server = makeServer();
  server.plant(printState(stateAfter(1)));
  const from = server.clone("clone");
  const stores = storesOf({ ...io, env: server.env, cwd: from });
  onTestFinished(() => stores.close());
  // One look at the branch serves a whole run.
  const read = () => stores.open({ address: BRANCH, file: "portal.yaml", portal: PORTAL }).read();
  expect((await read())?.serial).toBe(1);
  await writeFrom(from, server, 2);
  expect((await read())?.serial).toBe(2);
});

test("what this machine remembers of a branch is of this remote's alone", async () => {
  const [server, other] = [makeServer(), makeServer()];
  server.plant(printState(stateAfter(3)));
  const from = server.clone("clone");
  run(from, server.env, ["remote", "add", "other", `file://${other.folder}`]);
  const read = (address: string) => openIn(from, address, { env: server.env }).read();
  expect((await read(BRANCH))?.serial).toBe(3);
  expect(await read(`${BRANCH}@other`)).toBeUndefined();
  expect(await read("git:another-branch")).toBeUndefined();
  // The same remote by another name, and in another clone.
  server.git("branch", "-D", "lintel-state");
  const second = server.clone("second", "--origin", "upstream");
  await expect(openIn(second, BRANCH, { env: server.env }).read()).rejects.toMatchObject({
    code: "state-rewound",
  });
});
