// States on a branch: untouched checkouts, concurrent writers, lost answers, and refusals.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Failure } from "../../src/failure.js";
import { printState } from "../../src/state/format.js";
import type { State } from "../../src/state/state.js";
import { StateConflict, type StateStore } from "../../src/state/state-store.js";
import { emptyState, settle, withJournal, withoutJournal } from "../../src/state/steps.js";
import { closedPort } from "../support/network.js";
import { ADA, BASIC, EXTRA_HEADER, serveOverHttp } from "./git-http.js";
import {
  BRANCH,
  openStates,
  PORTALS,
  portalOf,
  standingOf,
  storeIn,
  storeOf,
} from "./git-states.js";
import { machine } from "./places.js";
import { newFolder, startProgram } from "./programs.js";
import { AS_EVE, makeServer, run, STATE_FILE, type Server } from "./repositories.js";
import { JOURNAL, LINEAGE, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";
import { storeContract } from "./store-contract.js";

const stateOf = (portal: typeof PORTAL, applies: number) =>
  stateAfter(applies, emptyState(LINEAGE, portal));

/** Reads, and writes what follows. */
async function writeNext(store: StateStore, portal = PORTAL): Promise<State> {
  const { state = emptyState(LINEAGE, portal), version } = await store.read();
  const next = settle(state, SETTLEMENT);
  await store.write(next, version);
  return next;
}

const serialOf = async (store: StateStore) => (await store.read()).state?.serial;

/** Waits take no time. */
const quick = { sleep: async () => {} };

async function failureOf(action: Promise<unknown>) {
  const failure = await action.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Failure);
  const { code, message, help = "" } = failure as Failure;
  return { code, message, help };
}

/** Before the real git, for every call. */
function wrapped(server: Server, script: string): Record<string, string> {
  const { PATH = "" } = server.env;
  const tools = newFolder();
  const text = `#!/bin/sh\nexport PATH='${PATH}'\n${script}\nexec git "$@"\n`;
  writeFileSync(join(tools, "git"), text, { mode: 0o755 });
  return { ...server.env, PATH: `${tools}:${PATH}` };
}

/** Counts what arrives, whatever becomes of it. */
function countPushes(server: Server): () => number {
  const list = join(server.home, "pushes");
  server.hook("pre-receive", `cat > /dev/null; echo one >> ${list}`);
  return () => (existsSync(list) ? readFileSync(list, "utf8").split("\n").length - 1 : 0);
}

