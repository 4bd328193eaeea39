// States in a bucket: signatures, sources of keys, lost answers, and refusals.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { openHttp, readOnlyClient } from "../../src/http/http.js";
import { secret } from "../../src/secret.js";
import { bucketAt } from "../../src/state-address/bucket.js";
import { credentialsFor } from "../../src/state/s3-credentials.js";
import { encodePart, signed } from "../../src/state/s3-sign.js";
import { openBucketStates } from "../../src/state/s3-store.js";
import type { StateStore } from "../../src/state/state-store.js";
import { collect, listen, makeRun, type Received, type Run } from "../support/network.js";
import { newFolder } from "./programs.js";
import { s3Place } from "./s3-place.js";
import { KEYS, startS3Server, type S3ServerOptions } from "./s3-server.js";
import { PORTAL, stateAfter } from "./samples.js";
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
): { store: StateStore; run: Run } {
  const run = makeRun(env, Date.now());
  const whole = openHttp(run.io);
  onTestFinished(() => whole.close());
  const http = isReading ? readOnlyClient(whole) : whole;
  const states = openBucketStates({
    io: run.io,
    http,
    assertAllowed: () => {},
    address,
    from: "/",
  });
  return { store: states.storeOf({ portal: PORTAL, file: "portal.yaml" }), run };
}

describe("signatures match those that Amazon publishes", () => {
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

  test("encodes names exactly as the signature requires", () => {
    expect(encodePart("a~b_c-d.e!'()*$ ü/")).toBe("a~b_c-d.e%21%27%28%29%2A%24%20%C3%BC%2F");
  });
});

describe("the address of a bucket", () => {
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
  ])("refuses %s", (address) => {
    expect(bucketAt(address, { AWS_REGION: "eu-west-1" })).toHaveProperty("why");
    expect(() => openAt({ address })).toThrow(refusal("bad-state-address"));
  });

  test("sends nothing without a region", () => {
    const open = () => openAt({ address: "s3://states/gis?path-style=true" });
    expect(open).toThrow(refusal("bad-state-address", "region"));
  });
});

