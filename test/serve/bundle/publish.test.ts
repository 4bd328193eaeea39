// What is published of a repository: whole, forward only, by one at a time; and nothing that no commit holds.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Published } from "../../../src/serve/bundle/publish.js";
import { ofPublished } from "../../../src/serve/news/queue-news.js";
import { folderOf } from "../../support/run.js";
import { BASE, Killed, keyOf, openQueue, openRepository, portalFile } from "./queue.js";

test("a portal's file goes along with its base, its texts, its policies and the variables that it uses, and with no secret", async () => {
  const queue = await openQueue();
  const repository = openRepository();
  const serve = await queue.openMachine().serve({
    cwd: repository.path,
    env: { LINTEL_VAR_TEAM: "Ana", LINTEL_VAR_OTHER: "not used", LINTEL_BEID: "secret-1" },
    poolOf: ({ name }) => (name === "portal-2" ? "inside" : undefined),
  });
  expect(await serve.look()).toMatchObject({
    is: "published",
    number: 1,
    commit: repository.git("rev-parse", "HEAD"),
    changed: [keyOf(1), keyOf(2)],
    gone: [],
  });
  const unpack = await queue.openMachine().work({
    env: { LINTEL_VAR_TEAM: "somebody else" },
    pools: ["inside"],
  });
  const { bundle, io, file, revision } = await unpack(keyOf(2));
  expect([revision, file, bundle.pool]).toEqual([1, "portals/2.yaml", "inside"]);
  expect(bundle.files.map(([name]) => name)).toEqual([
    "_base.yaml",
    "policy/banner.yaml",
    "portals/2.yaml",
    "texts/banner.txt",
  ]);
  expect(bundle.variables).toEqual({ LINTEL_VAR_TEAM: "Ana" });
  expect(io.env["LINTEL_VAR_TEAM"]).toBe("Ana");
  const [{ whole } = { whole: "" }] = await queue.ask<{ whole: string }>(
    `SELECT string_agg(convert_from(bytes, 'UTF8'), '') AS whole FROM ${queue.schema}.part`,
  );
  expect(whole).toContain("Welcome");
  expect(whole).not.toMatch(/secret-1|not used/);
});

async function begun(portals = 2) {
  const queue = await openQueue();
  const repository = openRepository(portals);
  const publishing = queue.openMachine();
  const serve = await publishing.serve({ cwd: repository.path });
  expect(await serve.look()).toMatchObject({ is: "published", number: 1 });
  return { queue, repository, publishing, serve };
}

const BANNER = "settings: { informationalBanner: { text: Own } }\n";

test("a file that changes costs a bundle and itself; what nobody refers to any more goes after an hour, and what comes back stays", async () => {
  const { queue, repository, serve } = await begun(20);
  const { parts } = await queue.stored();
  // A base, a text, a policy; of each portal a file and a bundle.
  expect(parts).toBe(3 + 2 * 20);
  expect(await serve.look()).toEqual({ is: "as-before" });
  repository.write("portals/1.yaml", portalFile(1, BANNER));
  repository.commit();
  expect(await serve.look()).toMatchObject({ is: "published", changed: [keyOf(1)], gone: [] });
  const unused = `SELECT digest FROM ${queue.schema}.part WHERE unused_since IS NOT NULL`;
  // Its banner is another, so that it needs the text no more; others do.
  expect([(await queue.stored()).parts, (await queue.ask(unused)).length]).toEqual([parts + 2, 2]);
  repository.write("portals/1.yaml", portalFile(1));
  repository.commit();
  await serve.look();
  expect([(await queue.stored()).parts, (await queue.ask(unused)).length]).toEqual([parts + 2, 2]);
  await queue.ask(
    `UPDATE ${queue.schema}.part SET unused_since = unused_since - interval '61 minutes'`,
  );
  repository.write("texts/banner.txt", "Hello\n");
  repository.commit();
  expect(await serve.look()).toMatchObject({ is: "published", number: 4 });
  const after = await queue.stored();
  expect(after.parts).toBe(parts + 20 + 1);
  rmSync(join(repository.path, "portals/2.yaml"));
  repository.commit();
  expect(await serve.look()).toMatchObject({ is: "published", changed: [], gone: [keyOf(2)] });
});

type Repository = ReturnType<typeof openRepository>;