/** Makes a checkout of the server, and what a person may have left half done in it. */
const CHECKOUTS: Readonly<Record<string, (server: Server) => string>> = {
  "a clone": (server) => server.clone("clone"),
  "a shallow clone": (server) => server.clone("clone", "--depth", "1"),
  "a shallow clone of all branches": (server) => {
    server.plant(printState(stateOf(portalOf("other"), 1)), "other.json");
    server.plant(printState(stateOf(portalOf("other"), 2)), "other.json");
    return server.clone("clone", "--depth", "1", "--no-single-branch");
  },
  "a clone without blobs": (server) => {
    server.git("config", "uploadpack.allowFilter", "true");
    server.plant(printState(stateOf(portalOf("other"), 1)), "other.json");
    return server.clone("clone", "--filter=blob:none");
  },
  "a clone without trees": (server) => {
    server.git("config", "uploadpack.allowFilter", "true");
    server.plant(printState(stateOf(portalOf("other"), 1)), "other.json");
    return server.clone("clone", "--filter=tree:0");
  },
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

describe("changes nothing in a checkout:", () => {
  test.each(Object.keys(CHECKOUTS))("%s", async (name) => {
    const server = makeServer();
    const from = CHECKOUTS[name]?.(server) ?? "";
    const other = server.clone("other");
    const before = standingOf(from, server.env);
    await writeNext(storeIn(from, server));
    // What another clone writes must be fetched.
    await writeNext(storeIn(other, server));
    const last = await writeNext(storeIn(from, server));
    expect((await storeIn(from, server).read()).state).toEqual(last);
    await storeIn(from, server).probe();
    expect(standingOf(from, server.env)).toEqual(before);
    expect(server.subjects().slice(0, 2)).toEqual([
      `apply: ${PORTAL.key} serial 3 (2 changes)`,
      `apply: ${PORTAL.key} serial 2 (2 changes)`,
    ]);
    // Whole as git sees it, here and there.
    server.git("fsck", "--strict");
    run(from, server.env, ["fsck", "--connectivity-only"]);
    expect(server.git("rev-list", "--count", "main").trim()).toBe("2");
  });

  test("with SHA-256 objects", async () => {
    const server = makeServer();
    const [folder, from] = [join(server.home, "256.git"), join(server.home, "256")];
    const init = ["init", "--quiet", "--object-format=sha256", "--initial-branch=main"];
    run(server.home, server.env, [...init, "--bare", folder]);
    run(server.home, server.env, [...init, from]);
    const git = (...words: string[]) => run(from, { ...server.env, ...AS_EVE }, words);
    git("remote", "add", "origin", folder);
    git("commit", "--quiet", "--allow-empty", "--message", "First");
    git("push", "--quiet", "origin", "main");
    const store = storeIn(from, server);
    const version = await store.write(stateAfter(1), undefined);
    expect(version).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.write(stateAfter(2), version)).not.toBe(version);
    expect(await serialOf(storeIn(from, server))).toBe(2);
  });

  test("runs no hook, and ignores the configuration for other branches", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    server.git("tag", "v1", "main");
    const hooks = "pre-push reference-transaction post-checkout pre-commit post-index-change";
    for (const hook of hooks.split(" ")) {
      const path = join(from, ".git/hooks", hook);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho ${hook} >> ${from}/ran\nexit 1\n`, { mode: 0o755 });
    }
    const git = (...words: string[]) => run(from, server.env, words);
    git("config", "push.gpgSign", "if-asked");
    git("config", "push.followTags", "true");
    git("config", "fetch.prune", "true");
    git("config", "fetch.writeCommitGraph", "true");
    git("config", "remote.origin.mirror", "true");
    git("config", "remote.origin.tagOpt", "--tags");
    const before = standingOf(from, server.env);
    const branches = server.git("branch", "--list");
    await writeNext(storeIn(from, server));
    server.plant(printState(stateAfter(2)));
    expect(await serialOf(storeIn(from, server))).toBe(2);
    expect(standingOf(from, server.env)).toEqual(before);
    expect(readdirSync(from)).not.toContain("ran");
    expect(server.git("branch", "--list", "main")).toBe(branches);
  });

  test("uses the file's own repository inside of another repository's hook", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const other = newFolder();
    run(other, server.env, ["init", "--quiet"]);
    const env = { ...server.env, GIT_DIR: join(other, ".git"), GIT_INDEX_FILE: join(other, "x") };
    await writeNext(storeIn(from, { env }));
    expect(server.subjects()).toHaveLength(1);
  });

  test("uses GIT_DIR outside of a repository", async () => {
    const server = makeServer();
    const env = { ...server.env, GIT_DIR: join(server.clone("clone"), ".git") };
    await writeNext(storeIn(newFolder(), { env }));
    expect(server.subjects()).toHaveLength(1);
  });

  test("passes git's own variables to git, but no secrets of Lintel", async () => {
    const server = makeServer();
    const seen = join(server.home, "seen");
    const env = {
      ...wrapped(server, `env >> ${seen}; echo "$*" >> ${seen}`),
      LINTEL_STATE_KEY: "hidden-1".padEnd(32, "x"),
      LINTEL_VAR_SOMETHING: "hidden-2",
      GH_TOKEN: "for-a-helper",
      SSH_AUTH_SOCK: "/run/agent",
    };
    await writeNext(storeIn(server.clone("clone"), { env }));
    const text = readFileSync(seen, "utf8");
    expect(text).not.toMatch(/hidden|LINTEL_/);
    for (const each of ["GH_TOKEN=for-a-helper", "SSH_AUTH_SOCK=/run/agent"])
      expect(text).toContain(each);
    expect(text).toContain("GIT_TERMINAL_PROMPT=0");
  });
});

describe("a commit", () => {
  test("keeps the other files of the branch, with any name", async () => {
    const server = makeServer();
    server.plant(printState(stateOf(portalOf("other"), 1)), "other.json");
    server.plant(Buffer.from([0, 255, 10]), "bytes");
    server.plant("x", "ä ö.txt");
    const before = server.git("ls-tree", "lintel-state");
    await writeNext(storeIn(server.clone("clone"), server));
    const after = server.git("ls-tree", "lintel-state").split("\n");
    expect(after.filter((line) => !line.endsWith(STATE_FILE)).join("\n")).toBe(before);
  });

  test("has the author from git's configuration, else from the state", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const store = storeIn(from, server);
    const author = () => server.git("log", "-1", "--format=%an <%ae> %cn", "lintel-state").trim();
    await writeNext(store);
    expect(author()).toBe("ada <ada@build-7> ada");
    run(from, server.env, ["config", "user.name", "Grace Example"]);
    run(from, server.env, ["config", "user.email", "grace@example.org"]);
    await writeNext(store);
    expect(author()).toBe("Grace Example <grace@example.org> Grace Example");
    expect(server.git("log", "-1", "--format=%b", "lintel-state")).toMatch(
      /^By ada on build-7, in https:\/\/ci\.example\.com\/jobs\/12\n\n\[skip ci\]\n\nWrite-Id: \S+\s*$/,
    );
  });

  test("describes the write: a journal, a settled apply, or a withdrawn journal", async () => {
    const server = makeServer();
    const store = storeIn(server.clone("clone"), server);
    const journal = withJournal(emptyState(LINEAGE, PORTAL), JOURNAL);
    let version = await store.write(journal, undefined);
    const settled = settle(journal, SETTLEMENT);
    version = await store.write(settled, version);
    const again = withJournal(settled, JOURNAL);
    version = await store.write(again, version);
    await store.write(withoutJournal(again, undefined), version);
    expect(server.subjects().toReversed()).toEqual([
      `apply begins: ${PORTAL.key} serial 1 (1 change)`,
      `apply: ${PORTAL.key} serial 2 (2 changes)`,
      `apply begins: ${PORTAL.key} serial 3 (1 change)`,
      `withdrawn: ${PORTAL.key} serial 4`,
    ]);
  });

  test("goes to the named remote, else to the branch's upstream", async () => {
    const [server, upstream] = [makeServer(), makeServer()];
    const from = server.clone("clone");
    const git = (...words: string[]) => run(from, server.env, words);
    git("remote", "add", "upstream", upstream.folder);
    await writeNext(storeIn(from, { ...server, address: `${BRANCH}@upstream` }));
    expect([upstream, server].map((each) => each.stored() !== undefined)).toEqual([true, false]);
    git("config", "branch.main.remote", "upstream");
    await writeNext(storeIn(from, server));
    expect(upstream.subjects()).toHaveLength(2);
    await writeNext(storeIn(from, { ...server, address: `${BRANCH}@origin` }));
    expect(server.subjects()).toHaveLength(1);
  });

  test("goes to the only remote, with any name", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["remote", "rename", "origin", "our.place"]);
    run(from, server.env, ["config", "--unset", "branch.main.remote"]);
    await writeNext(storeIn(from, server));
    expect(server.subjects()).toHaveLength(1);
  });

  test("goes to the push address of a remote", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["config", "remote.origin.pushurl", `${server.home}/./server.git`]);
    await writeNext(storeIn(from, server));
    await writeNext(storeIn(from, server));
    expect(server.subjects()).toHaveLength(2);
  });

  test("goes over SSH with the program from the environment", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const ssh = join(server.home, "ssh");
    // Does here what it is asked to do there.
    const script = `#!/bin/sh\necho "$*" >> ${ssh}.log\nfor last; do :; done\nexec sh -c "$last"\n`;
    writeFileSync(ssh, script, { mode: 0o755 });
    const url = `ssh://git@git.example.com${server.folder}`;
    run(from, server.env, ["remote", "set-url", "origin", url]);
    await writeNext(storeIn(from, { env: { ...server.env, GIT_SSH_COMMAND: ssh } }));
    expect(server.subjects()).toHaveLength(1);
    expect(readFileSync(`${ssh}.log`, "utf8")).toContain("git@git.example.com git-receive-pack");
  });
});

