// States on a branch that many write to: who is merged, who gathers, how few pushes there are, and for how long a journal keeps others out.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Io } from "../../src/io.js";
import { LEASE_MS } from "../../src/state/git/lease.js";
import { identityOf } from "../../src/state/key.js";
import { MARGIN_MS, PUSH_MS } from "../../src/state/recover.js";
import { emptyState, settle, withJournal } from "../../src/state/steps.js";
import { io, machine, newFolder, storesOf } from "./places.js";
import { makeServer, openIn, type Server } from "./repositories.js";
import { holderFor, JOURNAL, LINEAGE, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";

const BRANCH = "git:lintel-state";
const PORTALS = Array.from({ length: 10 }, (_, at) =>
  identityOf("https://gis.example.com/portal/sharing/rest", `portal-${at}`),
);
type Portal = (typeof PORTALS)[number];

const stateOf = (portal: Portal, applies: number) =>
  stateAfter(applies, emptyState(LINEAGE, portal));

/** Counts what arrives, whatever becomes of it. */
function counting(server: Server): () => number {
  const list = join(server.home, "pushes");
  server.hook("pre-receive", `cat > /dev/null; echo one >> ${list}`);
  return () => (existsSync(list) ? readFileSync(list, "utf8").split("\n").length - 1 : 0);
}

describe("runs at the same time", () => {
  test("ten for ten portals: each is merged with what the others wrote, and none is lost", async () => {
    const server = makeServer();
    const clones = ["north", "south"].map((name) => server.clone(name));
    await Promise.all(
      PORTALS.map(async (portal, at) => {
        const store = openIn(clones[at % 2] ?? "", BRANCH, { env: server.env, portal });
        await store.lock(holderFor(machine));
        for (const serial of [1, 2, 3]) await store.write(stateOf(portal, serial), serial - 1);
      }),
    );
    for (const portal of PORTALS) {
      const store = openIn(clones[0] ?? "", BRANCH, { env: server.env, portal });
      expect(await store.read()).toEqual(stateOf(portal, 3));
    }
    // One after the other, without a merge.
    expect(server.subjects()).toHaveLength(30);
    expect(server.git("rev-list", "--merges", "--count", "lintel-state").trim()).toBe("0");
  });

  test("one that never gets its turn says so", async () => {
    const server = makeServer();
    const from = server.clone("clone");
    const list = join(server.home, "count");
    // Before every push that comes, somebody else's file changes.
    server.hook(
      "pre-receive",
      `echo one >> ${list}
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
tree=$(git rev-parse main^{tree})
old=$(git rev-parse --verify --quiet refs/heads/lintel-state)
export GIT_AUTHOR_NAME=e GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=e GIT_COMMITTER_EMAIL=e
new=$(git commit-tree $tree \${old:+-p $old} -m "$(wc -l < ${list})")
git update-ref refs/heads/lintel-state $new`,
    );
    let elapsedMs = 0;
    const store = openIn(from, BRANCH, {
      io: { ...io, env: server.env, sleep: async (ms) => void (elapsedMs += ms) },
      machine: { ...machine, elapsedMs: () => (elapsedMs += 1_000) },
    });
    await store.lock(holderFor(machine));
    await expect(store.write(stateAfter(1), 0)).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("others were faster each time") as string,
    });
    expect(server.stored()).toBeUndefined();
  });
});

describe("the portals of one run", () => {
  function openRun(server: Server, more: Partial<Io> = {}) {
    const stores = storesOf({ ...io, ...more, env: server.env, cwd: server.clone("clone") });
    onTestFinished(() => stores.close());
    return PORTALS.map((portal) => stores.open({ address: BRANCH, file: "portal.yaml", portal }));
  }

  test("write together what they write at the same time, however far apart they ask", async () => {
    const server = makeServer();
    const pushes = counting(server);
    const all = openRun(server);
    await Promise.all(all.map((store) => store.lock(holderFor(machine))));
    for (const serial of [1, 2]) {
      await Promise.all(
        all.map(async (store, at) => {
          // Each after some turns of its own.
          for (let turn = 0; turn < at * 5; turn++) await new Promise((done) => setImmediate(done));
          await store.write(stateOf(PORTALS[at] ?? PORTAL, serial), serial - 1);
        }),
      );
      expect(pushes()).toBe(serial);
    }
    expect(server.subjects()).toEqual([
      "apply: 10 portals (20 changes)",
      "apply: 10 portals (20 changes)",
    ]);
    const body = server.git("log", "-1", "--format=%b", "lintel-state");
    for (const { key } of PORTALS)
      expect(body).toContain(`\n${key} serial 2 (2 changes)`.trimStart());
  });

  test("do not wait for one that has ended, nor for ever for one that is slow", async () => {
    const server = makeServer();
    const pushes = counting(server);
    let waitedMs = 0;
    const all = openRun(server, {
      sleep: async (ms) => void (waitedMs += ms),
      machine: { ...machine, elapsedMs: () => waitedMs },
    });
    const holder = holderFor(machine);
    const [first, slow, gone] = all;
    for (const store of [first, slow]) await store?.lock(holderFor(machine));
    await gone?.lock(holder);
    await gone?.unlock(holder);
    await first?.write(stateOf(PORTALS[0] ?? PORTAL, 1), 0);
    expect(pushes()).toBe(1);
    expect(waitedMs).toBe(10_000);
    await slow?.write(stateOf(PORTALS[1] ?? PORTAL, 1), 0);
    expect(pushes()).toBe(2);
  });

  test("one that may not write hinders no other", async () => {
    const server = makeServer();
    const all = openRun(server);
    await Promise.all(all.map((store) => store.lock(holderFor(machine))));
    const ends = await Promise.allSettled(
      all.map((store, at) => store.write(stateOf(PORTALS[at] ?? PORTAL, 2), at === 3 ? 1 : 0)),
    );
    expect(ends.map(({ status }) => status === "fulfilled")).toEqual(
      PORTALS.map((_, at) => at !== 3),
    );
    expect(ends[3]).toMatchObject({ reason: { code: "state-conflict" } });
    expect(server.subjects()).toEqual(["apply: 9 portals (18 changes)"]);
  });
});