test("names the commands for older versions of a damaged state, without values of references", async () => {
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

describe("the source of keys", () => {
  const files = (credentials: string, config = "") => {
    const home = newFolder();
    mkdirSync(join(home, ".aws"));
    writeFileSync(join(home, ".aws/credentials"), credentials);
    writeFileSync(join(home, ".aws/config"), config);
    return home;
  };
  const keysIn = async (env: Readonly<Record<string, string>>) => {
    const { io } = makeRun(env);
    const http = readOnlyClient(openHttp(io));
    onTestFinished(() => http.close());
    return credentialsFor(io, http, "eu-central-1");
  };
  const shown = async (env: Readonly<Record<string, string>>) => {
    const { id, key, session } = await keysIn(env);
    return [id, key.reveal(), session?.reveal()];
  };
  const both = (name: string) =>
    `aws_access_key_id = ${name}\naws_secret_access_key=key of ${name}\n`;

  test("is the variables, else the profile in either file", async () => {
    const HOME = files(
      `[default]\n${both("one")}[ci]\n# two\n${both("two")}aws_session_token = three\n`,
      `[profile old]\r\n${both("four")}region = eu-west-1\ns3 =\n  aws_access_key_id = no\n[default]\n`,
    );
    expect(await shown({ HOME, ...KEYS })).toEqual(Object.values(KEYS));
    expect(await shown({ HOME })).toEqual(["one", "key of one", undefined]);
    expect(await shown({ HOME, AWS_PROFILE: "ci" })).toEqual(["two", "key of two", "three"]);
    expect(await shown({ HOME, AWS_PROFILE: "old" })).toEqual(["four", "key of four", undefined]);
    expect((await shown({ AWS_SHARED_CREDENTIALS_FILE: join(HOME, ".aws/credentials") }))[0]).toBe(
      "one",
    );
    expect(
      (await shown({ AWS_CONFIG_FILE: join(HOME, ".aws/config"), AWS_PROFILE: "old" }))[0],
    ).toBe("four");
  });

  const EXPIRES = "2030-01-01T00:00:00Z";

  async function serviceThat(answers: (request: Received) => [status: number, body: string]) {
    const received: Received[] = [];
    const server = createServer(
      collect(received, (request, response) => {
        const [status, body] = answers(request);
        response.writeHead(status).end(body);
      }),
    );
    return { url: `http://${await listen(server)}`, received };
  }

  test("is a web identity, also in a command that only reads", async () => {
    const xml = `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>one</AccessKeyId><SecretAccessKey>two</SecretAccessKey><SessionToken>three</SessionToken><Expiration>${EXPIRES}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
    const { url, received } = await serviceThat(() => [200, xml]);
    const AWS_WEB_IDENTITY_TOKEN_FILE = join(newFolder(), "token");
    writeFileSync(AWS_WEB_IDENTITY_TOKEN_FILE, "hidden-identity\n");
    const env = {
      AWS_WEB_IDENTITY_TOKEN_FILE,
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/lintel",
      AWS_ENDPOINT_URL_STS: `${url}/`,
    };
    expect(await shown(env)).toEqual(["one", "two", "three"]);
    expect((await keysIn(env)).expiresMs).toBe(Date.parse(EXPIRES));
    expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: env.AWS_ROLE_ARN,
      RoleSessionName: "lintel",
      WebIdentityToken: "hidden-identity",
    });
    // Its token goes to no host that is not listed.
    const refused = keysIn({ ...env, LINTEL_ALLOWED_HOSTS: "gis.example.com" });
    await expect(refused).rejects.toMatchObject({ code: "host-not-allowed" });
    expect(received).toHaveLength(2);
    await expect(keysIn({ ...env, AWS_ROLE_ARN: "" })).rejects.toThrow(
      refusal("credential-missing", "AWS_ROLE_ARN is not"),
    );
  });

  test("shows the refusal of AWS without the token", async () => {
    const xml =
      "<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>no hidden-identity</Message></Error></ErrorResponse>";
    const { url } = await serviceThat(() => [400, xml]);
    const file = join(newFolder(), "token");
    writeFileSync(file, "hidden-identity");
    const env = {
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ROLE_ARN: "x",
      AWS_ENDPOINT_URL_STS: `${url}/`,
    };
    const failure = await keysIn(env).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining("answers 400") as string });
    expect(String(failure)).not.toContain("hidden");
  });

  test("is the role of a container, only at addresses of this machine", async () => {
    const body = JSON.stringify({
      AccessKeyId: "one",
      SecretAccessKey: "two",
      Token: "three",
      Expiration: EXPIRES,
    });
    const { url, received } = await serviceThat(() => [200, body]);
    const file = join(newFolder(), "token");
    writeFileSync(file, "hidden-token\n");
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
    };
    expect(await shown(env)).toEqual(["one", "two", "three"]);
    expect(received[0]).toMatchObject({
      method: "GET",
      path: "/v1/credentials",
      headers: { authorization: "hidden-token" },
    });
    for (const [address, why] of [
      ["http://192.0.2.7/v1", "not one of this machine's own"],
      ["https://keys.example.com/v1", "not one of this machine's own"],
      ["http://127.0.0.1:1/v1", "does not answer"],
    ] as const) {
      const asked = keysIn({ ...env, AWS_CONTAINER_CREDENTIALS_FULL_URI: address });
      await expect(asked).rejects.toThrow(refusal("credential-missing", why));
    }
    const odd = await serviceThat(() => [403, "hidden-token"]);
    const refused = keysIn({ ...env, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${odd.url}/` });
    await expect(refused).rejects.toThrow(refusal("credential-missing", "answers 403"));
  });

  test("is asked again before temporary keys expire", async () => {
    const place = await placeAt();
    let asked = 0;
    const { url } = await serviceThat(() => {
      asked++;
      const Expiration = new Date(Date.now() + 600_000).toISOString();
      return [
        200,
        JSON.stringify({
          AccessKeyId: KEYS.AWS_ACCESS_KEY_ID,
          SecretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY,
          Token: KEYS.AWS_SESSION_TOKEN,
          Expiration,
        }),
      ];
    });
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: url };
    const { store, run } = openAt(place, { env });
    await store.read();
    await store.read();
    expect(asked).toBe(1);
    await run.io.sleep(301_000, run.io.signal);
    await store.read();
    expect(asked).toBe(2);
  });

  test.each([
    ["nothing", "", {}, "neither", "export-credentials"],
    ["half", "", { AWS_ACCESS_KEY_ID: "x" }, "AWS_SECRET_ACCESS_KEY", "export-credentials"],
    [
      "a profile that is not there",
      "",
      { AWS_PROFILE: "ci" },
      '"ci" holds none',
      "export-credentials",
    ],
  ])("names %s, and how to get keys", async (_name, config, env, why, command) => {
    const HOME = files("", config);
    await expect(keysIn({ HOME, ...env })).rejects.toMatchObject({
      code: "credential-missing",
      message: expect.stringContaining(why) as string,
      help: expect.stringContaining(command) as string,
    });
  });
});

