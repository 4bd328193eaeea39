// States at HTTP servers: what is asked and sent, what an answer means, and what becomes of a state when an answer is lost.
import { createHash } from "node:crypto";
import { createServer } from "node:https";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Failure } from "../../src/failure.js";
import { openHttp, readOnlyClient } from "../../src/http/http.js";
import { RETRY_POLICY } from "../../src/http/retry.js";
import { printState } from "../../src/state/format.js";
import { NOT_KNOWN, type Holder, type LockingStore } from "../../src/state/store.js";
import {
  closedPort,
  HAS_OPENSSL,
  listen,
  makeCertificates,
  makeRun,
  NEEDS_OPENSSL,
  type Run,
} from "../support/network.js";
import { enveloped, httpPlace } from "./http-place.js";
import { openLocking } from "./locking.js";
import { machine } from "./places.js";
import { holderFor, PORTAL, stateAfter } from "./samples.js";
import type { Fault } from "./rude-server.js";
import { startStateServer, type StateServerOptions } from "./state-server.js";

const refusal = (code: string, ...words: string[]) =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(new RegExp(words.join(".*"), "s")) as string,
  }) as Error;

interface Opening {
  readonly env?: Readonly<Record<string, string>>;
  readonly isReading?: boolean;
  readonly address?: string;
}

async function placeAt(options: StateServerOptions = {}) {
  const server = await startStateServer(options);
  onTestFinished(() => server.close());
  return httpPlace(server);
}

/** As a run of a command with these variables has it; its waits take no time. */
function openAt(
  place: { readonly address: string },
  { env = {}, isReading = false, address = place.address }: Opening = {},
): { store: LockingStore; run: Run; notices: string[] } {
  const run = makeRun(env);
  const whole = openHttp(run.io);
  onTestFinished(() => whole.close());
  const http = isReading ? readOnlyClient(whole) : whole;
  const notices: string[] = [];
  const notice = (sentence: string) => void notices.push(sentence);
  const { store } = openLocking({ io: run.io, http, address, notice });
  return { store, run, notices };
}

const shown = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const ID = /ID=[0-9a-f-]{36}$/;

