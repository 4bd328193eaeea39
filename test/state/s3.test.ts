// States in a store of objects: signatures against published ones, whose keys are used, and what becomes of a state when the store or the way to it fails.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Failure } from "../../src/failure.js";
import { openHttp, readOnlyClient } from "../../src/http/http.js";
import { secret } from "../../src/secret.js";
import { bucketAt } from "../../src/state-address/bucket.js";
import { keysOf } from "../../src/state/s3/credentials.js";
import { encodePart, signed } from "../../src/state/s3/sign.js";
import type { LockingStore } from "../../src/state/store.js";
import { makeRun, type Run } from "../support/network.js";
import { openLocking } from "./locking.js";
import { heldMachine, machine } from "./places.js";
import { newFolder } from "./programs.js";
import { s3Place } from "./s3-place.js";
import { KEYS, startS3Server, type S3ServerOptions } from "./s3-server.js";
import { holderFor, stateAfter } from "./samples.js";
import type { Fault } from "./rude-server.js";

const refusal = (code: string, words = "") =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(new RegExp(words, "is")) as string,
  }) as Error;

async function placeAt(options: S3ServerOptions = {}) {
  const server = await startS3Server(options);
  onTestFinished(() => server.close());
  return s3Place(server);
}

interface Opening {
  readonly env?: Readonly<Record<string, string>>;
  readonly isReading?: boolean;
}

/** As a run of a command has it; its waits take no time. */
function openAt(
  { address }: { readonly address: string },
  { env = KEYS, isReading = false }: Opening = {},
): { store: LockingStore; run: Run; notices: string[] } {
  const run = makeRun(env, Date.now());
  const whole = openHttp(run.io);
  onTestFinished(() => whole.close());
  const http = isReading ? readOnlyClient(whole) : whole;
  const notices: string[] = [];
  const notice = (sentence: string) => void notices.push(sentence);
  const { store } = openLocking({ io: run.io, http, address, notice });
  return { store, run, notices };
}

