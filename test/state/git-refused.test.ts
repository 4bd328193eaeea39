// States on a branch that cannot be: what is wrong with the address, the repository or the remote, and what a server says to a push.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { io, machine, newFolder } from "./places.js";
import { AS_EVE, makeServer, openIn, run, STATE_FILE, type Server } from "./repositories.js";
import { closedPort } from "../support/network.js";
import { holderFor, stateAfter } from "./samples.js";

const BRANCH = "git:lintel-state";

/** As a merge by hand may leave it. */
const CONFLICT =
  '<<<<<<< ours\n{\n  "serial": 4,\n  "history": [{ "by": { "actor": "ada" } }]\n}\n=======\nbroken\n>>>>>>> theirs\n';

function bash(line: string, cwd: string, env: Record<string, string>): string {
  return execFileSync("bash", ["-c", line], { cwd, env, stdio: "pipe", encoding: "utf8" });
}

async function refusalOf(
  action: Promise<unknown>,
): Promise<{ message: string; help: string; code: string }> {
  const failure = await action.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure === undefined) throw new Error("nothing was refused");
  return failure as { message: string; help: string; code: string };
}

function readIn(from: string, server: Pick<Server, "env">, address = BRANCH) {
  return refusalOf(openIn(from, address, { env: server.env }).read());
}

async function pushFrom(from: string, { env }: Server) {
  // Waits take no time.
  const store = openIn(from, BRANCH, { io: { ...io, env, sleep: async () => {} } });
  await store.lock(holderFor(machine));
  return store.write(stateAfter(1), 0);
}

describe("an address", () => {
  test("of a remote that is not there names those that are", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const { code, message, help } = await readIn(from, server, `${BRANCH}@upstream`);
    expect(code).toBe("bad-state-address");
    expect(message).toBe('The repository that holds "portal.yaml" has no remote "upstream".');
    expect(help).toContain('It has "origin".');
    run(from, server.env, ["remote", "remove", "origin"]);
    expect((await readIn(from, server)).help).toContain("git remote add origin URL");
  });
});

describe("a branch that is no place for states:", () => {
  test("the default one, as the remote says", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["checkout", "--quiet", "--detach"]);
    const refused = {
      code: "bad-state-address",
      message: '"main" is the default branch of "origin", and no place for states.',
    };
    expect(await readIn(from, server, "git:main")).toMatchObject(refused);
    const store = openIn(from, "git:main", { env: server.env });
    await store.lock(holderFor(machine));
    expect(await refusalOf(store.write(stateAfter(1), 0))).toMatchObject(refused);
    expect(server.git("log", "--format=%s", "main").split("\n").filter(Boolean)).toHaveLength(2);
  });

  test("one that is checked out, here or in another work tree", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, [
      "worktree",
      "add",
      "--quiet",
      join(server.home, "other"),
      "-b",
      "topic",
    ]);
    const { code, message } = await readIn(from, server, "git:topic");
    expect([code, message]).toEqual([
      "bad-state-address",
      expect.stringContaining('The branch "topic" is checked out'),
    ]);
  });

  test("one of a remote without any, which would become its default", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const empty = join(server.home, "empty.git");
    run(server.home, server.env, ["init", "--quiet", "--bare", empty]);
    run(from, server.env, ["remote", "set-url", "origin", empty]);
    expect(await readIn(from, server)).toMatchObject({
      message:
        'The state "git:lintel-state" cannot be read: the remote "origin" holds no branch at all.',
      help: expect.stringMatching(/default one:\n {2}git push -u origin HEAD\n/) as string,
    });
    run(from, server.env, ["checkout", "--quiet", "--orphan", "begun"]);
    expect(await readIn(from, server)).toMatchObject({
      help: expect.stringMatching(
        /default one:\n {2}git add \.\n {2}git commit --message "First files"\n {2}git push -u origin HEAD\n/,
      ) as string,
    });
  });
});

describe("a repository", () => {
  test("that is none", async () => {
    const { code, message } = await readIn(newFolder(), makeServer());
    expect([code, message]).toEqual([
      "bad-state-address",
      'The state is to be kept on a branch of git, and "portal.yaml" is in no git repository.',
    ]);
  });

  test("where git is not installed, or is none", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const env = { ...server.env, PATH: newFolder() };
    const { code, message } = await readIn(from, { env });
    expect([code, message]).toEqual([
      "state-not-readable",
      "The state is kept on a branch of git, and git is not installed.",
    ]);
  });
});