describe("what is sent", () => {
  test("to a plain server: LOCK, a look whether that locks, a write that names the lock, UNLOCK", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    await store.write(stateAfter(1), 0);
    await store.unlock(holder);
    const { received } = place.server;
    const at = place.path;
    expect(received.map(shown).map((each) => each.replace(ID, "ID=…"))).toEqual([
      `LOCK ${at}`,
      `LOCK ${at}`,
      `LOCK ${at}`,
      `GET ${at}`,
      `POST ${at}?ID=…`,
      `LOCK ${at}`,
      `UNLOCK ${at}`,
    ]);
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      ID: holder.id,
      Operation: "https://ci.example.com/jobs/12",
      Info: `process ${holder.pid}`,
      Who: `ada@${holder.host}`,
      Version: "Lintel",
      Created: "2026-01-02T03:04:05.678Z",
      Path: "",
    });
    expect(received[4]).toMatchObject({
      path: `${at}?ID=${holder.id}`,
      headers: { "content-type": "application/json", "content-md5": expect.any(String) as string },
    });
    expect(received.at(-1)?.body).toBe(received[0]?.body);
  });

  test.each([
    ["gitlab", "POST", "DELETE"],
    ["gitea", "POST", "DELETE"],
  ] as const)(
    "to %s: %s and %s at ADDRESS/lock, known from the address",
    async (dialect, ...methods) => {
      const place = await placeAt({ dialect });
      const { store } = openAt(place);
      const holder = holderFor(machine);
      await store.lock(holder);
      await store.write(stateAfter(1), 0);
      await store.unlock(holder);
      const [lock, unlock] = methods;
      expect(place.server.received.map(shown).map((each) => each.replace(ID, "ID=…"))).toEqual([
        `${lock} ${place.path}/lock`,
        `GET ${place.path}`,
        `POST ${place.path}?ID=…`,
        `${unlock} ${place.path}/lock`,
      ]);
    },
  );

  test("variables name methods, and lock addresses that go on from the state's own", async () => {
    const place = await placeAt({
      fault: ({ method }) => ({ status: method === "GET" ? 404 : 200 }),
    });
    const env = {
      TF_HTTP_ADDRESS: "https://tf.example.com/x",
      TF_HTTP_LOCK_ADDRESS: "https://tf.example.com/x/lock",
      TF_HTTP_UNLOCK_ADDRESS: `${place.server.url}/unlock/\${portal.key}`,
      TF_HTTP_LOCK_METHOD: "put",
      TF_HTTP_UNLOCK_METHOD: "DELETE",
      TF_HTTP_UPDATE_METHOD: "put",
    };
    const { store } = openAt(place, { env });
    // This server says yes to everything, so that it has no lock.
    await store.lock(holderFor(machine));
    await store.write(stateAfter(1), 0);
    expect([...new Set(place.server.received.map(shown))]).toEqual([
      `PUT ${place.path}/lock`,
      `DELETE /unlock/${PORTAL.key}`,
      `GET ${place.path}`,
      `PUT ${place.path}`,
    ]);
  });

  test.each([
    ["TF_HTTP_LOCK_ADDRESS", "https://elsewhere.example.com/lock"],
    ["TF_HTTP_UNLOCK_ADDRESS", "nowhere"],
    ["TF_HTTP_LOCK_METHOD", "PUT /x"],
    ["TF_HTTP_UPDATE_METHOD", "get"],
    ["TF_HTTP_UPDATE_METHOD", "PATCH"],
    ["TF_HTTP_RETRY_MAX", "many"],
  ])("%s=%s is refused before anything is sent", async (name, value) => {
    const place = await placeAt();
    const open = () => openAt(place, { env: { [name]: value } });
    expect(open).toThrow(refusal("bad-state-address", name));
    expect(place.server.received).toEqual([]);
  });

  test("the envelope is a state of Terraform's fourth format, with our document as a text", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    await store.write(stateAfter(3), 0);
    const { outputs, ...rest } = JSON.parse(String(await place.stored())) as Record<
      string,
      unknown
    >;
    const { serial, lineage } = stateAfter(3);
    expect(rest).toEqual({
      version: 4,
      terraform_version: "1.9.0",
      serial,
      lineage,
      resources: [],
      check_results: null,
    });
    const { value, ...output } = (outputs as { portal_settings: { value: string } })
      .portal_settings;
    expect(output).toEqual({ type: "string", sensitive: true });
    expect(JSON.parse(value)).toMatchObject({ serial, lineage });
  });
});

describe("what stands there and is not ours is neither read nor overwritten", () => {
  const tfstate = {
    version: 4,
    terraform_version: "1.9.8",
    serial: 3,
    lineage: "7f0b8a52-6f2e-4b43-9a54-6f6d2a3c9c11",
    outputs: { address: { value: "10.0.0.1", type: "string" } },
    resources: [{ mode: "managed", type: "null_resource", name: "x", instances: [] }],
    check_results: null,
  };
  const ours = JSON.parse(enveloped("{}")) as object;
  test.each([
    ["a state of Terraform", JSON.stringify(tfstate), "Terraform"],
    ["one beside ours", JSON.stringify({ ...ours, resources: tfstate.resources }), "Terraform"],
    ["a web page", "<!doctype html><title>Sign in</title>", "web page"],
    ["an encrypted state of OpenTofu", '{"encrypted_data":"x","encryption_version":"v0"}', "form"],
    ["a list", "[]", "it is JSON, and no object"],
    ["null", "null", "it is JSON, and no object"],
    ["no JSON", "hello", "no JSON"],
    ["an older format", JSON.stringify({ ...ours, version: 3 }), "Terraform|form"],
  ])("%s", async (_name, body, words) => {
    const place = await placeAt();
    place.server.plant(place.path, body);
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    await expect(store.read()).rejects.toThrow(refusal("state-not-ours", words));
    for (const expected of [0, 1]) {
      const write = store.write({ ...stateAfter(1), serial: expected + 1 }, expected);
      await expect(write).rejects.toThrow(refusal("state-not-ours"));
    }
    await store.unlock(holder);
    expect(place.stored()).toBe(body);
  });

  test("an outer serial or lineage that is not the inner one is damage", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    await store.write(stateAfter(2), 0);
    const whole = String(await place.stored());
    for (const changed of [
      whole.replace('"serial":2', '"serial":3'),
      whole.replace(/"lineage":"[^"]+"/, '"lineage":"other"'),
    ]) {
      expect(changed).not.toBe(whole);
      place.server.plant(place.path, changed);
      await expect(store.read()).rejects.toThrow(refusal("state-damaged", "serial or lineage"));
    }
  });
});

