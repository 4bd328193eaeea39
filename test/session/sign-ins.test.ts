import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import { openHttp, readOnlyClient, type Attempt } from "../../src/http/http.js";
import type { Request } from "../../src/request.js";
import { isSecret, secret } from "../../src/secret.js";
import type { SignIn } from "../../src/sign-in.js";
import { openSignIns, type SignInOptions } from "../../src/session/sign-ins.js";
import { CARRIES, SIGN_IN_METHODS, type SignInMethod } from "../../src/sign-in.js";
import { answerJson, makeRun, serve, type Answering, type Run } from "../support/network.js";
import { failureOf } from "../support/failure.js";

const BEID = "0f9619ff-8b86-d011-b42d-00cf4fc964ff";
const KEY = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const PASSWORD = "pass word&1";

function makeJwt(exp?: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part({ exp, salt: Math.random() })}.c2ln`;
}

const portal: Request = { url: "https://gis.example.com/portal/sharing/rest", repeats: "freely" };

async function setUp(answer: Answering, run: Run = makeRun(), options: SignInOptions = {}) {
  const server = await serve(answer);
  const attempts: Attempt[] = [];
  const notices: string[] = [];
  const http = openHttp(run.io, { trace: (each) => attempts.push(each) });
  onTestFinished(() => http.close());
  const signIns = openSignIns(run.io, readOnlyClient(http), {
    notice: (each) => notices.push(each),
    ...options,
  });
  const signIn = (more: Partial<SignIn> = {}): SignIn => ({
    method: "loginadmin",
    carry: "authorization",
    fields: { url: server.url, beid: secret(BEID), webServicesKey: secret(KEY) },
    portalUrl: `${server.url}/portal/sharing/rest`,
    ...more,
  });
  return { server, run, attempts, notices, signIns, signIn };
}

function tokenIn({ headers }: Request): string {
  const value = headers?.["authorization"];
  return isSecret(value) ? value.reveal() : "";
}

function expectNoSecret(...shown: unknown[]): void {
  const all = shown
    .map(
      (each) =>
        `${inspect(each, { depth: 9, showHidden: true })}${JSON.stringify(each)}${String(each)}`,
    )
    .join();
  for (const each of [BEID, KEY, PASSWORD, encodeURIComponent(PASSWORD), "eyJ", "hush"]) {
    expect(all).not.toContain(each);
  }
}

describe("loginadmin", () => {
  test("sends the keys under the reference's names and puts the token into a request", async () => {
    const jwt = makeJwt();
    const { server, signIns, signIn, attempts } = await setUp((_, response) => response.end(jwt));
    const signed = await signIns.open(signIn()).token(portal);
    expect(server.received).toMatchObject([
      {
        method: "POST",
        path: "/api/auth/loginadmin",
        body: JSON.stringify({ BEID, WebServicesKey: KEY }),
      },
    ]);
    expect(server.received[0]?.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(tokenIn(signed)).toBe(`Bearer ${jwt}`);
    expectNoSecret(signed, attempts, signIn());
  });

  test("asks a command at each sign-in, and names its secret so that no answer shows it", async () => {
    const run = makeRun();
    const script = `process.stdout.write("hush-" + process.pid)`;
    const program = [process.execPath, "-e", script] as const;
    const command = { name: "key", config: import.meta.filename, program, limitMs: 60_000 };
    const { signIns, signIn, server } = await setUp((_, response) => {
      response.end(makeJwt(run.now() / 1000 + 600));
    }, run);
    const { token } = signIns.open(
      signIn({ fields: { url: server.url, beid: secret(BEID), webServicesKey: command } }),
    );
    const first = await token(portal);
    const again = await token(portal, first);
    const sent = server.received.map(({ body }) => JSON.parse(body)["WebServicesKey"] as string);
    expect(sent).toEqual([expect.stringMatching(/^hush-/), expect.stringMatching(/^hush-/)]);
    expect(sent[0]).not.toBe(sent[1]);
    expect(again.secrets?.some((each) => each.isIn(sent[1] ?? ""))).toBe(true);
    expectNoSecret(again);
  });

  test.each<[string, (jwt: string) => string]>([
    ["a text", (jwt) => jwt],
    ["a text with a line break", (jwt) => `${jwt}\r\n`],
    ["a JSON string", (jwt) => JSON.stringify(jwt)],
    ["a JSON object with a token", (jwt) => JSON.stringify({ Token: jwt, Name: "API User" })],
    ["a JSON object with any other name", (jwt) => JSON.stringify({ name: "x", result: jwt })],
  ])("understands %s", async (_, body) => {
    const jwt = makeJwt();
    const { signIns, signIn } = await setUp((__, response) => response.end(body(jwt)));
    expect(tokenIn(await signIns.open(signIn()).token(portal))).toBe(`Bearer ${jwt}`);
  });

  test.each<[string, string, string, string]>([
    ["a web page", "text/html", "<!doctype html><p>hush</p>", "a web page"],
    ["nothing", "text/plain", "", "nothing"],
    ["a sentence", "text/plain", "Welcome hush!", "a text that is no token"],
    [
      "an object without a token",
      "application/json",
      '{"UID":"hush-0000","Name":"hush"}',
      'an object with "UID", "Name"',
    ],
    ["a list", "application/json", '["hush"]', "other JSON"],
  ])("fails on %s without showing it", async (_, type, body, shown) => {
    const { signIns, signIn, server } = await setUp((__, response) =>
      response.writeHead(200, { "content-type": type }).end(body),
    );
    const failure = await failureOf(signIns.open(signIn()).token(portal));
    expect(failure).toMatchObject({ code: "answer-not-understood", exit: 4 });
    expect(failure.message).toContain(shown);
    expectNoSecret(failure);
    expect(server.received).toHaveLength(1);
  });

  test.each<[string, number, string, string, string]>([
    ["a wrong key", 401, "text/plain", "Invalid BEID or Web Services Key.", "(401): Invalid BEID"],
    [
      "an inactive account",
      403,
      "application/json",
      '{"Message":"The account is inactive"}',
      "The account is inactive.",
    ],
    [
      "an error with status 200",
      200,
      "application/json",
      '{"error":{"code":400,"message":"No"}}',
      ": No.",
    ],
    [
      "an answer that repeats the key",
      400,
      "text/plain",
      `No account ${KEY}`,
      "(withheld: it repeats a secret)",
    ],
    ["a web page with status 500", 500, "text/html", "<html>hush</html>", "(500)."],
  ])(
    "refused by %s is never tried again, by no portal of the run",
    async (_, status, type, body, shown) => {
      const { signIns, signIn, server } = await setUp((__, response) =>
        response.writeHead(status, { "content-type": type }).end(body),
      );
      const failures = await Promise.all(
        [1, 2, 3].map((each) =>
          failureOf(
            signIns.open(signIn()).token({ ...portal, url: `https://${each}.example.com` }),
          ),
        ),
      );
      failures.push(await failureOf(signIns.open(signIn()).token(portal)));
      expect(new Set(failures).size).toBe(1);
      expect(failures[0]).toMatchObject({ code: "sign-in-refused", exit: 4 });
      expect(failures[0]?.message).toContain(shown);
      expect(failures[0]?.help).toContain(status < 500 ? "may be locked" : "Try again later");
      expectNoSecret(failures[0]);
      expect(server.received).toHaveLength(1);
    },
  );

  test("does not carry the keys to the page that a redirect names", async () => {
    const other = await serve((_, response) => response.end("hush"));
    const { signIns, signIn } = await setUp((_, response) =>
      response.writeHead(307, { location: `${other.url}/signin` }).end(),
    );
    expect((await failureOf(signIns.open(signIn()).token(portal))).code).toBe("redirected");
    expect(other.received).toEqual([]);
  });

  test("is refused before anything is sent when LINTEL_ALLOWED_HOSTS lacks the service", async () => {
    const run = makeRun({ LINTEL_ALLOWED_HOSTS: "*.example.com" });
    const { signIns, signIn, server } = await setUp((_, response) => response.end(makeJwt()), run);
    const failure = await failureOf(signIns.open(signIn()).token(portal));
    expect(failure.code).toBe("host-not-allowed");
    expect(server.received).toEqual([]);
    expectNoSecret(failure);
  });

  test("says in a pipeline that a pull request is planned without credentials", async () => {
    const run = makeRun({ CI: "true" });
    const { signIns, signIn } = await setUp((_, response) => response.end(makeJwt()), run);
    const { url } = signIn().fields;
    const { help } = await failureOf(signIns.open(signIn({ fields: { url } })).token(portal));
    expect(help).toBe(
      "A pull request is planned without credentials; the apply job signs in. For any other job, set it:\n  export LINTEL_BEID=…",
    );
  });

  test("names the variable of a missing key", async () => {
    const { signIns, signIn } = await setUp((_, response) => response.end(makeJwt()));
    const { url } = signIn().fields;
    const failure = await failureOf(
      signIns.open(signIn({ fields: { url, beid: secret(BEID) } })).token(portal),
    );
    expect(failure.code).toBe("credential-missing");
    expect(failure.help).toContain("LINTEL_WEB_SERVICES_KEY");
  });
});