describe("a remote that cannot be asked", () => {
  test.each([
    [
      "a path that is not there",
      "/nowhere/x.git",
      /"origin" is no repository that this run may see/,
    ],
    ["nobody listens", undefined, /"origin" cannot be reached\. Git says: .*Failed to connect/],
    ["a name that does not resolve", "https://nowhere.invalid/x.git", /"origin" cannot be reached/],
  ])("%s", async (_what, url, message) => {
    const server = makeServer();
    const from = server.clone("clone");
    const address = url ?? `http://me:pa55word@${await closedPort()}/x.git`;
    run(from, server.env, ["remote", "set-url", "origin", address]);
    const refused = await readIn(from, server);
    expect(refused).toMatchObject({
      code: "state-not-readable",
      message: expect.stringMatching(message) as string,
    });
    expect(JSON.stringify([refused.message, refused.help])).not.toContain("pa55word");
  });

  test("an interrupt ends the question", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const started = join(server.home, "started");
    run(from, server.env, [
      "config",
      "remote.origin.uploadpack",
      `touch ${started}; cat > /dev/null; git-upload-pack`,
    ]);
    const interruption = new AbortController();
    const store = openIn(from, BRANCH, {
      io: { ...io, env: server.env, signal: interruption.signal },
    });
    const read = refusalOf(store.read());
    while (!existsSync(started)) await new Promise((turn) => setTimeout(turn, 5));
    interruption.abort();
    expect((await read).code).toBe("interrupted");
  });
});

/** What a server prints → what a person reads. */
const SAID: readonly [name: string, lines: string, why: RegExp, help: RegExp][] = [
  [
    "GitHub, branch protection",
    "error: GH006: Protected branch update failed for refs/heads/lintel-state.\nerror: Changes must be made through a pull request.",
    /a rule of the repository protects "lintel-state"/,
    /On GitHub, under Settings › Rules/,
  ],
  [
    "GitHub, rules",
    "error: GH013: Repository rule violations found for refs/heads/lintel-state.\n\n- Commits must have verified signatures.",
    /a rule of the repository protects/,
    /bypass/,
  ],
  [
    "GitHub, a token that reads",
    "Permission to acme/portals.git denied to github-actions[bot].",
    /the workflow's token may only read/,
    /\n {2}permissions:\n {4}contents: write/,
  ],
  [
    "GitLab, a protected branch",
    "GitLab: You are not allowed to push code to protected branches on this project.",
    /GitLab protects "lintel-state"/,
    /Protected branches/,
  ],
  [
    "GitLab, a job token",
    "GitLab: You are not allowed to push code to this project.",
    /whoever runs this may not push there/,
    /Job token permissions/,
  ],
  [
    "Gitea",
    "Gitea: Not allowed to push to protected branch lintel-state",
    /the server protects "lintel-state"/,
    /Under Settings › Branches/,
  ],
  [
    "Forgejo",
    "Forgejo: Not allowed to push to protected branch lintel-state",
    /the server protects/,
    /Under Settings › Branches/,
  ],
  [
    "Azure, a policy",
    "TF402455: Pushes to this branch are not permitted; you must use a pull request to update this branch.",
    /a branch policy protects/,
    /In Azure DevOps, remove the policies/,
  ],
  [
    "Azure, no right",
    "TF401027: You need the Git 'GenericContribute' permission to perform this action.",
    /whoever runs this may not push there/,
    /"Contribute" and "Create branch"/,
  ],
  [
    "any other hook",
    "Commits here need a ticket.",
    /a hook of the server refuses it/,
    /Let the server's hook pass/,
  ],
];