describe("what no commit holds is not published:", () => {
  const CHANGES: readonly (readonly [what: string, change: (repository: Repository) => void])[] = [
    ["portals/1.yaml is", ({ write }) => write("portals/1.yaml", portalFile(1, BANNER))],
    // Spoiled, or in the index already.
    ["portals/2.yaml is", ({ write }) => write("portals/2.yaml", "targetVersion: 0\n")],
    [
      "portals/1.yaml is",
      ({ write, git }) => {
        write("portals/1.yaml", portalFile(1, BANNER));
        git("add", "--all");
      },
    ],
    // Git was told to overlook it, or to ignore it.
    [
      "texts/banner.txt is",
      ({ git, write }) => {
        git("update-index", "--assume-unchanged", "texts/banner.txt");
        write("texts/banner.txt", "Hello\n");
      },
    ],
    [
      "_base.yaml, _own.yaml are",
      ({ write }) => {
        write(".git/info/exclude", "_own.yaml\n");
        write("_own.yaml", "x-own: true\n");
        write("_base.yaml", `extends: _own.yaml\n${BASE}`);
      },
    ],
    // New, or gone.
    [
      "policy/other.yaml is",
      ({ write, read }) =>
        write("policy/other.yaml", read("policy/banner.yaml").replace(": banner", ": other")),
    ],
    ["policy/banner.yaml is", ({ path }) => rmSync(join(path, "policy/banner.yaml"))],
    ["portals/2.yaml is", ({ path }) => rmSync(join(path, "portals/2.yaml"))],
  ];

  test("a file that counts and is changed, new, gone, in the index alone, ignored or overlooked", async () => {
    const { queue, repository, serve } = await begun();
    const before = await queue.stored();
    const commit = repository.git("rev-parse", "--short=10", "HEAD");
    for (const [what, change] of CHANGES) {
      change(repository);
      expect(await serve.look()).toMatchObject({
        is: "withheld",
        why: `${what} not as in the commit ${commit}`,
        help: expect.stringContaining(`cd ${repository.path}\n  git status`) as string,
      });
      repository.git("update-index", "--no-assume-unchanged", "texts/banner.txt");
      repository.git("reset", "--quiet", "--hard");
      repository.git("clean", "--quiet", "-fdx");
    }
    expect(await serve.look()).toEqual({ is: "as-before" });
    expect(await queue.stored()).toEqual(before);
    CHANGES[0]?.[1](repository);
    repository.commit();
    expect(await serve.look()).toMatchObject({ is: "published", number: 2 });
  });

  test("but what git keeps otherwise than it checks it out is committed", async () => {
    const { queue, repository, serve } = await begun();
    repository.write(".gitattributes", "*.txt text eol=crlf\n");
    repository.write("texts/banner.txt", "Hello\r\n");
    repository.commit();
    expect(await serve.look()).toMatchObject({ is: "published", number: 2 });
    const { io } = await (await queue.openMachine().work())(keyOf(1));
    expect(existsSync(join(io.cwd, ".gitattributes"))).toBe(false);
  });
});

