// What a worker unpacks: the files as they were published, and nothing that is forged, of another queue or older than its machine has seen.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { checkFile } from "../../../src/document/check/check-file.js";
import { toJson } from "../../../src/document/read/tree.js";
import { checkByPolicies, openPolicyChecks } from "../../../src/apply/policy-checks.js";
import type { Unpacked } from "../../../src/serve/bundle/unpack.js";
import { folderOf } from "../../support/run.js";
import { machine } from "../../state/places.js";
import { BASE, KEY, keyOf, openQueue, openRepository, plant, type Queue } from "./queue.js";

async function published() {
  const queue = await openQueue();
  const repository = openRepository();
  const publishing = queue.openMachine();
  const serve = await publishing.serve({ cwd: repository.path });
  expect(await serve.look()).toMatchObject({ is: "published", number: 1 });
  /** After a change to the first portal's file. */
  const publish = async (text: string, number: number) => {
    repository.write("texts/banner.txt", text);
    repository.commit();
    expect(await serve.look()).toMatchObject({ is: "published", number });
  };
  return { ...queue, repository, serve, publishing, publish };
}

async function bannerIn({ io, file }: Unpacked): Promise<unknown> {
  const { root, diagnostics } = await checkFile(file, io);
  expect(diagnostics).toEqual([]);
  const json = root && (toJson(root) as { settings: { informationalBanner: { text: string } } });
  return json?.settings.informationalBanner.text;
}

test("what was published is read as at home, without git; when it is done with, nothing is left of it", async () => {
  const { openMachine, publish } = await published();
  const unpack = await openMachine().work({
    env: { LINTEL_SECRETS: "own", LINTEL_POLICY: "rules" },
    cwd: "/srv",
  });
  const first = await unpack(keyOf(1));
  expect(await bannerIn(first)).toBe("Welcome from us");
  expect(first.io.env).toMatchObject({
    GIT_COMMIT: first.commit,
    LINTEL_SECRETS: "/srv/own",
    LINTEL_POLICY: "/srv/rules",
  });
  await publish("Hello\n", 2);
  const second = await unpack(keyOf(1));
  expect([await bannerIn(second), await bannerIn(first)]).toEqual([
    "Hello from us",
    "Welcome from us",
  ]);
  const { cwd } = second.io;
  expect(
    [cwd, join(cwd, "portals"), join(cwd, "_base.yaml")].map((path) => statSync(path).mode & 0o777),
  ).toEqual([0o700, 0o700, 0o600]);
  await first.close();
  await second.close();
  expect([first.io.cwd, cwd].filter(existsSync)).toEqual([]);
});

test("a file's own policies judge there, and find what they find here", async () => {
  const { openMachine, repository, serve } = await published();
  repository.write(
    "policy/banner.yaml",
    repository
      .read("policy/banner.yaml")
      .replace("{}", "{ properties: { enabled: { const: false } } }"),
  );
  repository.commit();
  expect(await serve.look()).toMatchObject({ is: "published" });
  const { io, file } = await (await openMachine().work())(keyOf(1));
  const { diagnostics } = await checkByPolicies(file, io, openPolicyChecks([], io));
  expect(diagnostics.map(({ code, file: at }) => `${at} ${code}`)).toEqual([
    "_base.yaml policy/banner",
  ]);
});