describe("how long a journal keeps others out", () => {
  const journalled = withJournal(emptyState(LINEAGE, PORTAL), JOURNAL);

  /** With clocks that the test moves. */
  async function journalling(): Promise<{
    readonly assertLeased: () => void;
    readonly clocks: { elapsedMs: number; wallMs: number };
    readonly again: () => Promise<void>;
  }> {
    const server = makeServer();
    const clocks = { elapsedMs: 0, wallMs: Date.parse("2026-01-01T00:00:00Z") };
    const store = openIn(server.clone("clone"), BRANCH, {
      io: { ...io, env: server.env, now: () => clocks.wallMs },
      machine: { ...machine, elapsedMs: () => clocks.elapsedMs },
    });
    await store.lock(holderFor(machine));
    await store.write(journalled, 0);
    const next = withJournal(settle(journalled, SETTLEMENT), JOURNAL);
    return {
      assertLeased: () => store.assertLeased(),
      clocks,
      again: async () => {
        await store.write(settle(journalled, SETTLEMENT), 1);
        await store.write(next, 2);
      },
    };
  }

  test("no longer than others wait beyond the call itself, and what it takes to send", () => {
    expect(LEASE_MS).toBeLessThan(MARGIN_MS + PUSH_MS);
  });

  test.each([
    ["by the clock that only runs forward", { elapsedMs: LEASE_MS + 1, wallMs: 0 }],
    [
      "by the other, which goes on while the machine sleeps",
      { elapsedMs: 0, wallMs: LEASE_MS + 1 },
    ],
  ])("%s", async (_which, { elapsedMs, wallMs }) => {
    const { assertLeased, clocks, again } = await journalling();
    clocks.elapsedMs += LEASE_MS;
    clocks.wallMs += LEASE_MS;
    assertLeased();
    clocks.elapsedMs += elapsedMs && 1;
    clocks.wallMs += wallMs && 1;
    const late = {
      code: "state-lock-lost",
      exit: 6,
      message: expect.stringContaining("nothing was sent") as string,
    };
    expect(assertLeased).toThrow(expect.objectContaining(late) as Error);
    // Nothing brings it back, a clock that is set back neither.
    clocks.elapsedMs = 0;
    clocks.wallMs = 0;
    expect(assertLeased).toThrow(expect.objectContaining(late) as Error);
    await again();
    assertLeased();
  });

  test("from when its push began, because others may have seen it since", async () => {
    const server = makeServer();
    let wallMs = 0;
    // As long as the push takes.
    const slowly = () => (wallMs += LEASE_MS + 1);
    const store = openIn(server.clone("clone"), BRANCH, {
      io: { ...io, env: server.env, now: slowly },
    });
    await store.lock(holderFor(machine));
    await store.write(journalled, 0);
    expect(() => store.assertLeased()).toThrow(
      expect.objectContaining({ code: "state-lock-lost" }) as Error,
    );
  });
});

test.each(["before", "after"])(
  "a push that an interrupt of the terminal has ended, %s it arrived, is made certain",
  async (when) => {
    const server = makeServer();
    const { PATH } = server.env;
    const tools = newFolder();
    const once = join(tools, "once");
    // Every process of a terminal gets the interrupt, and the first push dies of it.
    const script = `#!/bin/sh
export PATH='${PATH}'
case " $* " in *" push "*) if test ! -e ${once}; then
touch ${once}
${when === "after" ? 'git "$@" > /dev/null 2>&1' : ":"}
kill -INT $$
fi;; esac
exec git "$@"
`;
    writeFileSync(join(tools, "git"), script, { mode: 0o755 });
    const env = { ...server.env, PATH: `${tools}:${PATH}` };
    const store = openIn(server.clone("clone"), BRANCH, {
      io: { ...io, env, sleep: async () => {} },
    });
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    expect(existsSync(once)).toBe(true);
    expect(server.subjects()).toHaveLength(1);
    await store.write(stateAfter(2), 1);
    expect((await store.read())?.serial).toBe(2);
  },
);