describe("forward only:", () => {
  /** Two clones, of which one has published what the other does not have yet. */
  async function apart() {
    const { queue, repository, serve } = await begun();
    const behind = openRepository(0, repository.path);
    const lagging = await queue.openMachine().serve({ cwd: behind.path });
    repository.write("texts/banner.txt", "Hello\n");
    const commit = repository.commit();
    expect(await serve.look()).toMatchObject({ is: "published", number: 2 });
    await serve.kill();
    return { queue, repository, behind, lagging, commit, before: await queue.stored() };
  }

  test("whoever lags behind publishes nothing, whether it knows what it lacks or not, until it has caught up", async () => {
    const { queue, behind, lagging, commit, before } = await apart();
    expect(await lagging.look()).toMatchObject({
      is: "withheld",
      why: `the queue holds the commit ${commit.slice(0, 10)}, which this checkout does not know: it lags behind, or the branch was rewritten`,
    });
    behind.git("fetch", "--quiet");
    const own = behind.git("rev-parse", "--short=10", "HEAD");
    expect(await lagging.look()).toMatchObject({
      is: "withheld",
      why: `this checkout is at ${own}, which lags behind the commit ${commit.slice(0, 10)} in the queue`,
    });
    expect(await queue.stored()).toEqual(before);
    behind.git("pull", "--quiet", "--ff-only");
    expect(await lagging.look()).toEqual({ is: "as-before" });
    expect(await queue.stored()).toEqual(before);
  });

  test("a branch that was rewritten is published once it holds what was published, as the help says", async () => {
    const { queue, repository, before } = await apart();
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    repository.write("texts/banner.txt", "Good evening\n");
    repository.commit();
    const serve = await queue.openMachine().serve({ cwd: repository.path });
    const withheld = (await serve.look()) as Extract<Published, { is: "withheld" }>;
    expect(withheld).toMatchObject({
      is: "withheld",
      why: expect.stringContaining("the branch was rewritten") as string,
    });
    expect(await queue.stored()).toEqual(before);
    const [, merge = ""] = /\n {2}git (merge .+)$/.exec(withheld.help) ?? [];
    repository.git(...merge.split(" "), "--no-edit");
    expect(await serve.look()).toMatchObject({ is: "published", number: 3 });
    expect(repository.read("texts/banner.txt")).toBe("Good evening\n");
  });

  test("where the commit that was published is lost, the help says how a person lets these files take its place", async () => {
    const { queue, behind, lagging } = await apart();
    const withheld = (await lagging.look()) as Extract<Published, { is: "withheld" }>;
    expect(withheld.help).toContain("Where nobody has that commit any more");
    const [, sql = ""] = /\n {2}(UPDATE .+;)$/.exec(withheld.help) ?? [];
    await queue.ask(sql);
    expect(await lagging.look()).toMatchObject({
      is: "published",
      number: 4,
      commit: behind.git("rev-parse", "HEAD"),
    });
  });

  test("nor is another key a way back: what stands there counts for its commit, until a person takes it out", async () => {
    const { queue, behind, before } = await apart();
    const env = { LINTEL_QUEUE_KEY: "another key, as long as it has to be" };
    const lagging = await queue.openMachine().serve({ cwd: behind.path, env });
    const withheld = (await lagging.look()) as Extract<Published, { is: "withheld" }>;
    expect(withheld.why).toMatch(
      /does not know: .*; and what is in the queue is signed with another key/,
    );
    expect(await queue.stored()).toEqual(before);
    const [, sql = ""] = /\n {2}(UPDATE .+;)$/.exec(withheld.help) ?? [];
    await queue.ask(sql);
    expect(await lagging.look()).toMatchObject({ is: "published", number: 4 });
    const unpack = await queue.openMachine().work({ env });
    expect((await unpack(keyOf(1))).revision).toBe(4);
  });
});

describe("one publishes:", () => {
  test("of two that begin at once, and the other takes over when it is killed", async () => {
    const queue = await openQueue();
    const repository = openRepository();
    const [one, other] = [
      await queue.openMachine().serve({ cwd: repository.path }),
      await queue.openMachine().serve({ cwd: repository.path }),
    ];
    const both = await Promise.all([one.look(), other.look()]);
    // The other one comes while the first is at it, or when all is done.
    expect(both.filter(({ is }) => is === "published")).toHaveLength(1);
    expect((await queue.stored()).number).toBe(1);
    const [leader, second] = both[0].is === "published" ? [one, other] : [other, one];
    repository.write("texts/banner.txt", "Hello\n");
    repository.commit();
    expect(await second.look()).toEqual({ is: "elsewhere" });
    await leader.kill();
    expect(await second.look()).toMatchObject({ is: "published", number: 2 });
  });

  test("where both take themselves for the one, the number decides, and nothing is mixed", async () => {
    const queue = await openQueue();
    const repository = openRepository();
    const lead = {
      isHeld: () => true,
      take: () => Promise.resolve(true),
      release: () => Promise.resolve(),
    };
    const all = await Promise.all(
      ["a", "b", "c"].map((team) =>
        queue.openMachine().serve({ cwd: repository.path, lead, env: { LINTEL_VAR_TEAM: team } }),
      ),
    );
    const files = await Promise.all(all.map((each) => each.files()));
    const looks = await Promise.all(
      all.map(({ publisher }, at) => publisher.look(files[at] ?? new Map())),
    );
    const done = looks.filter(({ is }) => is === "published");
    expect(looks.filter(({ is }) => is === "later")).toHaveLength(looks.length - done.length);
    const { number, document, rows } = await queue.stored();
    const { bundles } = JSON.parse(document ?? "") as { bundles: Record<string, string> };
    expect(number).toBe(done.length);
    expect(Object.fromEntries(rows.map(({ key, digest }) => [key, digest]))).toEqual(bundles);
  });

  test("and who has lost touch with what is newest is passed over after two minutes, and steps back", async () => {
    const { queue, repository, serve } = await begun();
    const ahead = openRepository(0, repository.path);
    const machine = queue.openMachine();
    const other = await machine.serve({ cwd: ahead.path });
    ahead.write("texts/banner.txt", "Hello\n");
    ahead.commit();
    expect(await other.look()).toEqual({ is: "elsewhere" });
    await machine.pass(119_000);
    expect(await other.look()).toEqual({ is: "elsewhere" });
    await machine.pass(1_000);
    expect(await other.look()).toMatchObject({ is: "published", number: 2 });
    expect(await serve.look()).toMatchObject({ is: "withheld" });
    ahead.write("texts/banner.txt", "Good evening\n");
    ahead.commit();
    expect(await other.look()).toMatchObject({ is: "published", number: 3 });
  });
});