describe("refuses a store that ignores conditions before it writes a state", () => {
  test.each(["if-none-match", "if-match"] as const)("%s", async (each) => {
    const place = await placeAt({ ignores: [each] });
    const { store } = openAt(place);
    for (const ask of [() => store.write(stateAfter(1), undefined), () => store.probe()])
      await expect(ask()).rejects.toThrow(refusal("state-not-writable", `ignores ${each}`));
    expect(place.stored()).toBeUndefined();
  });

  test("tests the store once a run, also after earlier runs", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    const writes = () =>
      place.server.received
        .filter(({ method }) => method === "PUT")
        .map(({ path }) => path.replace(/.*\//, ""));
    const probe = ".lintel-conditions";
    const state = `${PORTAL.key}.json`;
    const first = await store.write(stateAfter(1), undefined);
    expect(writes()).toEqual([probe, probe, probe, state]);
    await store.write(stateAfter(2), first);
    expect(writes().slice(4)).toEqual([state]);
    await openAt(place).store.probe();
    expect(writes().slice(5)).toEqual([probe, probe]);
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

  test.each<Fault>([
    "cut after",
    "cut before",
    ...[500, 503, 507].flatMap((status) => [{ status }, { late: status }]),
  ])("to a write neither lose nor repeat it (%j)", async (fault) => {
    for (const isFirst of [true, false]) {
      const place = await placeAt();
      const { store } = openAt(place);
      const before = isFirst ? undefined : await store.write(stateAfter(1), undefined);
      place.server.misbehave(at(".json", 1, fault));
      const state = stateAfter(isFirst ? 1 : 2);
      const version = await store.write(state, before);
      expect(await openAt(place).store.read()).toEqual({ state, version });
    }
  });

  test.each<Fault>(["cut after", "cut before", { status: 503 }])(
    "to the question whether conditions are honoured (%j)",
    async (fault) => {
      for (const nth of [1, 2, 3]) {
        const place = await placeAt({ fault: at("conditions", nth, fault) });
        await openAt(place).store.write(stateAfter(1), undefined);
      }
    },
  );

  test("to a write and to the read after it report an unknown outcome", async () => {
    const place = await placeAt();
    const { store } = openAt(place);
    await store.probe();
    let isCut = false;
    place.server.misbehave(({ method }) => {
      isCut ||= method === "PUT";
      return isCut ? "cut before" : undefined;
    });
    const write = store.write(stateAfter(1), undefined);
    await expect(write).rejects.toThrow(refusal("state-not-writable", "It is unknown whether"));
  });
});

describe("a command that only reads", () => {
  test("only sends GET", async () => {
    const place = await placeAt();
    await openAt(place).store.write(stateAfter(1), undefined);
    const before = place.server.received.length;
    const { store } = openAt(place, { isReading: true });
    expect((await store.read()).state).toEqual(stateAfter(1));
    expect(place.server.received.slice(before).map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("refusals show what to do, and no secret", () => {
  const xml = (code: string, message = "It is so.") =>
    `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  test.each<[string, S3ServerOptions, Readonly<Record<string, string>>, string, string]>([
    [
      "a clock that is behind",
      { aheadMs: 20 * 60_000 },
      KEYS,
      "RequestTimeTooSkewed",
      "the clock of this machine",
    ],

    [
      "a wrong secret key",
      {},
      { ...KEYS, AWS_SECRET_ACCESS_KEY: "hidden" },
      "SignatureDoesNotMatch",
      "AWS_SECRET_ACCESS_KEY",
    ],
    [
      "keys that are over",
      {},
      { ...KEYS, AWS_SESSION_TOKEN: "hidden-old" },
      "InvalidToken",
      "AWS_SESSION_TOKEN",
    ],
    [
      "keys that may not",
      { fault: () => ({ status: 403, body: xml("AccessDenied") }) },
      KEYS,
      "AccessDenied",
      "s3:ListBucket",
    ],
    [
      "no bucket",
      { fault: () => ({ status: 404, body: xml("NoSuchBucket") }) },
      KEYS,
      "NoSuchBucket",
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

  test("sends nothing to a host that is not listed", async () => {
    const place = await placeAt();
    const env = { CI: "true", LINTEL_ALLOWED_HOSTS: "gis.example.com", ...KEYS };
    await expect(openAt(place, { env }).store.read()).rejects.toThrow(refusal("host-not-allowed"));
    expect(place.server.received).toEqual([]);
  });
});
