// States at HTTP servers: requests, answers, locks, and lost answers.
import { createServer } from "node:https";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Failure } from "../../src/failure.js";
import { openHttp, readOnlyClient } from "../../src/http/http.js";
import { RETRY_POLICY } from "../../src/http/retry.js";
import { printState } from "../../src/state/format.js";
import { openHttpStates } from "../../src/state/http-store.js";
import { processOf } from "../../src/state/recover.js";
import { StateConflict, type StateStore, type Version } from "../../src/state/state-store.js";
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
import { machine } from "./places.js";
import { PORTAL, stateAfter } from "./samples.js";
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
  readonly run?: Run;
}

async function placeAt(options: StateServerOptions = {}) {
  const server = await startStateServer(options);
  onTestFinished(() => server.close());
  return httpPlace(server);
}

/** As a run of a command with these variables has it; its waits take no time. */
function openAt(
  { address }: { readonly address: string },
  { env = {}, isReading = false, run = makeRun(env) }: Opening = {},
): { store: StateStore; run: Run; notices: string[] } {
  const io = { ...run.io, machine: { ...machine, elapsedMs: () => run.now() } };
  const whole = openHttp(io);
  onTestFinished(() => whole.close());
  const http = isReading ? readOnlyClient(whole) : whole;
  const notices: string[] = [];
  const notice = (sentence: string) => void notices.push(sentence);
  const states = openHttpStates({ io, http, assertAllowed: () => {}, address, from: "/" });
  const store = states.storeOf({ portal: PORTAL, file: "portal.yaml", notice });
  return { store, run, notices };
}

const NOTHING = { state: undefined, version: undefined };
const serialAt = async (place: { address: string }) =>
  (await openAt(place).store.read()).state?.serial;
const shown = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const ID = /ID=[0-9a-f-]{36}$/;
/** A lock of another tool. */
const THEIRS = {
  ID: "11111111-2222-3333-4444-555555555555",
  Operation: "OperationTypeApply",
  Info: "",
  Who: "bob@laptop",
  Version: "1.9.8",
  Created: "2026-01-02T03:04:05.123456789Z",
  Path: "",
};
/** One of Lintel, as a process that runs has set it. */
const OURS = {
  ...THEIRS,
  ID: "6c696e74-656c-4444-8444-555555555555",
  Who: `ada@${machine.host}`,
  Info: JSON.stringify(processOf(machine)),
};