describe("answers that are lost", () => {
  const once = (method: string, fault: Fault) => {
    let isDone = false;
    return (request: { method: string }) => {
      if (isDone || request.method !== method) return undefined;
      isDone = true;
      return fault;
    };
  };

  test.each(["terraform", "gitlab", "gitea"] as const)(
    "%s: to LOCK: our own id comes back as the holder's, and the lock is ours",
    async (dialect) => {
      const place = await placeAt({ dialect });
      const method = dialect === "terraform" ? "LOCK" : "POST";
      place.server.misbehave(once(method, "cut after"));
      const { store } = openAt(place);
      const holder = holderFor(machine);
      await store.lock(holder);
      await store.write(stateAfter(1), 0);
      await store.unlock(holder);
      expect(place.server.lockOf(place.path)).toBeUndefined();
      expect((await store.read())?.serial).toBe(1);
    },
  );

  test.each(
    (["terraform", "gitlab", "gitea"] as const).flatMap((dialect) =>
      [400, 429, 500, 502, 503, 504].map((status) => [dialect, status] as const),
    ),
  )("%s: to LOCK, which was carried out and answered %i: no lock is left", async (...given) => {
    const [dialect, late] = given;
    const place = await placeAt({ dialect });
    const isLock = ({ method, path }: { method: string; path: string }) =>
      dialect === "terraform" ? method === "LOCK" : method === "POST" && path.endsWith("/lock");
    // Those that pass are asked again before that.
    let left = [400, 500].includes(late) ? 1 : RETRY_POLICY.attempts;
    place.server.misbehave((request) => (isLock(request) && left-- > 0 ? { late } : undefined));
    const { store } = openAt(place);
    const refused = refusal(late === 429 ? "too-many-requests" : "state-not-writable");
    await expect(store.lock(holderFor(machine))).rejects.toThrow(refused);
    expect(place.server.lockOf(place.path)).toBeUndefined();
    place.server.misbehave(undefined);
    const holder = holderFor(machine);
    await openAt(place).store.lock(holder);
    // Whoever fails while somebody else holds it ends nothing, and says nothing of a lock of its own.
    place.server.misbehave((request) => (isLock(request) ? { status: late } : undefined));
    left = [400, 500].includes(late) ? 1 : RETRY_POLICY.attempts;
    place.server.misbehave((request) =>
      isLock(request) && left-- > 0 ? { status: late } : undefined,
    );
    const { store: other, notices } = openAt(place);
    await expect(other.lock(holderFor(machine))).rejects.toThrow(refused);
    expect(notices.filter((each) => each.includes("may have locked"))).toEqual([]);
    expect(place.server.lockOf(place.path)?.["ID"]).toBe(holder.id);
  });

  test("to LOCK, answered 409 without a holder: the way out is told", async () => {
    const place = await placeAt({ fault: once("LOCK", { late: 409 }) });
    await expect(openAt(place).store.lock(holderFor(machine))).rejects.toMatchObject({
      code: "state-locked",
      help: expect.stringContaining("lintel state unlock portal.yaml") as string,
    });
  });

  test("to LOCK, where no ids are compared: the lock of another stays", async () => {
    const place = await placeAt({ manner: "careless" });
    const holder = holderFor(machine);
    await openAt(place).store.lock(holder);
    place.server.misbehave(once("LOCK", { status: 500 }));
    const second = openAt(place).store.lock(holderFor(machine));
    await expect(second).rejects.toThrow(refusal("state-not-writable", "500"));
    expect(place.server.lockOf(place.path)?.["ID"]).toBe(holder.id);
  });

  test("to LOCK and to UNLOCK, each answered 500: the way out is told", async () => {
    const place = await placeAt({ fault: () => ({ late: 500 }) });
    const { store, notices } = openAt(place);
    await expect(store.lock(holderFor(machine))).rejects.toThrow(refusal("state-not-writable"));
    expect(notices.at(-1)).toMatch(/may have locked.*\n {2}lintel state unlock portal\.yaml$/);
  });

  test("one that says once that nothing is there: no history is begun anew over another", async () => {
    const [before, holder] = [stateAfter(2), holderFor(machine)];
    for (const status of [404, 204, 200]) {
      const place = await placeAt();
      await place.plant(printState(before));
      const { store } = openAt(place);
      await store.lock(holder);
      place.server.misbehave(once("GET", { status }));
      expect(await store.read()).toBeUndefined();
      const write = store.write({ ...stateAfter(1), lineage: "another" }, 0);
      await expect(write).rejects.toThrow(refusal("state-conflict"));
      expect(await store.read()).toMatchObject({ serial: before.serial, lineage: before.lineage });
    }
  });

  test.each(["terraform", "gitlab", "gitea"] as const)(
    "%s: to a write: what arrived is not reported as lost, and not written twice",
    async (dialect) => {
      for (const fault of ["cut after", { status: 502 }, "cut before"] as const) {
        const place = await placeAt({ dialect });
        const { store } = openAt(place);
        const holder = holderFor(machine);
        await store.lock(holder);
        place.server.misbehave(once("POST", fault));
        await store.write(stateAfter(1), 0);
        await store.write(stateAfter(2), 1);
        await store.unlock(holder);
        expect((await store.read())?.serial).toBe(2);
        const posts = place.server.received.filter(({ path }) => path.includes("?ID="));
        // What was not carried out is written again.
        expect(posts).toHaveLength(fault === "cut after" ? 2 : 3);
      }
    },
  );

  test("to a write, and the way back too: nobody claims to know", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    let isCut = false;
    place.server.misbehave(({ method }) => {
      isCut ||= method === "POST";
      return isCut ? (method === "POST" ? "cut after" : "cut before") : undefined;
    });
    const write = store.write(stateAfter(1), 0);
    await expect(write).rejects.toThrow(refusal("state-not-writable", "Nobody knows whether"));
  });

  test.each(["terraform", "gitlab", "gitea"] as const)(
    "%s: to an unlock: it is ended once, and never that of whoever came next",
    async (dialect) => {
      const place = await placeAt({ dialect });
      const { store } = openAt(place);
      const holder = holderFor(machine);
      await store.lock(holder);
      const method = dialect === "terraform" ? "UNLOCK" : "DELETE";
      place.server.misbehave(once(method, "cut after"));
      await store.unlock(holder);
      expect(place.server.lockOf(place.path)).toBeUndefined();
    },
  );

  test("an unlock that never arrives says how to end the lock", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    place.server.misbehave(() => "cut before");
    await expect(store.unlock(holder)).rejects.toMatchObject({
      code: "state-not-writable",
      help: expect.stringContaining("lintel state unlock portal.yaml") as string,
    });
  });

  test("a lock that nobody knows of is told", async () => {
    const place = await placeAt({ fault: () => "cut before" });
    const { store, notices } = openAt(place);
    await expect(store.lock(holderFor(machine))).rejects.toThrow(refusal("no-answer"));
    expect(notices.at(-1)).toMatch(/may have locked.*\n {2}lintel state unlock portal\.yaml$/);
  });
});