describe("nothing is unpacked of", () => {
  const forgeries: Readonly<Record<string, [(queue: Queue) => Promise<unknown>, string]>> = {
    "a revision that somebody has changed": [
      ({ ask, schema }) =>
        ask(`UPDATE ${schema}.revision SET document = replace(document, 'gis1', 'gis3')`),
      "The revision in the queue is signed with another key, or was changed.",
    ],
    "a revision under a number that is not its own": [
      ({ ask, schema }) => ask(`UPDATE ${schema}.revision SET number = 7`),
      "The revision in the queue stands there under another number than its own.",
    ],
    "a bundle that somebody has changed": [
      ({ ask, schema }) =>
        ask(
          `UPDATE ${schema}.part SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), 'portal-1', 'portal-3'), 'UTF8')`,
        ),
      "The revision in the queue names a part that is not what was published.",
    ],
    "a file that somebody has changed": [
      ({ ask, schema }) =>
        ask(`UPDATE ${schema}.part SET bytes = 'Hacked' WHERE bytes = 'Welcome\\012'`),
      "The revision in the queue names a part that is not what was published.",
    ],
    "a file that somebody has taken away": [
      ({ ask, schema }) => ask(`DELETE FROM ${schema}.part WHERE bytes = 'Welcome\\012'`),
      "The revision in the queue names a part that is not there.",
    ],
  };
  test.each(Object.entries(forgeries))(
    "%s; whoever publishes makes it whole again",
    async (_, [forge, message]) => {
      const queue = await published();
      const unpack = await queue.openMachine().work();
      await forge(queue);
      await expect(unpack(keyOf(1))).rejects.toMatchObject({ code: "queue-not-trusted", message });
      const anew = await queue.openMachine().serve({ cwd: queue.repository.path });
      await queue.serve.kill();
      await anew.look();
      expect(await bannerIn(await unpack(keyOf(1)))).toBe("Welcome from us");
    },
  );

  test("a revision that another queue has published under the same key", async () => {
    const [queue, other] = [await published(), await published()];
    const [known, fresh] = [await queue.openMachine().work(), await queue.openMachine().work()];
    await known(keyOf(1));
    // All that its tables hold, what tells it from others included.
    for (const table of ["revision", "part"]) {
      await queue.ask(`DELETE FROM ${queue.schema}.${table}`);
      await queue.ask(
        `INSERT INTO ${queue.schema}.${table} SELECT * FROM ${other.schema}.${table}`,
      );
    }
    for (const unpack of [known, fresh]) {
      await expect(unpack(keyOf(1))).rejects.toMatchObject({
        code: "queue-not-trusted",
        message: "The revision in the queue was published in another queue.",
      });
    }
  });

  test("a queue that was begun anew where this machine knows another", async () => {
    const queue = await published();
    const working = queue.openMachine();
    await (
      await working.work()
    )(keyOf(1));
    await queue.ask(`DELETE FROM ${queue.schema}.revision`);
    const other = await queue.openMachine().serve({ cwd: queue.repository.path });
    await queue.serve.kill();
    expect(await other.look()).toMatchObject({ is: "published", number: 1 });
    const refused = (await working.work())(keyOf(1));
    await expect(refused).rejects.toMatchObject({
      code: "queue-not-trusted",
      message: "The revision in the queue is of another queue than this machine has seen there.",
    });
    const help = await refused.then(
      () => "",
      (error: unknown) => (error as { help: string }).help,
    );
    spawnSync("sh", ["-c", /\n {2}(rm .+)$/.exec(help)?.[1] ?? "false"]);
    expect((await (await working.work())(keyOf(1))).revision).toBe(1);
  });

  test("an older revision that somebody has put back, rows and all, also by a process that begins after it", async () => {
    const { copy, openMachine, publish, publishing, repository } = await published();
    const putBack = await copy();
    await publish("Hello\n", 2);
    const working = openMachine();
    const unpack = await working.work();
    expect((await unpack(keyOf(1))).revision).toBe(2);
    await putBack();
    const refusal = {
      code: "queue-rewound",
      message:
        "The revision in the queue is number 1, and number 2 was seen before: somebody has put back an older one.",
    };
    await expect(unpack(keyOf(1))).rejects.toMatchObject(refusal);
    await expect((await working.work())(keyOf(1))).rejects.toMatchObject(refusal);
    // Whoever has published it knows that, too, and goes over it.
    const serve = await publishing.serve({ cwd: repository.path, lead: ALWAYS });
    expect(await serve.look()).toMatchObject({
      is: "published",
      number: 3,
      odd: "is number 1, after number 2",
    });
    expect(await bannerIn(await unpack(keyOf(1)))).toBe("Hello from us");
  });

  test("a revision that the portal's row was not written with, on a machine that has seen nothing", async () => {
    const { copy, openMachine, publish, stored } = await published();
    const putBack = await copy();
    await publish("Hello\n", 2);
    const [row] = (await stored()).rows;
    await putBack();
    const unpack = await openMachine().work();
    const [old] = (await stored()).rows;
    expect((await unpack(keyOf(1), old?.digest)).revision).toBe(1);
    await expect(unpack(keyOf(1), row?.digest)).rejects.toMatchObject({
      code: "queue-not-trusted",
      message: `The revision in the queue is not the one that the row of "${keyOf(1)}" was written with.`,
    });
  });

  test("a portal of another pool than the worker's, whatever its row says", async () => {
    const queue = await openQueue();
    const { path } = openRepository();
    const poolOf = ({ name }: { name: string }) => (name === "portal-1" ? "north's" : undefined);
    await (await queue.openMachine().serve({ cwd: path, poolOf })).look();
    const unpack = await queue.openMachine().work({ pools: ["default", "south"] });
    await expect(unpack(keyOf(1))).rejects.toMatchObject({
      code: "queue-not-trusted",
      message: `The portal "${keyOf(1)}" was published for the pool "north's", and its row in the queue gives it to a worker of "default", "south".`,
      help: expect.stringContaining(
        `UPDATE "${queue.schema}".portal SET pool = 'north''s', queued = NULL WHERE key = '${keyOf(1)}';`,
      ) as string,
    });
    expect((await unpack(keyOf(2))).file).toBe("portals/2.yaml");
    const north = await queue.openMachine().work({ pools: ["north's"] });
    expect((await north(keyOf(1))).file).toBe("portals/1.yaml");
    await expect(north(keyOf(2))).rejects.toMatchObject({ code: "queue-not-trusted" });
  });

  test("a revision that says nothing of the portal, before the first one, or where nobody can tell what was seen", async () => {
    const { openMachine, schema, ask } = await published();
    const working = openMachine();
    const unpack = await working.work();
    await expect(unpack(keyOf(9))).rejects.toMatchObject({ code: "queue-not-usable" });
    const folder = join(working.home, "config/lintel/revisions");
    const [name = ""] = readdirSync(folder);
    writeFileSync(join(folder, name), "{}");
    await expect(unpack(keyOf(1))).rejects.toMatchObject({ code: "queue-not-trusted" });
    await ask(`DELETE FROM ${schema}.revision`);
    await expect(unpack(keyOf(1))).rejects.toMatchObject({
      code: "queue-not-usable",
      message: "Nothing is published in the queue yet.",
    });
  });
});