describe("requests", () => {
  test.each([
    ["terraform", "LOCK", "UNLOCK", ""],
    ["gitlab", "POST", "DELETE", "/lock"],
    ["gitea", "POST", "DELETE", "/lock"],
  ] as const)("to a server of %s", async (dialect, lock, unlock, below) => {
    const place = await placeAt({ dialect });
    const { store } = openAt(place);
    await store.write(stateAfter(1), undefined);
    const { received } = place.server;
    const at = place.path;
    expect(received.map(shown).map((each) => each.replace(ID, "ID=…"))).toEqual([
      `${lock} ${at}${below}`,
      `GET ${at}`,
      `POST ${at}?ID=…`,
      `GET ${at}`,
      `${unlock} ${at}${below}`,
    ]);
    const info = JSON.parse(received[0]?.body ?? "") as Record<string, string>;
    expect(info).toEqual({
      ID: expect.stringMatching(/^6c696e74-656c-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string,
      Operation: "write the state",
      Info: JSON.stringify(processOf(machine)),
      Who: expect.stringContaining(`@${machine.host}`) as string,
      Version: "Lintel",
      Created: expect.stringMatching(/Z$/) as string,
      Path: "",
    });
    expect(received[2]).toMatchObject({
      path: `${at}?ID=${info["ID"]}`,
      headers: { "content-type": "application/json", "content-md5": expect.any(String) as string },
    });
    expect(received.at(-1)?.body).toBe(received[0]?.body);
  });

  test("takes methods and lock addresses from variables, also relative to the state's address", async () => {
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
    // This server says yes to everything, and keeps nothing.
    await expect(store.write(stateAfter(1), undefined)).rejects.toThrow(StateConflict);
    const sent = place.server.received.map(shown).map((each) => each.replace(/\?ID=.*/, ""));
    expect([...new Set(sent)].toSorted()).toEqual([
      `DELETE /unlock/${PORTAL.key}`,
      `GET ${place.path}`,
      `PUT ${place.path}`,
      `PUT ${place.path}/lock`,
    ]);
  });

  test.each([
    ["TF_HTTP_LOCK_ADDRESS", "https://elsewhere.example.com/lock"],
    ["TF_HTTP_UNLOCK_ADDRESS", "nowhere"],
    ["TF_HTTP_LOCK_METHOD", "PUT /x"],
    ["TF_HTTP_UPDATE_METHOD", "get"],
    ["TF_HTTP_UPDATE_METHOD", "PATCH"],
    ["TF_HTTP_RETRY_MAX", "many"],
  ])("refuses %s=%s before anything is sent", async (name, value) => {
    const place = await placeAt();
    const open = () => openAt(place, { env: { [name]: value } });
    expect(open).toThrow(refusal("bad-state-address", name));
    expect(place.server.received).toEqual([]);
  });

  test("writes a Terraform state of format 4 with the document as text", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    await store.write(stateAfter(3), undefined);
    const { outputs, ...rest } = JSON.parse(String(place.stored())) as Record<string, unknown>;
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

describe("neither reads nor overwrites other content", () => {
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
    ["a list", "[]", "it is JSON, but not an object"],
    ["null", "null", "it is JSON, but not an object"],
    ["no JSON", "hello", "not JSON"],
    ["an older format", JSON.stringify({ ...ours, version: 3 }), "Terraform|form"],
  ])("%s", async (_name, body, words) => {
    const place = await placeAt();
    place.server.plant(place.path, body);
    const { store } = openAt(place);
    await expect(store.read()).rejects.toThrow(refusal("state-not-ours", words));
    for (const version of [undefined, "another"]) {
      await expect(store.write(stateAfter(1), version)).rejects.toThrow(refusal("state-not-ours"));
    }
    expect(place.stored()).toBe(body);
    expect(place.server.lockOf(place.path)).toBeUndefined();
  });

  test("treats a different outer serial or lineage as damage", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    await store.write(stateAfter(2), undefined);
    const whole = String(place.stored());
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
  const DIALECTS = ["terraform", "gitlab", "gitea"] as const;

  test.each(DIALECTS)(
    "%s: to LOCK: our own id comes back as the holder's, and the lock is ours",
    async (dialect) => {
      const place = await placeAt({ dialect });
      const method = dialect === "terraform" ? "LOCK" : "POST";
      place.server.misbehave(once(method, "cut after"));
      await openAt(place).store.write(stateAfter(1), undefined);
      expect(place.server.lockOf(place.path)).toBeUndefined();
      expect(await serialAt(place)).toBe(1);
    },
  );

  test.each([400, 429, 500, 503])(
    "to LOCK, carried out but answered with %i, writes nothing, and the run can continue",
    async (late) => {
      const place = await placeAt();
      // Those that pass are asked again before that.
      let left = [400, 500].includes(late) ? 1 : RETRY_POLICY.attempts;
      place.server.misbehave(({ method }) =>
        method === "LOCK" && left-- > 0 ? { late } : undefined,
      );
      const { store } = openAt(place);
      await expect(store.write(stateAfter(1), undefined)).rejects.toThrow(
        refusal(late === 429 ? "too-many-requests" : "state-not-writable"),
      );
      expect(place.stored()).toBeUndefined();
      await store.write(stateAfter(1), undefined);
      expect(place.server.lockOf(place.path)).toBeUndefined();
    },
  );

  test.each(["terraform", "gitlab", "gitea"] as const)(
    "%s: to a write that arrived is a success, without a second write",
    async (dialect) => {
      for (const fault of [
        "cut after",
        "cut before",
        { status: 502 },
        { late: 500 },
        { late: 503 },
      ] as const) {
        const place = await placeAt({ dialect });
        const { store } = openAt(place);
        const first = await store.write(stateAfter(1), undefined);
        let isDone = false;
        place.server.misbehave(({ method, path }) => {
          if (isDone || method !== "POST" || !path.includes("?ID=")) return undefined;
          isDone = true;
          return fault;
        });
        const second = await store.write(stateAfter(2), first);
        expect(await openAt(place).store.read()).toEqual({ state: stateAfter(2), version: second });
        const posts = place.server.received.filter(({ path }) => path.includes("?ID="));
        const arrived = fault === "cut after" || (typeof fault === "object" && "late" in fault);
        expect(posts).toHaveLength(arrived ? 2 : 3);
      }
    },
  );

  test("to a read, with a single 404, does not replace a history", async () => {
    const before = stateAfter(2);
    for (const status of [404, 204, 200]) {
      const place = await placeAt();
      await place.plant(printState(before));
      const { store } = openAt(place);
      place.server.misbehave(once("GET", { status }));
      expect(await store.read()).toEqual(NOTHING);
      const write = store.write({ ...stateAfter(1), lineage: "another" }, undefined);
      await expect(write).rejects.toThrow(StateConflict);
      expect(await serialAt(place)).toBe(before.serial);
    }
  });

  test("to a write and to the read after it report an unknown outcome", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    let isCut = false;
    place.server.misbehave(({ method }) => {
      isCut ||= method === "POST";
      return isCut ? (method === "POST" ? "cut after" : "cut before") : undefined;
    });
    const write = store.write(stateAfter(1), undefined);
    await expect(write).rejects.toThrow(refusal("state-not-writable", "It is unknown whether"));
  });

  test.each(["cut after", "cut before"] as const)(
    "to UNLOCK (%s) do not fail the write or block the next one",
    async (fault) => {
      const place = await placeAt({ fault: once("UNLOCK", fault) });
      const { store, notices } = openAt(place);
      const first = await store.write(stateAfter(1), undefined);
      expect(notices).toEqual([
        expect.stringContaining("may still be set: the next run of Lintel"),
      ]);
      await store.write(stateAfter(2), first);
      expect(place.server.lockOf(place.path)).toBeUndefined();
    },
  );
});

describe("locks of others", () => {
  /** As another client sets it. */
  async function lockedBy(lock: typeof THEIRS, options: StateServerOptions = {}) {
    const place = await placeAt(options);
    place.server.lock(place.path, lock);
    return place;
  }

  test.each(["terraform", "gitlab", "gitea"] as const)(
    "%s: waits for the lock of another tool, names it, and never ends it",
    async (dialect) => {
      const place = await lockedBy(THEIRS, { dialect });
      const { store, run, notices } = openAt(place);
      await expect(store.write(stateAfter(1), undefined)).rejects.toMatchObject({
        code: "state-locked",
        message: expect.stringContaining(
          "is locked by bob@laptop since 2026-01-02 03:04",
        ) as string,
        help: expect.stringContaining(`terraform force-unlock ${THEIRS.ID}`) as string,
      });
      const waitedMs = run.slept.reduce((sum, ms) => sum + ms, 0);
      expect(waitedMs).toBeGreaterThanOrEqual(60_000);
      expect(waitedMs).toBeLessThan(70_000);
      expect(notices).toEqual([expect.stringMatching(/^Waiting for the lock of bob@laptop on /)]);
      expect(place.server.lockOf(place.path)?.["ID"]).toBe(THEIRS.ID);
      expect(await store.unlock?.()).toEqual({ heldBy: "bob@laptop" });
      expect(place.server.lockOf(place.path)?.["ID"]).toBe(THEIRS.ID);
      expect(place.stored()).toBeUndefined();
    },
  );

  test("a lock that ends meanwhile is taken", async () => {
    const place = await lockedBy(THEIRS);
    const { store } = openAt(place);
    let asked = 0;
    place.server.misbehave(({ method }) => {
      if (method === "LOCK" && ++asked === 5) place.server.unlock(place.path);
      return undefined;
    });
    await store.write(stateAfter(1), undefined);
    expect(await serialAt(place)).toBe(1);
  });

  test.each(["terraform", "gitlab", "gitea"] as const)(
    "%s: ends the lock of a process that may live after a journal's time",
    async (dialect) => {
      const place = await lockedBy(OURS, { dialect });
      const { store, run, notices } = openAt(place);
      await store.write(stateAfter(1), undefined);
      const waitedMs = run.slept.reduce((sum, ms) => sum + ms, 0);
      expect(waitedMs).toBeGreaterThanOrEqual(90_000);
      expect(waitedMs).toBeLessThan(100_000);
      expect(notices.at(-1)).toMatch(/^Removed the lock of a killed run on /);
      expect(place.server.lockOf(place.path)).toBeUndefined();
      expect(await serialAt(place)).toBe(1);
    },
  );

  test("a lock of Lintel that is renewed is never ended", async () => {
    const place = await lockedBy(OURS);
    let asked = 0;
    place.server.misbehave(({ method }) => {
      const ID = `6c696e74-656c-4444-8444-${String(asked).padStart(12, "0")}`;
      if (method === "LOCK" && ++asked < 200) place.server.lock(place.path, { ...OURS, ID });
      if (asked === 200) place.server.unlock(place.path);
      return undefined;
    });
    const { store, notices } = openAt(place);
    await store.write(stateAfter(1), undefined);
    expect(notices.filter((each) => each.startsWith("Removed"))).toEqual([]);
  });

  test.each(["terraform", "gitea"] as const)(
    "%s: ends the lock of a dead process on this machine at once",
    async (dialect) => {
      const gone = JSON.stringify({ ...processOf(machine), startTime: "1" });
      const place = await lockedBy({ ...OURS, Info: gone }, { dialect });
      const { store, run } = openAt(place);
      await store.write(stateAfter(1), undefined);
      expect(run.slept).toEqual([]);
      const elsewhere = await lockedBy({
        ...OURS,
        Info: gone.replace(/"bootId":"[^"]+"/, '"bootId":"x"'),
      });
      const other = openAt(elsewhere);
      await other.store.write(stateAfter(1), undefined);
      expect(other.run.slept).not.toEqual([]);
    },
  );

  test.each(["terraform", "gitlab", "gitea"] as const)(
    "%s: ends a lock of Lintel by command",
    async (dialect) => {
      const place = await lockedBy(OURS, { dialect });
      const { store, run } = openAt(place);
      expect(await store.unlock?.()).toBe("ended");
      expect(place.server.lockOf(place.path)).toBeUndefined();
      expect(await store.unlock?.()).toBe("none");
      expect(place.server.lockOf(place.path)).toBeUndefined();
      expect(run.slept).toEqual([]);
    },
  );

  test("a write starts only while its lock is respected", async () => {
    const place = await placeAt();
    const { store, run } = openAt(place);
    place.server.misbehave(({ method }) => {
      if (method === "GET") void run.io.sleep(21_000, run.io.signal);
      return undefined;
    });
    const write = store.write(stateAfter(1), undefined);
    await expect(write).rejects.toThrow(refusal("state-not-writable"));
    expect(place.server.received.filter(({ method }) => method === "POST")).toEqual([]);
    expect(place.stored()).toBeUndefined();
  });
});

describe("servers with other lock protocols", () => {
  test("waits for a lock without an id", async () => {
    const place = await placeAt({ manner: "silent" });
    place.server.lock(place.path, OURS);
    await expect(openAt(place).store.write(stateAfter(1), undefined)).rejects.toThrow(
      refusal("state-locked", "an unknown holder"),
    );
  });

  test.each(["lockless", "open", "again", "careless"] as const)(
    "one that is %s takes a write, and refuses one over an older version",
    async (manner) => {
      const place = await placeAt({ manner });
      const { store, notices } = openAt(place);
      const first = await store.write(stateAfter(1), undefined);
      const second = await openAt(place).store.write(stateAfter(2), first);
      await expect(store.write(stateAfter(2), first)).rejects.toThrow(StateConflict);
      expect(await store.read()).toEqual({ state: stateAfter(2), version: second });
      expect(notices).toEqual([]);
    },
  );

  test.each(["lockless", "open"] as const)(
    "one that is %s: who was overtaken finds out before anything is sent",
    async (manner) => {
      const place = await placeAt({ manner });
      const { store } = openAt(place);
      const version: Version = await store.write(stateAfter(1), undefined);
      place.server.misbehave(({ method }, count) => {
        // Right after the write.
        if (method === "GET" && place.server.received[count - 2]?.method === "POST")
          place.server.plant(place.path, enveloped(printState(stateAfter(2))));
        return undefined;
      });
      await expect(store.write(stateAfter(2), version)).rejects.toThrow(StateConflict);
    },
  );
});

describe("a command that only reads", () => {
  test("only requests the state", async () => {
    const place = await placeAt();
    await openAt(place).store.write(stateAfter(1), undefined);
    const before = place.server.received.length;
    const { store } = openAt(place, { isReading: true });
    expect((await store.read()).state).toEqual(stateAfter(1));
    expect(place.server.received.slice(before).map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("variables for the connection", () => {
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
      expect(await openAt({ address }, { env }).store.read()).toEqual(NOTHING);
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

describe("refusals show what to do", () => {
  const accounts = {
    "me:hidden-word": "maintainer",
    "gitlab-ci-token:job-hidden": "developer",
  } as const;
  const asMe = { TF_HTTP_USERNAME: "me", TF_HTTP_PASSWORD: "hidden-word" };

  test("missing and wrong credentials", async () => {
    const place = await placeAt({ accounts });
    const asked = openAt(place).store.read();
    await expect(asked).rejects.toMatchObject({
      code: "state-not-readable",
      message: expect.stringContaining("answers 401") as string,
      help: expect.stringContaining("TF_HTTP_USERNAME") as string,
    });
    const env = { TF_HTTP_USERNAME: "me", TF_HTTP_PASSWORD: "hidden-other" };
    await expect(openAt(place, { env }).store.read()).rejects.toThrow(
      refusal("state-not-readable", "401"),
    );
    expect(await openAt(place, { env: asMe }).store.read()).toEqual(NOTHING);
  });

  test("sends the job's token only to its GitLab, where it may read but not write", async () => {
    const place = await placeAt({ dialect: "gitlab", accounts });
    const env = { CI_JOB_TOKEN: "job-hidden", CI_SERVER_URL: place.server.url };
    const { store } = openAt(place, { env });
    expect(await store.read()).toEqual(NOTHING);
    await expect(store.write(stateAfter(1), undefined)).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("403 Forbidden") as string,
      help: expect.stringMatching(/Maintainer role.*project access token/) as string,
    });
    const elsewhere = { CI_JOB_TOKEN: "job-hidden", CI_SERVER_URL: "https://gitlab.example.com" };
    const asked = openAt(place, { env: elsewhere }).store.read();
    await expect(asked).rejects.toThrow(refusal("state-not-readable", "401"));
    expect(place.server.received.at(-1)?.headers.authorization).toBeUndefined();
  });

  test("does not take an invisible GitLab project for an empty state", async () => {
    const answers = [
      { status: 403, body: '{"message":"403 Forbidden"}' },
      { status: 404, body: '{"message":"404 Project Not Found"}' },
    ];
    for (const fault of answers) {
      const place = await placeAt({ dialect: "gitlab", fault: () => fault });
      await expect(openAt(place, { env: asMe }).store.read()).rejects.toMatchObject({
        code: "state-not-readable",
        message: expect.stringContaining(`answers ${fault.status}`) as string,
        help: expect.stringContaining("lintel plan --no-state") as string,
      });
    }
    const fault = () => ({ status: 404, body: '{"message":"404 Not found"}' });
    const none = await placeAt({ dialect: "gitlab", fault });
    expect(await openAt(none, { env: asMe }).store.read()).toEqual(NOTHING);
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
        ID: said,
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
      const failure = await store.write(stateAfter(1), undefined).then(
        () => undefined,
        (error: unknown) => error as Failure,
      );
      expect(failure?.code).toBe("state-locked");
      const all = [failure?.message, notices.at(-1), JSON.stringify(await store.unlock?.())];
      for (const each of [...all, failure?.help]) {
        if (each !== failure?.help) expect(each).toContain("withheld");
        expect(each?.toLowerCase()).not.toMatch(/hidden|word|h\\u|agf|awrk/);
        expect(each).not.toContain(encoded.slice(0, 12));
      }
    },
  );

  test("too large a state", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    place.server.misbehave(({ method }) => (method === "POST" ? { status: 413 } : undefined));
    await expect(store.write(stateAfter(1), undefined)).rejects.toThrow(
      refusal("state-not-writable", "413"),
    );
  });

  test("an unreachable server", async () => {
    const address = `http://${await closedPort()}/states/x`;
    await expect(openAt({ address }).store.read()).rejects.toThrow(refusal("not-reachable"));
  });

  test("sends nothing to a host that is not listed", async () => {
    const place = await placeAt();
    const env = { CI: "true", LINTEL_ALLOWED_HOSTS: "gis.example.com", ...asMe };
    await expect(openAt(place, { env }).store.read()).rejects.toThrow(refusal("host-not-allowed"));
    expect(place.server.received).toEqual([]);
  });
});
