// A backend that locks, behind the adapter: a write replaces one version, or conflicts, and its lock is held no longer than that.
import { describe, expect, onTestFinished, test } from "vitest";
import { openHttp } from "../../src/http/http.js";
import type { Io } from "../../src/io.js";
import { httpBackend } from "../../src/state/http/backend.js";
import { printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { openStores } from "../../src/state/open.js";
import { StateConflict, type StateStore } from "../../src/state/state-store.js";
import type { State } from "../../src/state/state.js";
import { emptyState, settle } from "../../src/state/steps.js";
import { makeRun } from "../support/network.js";
import { enveloped, httpPlace } from "./http-place.js";
import { io, machine, send, type Place } from "./places.js";
import { s3Place } from "./s3-place.js";
import { startS3Server } from "./s3-server.js";
import { holderFor, LINEAGE, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";
import { startStateServer, type StateServerOptions } from "./state-server.js";

type Given = Partial<Parameters<typeof openStores>[0]> & {
  readonly env?: Io["env"] | undefined;
  readonly notices?: string[];
};

/** As a run opens it that neither verifies nor remembers what it reads. */
function openAt(address: string, { env = {}, notices, ...given }: Given = {}): StateStore {
  const own = { ...io, machine, ...given.io, env };
  const assertAllowed = () => {};
  const http = openHttp(own, { assertAllowed });
  const stores = openStores({ http, assertAllowed, ...given, io: own });
  onTestFinished(async () => {
    await stores.close();
    await http.close();
  });
  const notice = (sentence: string) => void notices?.push(sentence);
  return stores.open({ address, file: "portal.yaml", portal: PORTAL, notice, isUnchecked: true });
}

async function httpAt(options: StateServerOptions = {}) {
  const server = await startStateServer(options);
  onTestFinished(() => server.close());
  return httpPlace(server);
}

async function s3At() {
  const server = await startS3Server();
  onTestFinished(() => server.close());
  return s3Place(server);
}

const PLACES = {
  "http: with locks": () => httpAt(),
  "http: of GitLab": () => httpAt({ dialect: "gitlab" }),
  "http: of Gitea": () => httpAt({ dialect: "gitea" }),
  "s3:": () => s3At(),
};

async function readFrom(store: StateStore): Promise<State> {
  const { state } = await store.read();
  return state ?? emptyState(LINEAGE, PORTAL);
}

describe.each(Object.entries(PLACES))("%s", (_, makePlace) => {
  test("returns the version of what it wrote, as every other run reads it", async () => {
    const { address, env = {} } = await makePlace();
    const store = openAt(address, { env });
    expect(await store.read()).toEqual({ state: undefined, version: undefined });
    const first = await store.write(stateAfter(1), undefined);
    expect(await openAt(address, { env }).read()).toEqual({ state: stateAfter(1), version: first });
    const second = await store.write(stateAfter(2), first);
    expect(second).not.toBe(first);
    expect(await openAt(address, { env }).read()).toEqual({
      state: stateAfter(2),
      version: second,
    });
  });

  test("refuses a stale version with a conflict, and changes nothing", async () => {
    const place = await makePlace();
    const { address, env = {} } = place;
    const store = openAt(address, { env });
    const first = await store.write(stateAfter(1), undefined);
    await openAt(address, { env }).write(stateAfter(2), first);
    const before = await place.stored();
    for (const stale of [undefined, first, "another"]) {
      await expect(store.write(stateAfter(3), stale)).rejects.toThrow(StateConflict);
    }
    expect(await place.stored()).toBe(before);
  });

  test("of ten writers at once all succeed that try again, and no write is lost", async () => {
    const { address, env = {} } = await makePlace();
    let conflicts = 0;
    const write = async (_: unknown, at: number) => {
      const store = openAt(address, { env });
      for (;;) {
        const { state = emptyState(LINEAGE, PORTAL), version } = await store.read();
        try {
          const settlement = { ...SETTLEMENT, planDigest: `writer ${at}` };
          return void (await store.write(settle(state, settlement), version));
        } catch (error) {
          if (!(error instanceof StateConflict)) throw error;
          conflicts++;
        }
      }
    };
    await Promise.all(Array.from({ length: 10 }, write));
    const { serial, history } = await readFrom(openAt(address, { env }));
    expect(serial).toBe(10);
    expect(new Set(history.map(({ planDigest }) => planDigest)).size).toBe(10);
    expect(conflicts).toBeGreaterThan(0);
  });

  test("holds no lock after a write, a conflict or a probe", async () => {
    const { address, env = {} } = await makePlace();
    const store = openAt(address, { env });
    await store.write(stateAfter(1), undefined);
    expect(await store.lockHolder?.()).toBeUndefined();
    await expect(store.write(stateAfter(9), undefined)).rejects.toThrow(StateConflict);
    expect(await store.lockHolder?.()).toBeUndefined();
    await store.probe();
    expect(await store.lockHolder?.()).toBeUndefined();
  });
});

describe("a probe", () => {
  test("leaves no state, and no lock at the server", async () => {
    const place = await httpAt();
    await openAt(place.address).probe();
    expect(place.stored()).toBeUndefined();
    expect(place.server.lockOf(place.path)).toBeUndefined();
  });

  test("fails where the account may only read", async () => {
    const place = await httpAt({ accounts: { "me:secret": "developer" } });
    const env = { TF_HTTP_USERNAME: "me", TF_HTTP_PASSWORD: "secret" };
    const store = openAt(place.address, { env });
    await expect(store.probe()).rejects.toMatchObject({ code: "state-not-writable" });
    expect((await store.read()).state).toBeUndefined();
  });
});

describe("a lock of another writer", () => {
  const errandAt = ({ address, env }: Place) => ({
    address,
    env,
    portalUrl: PORTAL.url,
    rounds: 1,
    stays: true as const,
  });

  test("that was killed on this machine is taken over at once", async () => {
    const place = await s3At();
    const { address, env = {} } = place;
    const child = await send(errandAt(place));
    await child.says("locked");
    child.process.kill("SIGKILL");
    await child.ended;
    const run = makeRun(env);
    const notices: string[] = [];
    await openAt(address, { env, io: run.io, notices }).write(stateAfter(1), undefined);
    expect(run.slept).toEqual([]);
    expect(notices).toContainEqual(
      expect.stringMatching(/^Took over the lock of "child".*its process is gone\.$/),
    );
  });

  test("is waited for", async () => {
    const place = await s3At();
    const holder = holderFor(machine);
    const other = place.open();
    await other.lock(holder);
    const notices: string[] = [];
    const { address, env } = place;
    const written = openAt(address, { env, notices }).write(stateAfter(1), undefined);
    await expect.poll(() => notices).toHaveLength(1);
    expect(place.stored()).toBeUndefined();
    await other.unlock(holder);
    await written;
    expect(notices).toEqual([expect.stringMatching(/^Waiting for the lock of "ada"/)]);
  });

  test("at an HTTP server ends the wait after a minute, and a person ends it", async () => {
    const place = await httpAt();
    const holder = holderFor(machine);
    await place.open().lock(holder);
    const run = makeRun();
    const clock = { ...run.io, machine: { ...machine, elapsedMs: () => run.now() } };
    const store = openAt(place.address, { io: clock });
    await expect(store.write(stateAfter(1), undefined)).rejects.toMatchObject({
      code: "state-locked",
      exit: 6,
      help: expect.stringMatching(/\n {2}lintel state unlock portal\.yaml$/) as string,
    });
    expect(place.stored()).toBeUndefined();
    expect(await store.lockHolder?.()).toMatchObject({ id: holder.id });
    expect(await store.unlock?.(holderFor(machine, "eve"))).toMatchObject({ id: holder.id });
    await store.write(stateAfter(1), undefined);
  });
});

describe.each(["lockless", "open"] as const)("a server that is %s", (manner) => {
  test("is written to without a lock, and a stale version conflicts", async () => {
    const { address } = await httpAt({ manner });
    const notices: string[] = [];
    const store = openAt(address, { notices });
    const first = await store.write(stateAfter(1), undefined);
    const second = await openAt(address).write(stateAfter(2), first);
    await expect(store.write(stateAfter(2), first)).rejects.toThrow(StateConflict);
    expect(await store.read()).toEqual({ state: stateAfter(2), version: second });
    expect(notices).toEqual([]);
  });

  test("conflicts where another run wrote the same serial", async () => {
    const place = await httpAt({ manner });
    const store = openAt(place.address);
    const version = await store.write(stateAfter(1), undefined);
    const other = settle(emptyState(LINEAGE, PORTAL), { ...SETTLEMENT, planDigest: "another" });
    // Without a lock both were taken, and the other one last.
    place.server.plant(place.path, enveloped(printState(other)));
    await expect(store.write(stateAfter(2), version)).rejects.toThrow(StateConflict);
    expect((await openAt(place.address).read()).state).toEqual(other);
  });

  test("conflicts where another run writes between the read and the write", async () => {
    const place = await httpAt({ manner });
    const store = openAt(place.address);
    const version = await store.write(stateAfter(1), undefined);
    let reads = 0;
    place.server.misbehave(({ method }) => {
      if (method === "GET" && ++reads === 2)
        place.server.plant(place.path, enveloped(printState(stateAfter(2))));
      return undefined;
    });
    const mine = settle(stateAfter(1), { ...SETTLEMENT, planDigest: "mine" });
    await expect(store.write(mine, version)).rejects.toThrow(StateConflict);
    place.server.misbehave(undefined);
    expect(await readFrom(openAt(place.address))).toEqual(stateAfter(2));
  });
});

test("a conflict that is no other run's doing is reported as it is", async () => {
  const place = await httpAt();
  const store = openAt(place.address);
  const version = await store.write(stateAfter(1), undefined);
  const before = await place.stored();
  const failure = await store.write(stateAfter(9), version).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "state-conflict" });
  expect(failure).not.toBeInstanceOf(StateConflict);
  expect(await place.stored()).toBe(before);
});