describe("a token", () => {
  test("is shared only by portals with the same account", async () => {
    const { signIns, signIn, server } = await setUp((_, response) => response.end(makeJwt()));
    const open = (more?: Partial<SignIn>) => signIns.open(signIn(more)).token(portal);
    const signed = await Promise.all([
      open(),
      open(),
      open({ portalUrl: "https://b.example.com" }),
    ]);
    expect(new Set(signed.map(tokenIn)).size).toBe(1);
    expect(server.received).toHaveLength(1);
    await open({ fields: { ...signIn().fields, webServicesKey: secret("other-key") } });
    expect(server.received).toHaveLength(2);
  });

  test("travels as the file says", async () => {
    const jwt = makeJwt();
    const { signIns, signIn } = await setUp((_, response) => response.end(jwt));
    const form: Request = { ...portal, method: "POST", body: { form: [["f", "json"]] } };
    const shown = async (carry: (typeof CARRIES)[number], request: Request) => {
      const signed = await signIns.open(signIn({ carry })).token(request);
      const { method, headers, query, body } = signed;
      return { method, headers, query, body };
    };
    const reveal = (value: unknown): unknown => (isSecret(value) ? value.reveal() : value);
    expect(
      reveal((await shown("x-esri-authorization", form)).headers?.["x-esri-authorization"]),
    ).toBe(`Bearer ${jwt}`);
    // What is read travels as a form too, so that no address holds the token.
    for (const request of [form, { ...portal, query: { f: "json" } }]) {
      const { method, query, body } = await shown("form-token", request);
      expect({ method, query }).toEqual({ method: "POST", query: undefined });
      expect(
        body && "form" in body && body.form.map(([name, value]) => [name, reveal(value)]),
      ).toEqual([
        ["f", "json"],
        ["token", jwt],
      ]);
    }
  });

  test("is renewed a minute before its end, by the server's clock", async () => {
    const run = makeRun();
    const aheadMs = 3_600_000;
    const { signIns, signIn, server } = await setUp((_, response) => {
      response.sendDate = false;
      response.setHeader("date", new Date(run.now() + aheadMs).toUTCString());
      response.end(makeJwt((run.now() + aheadMs) / 1000 + 600));
    }, run);
    const { token } = signIns.open(signIn());
    const first = tokenIn(await token(portal));
    await run.io.sleep(530_000, run.io.signal);
    expect(tokenIn(await token(portal))).toBe(first);
    await run.io.sleep(20_000, run.io.signal);
    expect(tokenIn(await token(portal))).not.toBe(first);
    expect(server.received).toHaveLength(2);
  });

  test("that is over at once is used all the same, rather than asked for without end", async () => {
    const { signIns, signIn, server } = await setUp((_, response) => response.end(makeJwt(1)));
    const { token } = signIns.open(signIn());
    await token(portal);
    await token(portal);
    expect(server.received).toHaveLength(1);
  });

  test("that is refused is renewed once for all who share it", async () => {
    const { signIns, signIn, server } = await setUp((_, response) => response.end(makeJwt()));
    const { token } = signIns.open(signIn());
    const old = await Promise.all([token(portal), token(portal), token(portal)]);
    const fresh = await Promise.all(old.map((each) => token(portal, each)));
    expect(new Set(fresh.map(tokenIn)).size).toBe(1);
    expect(tokenIn(fresh[0] ?? portal)).not.toBe(tokenIn(old[0] ?? portal));
    expect(server.received).toHaveLength(2);
  });
});