test("killed at any step, it leaves the revision before or the next one, whole, and another one goes on", async () => {
  const { queue, repository, serve } = await begun();
  await serve.kill();
  const worker = await queue.openMachine().work();
  let [deaths, number] = [0, 1];
  for (let diesAt = 1; ; diesAt++) {
    repository.write("texts/banner.txt", `Hello ${diesAt}\n`);
    repository.commit();
    const killed = await queue.openMachine().serve({ cwd: repository.path, diesAt });
    const files = await killed.files();
    const isDead = await killed.publisher.look(files).then(
      () => false,
      (error: unknown) => error instanceof Killed || Promise.reject(error as Error),
    );
    await killed.kill();
    const { number: now, document, rows } = await queue.stored();
    const { bundles } = JSON.parse(document ?? "") as { bundles: Record<string, string> };
    expect(now).toBe(isDead ? number : number + 1);
    expect(Object.fromEntries(rows.map(({ key, digest }) => [key, digest]))).toEqual(bundles);
    expect((await worker(keyOf(1))).revision).toBe(now);
    number = now;
    if (!isDead) break;
    deaths++;
  }
  // Its first question, the transaction around a few statements, and the end of that.
  expect(deaths).toBeGreaterThan(8);
  const anew = await queue.openMachine().serve({ cwd: repository.path });
  expect(await anew.look()).toEqual({ is: "as-before" });
});

test("what others change in the queue is put right within ten minutes by whoever publishes, be it the revision or a part", async () => {
  const { queue, repository, publishing, serve } = await begun();
  const files = await serve.files();
  expect(await serve.publisher.look(files)).toEqual({ is: "as-before" });
  const { schema, ask } = queue;
  await ask(`UPDATE ${schema}.part SET bytes = 'Hacked'`);
  await ask(`UPDATE ${schema}.revision SET document = '{}'`);
  expect(await serve.publisher.look(files)).toEqual({ is: "as-before" });
  await publishing.pass(600_000);
  const anew = await serve.publisher.look(files);
  expect(anew).toMatchObject({ is: "published", number: 2 });
  expect(ofPublished(anew, false)).toMatchObject({
    message: expect.stringContaining(
      "It takes the place of one that is signed with another key, or was changed.",
    ) as string,
    isProblem: true,
  });
  await ask(`DELETE FROM ${schema}.part WHERE bytes = 'Welcome\\012'`);
  await serve.publisher.look(files);
  await publishing.pass(600_000);
  expect(await serve.publisher.look(files)).toEqual({ is: "as-before" });
  const { io } = await (await queue.openMachine().work())(keyOf(1));
  expect(readFileSync(join(io.cwd, "texts/banner.txt"), "utf8")).toBe(
    repository.read("texts/banner.txt"),
  );
});

test("what was withheld is looked at again after ten seconds, and leaves the lead to others meanwhile", async () => {
  const { queue, repository, publishing, serve } = await begun();
  repository.write("texts/banner.txt", "Hello\n");
  const files = await serve.files();
  expect(await serve.publisher.look(files)).toMatchObject({ is: "withheld" });
  repository.commit();
  expect(await serve.publisher.look(files)).toMatchObject({ is: "withheld" });
  const clone = openRepository(0, repository.path);
  const other = await queue.openMachine().serve({ cwd: clone.path });
  expect(await other.look()).toMatchObject({ is: "published", number: 2 });
  await publishing.pass(10_000);
  expect(await serve.publisher.look(files)).toEqual({ is: "as-before" });
});