describe("signatures, as Amazon publishes them", () => {
  const keys = {
    id: "AKIAIOSFODNN7EXAMPLE",
    key: secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
  };
  test.each([
    [
      "an object, in part",
      "GET",
      "/test.txt",
      { range: "bytes=0-9" },
      "",
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "an object that is written",
      "PUT",
      "/test%24file.text",
      { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      "Welcome to Amazon S3.",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    [
      "a word of the query without a value",
      "GET",
      "/?lifecycle",
      {},
      "",
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ],
    [
      "a query of two words",
      "GET",
      "/?max-keys=2&prefix=J",
      {},
      "",
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
  ])("%s", (_name, method, path, headers, body, signature) => {
    const { authorization } = signed({
      method,
      address: new URL(path, "https://examplebucket.s3.amazonaws.com"),
      headers,
      body,
      region: "us-east-1",
      keys,
      nowMs: Date.UTC(2013, 4, 24),
    });
    expect(authorization).toContain(
      "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,",
    );
    expect(authorization).toMatch(new RegExp(`,Signature=${signature}$`));
  });

  test("a name is encoded as the signature wants it, to the letter", () => {
    expect(encodePart("a~b_c-d.e!'()*$ ü/")).toBe("a~b_c-d.e%21%27%28%29%2A%24%20%C3%BC%2F");
  });
});

describe("where a bucket is", () => {
  test.each([
    ["s3://states/gis", {}, undefined],
    ["s3://states/gis", { AWS_REGION: "eu-west-1" }, "https://states.s3.eu-west-1.amazonaws.com/"],
    [
      "s3://states",
      { AWS_DEFAULT_REGION: "eu-west-1" },
      "https://states.s3.eu-west-1.amazonaws.com/",
    ],
    [
      "s3://states/gis?region=eu-central-1",
      { AWS_REGION: "x" },
      "https://states.s3.eu-central-1.amazonaws.com/",
    ],
    [
      "s3://states.example/gis?region=eu-central-1",
      {},
      "https://s3.eu-central-1.amazonaws.com/states.example/",
    ],
    ["s3://states/gis?region=cn-north-1", {}, "https://states.s3.cn-north-1.amazonaws.com.cn/"],
    [
      "s3://states/gis?region=eu-west-1&path-style=true",
      {},
      "https://s3.eu-west-1.amazonaws.com/states/",
    ],
    ["s3://states/gis?endpoint=https://s3.example.com", {}, "https://s3.example.com/states/"],
    [
      "s3://states/gis?endpoint=https://s3.example.com:9000/store/",
      {},
      "https://s3.example.com:9000/store/states/",
    ],
    [
      "s3://states/gis?endpoint=https://s3.example.com&path-style=false",
      {},
      "https://states.s3.example.com/",
    ],
  ])("%s with %j", (address, env, root) => {
    const found = bucketAt(address, env);
    expect(found).toMatchObject({ bucket: expect.any(String) as string });
    expect("root" in found ? found.root?.href : "none").toBe(root);
  });

  test.each([
    "s3://me:hidden@states/gis",
    "s3://st/gis",
    "s3://states/../gis",
    "s3://states/gis?secret=hidden",
    "s3://states/gis?endpoint=ftp://s3.example.com",
    "s3://states/gis?endpoint=https://me:hidden@s3.example.com",
    "s3://states/gis?region=a.b/c",
    "s3://states/gis?path-style=maybe",
    "s3://states:80/gis",
    "s3:///gis",
  ])("%s is none", (address) => {
    expect(bucketAt(address, { AWS_REGION: "eu-west-1" })).toHaveProperty("why");
    expect(() => openAt({ address })).toThrow(refusal("bad-state-address"));
  });

  test("without a region nothing is asked", () => {
    const open = () => openAt({ address: "s3://states/gis?path-style=true" });
    expect(open).toThrow(refusal("bad-state-address", "region"));
  });
});

test("a damaged one names the commands for its older versions, and none of what references stand for", async () => {
  const place = await placeAt();
  await place.plant("{");
  const failure = (await openAt(place)
    .store.read()
    .catch((error: unknown) => error)) as Failure;
  const key = place.name;
  const aws = `aws --endpoint-url ${place.server.url} s3api`;
  expect(failure.help?.split("\n  ").slice(1)).toEqual([
    `${aws} list-object-versions --bucket states --prefix ${key}`,
    `${aws} copy-object --bucket states --key ${key} --copy-source 'states/${key}?versionId='VERSION`,
  ]);
});

describe("whose keys are used", () => {
  const files = (credentials: string, config = "") => {
    const home = newFolder();
    mkdirSync(join(home, ".aws"));
    writeFileSync(join(home, ".aws/credentials"), credentials);
    writeFileSync(join(home, ".aws/config"), config);
    return home;
  };
  const shown = (env: Readonly<Record<string, string>>) => {
    const { id, key, session } = keysOf({ env, cwd: "/" });
    return [id, key.reveal(), session?.reveal()];
  };
  const both = (name: string) =>
    `aws_access_key_id = ${name}\naws_secret_access_key=key of ${name}\n`;

  test("the variables', else the profile's, from either file", () => {
    const HOME = files(
      `[default]\n${both("one")}[ci]\n# two\n${both("two")}aws_session_token = three\n`,
      `[profile old]\r\n${both("four")}region = eu-west-1\ns3 =\n  aws_access_key_id = no\n[default]\n`,
    );
    expect(shown({ HOME, ...KEYS })).toEqual(Object.values(KEYS));
    expect(shown({ HOME })).toEqual(["one", "key of one", undefined]);
    expect(shown({ HOME, AWS_PROFILE: "ci" })).toEqual(["two", "key of two", "three"]);
    expect(shown({ HOME, AWS_PROFILE: "old" })).toEqual(["four", "key of four", undefined]);
    expect(shown({ AWS_SHARED_CREDENTIALS_FILE: join(HOME, ".aws/credentials") })[0]).toBe("one");
    expect(shown({ AWS_CONFIG_FILE: join(HOME, ".aws/config"), AWS_PROFILE: "old" })[0]).toBe(
      "four",
    );
  });

  test.each([
    ["nothing", "", {}, "neither", "export AWS_ACCESS_KEY_ID"],
    [
      "half",
      "",
      { AWS_ACCESS_KEY_ID: "x" },
      "AWS_SECRET_ACCESS_KEY",
      "export AWS_SECRET_ACCESS_KEY",
    ],
    ["a profile that is not there", "", { AWS_PROFILE: "ci" }, '"ci" holds none', "--profile ci"],
    [
      "a role",
      "[profile ci]\nrole_arn = x\n",
      { AWS_PROFILE: "ci" },
      "role_arn",
      "export-credentials --profile ci",
    ],
    [
      "single sign-on",
      "[default]\nsso_session = x\n",
      {},
      "sso_session",
      "export-credentials --format env",
    ],
    [
      "a container",
      "",
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: "x" },
      "AWS_CONTAINER",
      "export-credentials",
    ],
  ])("%s is told, with how to come by keys", (_name, config, env, why, command) => {
    const HOME = files("", config);
    let failure: unknown;
    try {
      keysOf({ env: { HOME, ...env }, cwd: "/" });
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      code: "credential-missing",
      message: expect.stringContaining(why) as string,
      help: expect.stringContaining(command) as string,
    });
  });
});

describe("a store that keeps to no conditions is refused before any lock is trusted", () => {
  test.each(["if-none-match", "if-match"] as const)("%s", async (each) => {
    const place = await placeAt({ ignores: [each] });
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await expect(store.lock(holder)).rejects.toThrow(refusal("state-not-lockable", each));
    await expect(store.write(stateAfter(1), 0)).rejects.toThrow(refusal("state-lock-lost"));
    expect(place.stored()).toBeUndefined();
    expect(await store.holder()).toBeUndefined();
  });

  test("it is tried once a run", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const writes = () => place.server.received.filter(({ method }) => method === "PUT").length;
    const holder = holderFor(machine);
    await store.lock(holder);
    expect(writes()).toBe(3);
    await store.unlock(holder);
    const before = writes();
    await store.lock(holder);
    expect(writes() - before).toBe(1);
  });
});