describe("the limiter", () => {
  test("lets 61 accounts sign in at once without a single 429, and says why it waits", async () => {
    const run = makeRun();
    const times: number[] = [];
    const { signIns, signIn, server, attempts, notices } = await setUp((_, response) => {
      const now = run.now();
      const recent = times.filter((each) => each > now - 60_000);
      response.setHeader("x-ratelimit-limit", "60");
      response.setHeader("x-ratelimit-remaining", String(Math.max(0, 59 - recent.length)));
      response.setHeader("x-ratelimit-reset", new Date((recent[0] ?? now) + 60_000).toUTCString());
      response.sendDate = false;
      response.setHeader("date", new Date(now).toUTCString());
      if (recent.length >= 60) {
        response.writeHead(429).end();
        return;
      }
      times.push(now);
      response.end(makeJwt());
    }, run);
    const fields = signIn().fields;
    const tokens = await Promise.all(
      Array.from({ length: 61 }, (_, at) =>
        signIns
          .open(signIn({ fields: { ...fields, beid: secret(`account-${at}`) } }))
          .token(portal),
      ),
    );
    expect(new Set(tokens.map(tokenIn)).size).toBe(61);
    expect(server.received).toHaveLength(61);
    expect(attempts.every((each) => each.status === 200)).toBe(true);
    // Answers that are under way while the clock jumps make it wait once more.
    expect(new Set(notices)).toEqual(
      new Set([`Waiting 61 s: "${server.host}" takes 60 calls of "loginadmin" in 60 s.`]),
    );
  });

  test("waits for the host's own reset when others have used up its calls", async () => {
    const run = makeRun();
    const { signIns, signIn } = await setUp((_, response) => {
      response.sendDate = false;
      response.setHeader("date", new Date(run.now() - 9_000_000).toUTCString());
      response.setHeader("x-ratelimit-remaining", "0");
      response.setHeader(
        "x-ratelimit-reset",
        new Date(run.now() - 9_000_000 + 42_000).toUTCString(),
      );
      response.end(makeJwt());
    }, run);
    const { token } = signIns.open(signIn());
    const first = await token(portal);
    await token(portal, first);
    expect(run.slept).toEqual([42_000]);
  });

  test("ends with an interrupt", async () => {
    const run = makeRun();
    const { signIns, signIn, server } = await setUp((_, response) => {
      response.setHeader("x-ratelimit-remaining", "0");
      response.end(makeJwt());
    }, run);
    const { token } = signIns.open(signIn());
    const first = await token(portal);
    run.interrupt();
    expect((await failureOf(token(portal, first))).code).toBe("interrupted");
    expect(server.received).toHaveLength(1);
  });
});