describe("a read", () => {
  test("shares the run's first fetch, then fetches again", async () => {
    const server = makeServer();
    const list = join(server.home, "asked");
    const env = wrapped(server, `case " $* " in *" ls-remote "*) echo one >> ${list};; esac`);
    const asked = () => readFileSync(list, "utf8").split("\n").length - 1;
    const states = openStates(server.clone("clone"), { env });
    const [one, two] = [storeOf(states), storeOf(states, PORTALS[0])];
    await one.read();
    await two.read();
    expect(asked()).toBe(1);
    server.plant(printState(stateAfter(1)));
    expect(await serialOf(one)).toBe(1);
    expect(asked()).toBe(2);
    // Those who ask while one is under way share the next one.
    await Promise.all(Array.from({ length: 10 }, () => one.read()));
    expect(asked()).toBeLessThanOrEqual(4);
  });

  test("returns one version for each content", async () => {
    const server = makeServer();
    const [one, two] = [server.clone("one"), server.clone("two")].map((from) =>
      storeIn(from, server),
    ) as [StateStore, StateStore];
    expect(await one.read()).toEqual({ state: undefined, version: undefined });
    const first = await one.write(stateAfter(1), undefined);
    expect(await two.read()).toEqual({ state: stateAfter(1), version: first });
    const second = await two.write(stateAfter(2), first);
    expect(second).not.toBe(first);
    expect((await one.read()).version).toBe(second);
  });

  test("names a state the same in every clone, without user and password", async () => {
    const server = makeServer();
    const [one, two] = [server.clone("one"), server.clone("two", "--origin", "upstream")];
    const url = "https://ada:pa55word@git.example.com/states.git";
    run(one, server.env, ["remote", "set-url", "origin", url]);
    run(two, server.env, ["remote", "set-url", "upstream", url.replace("ada:pa55word@", "")]);
    const name = `git https://git.example.com/states.git lintel-state ${PORTAL.key}`;
    expect(await storeIn(one, server).memoryName()).toBe(name);
    expect(await storeIn(two, server).memoryName()).toBe(name);
  });

  test("succeeds after a killed fetch in the same clone, and during another one", async () => {
    const server = makeServer();
    server.plant(printState(stateAfter(1)));
    const from = server.clone("clone", "--single-branch");
    const stores = Array.from({ length: 8 }, () => storeIn(from, server));
    expect(await Promise.all(stores.map(serialOf))).toEqual(stores.map(() => 1));
    // What a git leaves behind that was killed within the change of a ref.
    writeFileSync(join(from, ".git/refs/lintel/origin/lintel-state.lock"), "");
    server.plant(printState(stateAfter(2)));
    expect(await Promise.all(stores.map(serialOf))).toEqual(stores.map(() => 2));
    await writeNext(storeIn(from, server));
    expect(server.subjects()).toHaveLength(3);
  });

  test("ends at an interrupt", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const started = join(server.home, "started");
    const program = `touch ${started}; cat > /dev/null; git-upload-pack`;
    run(from, server.env, ["config", "remote.origin.uploadpack", program]);
    const interruption = new AbortController();
    const store = storeIn(from, { ...server, io: { signal: interruption.signal } });
    const read = failureOf(store.read());
    await vi.waitUntil(() => existsSync(started), { timeout: 240_000 });
    interruption.abort();
    expect((await read).code).toBe("interrupted");
  });
});