test("a write that counts as done keeps its version though the lock could not be ended", async () => {
  const place = await httpAt();
  const notices: string[] = [];
  const store = openAt(place.address, { io: makeRun().io, notices });
  let isWritten = false;
  place.server.misbehave(({ method }) => {
    isWritten ||= method === "POST";
    return isWritten && method !== "POST" && method !== "GET" ? "cut before" : undefined;
  });
  const version = await store.write(stateAfter(1), undefined);
  place.server.misbehave(undefined);
  expect(await store.read()).toEqual({ state: stateAfter(1), version });
  expect(notices.at(-1)).toMatch(/\n {2}lintel state unlock portal\.yaml$/m);
});

test("the name by which a state is remembered differs by portal and by address", async () => {
  const { address } = await httpAt();
  const stores = openStores({ io, http: openHttp(io), assertAllowed: () => {} });
  const other = identityOf("https://other.example.com/portal/sharing/rest", "self");
  const names = [
    [address, PORTAL],
    [address, other],
    [`${address}2`, PORTAL],
    ["s3://states/gis?region=eu-west-1", PORTAL],
  ] as const;
  const opened = names.map(([at, portal]) =>
    stores.open({ address: at, file: "portal.yaml", portal }).memoryName(),
  );
  expect(new Set(await Promise.all(opened)).size).toBe(names.length);
  const again = openAt(address).memoryName();
  expect(await again).toBe(await opened[0]);
});

test("a backend of the caller's own stands in for the usual one", async () => {
  const { address } = await httpAt();
  const asked: string[] = [];
  const http: typeof httpBackend = {
    ...httpBackend,
    open: (place) => {
      asked.push(place.address);
      return httpBackend.open(place);
    },
  };
  const store = openAt(address, { own: { http } });
  await store.write(stateAfter(1), undefined);
  expect(asked).toEqual([address]);
});