describe("servers that lock in their own way", () => {
  test("one that compares no ids: the one robbed writes nothing and ends no lock of others", async () => {
    const place = await placeAt({ manner: "careless" });
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    const next = openAt(place).store;
    expect((await next.forceUnlock(holderFor(machine)))?.id).toBe(holder.id);
    const second = holderFor(machine, "bob");
    await next.lock(second);
    await expect(store.write(stateAfter(1), 0)).rejects.toThrow(refusal("state-lock-lost"));
    await store.unlock(holder);
    expect(place.server.lockOf(place.path)?.["ID"]).toBe(second.id);
  });

  test("one that tells nobody's id can be locked, written, and unlocked by force", async () => {
    const place = await placeAt({ manner: "silent" });
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    await store.write(stateAfter(1), 0);
    const second = openAt(place).store;
    const lock = second.lock(holderFor(machine));
    await expect(lock).rejects.toThrow(refusal("state-locked", "locked by somebody\\."));
    expect(await second.forceUnlock(holderFor(machine))).toMatchObject({ who: "unknown" });
    expect(place.server.lockOf(place.path)).toBeUndefined();
  });

  test.each(["lockless", "open"] as const)(
    "one that is %s is written to without a lock, and refuses an older serial all the same",
    async (manner) => {
      const place = await placeAt({ manner });
      const { store, notices } = openAt(place);
      const holder = holderFor(machine);
      await store.lock(holder);
      expect(place.server.lockOf(place.path)).toBeUndefined();
      await store.write(stateAfter(1), 0);
      await expect(store.write(stateAfter(1), 0)).rejects.toThrow(refusal("state-conflict"));
      await store.unlock(holder);
      expect(notices).toEqual([]);
      expect(await store.read()).toEqual(stateAfter(1));
      const posts = place.server.received.filter(({ method }) => method === "POST");
      expect(posts.map(({ path }) => path)).toEqual([place.path]);
    },
  );

  test("a lock of Terraform is told as Terraform's", async () => {
    const place = await placeAt();
    const lock = {
      ID: "11111111-2222-3333-4444-555555555555",
      Operation: "OperationTypeApply",
      Info: "",
      Who: "bob@laptop",
      Version: "1.9.8",
      Created: "2026-01-02T03:04:05.123456789Z",
      Path: "",
    };
    const { store } = openAt(place);
    const answer = await fetch(place.address, {
      method: "LOCK",
      body: JSON.stringify(lock),
      headers: { "content-md5": md5(JSON.stringify(lock)) },
    });
    expect(answer.status).toBe(200);
    await expect(store.lock(holderFor(machine))).rejects.toThrow(
      refusal(
        "state-locked",
        '"bob" on "laptop" since 2026-01-02 03:04 UTC, in "Terraform or OpenTofu 1.9.8, OperationTypeApply"',
      ),
    );
  });
});