describe("writers at the same time", () => {
  test("of ten stores of one run for one portal, one succeeds", async () => {
    const server = makeServer();
    const states = openStates(server.clone("clone"), server);
    const stores = Array.from({ length: 10 }, () => storeOf(states));
    const ends = await Promise.allSettled(
      stores.map((store) => store.write(stateAfter(1), undefined)),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(server.subjects()).toHaveLength(1);
  });

  test("ten portals of one run share commits", async () => {
    const server = makeServer();
    const pushes = countPushes(server);
    const states = openStates(server.clone("clone"), server);
    await Promise.all(
      PORTALS.map(async (portal) => {
        const store = storeOf(states, portal);
        for (const _ of [1, 2]) await writeNext(store, portal);
      }),
    );
    expect(pushes()).toBeLessThan(PORTALS.length);
    expect(server.subjects()).toHaveLength(pushes());
    const [subject] = server.subjects().filter((each) => each.includes("portals"));
    expect(subject).toMatch(/^apply: \d+ portals \(\d+ changes\)$/);
    expect(server.git("log", "--format=%b", "lintel-state")).toMatch(
      /^apply: \S+-portal-+\d serial 1 \(2 changes\)\napply: /m,
    );
    for (const portal of PORTALS)
      expect((await storeOf(states, portal).read()).state).toEqual(stateOf(portal, 2));
  });

  test("a conflict does not fail the other writes in the same push", async () => {
    const server = makeServer();
    const states = openStates(server.clone("clone"), server);
    const ends = await Promise.allSettled(
      PORTALS.map((portal, at) => {
        const version = at === 3 ? "0".repeat(40) : undefined;
        return storeOf(states, portal).write(stateOf(portal, 1), version);
      }),
    );
    const won = ends.map(({ status }) => status === "fulfilled");
    expect(won).toEqual(PORTALS.map((_, at) => at !== 3));
    expect((ends[3] as PromiseRejectedResult).reason).toBeInstanceOf(StateConflict);
  });

  test("a writer fails after others have pushed first for two minutes", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    // Before every push that comes, somebody else's file changes.
    server.hook(
      "pre-receive",
      `unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
old=$(git rev-parse --verify --quiet refs/heads/lintel-state)
export GIT_AUTHOR_NAME=e GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=e GIT_COMMITTER_EMAIL=e
tree=$(printf '100644 blob %s\\tREADME\\n' $(git hash-object -w --stdin < /dev/null) | git mktree)
new=$(git commit-tree $tree \${old:+-p $old} -m "after $old")
git update-ref refs/heads/lintel-state $new`,
    );
    let elapsedMs = 0;
    const store = storeIn(from, {
      ...server,
      io: { ...quick, machine: { ...machine, elapsedMs: () => (elapsedMs += 20_000) } },
    });
    expect(await failureOf(store.write(stateAfter(1), undefined))).toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("other runs pushed first for two minutes") as string,
    });
    expect(server.stored()).toBeUndefined();
  });
});

describe("a branch that changed between read and write", () => {
  test("a deleted branch is a conflict, even if it was created again", async () => {
    const server = makeServer();
    const store = storeIn(server.clone("clone"), server);
    const version = await store.write(stateAfter(1), undefined);
    server.git("branch", "-D", "lintel-state");
    await expect(store.write(stateAfter(2), version)).rejects.toThrow(StateConflict);
    expect(server.git("branch", "--list", "lintel-state")).toBe("");
    expect(await store.read()).toEqual({ state: undefined, version: undefined });
    server.plant(printState(stateOf(portalOf("other"), 1)), "other.json");
    await expect(store.write(stateAfter(2), version)).rejects.toThrow(StateConflict);
  });

  test("a reset branch is a conflict, and the clone keeps the removed commits", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const store = storeIn(from, server);
    const first = await store.write(stateAfter(1), undefined);
    const second = await store.write(stateAfter(2), first);
    const tip = server.git("rev-parse", "lintel-state").trim();
    server.git("branch", "-f", "lintel-state", "lintel-state~1");
    await expect(store.write(stateAfter(3), second)).rejects.toThrow(StateConflict);
    expect(await store.read()).toMatchObject({ version: first });
    expect(store.recovery()).toContain("git reflog show refs/lintel/origin/lintel-state");
    const known = run(from, server.env, [
      "reflog",
      "refs/lintel/origin/lintel-state",
      "--no-abbrev",
    ]);
    expect(known).toContain(tip);
    // As the recovery says.
    run(from, server.env, ["push", "--quiet", "origin", `${tip}:refs/heads/lintel-state`]);
    expect(await store.read()).toMatchObject({ version: second });
  });

  test("a change of another portal's file is no conflict", async () => {
    const server = makeServer();
    const store = storeIn(server.clone("clone"), server);
    const version = await store.write(stateAfter(1), undefined);
    server.plant("{}", "other.json");
    await store.write(stateAfter(2), version);
    expect(server.stored("other.json")).toBe("{}");
    expect(server.stored()).toBe(printState(stateAfter(2)));
  });
});