describe("a push that the server refuses", () => {
  test.each(SAID)("%s", async (_name, lines, why, help) => {
    const server = makeServer();
    writeFileSync(join(server.home, "lines"), `${lines}\n`);
    server.hook("pre-receive", `cat ${server.home}/lines >&2; exit 1`);
    const refused = await refusalOf(pushFrom(server.clone("clone"), server));
    expect(refused).toMatchObject({ code: "state-not-writable", exit: 1 });
    expect(refused.message).toMatch(why);
    expect(refused.message).toContain(
      `"origin" says: ${lines.split("\n")[0]?.replace(/^error: /, "")}`,
    );
    expect(refused.help).toMatch(help);
    expect(server.stored()).toBeUndefined();
  });

  test("because another branch is in its way, is not tried for ever", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    run(from, server.env, ["push", "--quiet", "origin", "HEAD:refs/heads/lintel-state/old"]);
    const { code, message } = await refusalOf(pushFrom(from, server));
    expect(code).toBe("state-not-writable");
    expect(message).toContain("refs/heads/lintel-state/old");
  });

  test("its lines drive no terminal, show no password of an address, and are not without end", async () => {
    const server = makeServer();
    const lines = [
      "\u001b[31mred\u001b[0m \u202Eturned",
      "see https://me:pa55@word@git.example.com/x",
      ...Array.from({ length: 50 }, (_, at) => `line ${at} ${"x".repeat(400)}`),
    ];
    writeFileSync(join(server.home, "lines"), lines.join("\n"));
    server.hook("update", `cat ${server.home}/lines >&2; exit 1`);
    const { message } = await refusalOf(pushFrom(server.clone("clone"), server));
    for (const hidden of ["\u001b", "\u202e", "pa55", "word@"])
      expect(message).not.toContain(hidden);
    expect(message).toContain("see https://git.example.com/x");
    expect(message.length).toBeLessThan(3_000);
  });

  test("in the middle of an apply it is told, and the old state is whole", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    await pushFrom(from, server);
    const before = server.stored();
    server.hook("pre-receive", "exit 1");
    const store = openIn(from, BRANCH, { env: server.env });
    await store.lock(holderFor(machine));
    expect(await refusalOf(store.write(stateAfter(2), 1))).toMatchObject({
      code: "state-not-writable",
    });
    expect(server.stored()).toBe(before);
    expect((await store.read())?.serial).toBe(1);
    server.hook("pre-receive", "exit 0");
    await store.write(stateAfter(2), 1);
    expect((await store.read())?.serial).toBe(2);
  });

  test("a remote where nothing can be written", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    server.git("config", "receive.maxInputSize", "1");
    const { code, message } = await refusalOf(pushFrom(from, server));
    expect(code).toBe("state-not-writable");
    expect(message).toContain("cannot be written: the server cannot store it.");
    expect(server.stored(STATE_FILE)).toBeUndefined();
  });
});

describe("what stands there and is no state", () => {
  test.each([
    ["damaged", "{", /^The state "git:lintel-state\/\S+\.json" is damaged: /],
    [
      "of a conflict",
      CONFLICT,
      /because two people applied: serial 4 by ada, one that tells neither/,
    ],
  ])(
    "and is %s, comes back by the very commands that the refusal names",
    async (_, planted, words) => {
      const server = makeServer();
      const from = server.clone("clone");
      const env = { ...server.env, ...AS_EVE };
      const store = openIn(from, BRANCH, { env });
      await store.lock(holderFor(machine));
      await store.write(stateAfter(1), 0);
      await store.write(stateAfter(2), 1);
      const whole = server.stored();
      server.plant("x", "another.json");
      server.plant(planted);
      const { code, message, help } = await readIn(from, server);
      expect(code).toMatch(/^state-(damaged|unmerged)$/);
      expect(message).toMatch(words);
      expect(help).not.toMatch(/--ours|--theirs/);
      const commands = [...help.matchAll(/^ {2}(git .+)$/gm)].map(([, line = ""]) => line);
      const said = commands.slice(0, 2).map((line) => bash(line, from, env));
      const [, before = ""] = (said[1] ?? "").split("\n").map((line) => line.split(" ")[0]);
      for (const line of commands.slice(2)) bash(line.replaceAll("COMMIT", before), from, env);
      expect(server.stored()).toBe(whole);
      expect(server.stored("another.json")).toBe("x");
      expect((await openIn(from, BRANCH, { env }).read())?.serial).toBe(2);
      expect(existsSync(join(server.home, "states"))).toBe(false);
    },
  );

  test.each([
    ["120000", "it is a link"],
    ["040000", "it is no file"],
    ["160000", "it is no file"],
  ])("mode %s", async (mode, why) => {
    const server = makeServer();
    const from = server.clone("clone");
    const blob = run(
      server.folder,
      server.env,
      ["hash-object", "-w", "--stdin"],
      "portal.json",
    ).trim();
    const object = {
      "120000": blob,
      "040000": server.git("rev-parse", "main^{tree}").trim(),
      "160000": server.git("rev-parse", "main").trim(),
    }[mode];
    const type = { "120000": "blob", "040000": "tree", "160000": "commit" }[mode];
    const tree = run(
      server.folder,
      server.env,
      ["mktree"],
      `${mode} ${type} ${object}\t${STATE_FILE}\n`,
    ).trim();
    const as = {
      ...server.env,
      GIT_AUTHOR_NAME: "e",
      GIT_AUTHOR_EMAIL: "e",
      GIT_COMMITTER_NAME: "e",
      GIT_COMMITTER_EMAIL: "e",
    };
    const commit = run(server.folder, as, ["commit-tree", tree, "-m", "odd"]).trim();
    server.git("update-ref", "refs/heads/lintel-state", commit);
    expect(await readIn(from, server)).toMatchObject({
      code: "state-not-readable",
      message: expect.stringContaining(`cannot be read: ${why}.`) as string,
    });
    expect(await refusalOf(pushFrom(from, server))).toMatchObject({ code: "state-not-readable" });
    expect(server.git("rev-parse", "lintel-state").trim()).toBe(commit);
  });
});