describe("a command that only reads", () => {
  test("is not told who holds the lock, and asks for nothing but the state", async () => {
    const place = await placeAt();
    const holder = holderFor(machine);
    await openAt(place).store.lock(holder);
    const before = place.server.received.length;
    const { store } = openAt(place, { isReading: true });
    expect(await store.read()).toBeUndefined();
    expect(await store.holder()).toBe(NOT_KNOWN);
    expect(place.server.received.slice(before).map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("variables for the way there", () => {
  test.runIf(HAS_OPENSSL)(
    `an authority to trust, and a certificate to show${NEEDS_OPENSSL}`,
    async () => {
      const { ca, server: own, client } = makeCertificates();
      const tls = { ...own, ca, requestCert: true, rejectUnauthorized: true };
      const server = createServer(tls, (_, response) => void response.writeHead(404).end());
      const address = `https://${await listen(server)}/states/x`;
      const env = {
        TF_HTTP_CLIENT_CA_CERTIFICATE_PEM: ca,
        TF_HTTP_CLIENT_CERTIFICATE_PEM: client.cert,
        TF_HTTP_CLIENT_PRIVATE_KEY_PEM: client.key,
      };
      expect(await openAt({ address }, { env }).store.read()).toBeUndefined();
      await expect(openAt({ address }).store.read()).rejects.toThrow(refusal("not-trusted"));
      const { TF_HTTP_CLIENT_CA_CERTIFICATE_PEM } = env;
      const nameless = openAt({ address }, { env: { TF_HTTP_CLIENT_CA_CERTIFICATE_PEM } });
      await expect(nameless.store.read()).rejects.toMatchObject({
        code: expect.stringMatching(/^(no-answer|not-trusted)$/) as string,
      });
      const odd = { ...env, TF_HTTP_CLIENT_CERTIFICATE_PEM: "hidden" };
      await expect(openAt({ address }, { env: odd }).store.read()).rejects.toMatchObject({
        code: "bad-certificate",
        help: expect.stringContaining("TF_HTTP_CLIENT_") as string,
      });
      for (const half of ["CERTIFICATE", "PRIVATE_KEY"]) {
        const rest = { ...env, [`TF_HTTP_CLIENT_${half}_PEM`]: "" };
        await expect(openAt({ address }, { env: rest }).store.read()).rejects.toMatchObject({
          code: "bad-certificate",
          message: expect.stringContaining("is handed in") as string,
        });
      }
    },
  );

  test.each([
    ["0", "1", "2", []],
    ["2", "3", "4", [3000, 4000]],
  ] as const)("TF_HTTP_RETRY_MAX=%s, _WAIT_MIN=%s, _WAIT_MAX=%s", async (...given) => {
    const [TF_HTTP_RETRY_MAX, TF_HTTP_RETRY_WAIT_MIN, TF_HTTP_RETRY_WAIT_MAX, slept] = given;
    const place = await placeAt({ fault: () => ({ status: 503 }) });
    const env = { TF_HTTP_RETRY_MAX, TF_HTTP_RETRY_WAIT_MIN, TF_HTTP_RETRY_WAIT_MAX };
    const { store, run } = openAt(place, { env });
    await expect(store.read()).rejects.toThrow(refusal("state-not-readable", "503"));
    expect(place.server.received).toHaveLength(slept.length + 1);
    expect(run.slept).toEqual(slept);
  });
});

describe("refusals say what to do", () => {
  const accounts = {
    "me:hidden-word": "maintainer",
    "gitlab-ci-token:job-hidden": "developer",
  } as const;
  const asMe = { TF_HTTP_USERNAME: "me", TF_HTTP_PASSWORD: "hidden-word" };

  test("who asks without credentials, and with wrong ones", async () => {
    const place = await placeAt({ accounts });
    const asked = openAt(place).store.read();
    await expect(asked).rejects.toMatchObject({
      code: "state-not-readable",
      message: expect.stringContaining("asks who it is") as string,
      help: expect.stringContaining("TF_HTTP_USERNAME") as string,
    });
    const env = { TF_HTTP_USERNAME: "me", TF_HTTP_PASSWORD: "hidden-other" };
    await expect(openAt(place, { env }).store.read()).rejects.toThrow(
      refusal("state-not-readable", "does not take"),
    );
    expect(await openAt(place, { env: asMe }).store.read()).toBeUndefined();
  });

  test("the job's token goes to its own GitLab, which lets it read; for a write the role is missing", async () => {
    const place = await placeAt({ dialect: "gitlab", accounts });
    const env = { CI_JOB_TOKEN: "job-hidden", CI_SERVER_URL: place.server.url };
    const { store } = openAt(place, { env });
    expect(await store.read()).toBeUndefined();
    await expect(store.lock(holderFor(machine))).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("Maintainer's role") as string,
    });
    await expect(store.lock(holderFor(machine))).rejects.toMatchObject({
      help: expect.stringContaining("project access token") as string,
    });
    const elsewhere = { CI_JOB_TOKEN: "job-hidden", CI_SERVER_URL: "https://gitlab.example.com" };
    const asked = openAt(place, { env: elsewhere }).store.read();
    await expect(asked).rejects.toThrow(refusal("state-not-readable", "401"));
    expect(place.server.received.at(-1)?.headers.authorization).toBeUndefined();
  });

  test("a project of GitLab that the account may not see is not one in which nothing was applied", async () => {
    const answers = [
      { status: 403, body: '{"message":"403 Forbidden"}' },
      { status: 404, body: '{"message":"404 Project Not Found"}' },
    ];
    for (const fault of answers) {
      const place = await placeAt({ dialect: "gitlab", fault: () => fault });
      await expect(openAt(place, { env: asMe }).store.read()).rejects.toMatchObject({
        code: "state-not-readable",
        message: expect.stringContaining(`(${fault.status})`) as string,
        help: expect.stringContaining("lintel plan --no-state") as string,
      });
    }
    const fault = () => ({ status: 404, body: '{"message":"404 Not found"}' });
    const none = await placeAt({ dialect: "gitlab", fault });
    expect(await openAt(none, { env: asMe }).store.read()).toBeUndefined();
  });

  test.each<[string, Fault, string, string]>([
    ["not there", { status: 410 }, "state-not-readable", "410"],
    [
      "broken",
      { status: 500, body: '{"message":"out of order"}' },
      "state-not-readable",
      "out of order",
    ],
    [
      "a page",
      { status: 200, headers: { "content-type": "text/html" }, body: "hi" },
      "state-not-ours",
      "page",
    ],
    [
      "elsewhere",
      { status: 302, headers: { location: "https://x.example.com/" } },
      "redirected",
      "x.example.com",
    ],
    [
      "repeating the secret",
      { status: 500, body: '{"message":"no hidden-word"}' },
      "state-not-readable",
      "withheld",
    ],
  ])("a server that is %s", async (_name, fault, code, word) => {
    const place = await placeAt({ fault: () => fault });
    const { store } = openAt(place, { env: asMe });
    const failure = await store.read().then(
      () => undefined,
      (error: unknown) => error as Failure,
    );
    expect(failure).toMatchObject({ code, message: expect.stringContaining(word) as string });
    expect(`${failure?.message}${failure?.help}`).not.toContain("hidden-word");
  });

  const encoded = Buffer.from("me:hidden-word").toString("base64");
  const asJob = { CI_JOB_TOKEN: "hidden-word", CI_SERVER_URL: "" };
  test.each([
    ["terraform", asMe, "hidden-word"],
    ["terraform", asMe, "HIDDEN-Word"],
    ["terraform", asMe, "of me:hidden@word"],
    ["terraform", asMe, `Basic ${encoded}`],
    ["terraform", asMe, encoded.slice(0, 12)],
    ["gitea", asMe, "h\u200bi\u200bd\u200bd\u200be\u200bn-word"],
    ["gitlab", asJob, "hidden-word"],
    ["gitlab", asJob, Buffer.from("gitlab-ci-token:hidden-word").toString("base64")],
  ] as const)(
    "a %s that repeats the credentials as a lock's holder: %#",
    async (dialect, given, said) => {
      const place = await placeAt({ dialect });
      const env = {
        ...given,
        ...("CI_SERVER_URL" in given && { CI_SERVER_URL: place.server.url }),
      };
      const told = {
        ID: "x",
        Who: said,
        Operation: said,
        Version: said,
        Created: said,
        Info: said,
      };
      place.server.misbehave(({ method, path }) =>
        method === "LOCK" || (method === "POST" && path.endsWith("/lock"))
          ? { status: dialect === "gitlab" ? 409 : 423, body: JSON.stringify(told) }
          : undefined,
      );
      const { store, notices } = openAt(place, { env });
      const failure = await store.lock(holderFor(machine), { timeoutMs: 3_000 }).then(
        () => undefined,
        (error: unknown) => error as Failure,
      );
      expect(failure?.code).toBe("state-locked");
      const { id: _, ...holder } = (await store.holder()) as Holder;
      const all = [failure?.message, notices.at(-1), JSON.stringify(holder)];
      for (const each of all) {
        expect(each).toContain("withheld");
        expect(each?.toLowerCase()).not.toMatch(/hidden|word|h\\u|agf|awrk/);
        expect(each).not.toContain(encoded.slice(0, 12));
      }
    },
  );

  test("a state that is too large", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    await store.lock(holderFor(machine));
    place.server.misbehave(({ method }) => (method === "POST" ? { status: 413 } : undefined));
    await expect(store.write(stateAfter(1), 0)).rejects.toThrow(
      refusal("state-not-writable", "413"),
    );
  });

  test("a server that is away", async () => {
    const address = `http://${await closedPort()}/states/x`;
    await expect(openAt({ address }).store.read()).rejects.toThrow(refusal("not-reachable"));
  });

  test("a host that is not listed gets nothing", async () => {
    const place = await placeAt();
    const run = makeRun({ CI: "true", LINTEL_ALLOWED_HOSTS: "gis.example.com", ...asMe });
    const http = openHttp(run.io);
    onTestFinished(() => http.close());
    const { store } = openLocking({ io: run.io, http, address: place.address });
    await expect(store.read()).rejects.toThrow(refusal("host-not-allowed"));
    expect(place.server.received).toEqual([]);
  });
});

function md5(text: string): string {
  return createHash("md5").update(text).digest("base64");
}