describe("a process that is killed", () => {
  const isWhole = async (server: Server, from: string) => {
    const serial = await serialOf(storeIn(from, server));
    await writeNext(storeIn(from, server));
    expect(await serialOf(storeIn(from, server))).toBe((serial ?? 0) + 1);
    server.git("fsck", "--strict");
    return serial;
  };

  test.each([
    ["while the server takes it", "pre-receive"],
    ["after the push, before its answer", "post-receive"],
  ])("%s: writes everything or nothing, and the next run succeeds", async (_, hook) => {
    const server = makeServer();
    const from = server.clone("clone");
    const { env } = server;
    const errand = { address: BRANCH, from, env, portalUrl: PORTAL.url, writes: 1, pauses: true };
    const writer = await startProgram("writer.ts", errand);
    await writer.says("read");
    server.hook(hook, `cat > /dev/null; kill -KILL ${writer.process.pid}`);
    writer.process.stdin?.write("go on\n");
    expect((await writer.ended).signal).toBe("SIGKILL");
    server.hook(hook, "cat > /dev/null");
    // Git itself goes on, and may still be about to end.
    await vi.waitUntil(() => server.stored() !== undefined, { timeout: 240_000 });
    expect(await isWhole(server, from)).toBe(1);
  });

  test.each(["before", "after"])(
    "only git, by Ctrl+C in the terminal, %s its push arrived: the write goes on",
    async (when) => {
      const server = makeServer();
      const once = join(newFolder(), "once");
      const env = wrapped(
        server,
        `case " $* " in *" push "*) if test ! -e ${once}; then
touch ${once}
${when === "after" ? 'git "$@" > /dev/null 2>&1' : ":"}
kill -INT $$
fi;; esac`,
      );
      const signal = AbortSignal.abort();
      const store = storeIn(server.clone("clone"), { env, io: { ...quick, signal } });
      const version = await store.write(stateAfter(1), undefined);
      expect(existsSync(once)).toBe(true);
      await store.write(stateAfter(2), version);
      expect(server.subjects()).toHaveLength(2);
    },
  );
});

const HELPER = {
  "credential.helper": `!f() { test "$1" = get && echo username=${ADA.user} && echo password=${ADA.password}; }; f`,
};

async function overHttp(config: Readonly<Record<string, string>> = HELPER) {
  const server = makeServer();
  const over = await serveOverHttp(server);
  const from = server.cloneOf(over.url, "clone", config);
  return { server, over, from, open: () => storeIn(from, { ...server, io: quick }) };
}

const isPush = (asked: string) => asked.startsWith("POST ") && asked.endsWith("/git-receive-pack");

describe("a lost answer over HTTP", () => {
  // Git's own transport sends again what a connection was cut after.
  test.each([1, 2])("to a push that arrived, cut %i times, counts as success", async (times) => {
    const { server, over, open } = await overHttp();
    const store = open();
    const version = await store.write(stateAfter(1), undefined);
    let cuts = 0;
    over.fate = (asked) => (isPush(asked) && cuts++ < times ? "cut" : "sent");
    await store.write(stateAfter(2), version);
    expect(await serialOf(open())).toBe(2);
    expect(server.subjects()).toHaveLength(2);
    expect(cuts).toBe(2);
  });

  test("to a push that never arrived is repeated", async () => {
    const { server, over, open } = await overHttp();
    let cuts = 0;
    over.fate = (asked) => (isPush(asked) && cuts++ === 0 ? "unasked" : "sent");
    await open().write(stateAfter(1), undefined);
    expect(server.subjects()).toHaveLength(1);
    expect(cuts).toBe(2);
  });

  test("with 502 although the push arrived counts as success", async () => {
    const { server, over, from, open } = await overHttp();
    const store = open();
    const version = await store.write(stateAfter(1), undefined);
    const other = server.clone("other");
    let pushes = 0;
    over.fate = (asked) => {
      if (!isPush(asked) || pushes++ > 0) return "sent";
      // As a proxy answers that has passed it on.
      const own = run(from, server.env, ["rev-list", "--all", "--max-count=1"]);
      expect(own).not.toBe("");
      run(from, server.env, ["push", "--quiet", server.folder, `${newestIn(from)}:lintel-state`]);
      return { status: 502, body: "Bad Gateway" };
    };
    await store.write(stateAfter(2), version);
    expect(pushes).toBe(1);
    expect(server.subjects()).toHaveLength(2);
    expect(await serialOf(storeIn(other, server))).toBe(2);

    /** The commit that is being pushed, which no ref leads to yet. */
    function newestIn(clone: string): string {
      const list = run(clone, server.env, ["fsck", "--no-reflogs", "--unreachable"]);
      const [, commit = ""] = /^unreachable commit (\S+)$/m.exec(list) ?? [];
      return commit;
    }
  });

  test("to a push that arrived, below newer pushes, counts as success", async () => {
    const { server, over, open } = await overHttp();
    const store = open();
    const version = await store.write(stateAfter(1), undefined);
    let cuts = 0;
    over.fate = (asked) => {
      if (isPush(asked)) return cuts++ === 0 ? "cut" : "sent";
      // Between the push and the look that follows it.
      if (asked.startsWith("GET ") && server.subjects().length === 2)
        server.plant(printState(stateAfter(3)));
      return "sent";
    };
    await store.write(stateAfter(2), version);
    expect(server.subjects()).toEqual([
      "by hand",
      expect.stringContaining("serial 2"),
      expect.stringContaining("serial 1"),
    ]);
  });

  test("to a push that lost to another one is a conflict", async () => {
    const { server, over, open } = await overHttp();
    const store = open();
    const version = await store.write(stateAfter(1), undefined);
    const theirs = { ...stateAfter(2), leaves: [] };
    let pushes = 0;
    over.fate = (asked) => {
      if (!isPush(asked) || pushes++ > 0) return "sent";
      server.plant(printState(theirs));
      return "unasked";
    };
    await expect(store.write(stateAfter(2), version)).rejects.toThrow(StateConflict);
    expect((await open().read()).state).toEqual(theirs);
  });

  test("that stays lost reports an unknown outcome", async () => {
    const { server, over, open } = await overHttp();
    const store = open();
    const version = await store.write(stateAfter(1), undefined);
    let isAway = false;
    over.fate = (asked) => {
      if (isPush(asked)) isAway = true;
      return isAway ? (isPush(asked) ? "cut" : "unasked") : "sent";
    };
    expect(await failureOf(store.write(stateAfter(2), version))).toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining(
        'It is unknown whether "origin" accepted the push.',
      ) as string,
    });
    expect(server.subjects()).toHaveLength(2);
    over.fate = () => "sent";
    expect(await serialOf(store)).toBe(2);
  });
});