describe("a portal whose file other machines could not read", () => {
  test("keeps its key, is left alone and says why, and comes back when it is mended", async () => {
    const { queue, repository, serve } = await begun();
    repository.write("portals/1.yaml", "targetVersion: wrong\n");
    repository.commit();
    expect(await serve.look()).toMatchObject({ changed: [keyOf(1)], gone: [] });
    const unpack = await queue.openMachine().work();
    await expect(unpack(keyOf(1))).rejects.toMatchObject({ code: "file-invalid" });
    expect((await unpack(keyOf(2))).file).toBe("portals/2.yaml");
    // By another process, too, which has never read it while it was right.
    repository.write("texts/banner.txt", "Hello\n");
    repository.write("portals/3.yaml", "targetVersion: wrong\n");
    repository.commit();
    const other = await queue.openMachine().serve({ cwd: repository.path, lead: ALONE });
    const broken = "file:portals/3.yaml";
    expect(await other.look()).toMatchObject({ changed: [keyOf(2), broken], gone: [] });
    repository.write("portals/1.yaml", portalFile(1));
    repository.write("portals/3.yaml", portalFile(3));
    repository.commit();
    expect(await other.look()).toMatchObject({ changed: [keyOf(1), keyOf(3)], gone: [broken] });
  });

  test("says why: its state, an absolute path, or a link", async () => {
    const { queue, repository, serve } = await begun();
    const { path, write } = repository;
    const banner = (file: string) =>
      `settings: { informationalBanner: { text: "\${file:${file}}", enabled: true } }\n`;
    symlinkSync("texts", join(path, "words"));
    write("real/_1.yaml", portalFile(1));
    rmSync(join(path, "portals/1.yaml"));
    symlinkSync("../real/_1.yaml", join(path, "portals/1.yaml"));
    write("portals/2.yaml", portalFile(2, banner("../words/banner.txt")));
    write("portals/3.yaml", portalFile(3).replace("../_base.yaml", `${path}/_base.yaml`));
    write("portals/4.yaml", portalFile(4, banner(`${path}/texts/banner.txt`)));
    write("portals/5.yaml", portalFile(5, "state: file:.lintel\n"));
    write("portals/6.yaml", portalFile(6));
    repository.commit();
    expect(await serve.look()).toMatchObject({ is: "published" });
    const unpack = await queue.openMachine().work();
    const REASONS = [
      "portals/1.yaml, which cannot be published",
      "words/banner.txt, which cannot be published",
      '_base.yaml", an absolute path',
      'texts/banner.txt", an absolute path',
      '"file:.lintel", which a file that names none means as well, is kept in a folder of one machine',
    ];
    for (const [at, reason] of REASONS.entries()) {
      const message = expect.stringContaining(reason) as string;
      await expect(unpack(keyOf(at + 1))).rejects.toMatchObject({ message });
    }
    expect((await unpack(keyOf(6))).file).toBe("portals/6.yaml");
  });
});

const ALONE = {
  isHeld: () => true,
  take: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};

describe("outside of git", () => {
  test("revisions have numbers alone, and files come from the folder that it was begun in", async () => {
    const queue = await openQueue();
    const folder = folderOf({
      "gis/_base.yaml": BASE.replace("policy: policy\n", ""),
      "gis/texts/banner.txt": "Welcome",
      "gis/portals/1.yaml": portalFile(1),
      "gis/portals/2.yaml": portalFile(2).replace("../_base.yaml", "../../_other.yaml"),
      "_other.yaml": BASE.replace("policy: policy\n", "").replace("file:texts", "file:gis/texts"),
    });
    onTestFinished(() => folder.remove());
    const cwd = join(folder.path, "gis");
    const serve = await queue.openMachine().serve({ cwd });
    expect(await serve.look()).toMatchObject({ is: "published", number: 1, commit: null });
    const unpack = await queue.openMachine().work();
    const { commit, io } = await unpack(keyOf(1));
    expect([commit, io.env["GIT_COMMIT"]]).toEqual([null, undefined]);
    await expect(unpack(keyOf(2))).rejects.toMatchObject({
      message: expect.stringContaining("the folder that serve was begun in") as string,
    });
    writeFileSync(join(cwd, "texts/banner.txt"), "Hello");
    expect(await serve.look()).toMatchObject({ is: "published", number: 2, changed: [keyOf(1)] });
  });

  test("nothing is published over what came from a repository, nor from two of them at once", async () => {
    const { queue, repository, serve } = await begun();
    await serve.kill();
    const folder = folderOf({
      "_base.yaml": BASE.replace("policy: policy\n", ""),
      "texts/banner.txt": "Hi",
      "portals/1.yaml": portalFile(1),
    });
    onTestFinished(() => folder.remove());
    const outside = await queue.openMachine().serve({ cwd: folder.path });
    expect(await outside.look()).toMatchObject({
      is: "withheld",
      why: expect.stringContaining("these files are in no git repository") as string,
    });
    const second = openRepository();
    mkdirSync(join(repository.path, "portals/more"));
    const both = await queue.openMachine().serve({ cwd: repository.path });
    expect(await both.look(["portals/1.yaml", join(second.path, "portals/2.yaml")])).toMatchObject({
      is: "withheld",
      why: expect.stringContaining("more than one repository") as string,
    });
  });
});