describe("answers that are lost", () => {
  /** The nth write of that object. */
  const at = (name: string, nth: number, fault: Fault) => {
    let count = 0;
    return ({ method, path }: { method: string; path: string }) => {
      if (method !== "PUT" || !path.endsWith(name)) return undefined;
      count += 1;
      return count === nth ? fault : undefined;
    };
  };

  test.each<Fault>(["cut after", "cut before", { status: 503 }, { status: 500 }])(
    "to the lock and to its end (%j)",
    async (fault) => {
      for (const nth of [1, 2, 3, 4]) {
        const place = await placeAt({ fault: at(".lock", nth, fault) });
        const { store } = openAt(place);
        const holder = holderFor(machine);
        const isPassing = typeof fault === "string" || !("status" in fault) || fault.status === 503;
        const locked = store.lock(holder).then(() => store.unlock(holder));
        const code = await locked.then(
          () => "",
          (error: unknown) => (error as Failure).code,
        );
        expect(code).toBe(isPassing ? "" : "state-not-writable");
        if (isPassing) expect(await store.holder()).toBeUndefined();
      }
    },
  );

  test.each<Fault>([
    "cut after",
    "cut before",
    ...[500, 503, 507].flatMap((status) => [{ status }, { late: status }]),
  ])("to a write: it is neither lost nor done twice (%j)", async (fault) => {
    const place = await placeAt();
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    place.server.misbehave(at(".json", 1, fault));
    await store.write(stateAfter(1), 0);
    await store.write(stateAfter(2), 1);
    await store.unlock(holder);
    expect(await store.read()).toMatchObject({ serial: 2 });
  });

  test("to a write, and the way back too: nobody claims to know", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    await store.lock(holderFor(machine));
    let isCut = false;
    place.server.misbehave(({ method }) => {
      isCut ||= method === "PUT";
      return isCut ? "cut before" : undefined;
    });
    const write = store.write(stateAfter(1), 0);
    await expect(write).rejects.toThrow(refusal("state-not-writable", "Nobody knows"));
  });
});

describe("a lease", () => {
  test("that is over lets the next one in, whose lock the late one cannot touch", async () => {
    const place = await placeAt();
    const other = { ...machine, isRunning: () => true };
    const run = makeRun(KEYS, Date.now());
    const slow = heldMachine();
    const robbed = place.open({ io: run.io, machine: slow.machine });
    const holder = { ...holderFor(machine), bootId: "another", pidNamespace: "another" };
    await robbed.lock(holder);
    for (let times = 0; times < 10; times++) await slow.goOn(5_000);
    // From here on it stands still, and the next one looks by a clock of its own.
    const waiting = makeRun(KEYS, Date.now());
    const notices: string[] = [];
    const clock = { ...other, elapsedMs: () => waiting.now() };
    const next = place.open({ io: waiting.io, machine: clock, notices });
    const second = holderFor(machine, "bob");
    await expect(next.lock(second, { timeoutMs: 20_000 })).rejects.toThrow(refusal("state-locked"));
    await next.lock(second, { timeoutMs: 60_000 });
    expect(notices.at(-1)).toMatch(
      /^Took over the lock of "ada".*no sign of life for 30 seconds\.$/,
    );
    await slow.goOn(30_000);
    await expect(robbed.write(stateAfter(1), 0)).rejects.toThrow(refusal("state-lock-lost"));
    await robbed.unlock(holder);
    expect(await next.holder()).toMatchObject({ id: second.id });
    await next.write(stateAfter(1), 0);
    await next.unlock(second);
  });

  test("goes on through signs of life whose answers are lost", async () => {
    const place = await placeAt();
    const run = makeRun(KEYS, Date.now());
    const own = heldMachine();
    const store = place.open({ io: run.io, machine: own.machine });
    const holder = holderFor(machine);
    await store.lock(holder);
    place.server.misbehave(({ method }, count) =>
      method === "PUT" && count % 2 ? "cut after" : undefined,
    );
    for (let times = 0; times < 10; times++) await own.goOn(5_000);
    place.server.misbehave(undefined);
    await store.write(stateAfter(1), 0);
    await store.unlock(holder);
    expect(await store.holder()).toBeUndefined();
  });
});