describe("over HTTP, credentials", () => {
  test.each<[string, (server: Server, from: string) => Record<string, string>]>([
    [
      "a header that a pipeline's checkout left",
      (server, from) => {
        run(from, server.env, ["config", "http.extraHeader", EXTRA_HEADER]);
        return {};
      },
    ],
    [
      "a configuration in the environment",
      () => ({
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "http.extraHeader",
        GIT_CONFIG_VALUE_0: EXTRA_HEADER,
      }),
    ],
    [
      "an include for where the repository is",
      (server, from) => {
        const included = `${server.home}/credentials.config`;
        run(from, server.env, ["config", "--file", included, "http.extraHeader", EXTRA_HEADER]);
        run(from, server.env, ["config", `includeIf.gitdir:${from}/.git.path`, included]);
        return {};
      },
    ],
  ])("come from %s", async (_, set) => {
    const { server, from } = await overHttp({});
    const env = { ...server.env, ...set(server, from) };
    await writeNext(storeIn(from, { env }));
    expect(server.subjects()).toHaveLength(1);
  });

  const words = [
    ADA.password,
    ADA.password.toUpperCase(),
    `${ADA.user}:${ADA.password}`,
    BASIC,
    BASIC.slice("Basic ".length, -4),
  ];
  test.each<[string, (url: URL, home: string) => Readonly<Record<string, string>>]>([
    ["a helper", () => HELPER],
    ["a header", () => ({ "http.extraHeader": EXTRA_HEADER })],
    [
      "the address",
      (url) => Object.assign(url, { username: ADA.user, password: ADA.password }) && {},
    ],
    [
      "an address that stands for the remote's",
      (url) => ({
        [`url.${url.protocol}//${ADA.user}:${ADA.password}@${url.host}/.insteadOf`]: `${url.origin}/`,
      }),
    ],
    [
      "a helper that forgets what is refused",
      (url, home) => {
        const file = `${home}/kept`;
        writeFileSync(file, `${url.protocol}//${ADA.user}:${ADA.password}@${url.host}\n`);
        return { "credential.helper": `store --file=${file}` };
      },
    ],
  ])("of %s that the server repeats are never shown", async (_, set) => {
    const server = makeServer();
    const over = await serveOverHttp(server);
    const url = new URL(over.url);
    const config = set(url, server.home);
    const from = server.cloneOf(url.href, "clone", config);
    const open = () => storeIn(from, { ...server, io: quick });
    const shown = async (asked: Promise<unknown>) => {
      const { code, message, help } = await failureOf(asked);
      expect(code).toMatch(/^state-not-/);
      for (const each of words)
        expect(`${message} ${help}`.toLowerCase()).not.toContain(each.toLowerCase());
      return message;
    };
    server.hook("update", `echo "${words.join("\n")}" >&2; echo "ask Eve" >&2; exit 1`);
    const store = open();
    expect(await shown(store.write(stateAfter(1), undefined))).toMatch(/withheld.*ask Eve/s);
    expect(`${await store.memoryName()} ${store.recovery()}`).not.toContain(ADA.password);
    for (const status of [403, 401]) {
      over.fate = () => ({ status, body: `no such account: ${words.join("\n")}` });
      await shown(open().read());
    }
  });

  test("that are missing cause no prompt, and the help names their sources", async () => {
    const { from, server } = await overHttp({});
    expect(await failureOf(storeIn(from, server).read())).toMatchObject({
      code: "state-not-readable",
      message: expect.stringContaining("terminal prompts disabled") as string,
      help: expect.stringContaining("persist-credentials") as string,
    });
  });

  test("with read access fail the probe, which sends nothing", async () => {
    const { over, server, open } = await overHttp();
    const store = open();
    await store.probe();
    over.fate = (asked) =>
      asked.includes("service=git-receive-pack") ? { status: 403, body: "read only" } : "sent";
    expect((await failureOf(store.probe())).code).toBe("state-not-writable");
    expect(over.asked.filter(isPush)).toEqual([]);
    expect(server.git("branch", "--list", "lintel-state")).toBe("");
  });
});