const ALWAYS = {
  isHeld: () => true,
  take: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};

describe("a bundle stays in its folder", () => {
  const KEPT = "kept.example.com-portal-self";
  const NAMES = [
    "../evil.txt",
    "a/../../evil.txt",
    "/tmp/evil.txt",
    "./evil.txt",
    "a//evil.txt",
    "..\\evil.txt",
    "C:/evil.txt",
    ".git/index",
    "a/.GIT/config",
    "",
    "a\nb",
  ];
  test("whatever its files are called: one that could lie elsewhere is refused, and none of the others is written", async () => {
    const queue = await openQueue();
    const before = leftovers();
    const unpack = await queue.openMachine().work();
    for (const name of NAMES) {
      await plant(queue, { key: KEPT }, { "portal.yaml": BASE, [name]: "evil" });
      await expect(unpack(KEPT)).rejects.toMatchObject({
        code: "queue-not-trusted",
        message: expect.stringContaining(JSON.stringify(name)) as string,
      });
      expect(leftovers()).toEqual(before);
    }
    // Two of one name, or a file where a folder has to be.
    await plant(queue, { key: KEPT }, { a: "file", "a/b": "below it" });
    await expect(unpack(KEPT)).rejects.toMatchObject({ code: "EEXIST" });
    expect(leftovers()).toEqual(before);
  });

  const ESCAPES = {
    "a file above it":
      "settings: { informationalBanner: { text: '${file:../../../../../../../../etc/hostname}', enabled: true } }",
    "a file of this machine":
      "settings: { informationalBanner: { text: '${file:/etc/hostname}', enabled: true } }",
    "a base of this machine": "extends: /etc/hostname",
    "a base above it": "extends: ../outside.yaml",
  };
  test.each(Object.entries(ESCAPES))("and what it says cannot take in %s", async (_, text) => {
    const queue = await openQueue();
    await plant(queue, { key: KEPT }, { "portal.yaml": `targetVersion: "11.5"\n${text}\n` });
    const { io, file } = await (await queue.openMachine().work())(KEPT);
    writeFileSync(join(dirname(io.cwd), "outside.yaml"), "settings: { blockBetaApps: true }\n");
    onTestFinished(() => rmSync(join(dirname(io.cwd), "outside.yaml")));
    const { diagnostics } = await checkFile(file, io);
    expect(diagnostics.map(({ code }) => code)).toContain("outside-repository");
  });

  test("a policy of this machine is not what the file may name, nor a link that comes up in the folder", async () => {
    const queue = await openQueue();
    const head = `${BASE.replace("policy: policy", "policy: /etc")}portal: { url: "https://kept.example.com/portal/sharing/rest" }\n`;
    await plant(
      queue,
      { key: KEPT, variables: { LINTEL_VAR_TEAM: null } },
      { "portal.yaml": head, "texts/banner.txt": "Welcome" },
    );
    const { io, file } = await (
      await queue.openMachine().work({ env: { LINTEL_VAR_TEAM: "this machine" } })
    )(KEPT);
    expect(io.env["LINTEL_VAR_TEAM"]).toBeUndefined();
    const policed = await checkByPolicies(file, io, openPolicyChecks([], io));
    expect(policed.diagnostics.map(({ code }) => code)).not.toEqual([]);
    rmSync(join(io.cwd, "texts/banner.txt"));
    symlinkSync("/etc/hostname", join(io.cwd, "texts/banner.txt"));
    const { diagnostics } = await checkFile(file, io);
    expect(diagnostics.map(({ code }) => code)).toContain("outside-repository");
  });
});