describe("a command that only reads", () => {
  test("sees the state and who holds its lock, by GET alone", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const holder = holderFor(machine);
    await store.lock(holder);
    await store.write(stateAfter(1), 0);
    const before = place.server.received.length;
    const reader = openAt(place, { isReading: true }).store;
    expect((await reader.read())?.serial).toBe(1);
    expect(await reader.holder()).toMatchObject({ id: holder.id });
    const asked = place.server.received.slice(before).map(({ method }) => method);
    expect(asked).toEqual(["GET", "GET"]);
  });
});

describe("refusals say what to do, and tell no secret", () => {
  const xml = (code: string, message = "It is so.") =>
    `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  test.each<[string, S3ServerOptions, Readonly<Record<string, string>>, string, string]>([
    [
      "a clock that is behind",
      { aheadMs: 20 * 60_000 },
      KEYS,
      "20 minutes behind",
      "Set the clock",
    ],
    ["a clock that is ahead", { aheadMs: -5 * 3_600_000 }, KEYS, "5 hours ahead", "Set the clock"],
    [
      "a wrong secret key",
      {},
      { ...KEYS, AWS_SECRET_ACCESS_KEY: "hidden" },
      "is not that of",
      "both of one pair",
    ],
    [
      "keys that are over",
      {},
      { ...KEYS, AWS_SESSION_TOKEN: "hidden-old" },
      "InvalidToken",
      "Get new ones",
    ],
    [
      "keys that may not",
      { fault: () => ({ status: 403, body: xml("AccessDenied") }) },
      KEYS,
      "may not do that",
      "s3:ListBucket",
    ],
    [
      "no bucket",
      { fault: () => ({ status: 404, body: xml("NoSuchBucket") }) },
      KEYS,
      'no bucket "states"',
      "AWS_REGION",
    ],
    [
      "another region",
      {
        fault: () => ({
          status: 400,
          body: xml("AuthorizationHeaderMalformed", "expecting 'eu-west-1'"),
        }),
      },
      KEYS,
      "expecting 'eu-west-1'",
      "region",
    ],
    [
      "one that repeats the key",
      { fault: () => ({ status: 400, body: xml("Odd", KEYS.AWS_SECRET_ACCESS_KEY) }) },
      KEYS,
      "400",
      "region",
    ],
  ])("%s", async (_name, options, env, why, help) => {
    const place = await placeAt(options);
    const { store } = openAt(place, { env });
    const failure = await store.read().then(
      () => undefined,
      (error: unknown) => error as Failure,
    );
    expect(failure).toMatchObject({
      code: "state-not-readable",
      message: expect.stringContaining(why) as string,
      help: expect.stringContaining(help) as string,
    });
    expect(`${failure?.message}${failure?.help}`).not.toContain("hidden");
  });

  test.each(Object.values(KEYS).filter((each) => each.startsWith("hidden")))(
    "a lock whose facts repeat %s",
    async (said) => {
      const place = await placeAt();
      const lock = {
        id: "x",
        who: said,
        host: said.toUpperCase(),
        run: said,
        since: said,
        beat: 1,
      };
      place.server.objects.set(place.name.replace(/json$/, "lock"), JSON.stringify(lock));
      const { store } = openAt(place);
      const failure = await store.lock(holderFor(machine)).then(
        () => undefined,
        (error: unknown) => error as Failure,
      );
      expect(failure?.code).toBe("state-locked");
      for (const each of [failure?.message, JSON.stringify(await store.holder())]) {
        expect(each).toContain("withheld");
        expect(each?.toLowerCase()).not.toContain("hidden");
      }
    },
  );

  test("a host that is not listed gets nothing", async () => {
    const place = await placeAt();
    const env = { CI: "true", LINTEL_ALLOWED_HOSTS: "gis.example.com", ...KEYS };
    await expect(openAt(place, { env }).store.read()).rejects.toThrow(refusal("host-not-allowed"));
    expect(place.server.received).toEqual([]);
  });
});
