// States on a branch, over git's own HTTP server: the contract, who signs in with what, and answers that are lost.
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../src/failure.js";
import { gitBackend } from "../../src/state/git/git.js";
import { printState } from "../../src/state/format.js";
import { withJournal, emptyState } from "../../src/state/steps.js";
import { contract } from "./contract.js";
import { ADA, BASIC, EXTRA_HEADER, serveOverHttp } from "./git-http.js";
import { machine } from "./places.js";
import { gitPlace, makeServer, openIn, run } from "./repositories.js";
import { holderFor, JOURNAL, LINEAGE, PORTAL, stateAfter } from "./samples.js";

const HELPER = {
  "credential.helper": `!f() { test "$1" = get && echo username=${ADA.user} && echo password=${ADA.password}; }; f`,
};

async function placeOverHttp(config: Readonly<Record<string, string>> = HELPER) {
  const server = makeServer();
  const over = await serveOverHttp(server);
  return { ...gitPlace(server, server.cloneOf(over.url, "clone", config)), over };
}

describe("git:, over HTTP with a password", () => {
  contract(gitBackend, () => placeOverHttp());
});

const first = withJournal(emptyState(LINEAGE, PORTAL), JOURNAL);
const isPush = (asked: string) => asked.startsWith("POST ") && asked.endsWith("/git-receive-pack");

describe("who signs in", () => {
  test("with a header that a pipeline's checkout has left", async () => {
    const { server, ...place } = await placeOverHttp({ "http.extraHeader": EXTRA_HEADER });
    const store = place.open();
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    expect(server.subjects()).toHaveLength(1);
  });

  test("with a configuration in the surroundings, beside our own", async () => {
    const { server, ...place } = await placeOverHttp({});
    const env = {
      ...server.env,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "http.extraHeader",
      GIT_CONFIG_VALUE_0: EXTRA_HEADER,
    };
    const store = openIn(place.from, "git:lintel-state", { env });
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    expect(server.subjects()).toHaveLength(1);
  });

  test("with what an include says that asks where the repository is", async () => {
    const { server, over, ...place } = await placeOverHttp({});
    const included = `${server.home}/credentials.config`;
    run(place.from, server.env, ["config", "--file", included, "http.extraHeader", EXTRA_HEADER]);
    const condition = `includeIf.gitdir:${place.from}/.git.path`;
    run(place.from, server.env, ["config", condition, included]);
    const store = place.open();
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    expect(over.asked.some(isPush)).toBe(true);
  });

  test("with a password in the remote's address, which is shown nowhere", async () => {
    const server = makeServer();
    const over = await serveOverHttp(server);
    const { host } = new URL(over.url);
    const withPassword = over.url.replace(host, `${ADA.user}:${ADA.password}@${host}`);
    const from = server.cloneOf(withPassword, "clone");
    const store = openIn(from, "git:lintel-state", { env: server.env });
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    over.fate = () => ({ status: 404, body: "gone" });
    const failed = await store.read().catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "state-not-readable" });
    expect(`${(failed as Error).message} ${JSON.stringify(failed)}`).not.toContain(ADA.password);
  });

  const words = [
    ADA.password,
    ADA.password.toUpperCase(),
    `${ADA.user}:${ADA.password}`,
    BASIC,
    BASIC.slice("Basic ".length, -4),
  ];
  test.each<[string, (url: URL, home: string) => Readonly<Record<string, string>>]>([
    ["a helper's", () => HELPER],
    ["a header's", () => ({ "http.extraHeader": EXTRA_HEADER })],
    [
      "the address's",
      (url) => Object.assign(url, { username: ADA.user, password: ADA.password }) && {},
    ],
    [
      "those of an address that stands for the remote's",
      (url) => ({
        [`url.${url.protocol}//${ADA.user}:${ADA.password}@${url.host}/.insteadOf`]: `${url.origin}/`,
      }),
    ],
    [
      "a helper's that forgets what is refused",
      (url, home) => {
        const file = `${home}/kept`;
        writeFileSync(file, `${url.protocol}//${ADA.user}:${ADA.password}@${url.host}\n`);
        return { "credential.helper": `store --file=${file}` };
      },
    ],
  ])("with %s credentials, which the server repeats: they are shown nowhere", async (_, set) => {
    const server = makeServer();
    const over = await serveOverHttp(server);
    const url = new URL(over.url);
    const config = set(url, server.home);
    const from = server.cloneOf(url.href, "clone", config);
    const said = async (asked: Promise<unknown>) => {
      const failure = await asked.then(
        () => undefined,
        (error: unknown) => error as Failure,
      );
      expect(failure).toMatchObject({ code: expect.stringMatching(/^state-not-/) as string });
      const all = `${failure?.message} ${failure?.help}`;
      for (const each of words) expect(all.toLowerCase()).not.toContain(each.toLowerCase());
      return all;
    };
    const open = () => openIn(from, "git:lintel-state", { env: server.env });
    server.hook("update", `echo "${words.join("\n")}" >&2; echo "ask Eve" >&2; exit 1`);
    const store = open();
    await store.lock(holderFor(machine));
    const refused = await said(store.write(stateAfter(1), 0));
    expect(refused).toMatch(/withheld.*ask Eve/s);
    for (const status of [403, 401]) {
      over.fate = () => ({ status, body: `no such account: ${words.join("\n")}` });
      await said(open().read());
    }
  });

  test("nobody is refused in words, without a question that nobody answers", async () => {
    const { from, server } = await placeOverHttp({});
    const read = openIn(from, "git:lintel-state", { env: server.env }).read();
    await expect(read).rejects.toMatchObject({
      code: "state-not-readable",
      message: expect.stringMatching(
        /"origin" does not know who asks\..*terminal prompts disabled/,
      ) as string,
      help: expect.stringContaining("persist-credentials") as string,
    });
  });
});