describe("the other methods", () => {
  test.each(["login", "auth"] as const)("%s sends a user name and a password", async (method) => {
    const { signIns, signIn, server, attempts } = await setUp((_, response) =>
      response.end(makeJwt()),
    );
    const fields = { url: `${server.url}/web/`, username: "gis", password: secret(PASSWORD) };
    await signIns.open(signIn({ method, fields })).token(portal);
    expect(server.received).toMatchObject([
      {
        path: `/web/api/auth${method === "login" ? "/login" : ""}`,
        body: JSON.stringify({ username: "gis", password: PASSWORD }),
      },
    ]);
    expectNoSecret(attempts);
  });

  test("token is used as it is", async () => {
    const { signIns, signIn } = await setUp((_, response) => response.end());
    const signed = await signIns
      .open(signIn({ method: "token", fields: { token: secret("hush") } }))
      .token(portal);
    expect(tokenIn(signed)).toBe("Bearer hush");
    expectNoSecret(signed);
  });

  test("loginsso goes with a cookie", async () => {
    const jwt = makeJwt();
    const { signIns, signIn, server } = await setUp((_, response) => response.end(jwt));
    const fields = { url: server.url, cookie: secret("sid=hush") };
    await signIns.open(signIn({ method: "loginsso", fields })).token(portal);
    expect(server.received).toMatchObject([
      { method: "GET", path: "/api/auth/loginsso", headers: { cookie: "sid=hush" } },
    ]);
  });

  test("loginsso without a cookie shows the address and asks for the token", async () => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return questions.length === 1 ? secret("hush-token") : undefined;
    };
    const { signIns, signIn, server } = await setUp((_, response) => response.end(), makeRun(), {
      ask,
    });
    const open = signIns.open(signIn({ method: "loginsso", fields: { url: server.url } }));
    const signed = await open.token(portal);
    expect(tokenIn(signed)).toBe("Bearer hush-token");
    expect(questions[0]).toContain(`${server.url}/api/auth/loginsso`);
    expect((await failureOf(open.token(portal, signed))).code).toBe("credential-missing");
    expect(server.received).toEqual([]);
  });

  test("generate-token binds the token to a referer that goes along with it", async () => {
    const run = makeRun();
    const { signIns, signIn, server, attempts } = await setUp((_, response) => {
      answerJson(response, { token: "hush-portal", expires: run.now() + 600_000, ssl: true });
    }, run);
    const fields = { username: "gis", password: secret(PASSWORD), expiration: 30 };
    const signed = await signIns
      .open(signIn({ method: "generate-token", carry: "form-token", fields }))
      .token(portal);
    expect(server.received).toMatchObject([
      {
        path: "/portal/sharing/rest/generateToken",
        headers: { referer: "lintel" },
        body: "username=gis&password=pass+word%261&client=referer&referer=lintel&expiration=30&f=json",
      },
    ]);
    expect(signed.headers).toEqual({ referer: "lintel" });
    expect(inspect(signed.body)).toBe("{ form: [ [ 'token', (secret) ] ] }");
    expectNoSecret(signed, attempts);
  });

  test("client-credentials asks the portal", async () => {
    const { signIns, signIn, server } = await setUp((_, response) => {
      answerJson(response, { access_token: "hush-portal", expires_in: 7200 });
    });
    const fields = { clientId: "app", clientSecret: secret("hush-secret") };
    const signed = await signIns
      .open(signIn({ method: "client-credentials", fields }))
      .token(portal);
    expect(server.received).toMatchObject([
      {
        path: "/portal/sharing/rest/oauth2/token",
        body: "client_id=app&client_secret=hush-secret&grant_type=client_credentials&f=json",
      },
    ]);
    expect(tokenIn(signed)).toBe("Bearer hush-portal");
  });

  test.each(["generate-token", "client-credentials"] as const)(
    "%s at an address without a portal names that address and the way out",
    async (method) => {
      const { signIns, signIn, server } = await setUp((_, response) => {
        response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not Found</h1>");
      });
      const fields = {
        username: "gis",
        password: secret(PASSWORD),
        clientId: "app",
        clientSecret: secret(KEY),
      };
      const failure = await failureOf(signIns.open(signIn({ method, fields })).token(portal));
      const path = method === "generate-token" ? "generateToken" : "oauth2/token";
      expect(failure.message).toBe(
        `The portal at "${server.url}/portal/sharing/rest/${path}" did not carry out "${method}" (404).`,
      );
      expect(failure.help).toContain("Check portal.url");
      expect(failure.help).toContain("https://gis.example.com/portal/sharing/rest");
      expectNoSecret(failure);
    },
  );

  test("an error of the portal with status 200 is a rejection", async () => {
    const { signIns, signIn } = await setUp((_, response) => {
      answerJson(response, {
        error: {
          code: 400,
          message: "Unable to generate token.",
          details: ["Invalid username or password."],
        },
      });
    });
    const fields = { username: "gis", password: secret(PASSWORD) };
    const failure = await failureOf(
      signIns.open(signIn({ method: "generate-token", fields })).token(portal),
    );
    expect(failure.code).toBe("sign-in-refused");
    expect(failure.message).toContain("Unable to generate token. Invalid username or password.");
    expectNoSecret(failure);
  });
});