describe("refuses", () => {
  const readIn = (from: string, server: Pick<Server, "env">, address = BRANCH) =>
    failureOf(storeIn(from, { env: server.env, address }).read());

  test("an address without a branch", () => {
    const from = newFolder();
    expect(() => openStates(from, { env: {}, address: "git:" })).toThrow(
      expect.objectContaining({ code: "bad-state-address" }) as Error,
    );
  });

  test("an unknown remote, and names the existing ones", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const { code, message, help } = await readIn(from, server, `${BRANCH}@upstream`);
    expect(code).toBe("bad-state-address");
    expect(message).toBe('The repository of "portal.yaml" has no remote "upstream".');
    expect(help).toContain('It has "origin".');
    run(from, server.env, ["remote", "remove", "origin"]);
    expect((await readIn(from, server)).help).toContain("git remote add origin URL");
  });

  test("the default branch of the remote", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["checkout", "--quiet", "--detach"]);
    const refused = {
      code: "bad-state-address",
      message: '"main" is the default branch of "origin". It cannot keep states.',
    };
    expect(await readIn(from, server, "git:main")).toMatchObject(refused);
    const store = storeIn(from, { ...server, address: "git:main" });
    expect(await failureOf(store.write(stateAfter(1), undefined))).toMatchObject(refused);
    expect(server.git("rev-list", "--count", "main").trim()).toBe("2");
  });

  test("a branch checked out here or in another work tree", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const other = join(server.home, "other");
    run(from, server.env, ["worktree", "add", "--quiet", other, "-b", "topic"]);
    const { code, message } = await readIn(from, server, "git:topic");
    expect(code).toBe("bad-state-address");
    expect(message).toContain('The branch "topic" is checked out');
  });

  test("a remote without a branch", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const empty = join(server.home, "empty.git");
    run(server.home, server.env, ["init", "--quiet", "--bare", empty]);
    run(from, server.env, ["remote", "set-url", "origin", empty]);
    const { message, help } = await readIn(from, server);
    expect(message).toContain('the remote "origin" has no branch');
    expect(help).toContain("\n  git push -u origin HEAD\n");
    const store = storeIn(from, { ...server, io: quick });
    await expect(store.write(stateAfter(1), undefined)).rejects.toThrow("has no branch");
    expect(run(empty, server.env, ["for-each-ref"])).toBe("");
  });

  test("a folder outside of a repository, and a machine without git", async () => {
    const server = makeServer();
    expect(await readIn(newFolder(), server)).toMatchObject({
      code: "bad-state-address",
      message: expect.stringContaining('"portal.yaml" is not in a repository') as string,
    });
    const env = { ...server.env, PATH: newFolder() };
    expect(await readIn(server.clone("clone"), { env })).toMatchObject({
      code: "state-not-readable",
      message: expect.stringContaining("git is not installed") as string,
    });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a program", { "package.json": "{}", "index.js": "" }],
    ["one file that is no README", { "notes.txt": "" }],
    ["JSON of others alone", { "settings.json": '{ "format": 1 }' }],
  ])("a branch that contains %s", async (_, files) => {
    const server = makeServer();
    for (const [name, text] of Object.entries(files)) server.plant(text, name);
    const from = server.clone("clone");
    const before = server.subjects();
    const refused = {
      code: "bad-state-address",
      message: expect.stringContaining(
        `such as "${Object.keys(files).toSorted()[0]}", and no state`,
      ) as string,
    };
    expect(await readIn(from, server)).toMatchObject(refused);
    const store = storeIn(from, server);
    expect(await failureOf(store.write(stateAfter(1), undefined))).toMatchObject(refused);
    expect(await failureOf(store.probe())).toMatchObject(refused);
    expect(server.subjects()).toEqual(before);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a README", { "README.md": "States.", ".gitattributes": "" }],
    ["a state beside anything", { "notes.txt": "", "x.json": printState(stateAfter(1)) }],
    ["a state that is damaged", { "x.json": `<<<<<<<\n${printState(stateAfter(1))}` }],
  ])("no branch that contains %s", async (_, files) => {
    const server = makeServer();
    for (const [name, text] of Object.entries(files)) server.plant(text, name);
    const store = storeIn(server.clone("clone"), server);
    expect(await store.read()).toEqual({ state: undefined, version: undefined });
    await writeNext(store);
    expect(server.stored()).toBeDefined();
  });

  test.each([
    ["120000", "a link"],
    ["040000", "no file"],
    ["160000", "no file"],
  ])("an entry of mode %s", async (mode, why) => {
    const server = makeServer();
    const from = server.clone("clone");
    const at = (words: string[], input?: string) =>
      run(server.folder, { ...server.env, ...AS_EVE }, words, input).trim();
    const [type, object] = {
      "120000": ["blob", at(["hash-object", "-w", "--stdin"], "portal.json")],
      "040000": ["tree", at(["rev-parse", "main^{tree}"])],
      "160000": ["commit", at(["rev-parse", "main"])],
    }[mode] ?? ["", ""];
    const tree = at(["mktree"], `${mode} ${type} ${object}\t${STATE_FILE}\n`);
    const commit = at(["commit-tree", tree, "-m", "odd"]);
    at(["update-ref", "refs/heads/lintel-state", commit]);
    const refused = {
      code: "state-not-readable",
      message: expect.stringContaining(`cannot be read: the entry is ${why}.`) as string,
    };
    expect(await readIn(from, server)).toMatchObject(refused);
    const write = storeIn(from, server).write(stateAfter(1), undefined);
    expect(await failureOf(write)).toMatchObject(refused);
    expect(server.git("rev-parse", "lintel-state").trim()).toBe(commit);
  });

  test("too large a state", async () => {
    const server = makeServer();
    server.plant(Buffer.alloc(64 * 1024 * 1024 + 1, 32));
    expect((await readIn(server.clone("clone"), server)).message).toContain("larger than 64 MiB");
  });
});