test("who may read and not push finds out before the first state, and nothing is sent for that", async () => {
  const { over, server, ...place } = await placeOverHttp();
  const store = place.open();
  expect(await store.read()).toBeUndefined();
  await store.tryOut?.();
  over.fate = (asked) =>
    asked.includes("service=git-receive-pack") ? { status: 403, body: "read only" } : "sent";
  await expect(store.tryOut?.()).rejects.toMatchObject({ code: "state-not-writable" });
  expect(over.asked.filter(isPush)).toEqual([]);
  expect(server.git("branch", "--list")).not.toContain("lintel-state");
});

describe("an answer that is lost", () => {
  // Git's own transport sends once more what a connection was cut after.
  test.each([1, 2])("of a push that arrived, cut %i times: it is found", async (times) => {
    const { server, over, ...place } = await placeOverHttp();
    const store = place.open();
    await store.lock(holderFor(machine));
    await store.write(first, 0);
    let cuts = 0;
    over.fate = (asked) => (isPush(asked) && cuts++ < times ? "cut" : "sent");
    await store.write(stateAfter(1, first), 1);
    expect((await place.open().read())?.serial).toBe(2);
    expect(server.subjects()).toHaveLength(2);
    expect(cuts).toBe(2);
  });

  test("of a push that never arrived: it is pushed again", async () => {
    const { server, over, ...place } = await placeOverHttp();
    const store = place.open();
    await store.lock(holderFor(machine));
    let cuts = 0;
    over.fate = (asked) => (isPush(asked) && cuts++ === 0 ? "unasked" : "sent");
    await store.write(first, 0);
    expect(server.subjects()).toHaveLength(1);
    expect(cuts).toBe(2);
  });

  test("of a push that arrived, on top of which others have written: it is found below", async () => {
    const { server, over, ...place } = await placeOverHttp();
    const store = place.open();
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    let cuts = 0;
    over.fate = (asked) => {
      if (isPush(asked)) return cuts++ === 0 ? "cut" : "sent";
      // Between the push and the look that follows it.
      if (asked.startsWith("GET ") && server.subjects().length === 2) {
        server.plant(server.stored()?.replace('"serial": 2', '"serial": 3') ?? "");
      }
      return "sent";
    };
    await store.write(stateAfter(2), 1);
    expect(server.subjects()).toEqual([
      "by hand",
      expect.stringContaining("serial 2"),
      expect.stringContaining("serial 1"),
    ]);
  });

  test("of a push in whose place another's arrived: that is a conflict", async () => {
    const { server, over, ...place } = await placeOverHttp();
    const store = place.open();
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    const theirs = { ...stateAfter(2), leaves: [] };
    let pushes = 0;
    over.fate = (asked) => {
      if (!isPush(asked) || pushes++ > 0) return "sent";
      server.plant(printState(theirs));
      return "unasked";
    };
    await expect(store.write(stateAfter(2), 1)).rejects.toMatchObject({ code: "state-conflict" });
    expect(await place.open().read()).toEqual(theirs);
  });

  test("for good: neither a loss nor a success is told", async () => {
    const { server, over, ...place } = await placeOverHttp();
    const store = place.open();
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    let isAway = false;
    over.fate = (asked) => {
      if (isPush(asked)) isAway = true;
      return isAway ? (isPush(asked) ? "cut" : "unasked") : "sent";
    };
    await expect(store.write(stateAfter(2), 1)).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining(
        'It is not known whether "origin" took what was pushed',
      ) as string,
    });
    expect(server.subjects()).toHaveLength(2);
  });
});

test("a server that fails, refuses or says rubbish: each is told, and nothing is sent twice", async () => {
  const { over, ...place } = await placeOverHttp();
  const fates = [
    [{ status: 500, body: "oops" }, /"origin" cannot be reached/],
    [{ status: 403, body: "no" }, /git could not ask "origin"|does not know who asks/],
    [{ status: 404, body: "none" }, /is no repository that this run may see/],
    [{ status: 200, body: "<html>Log in</html>" }, /"origin" holds no branch at all/],
    [{ status: 200, body: "<html>\nLog in\n</html>\n" }, /no repository that this run may see/],
    [{ status: 302, body: "" }, /could not ask/],
  ] as const;
  for (const [fate, message] of fates) {
    over.fate = () => fate;
    await expect(place.open().read()).rejects.toMatchObject({
      code: "state-not-readable",
      message: expect.stringMatching(message) as string,
    });
  }
});