/** Other tests have theirs in the one of the system. */
const own = folderOf();
beforeAll(() => void vi.stubEnv("TMPDIR", own.path));
afterAll(() => {
  vi.unstubAllEnvs();
  own.remove();
});

function leftovers(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => /^lintel-bundle-|^evil/.test(name));
}

test("what a process left behind that was killed is taken away by the next; what one has that lives is not", async () => {
  const queue = await openQueue();
  await plant(queue, { key: "a" }, { "portal.yaml": BASE });
  const kept = await (await queue.openMachine().work())("a");
  const name = kept.io.cwd.slice(tmpdir().length + 1);
  const dead = spawnSync("true").pid;
  const [left, elsewhere] = [
    name.replace(`-${machine.pid}-`, `-${dead}-`),
    name.replace(/^lintel-bundle-\w{12}/, "lintel-bundle-0123456789ab"),
  ].map((each) => join(tmpdir(), each));
  for (const path of [left, elsewhere]) mkdirSync(path ?? "");
  onTestFinished(() => rmSync(elsewhere ?? "", { recursive: true }));
  await (
    await queue.openMachine().work()
  )("a");
  expect([left, elsewhere, kept.io.cwd].map((path) => existsSync(path ?? ""))).toEqual([
    false,
    true,
    true,
  ]);
});

test("without a key, or with one that can be guessed, nothing is unpacked and nothing published", async () => {
  const queue = await openQueue();
  for (const [key, message] of [
    ["", "LINTEL_QUEUE_KEY is empty, and what nobody has signed is not carried out."],
    ["short", "LINTEL_QUEUE_KEY is shorter than 32 characters, and could be guessed."],
  ] as const) {
    const options = { env: { LINTEL_QUEUE_KEY: key }, cwd: "/" };
    const refusal = { code: "bad-variable", message };
    await expect(queue.openMachine().work(options)).rejects.toMatchObject(refusal);
    await expect(queue.openMachine().serve(options)).rejects.toMatchObject(refusal);
  }
  const other = { env: { LINTEL_QUEUE_KEY: `${KEY} of others` } };
  await plant(queue, { key: "a" }, { "portal.yaml": BASE });
  await expect((await queue.openMachine().work(other))("a")).rejects.toMatchObject({
    code: "queue-not-trusted",
    help: expect.stringContaining("give both the same") as string,
  });
});