describe("whoAmI", () => {
  const user = { UID: "1", FullName: "API User", IsActive: true };

  test("asks the service with Bearer, however the token travels to the portal, and renews it once", async () => {
    const { signIns, signIn, server } = await setUp((request, response, received) => {
      if (request.method === "POST") response.end(makeJwt());
      else if (received.length === 2) response.writeHead(401).end();
      else answerJson(response, user);
    });
    expect(await signIns.open(signIn({ carry: "form-token" })).whoAmI?.()).toEqual(user);
    expect(server.received.map((each) => `${each.method} ${each.path}`)).toEqual([
      "POST /api/auth/loginadmin",
      "GET /api/auth/getuser",
      "POST /api/auth/loginadmin",
      "GET /api/auth/getuser",
    ]);
    expect(server.received[3]?.headers.authorization).toMatch(/^Bearer eyJ/);
  });

  test("fails when the service gives a token that it does not take", async () => {
    const { signIns, signIn, server } = await setUp((request, response) => {
      if (request.method === "POST") response.end(makeJwt());
      else response.writeHead(401).end("hush");
    });
    const failure = await failureOf(signIns.open(signIn()).whoAmI?.() ?? Promise.resolve());
    expect(failure.code).toBe("sign-in-refused");
    expect(server.received).toHaveLength(4);
    expectNoSecret(failure);
  });

  test("is there for the methods of the sign-in service alone", async () => {
    const { signIns, signIn } = await setUp((_, response) => response.end());
    const has = (Object.keys(SIGN_IN_METHODS) as SignInMethod[]).filter((method) => {
      const fields = "url" in SIGN_IN_METHODS[method] ? signIn().fields : {};
      return signIns.open(signIn({ method, fields })).whoAmI;
    });
    expect(has).toEqual(["loginadmin", "login", "auth", "loginsso"]);
  });
});

test("the read-only client lets through every operation of the catalogue that signs in", () => {
  const paths = catalog.operations
    .filter((each) => each.method === "POST")
    .map((each) => each.path);
  expect(paths).toEqual(["/api/auth", "/api/auth/login", "/api/auth/loginadmin"]);
});