describe("shows the messages of git and the server", () => {
  test.each([
    ["a path that is not there", () => "/nowhere/x.git", "does not appear to be a git repository"],
    [
      "a port that nobody listens on",
      async () => `http://me:pa55word@${await closedPort()}/x.git`,
      "Failed to connect",
    ],
  ])("of %s", async (_, url, message) => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["remote", "set-url", "origin", await url()]);
    const refused = await failureOf(storeIn(from, server).read());
    expect(refused.code).toBe("state-not-readable");
    expect(refused.message).toContain(message);
    expect(refused.help).toContain("\n  git ls-remote origin");
    expect(`${refused.message} ${refused.help}`).not.toContain("pa55word");
  });

  test("of servers that fail, refuse or answer with other content", async () => {
    const { over, open } = await overHttp();
    for (const [status, body, message] of [
      [500, "oops", /returned error: 500/],
      [403, "no", /returned error: 403/],
      [404, "none", /not found/],
      [200, "<html>\nLog in\n</html>\n", /not valid: is this a git repository/],
    ] as const) {
      over.fate = () => ({ status, body });
      const refused = await failureOf(open().read());
      expect(refused.code).toBe("state-not-readable");
      expect(refused.message).toMatch(message);
    }
  });

  test.each([
    "error: GH006: Protected branch update failed for refs/heads/lintel-state.",
    "GitLab: You are not allowed to push code to protected branches on this project.",
    "TF402455: Pushes to this branch are not permitted; you must use a pull request to update this branch.",
    "Commits here need a ticket.",
  ])("of a refused push: %s", async (line) => {
    const server = makeServer();
    const list = join(server.home, "pushes");
    server.hook("pre-receive", `echo one >> ${list}; echo "${line}" >&2; exit 1`);
    const from = server.clone("clone");
    const store = storeIn(from, { ...server, io: quick });
    const refused = await failureOf(store.write(stateAfter(1), undefined));
    expect(refused.code).toBe("state-not-writable");
    expect(refused.message).toContain('cannot be written: "origin" refused the push. Git says: ');
    expect(refused.message).toContain(line.replace("error: ", ""));
    expect(refused.help).toContain("protection rules");
    expect(server.stored()).toBeUndefined();
    // Not again and again.
    expect(readFileSync(list, "utf8").split("\n").length - 1).toBeLessThanOrEqual(4);
    // Nothing is left of it where the server lets it pass.
    server.hook("pre-receive", "cat > /dev/null");
    await store.write(stateAfter(1), undefined);
    expect(server.subjects()).toHaveLength(1);
  });

  test("of a push that conflicts with another branch's name", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["push", "--quiet", "origin", "HEAD:refs/heads/lintel-state/old"]);
    const store = storeIn(from, { ...server, io: quick });
    const { code, message } = await failureOf(store.write(stateAfter(1), undefined));
    expect(code).toBe("state-not-writable");
    expect(message).toContain("refs/heads/lintel-state/old");
  });

  test("safe for a terminal, without passwords, and of limited length", async () => {
    const server = makeServer();
    const lines = [
      "\u001b[31mred\u001b[0m \u202Eturned",
      "see https://me:pa55@word@git.example.com/x",
      ...Array.from({ length: 50 }, (_, at) => `line ${at} ${"x".repeat(400)}`),
    ];
    writeFileSync(join(server.home, "lines"), lines.join("\n"));
    server.hook("update", `cat ${server.home}/lines >&2; exit 1`);
    const store = storeIn(server.clone("clone"), { ...server, io: quick });
    const { message } = await failureOf(store.write(stateAfter(1), undefined));
    for (const hidden of ["\u001b", "\u202e", "pa55", "word@"])
      expect(message).not.toContain(hidden);
    expect(message).toContain("see https://git.example.com/x");
    expect(message.length).toBeLessThan(3_000);
  });
});

describe("a state that is damaged", () => {
  test("is restored by the commands in the help", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const env = { ...server.env, ...AS_EVE };
    const store = storeIn(from, { env });
    await writeNext(store);
    await writeNext(store);
    const whole = server.stored();
    server.plant("x", "another.json");
    server.plant("{");
    const { code, help } = await failureOf(storeIn(from, { env }).read());
    expect(code).toBe("state-damaged");
    const [damaged = ""] = help.split("If the branch was deleted");
    const commands = [...damaged.matchAll(/^ {2}(git .+)$/gm)].map(([, line = ""]) => line);
    const bash = (line: string) =>
      execFileSync("bash", ["-c", line], { cwd: from, env, stdio: "pipe", encoding: "utf8" });
    const said = commands.slice(0, 2).map(bash);
    const [, before = ""] = (said[1] ?? "").split("\n").map((line) => line.split(" ")[0]);
    for (const line of commands.slice(2)) bash(line.replaceAll("COMMIT", before));
    expect(server.stored()).toBe(whole);
    expect(server.stored("another.json")).toBe("x");
    expect(await serialOf(storeIn(from, { env }))).toBe(2);
    expect(existsSync(join(server.home, "states"))).toBe(false);
  });

  test("does not show the branch from a reference", async () => {
    const server = makeServer();
    const states = openStates(server.clone("clone"), { ...server, written: "git:${env.BRANCH}" });
    const store = storeOf(states);
    await store.read();
    expect(store.place).toBe(`git:\${env.BRANCH}/${STATE_FILE}`);
    expect(store.recovery()).toContain("git fetch origin BRANCH\n");
    expect(store.recovery()).not.toContain("lintel-state");
  });
});

test("waits for running writes when closed", async () => {
  const server = makeServer();
  const states = openStates(server.clone("clone"), server);
  const written = storeOf(states).write(stateAfter(1), undefined);
  await storeOf(states, PORTALS[0]).read();
  await states.close();
  await written;
  expect(server.subjects()).toHaveLength(1);
});

describe("the contract", () => {
  storeContract(() => {
    const server = makeServer();
    return {
      address: BRANCH,
      from: server.clone("ada"),
      env: server.env,
      plant: (content) => server.plant(content, STATE_FILE),
    };
  });
});
