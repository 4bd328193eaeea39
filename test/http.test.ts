import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPrivateKey } from "node:crypto";
import { inspect } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../src/failure.js";
import {
  CallFailure,
  openHttp,
  readOnlyClient,
  type Attempt,
  type HttpOptions,
} from "../src/http/http.js";
import type { Io } from "../src/io.js";
import { catalog } from "../src/catalog/catalog.js";
import { showForeign } from "../src/lib/text.js";
import { opensReading, signInPass, type Request, readPass, type Resource } from "../src/request.js";
import { secret } from "../src/secret.js";
import {
  get,
  update,
  closedPort,
  listen,
  HAS_OPENSSL,
  makeCertificates,
  NEEDS_OPENSSL,
  type Certificates,
  makeRun,
  serve,
  serveRaw,
} from "./support/network.js";

function open(io: Io, options?: HttpOptions) {
  const http = openHttp(io, options);
  onTestFinished(() => http.close());
  return http;
}

async function failureOf(promise: Promise<unknown>): Promise<CallFailure> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as CallFailure;
}

describe("a request", () => {
  test("travels as JSON, as a form and as text, with its secrets", async () => {
    const server = await serve((_, response) => response.end("fine"));
    const http = open(makeRun().io);
    const post = { method: "POST", url: server.url, repeats: "freely" } as const;
    await http.call({ ...post, body: { json: { a: secret("ä"), b: [1] } } });
    await http.call({
      ...post,
      body: {
        form: [
          ["a b", secret("ü&=+")],
          ["f", "json"],
        ],
      },
    });
    await http.call({ ...post, body: { text: "<a/>", contentType: "text/xml" } });
    const answer = await http.call({
      ...get(`${server.url}/x?y=1`),
      query: { where: "s 3" },
      headers: { authorization: secret("t", "Bearer ") },
    });
    expect(answer.text).toBe("fine");
    expect(server.received.map(({ headers, body }) => [headers["content-type"], body])).toEqual([
      ["application/json; charset=utf-8", '{"a":"ä","b":[1]}'],
      ["application/x-www-form-urlencoded", "a+b=%C3%BC%26%3D%2B&f=json"],
      ["text/xml", "<a/>"],
      [undefined, ""],
    ]);
    expect(server.received[3]).toMatchObject({
      path: "/x?y=1&where=s+3",
      headers: { authorization: "Bearer t" },
    });
  });

  test("shows no secret in its trace, and hides a query that is part of the address", async () => {
    const server = await serve((_, response) => response.end());
    const attempts: Attempt[] = [];
    const http = open(makeRun().io, { trace: (each) => attempts.push(each) });
    await http.call({
      ...get(`${server.url}/x?k=hush-1`),
      query: { f: "json" },
      headers: { authorization: secret("hush-2", "Bearer ") },
    });
    expect(attempts).toEqual([
      { method: "GET", url: `${server.url}/x?…&f=json`, status: 200, ms: 0 },
    ]);
  });

  test.each(["nonsense", "ftp://gis.example.com/", "https://me:hush@gis.example.com/"])(
    "to %s is refused without showing a password",
    async (url) => {
      const failure = await failureOf(open(makeRun().io).call(get(url)));
      expect(failure.code).toBe("wrong-usage");
      expect(inspect(failure)).not.toContain("hush");
    },
  );
});

describe("a redirect is never followed", () => {
  test.each(["same host", "other host"])("to a sign-in page on the %s", async (which) => {
    const other = await serve((_, response) => response.end("<html>"));
    const server = await serve((_, response) => {
      const location =
        which === "same host" ? "/signin?state=hush" : `${other.url}/signin?state=hush`;
      response.writeHead(302, { location }).end();
    });
    const failure = await failureOf(
      open(makeRun().io).call({
        ...get(server.url),
        headers: { authorization: secret("a-token") },
      }),
    );
    expect(failure.code).toBe("redirected");
    expect(failure.message).toContain(which === "same host" ? server.host : other.host);
    expect(inspect(failure)).not.toContain("hush");
    expect([server.received.length, other.received.length]).toEqual([1, 0]);
  });
});

describe("a failing network", () => {
  test("a refused connection is tried again, an update too, for nothing was sent", async () => {
    const host = await closedPort();
    const run = makeRun();
    const failure = await failureOf(open(run.io).call(update(`http://${host}/`)));
    expect(failure).toMatchObject({ code: "not-reachable", sent: false, exit: 4 });
    expect(run.slept).toEqual([500, 1000, 2000]);
  });

  test("an unknown host is named", async () => {
    const failure = await failureOf(open(makeRun().io).call(get("http://gis.invalid/")));
    expect(failure).toMatchObject({ code: "not-reachable", sent: false });
    expect(failure.message).toContain('"gis.invalid"');
  });

  test.each([
    ["closed before the request is read", "no-answer"],
    ["closed once the request is there", "no-answer"],
    ["cut off in the middle of the answer", "no-answer"],
  ])("a connection %s: a read is tried again, an update never", async (story, code) => {
    let requests = 0;
    const server = await serveRaw((socket) => {
      if (story.startsWith("closed before")) {
        requests++;
        return socket.destroy();
      }
      return socket.on("data", () => {
        requests++;
        if (story.startsWith("cut"))
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
        socket.end();
      });
    });
    const http = open(makeRun().io);
    expect(await failureOf(http.call(update(server.url)))).toMatchObject({ code, sent: true });
    expect(requests).toBe(1);
    expect(await failureOf(http.call(get(server.url)))).toMatchObject({ code, sent: true });
    expect(requests).toBe(5);
  });

  test("a server that hangs is left after the time for a call", async () => {
    const server = await serveRaw(() => {});
    const http = open(makeRun().io, { callTimeoutMs: 100 });
    const failure = await failureOf(http.call(update(server.url)));
    expect(failure).toMatchObject({ code: "no-answer", sent: true });
    expect(failure.message).toContain("0.1 seconds");
  });

  test("a server that stops in the middle of its answer is left after the time for a call", async () => {
    const server = await serveRaw((socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")),
    );
    const failure = await failureOf(
      open(makeRun().io, { callTimeoutMs: 100 }).call(update(server.url)),
    );
    expect(failure).toMatchObject({ code: "no-answer", sent: true });
  });

  test("a server that never ends its handshake is not reached, and nothing was sent", async () => {
    const server = await serveRaw(() => {});
    const http = open(makeRun().io, { callTimeoutMs: 100 });
    const failure = await failureOf(http.call(update(server.url.replace("http", "https"))));
    expect(failure).toMatchObject({ code: "not-reachable", sent: false });
  });

  test.each(["with its length", "in chunks"])(
    "an answer of 100 MB %s is cut, not kept",
    async (how) => {
      let written = 0;
      const server = await serve((_, response) => {
        const chunk = Buffer.alloc(1_000_000, "x");
        if (how === "with its length") response.setHeader("content-length", 100_000_000);
        const go = () => {
          while (written < 100 && !response.destroyed) {
            written++;
            if (response.write(chunk)) continue;
            response.once("drain", go);
            return;
          }
          response.end();
        };
        go();
      });
      const before = process.memoryUsage().rss;
      const failure = await failureOf(open(makeRun().io).call(get(server.url)));
      expect(failure.code).toBe("answer-not-understood");
      expect(written).toBeLessThan(40);
      expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
    },
  );

  test("what is not HTTP is said to be none", async () => {
    const server = await serveRaw((socket) =>
      socket.once("data", () => socket.write("550 No such command\r\n")),
    );
    expect(await failureOf(open(makeRun().io).call(get(server.url)))).toMatchObject({
      code: "answer-not-understood",
    });
  });
});

describe("a busy server", () => {
  test("503 is tried again after the time it asks for, and returned in the end", async () => {
    const server = await serve((_, response) =>
      response.writeHead(503, { "retry-after": "7" }).end(),
    );
    const run = makeRun();
    expect(await open(run.io).call(get(server.url))).toMatchObject({ status: 503 });
    expect(run.slept).toEqual([7000, 7000, 7000]);
  });

  test("an update answered with 503 is not sent again, for it may have been carried out", async () => {
    const server = await serve((_, response) => response.writeHead(503).end());
    expect(await open(makeRun().io).call(update(server.url))).toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(1);
  });

  test("429 waits until the reset by the server's clock, updates too, and says why", async () => {
    const serverNow = Date.UTC(2026, 5, 1, 12);
    const server = await serve((_, response, received) => {
      if (received.length > 1) {
        response.end("done");
        return;
      }
      response.sendDate = false;
      response.setHeader("date", new Date(serverNow).toUTCString());
      response.setHeader("x-ratelimit-reset", new Date(serverNow + 30_000).toUTCString());
      response.writeHead(429).end();
    });
    const run = makeRun();
    const notices: string[] = [];
    const http = open(run.io, { notice: (each) => notices.push(each) });
    expect(await http.call(update(server.url))).toMatchObject({ text: "done" });
    expect(run.slept).toEqual([30_500]);
    expect(notices).toEqual([`Waiting 31 s: "${server.host}" answered 429.`]);
  });

  const SERVER_MS = Date.UTC(2026, 5, 1, 12);
  const inHalfAMinute = new Date(SERVER_MS + 30_000);
  test.each([
    ["Retry-After in seconds", "retry-after", "30"],
    ["Retry-After as a date", "retry-after", inHalfAMinute.toUTCString()],
    ["X-RateLimit-Reset in seconds", "x-ratelimit-reset", "30"],
    ["X-RateLimit-Reset since 1970", "x-ratelimit-reset", String(inHalfAMinute.getTime() / 1000)],
    ["X-RateLimit-Reset as a date", "x-ratelimit-reset", inHalfAMinute.toISOString()],
  ])("429 waits as long as it asks for: %s", async (_form, header, value) => {
    const server = await serve((_, response, received) => {
      if (received.length > 1) {
        response.end("done");
        return;
      }
      response.sendDate = false;
      response.setHeader("date", new Date(SERVER_MS).toUTCString());
      response.writeHead(429, { [header]: value }).end();
    });
    const run = makeRun();
    expect(await open(run.io).call(update(server.url))).toMatchObject({ text: "done" });
    expect(run.slept).toEqual([30_500]);
  });

  test("429 without end, or with too long a wait, is a failure of its own", async () => {
    const server = await serve((_, response) => response.writeHead(429).end());
    expect(await failureOf(open(makeRun().io).call(get(server.url)))).toMatchObject({
      code: "too-many-requests",
      sent: false,
    });
    expect(server.received).toHaveLength(4);
    const patient = await serve((_, response) =>
      response.writeHead(429, { "retry-after": "86400" }).end(),
    );
    expect((await failureOf(open(makeRun().io).call(get(patient.url)))).code).toBe(
      "too-many-requests",
    );
    expect(patient.received).toHaveLength(1);
  });
});

describe("an interrupt", () => {
  test("is listened for by many calls at once without a warning", async () => {
    const server = await serve((_, response) => response.end());
    const warnings: Error[] = [];
    const note = (each: Error) => warnings.push(each);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const http = open(makeRun().io);
    await Promise.all(Array.from({ length: 20 }, () => http.call(get(server.url))));
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });

  test("ends a read at once, and lets an update finish", async () => {
    const run = makeRun();
    const server = await serve((request, response) => {
      run.interrupt();
      if (request.method === "POST") setImmediate(() => response.end("taken"));
    });
    const http = open(run.io);
    expect(await http.call(update(server.url))).toMatchObject({ text: "taken" });
    expect(await failureOf(http.call(get(server.url)))).toMatchObject({
      code: "interrupted",
      exit: 130,
    });
  });

  test("ends a read that waits for its answer", async () => {
    const run = makeRun();
    const server = await serve(() => run.interrupt());
    expect((await failureOf(open(run.io).call(get(server.url)))).code).toBe("interrupted");
  });
});

describe("LINTEL_ALLOWED_HOSTS", () => {
  test.each<[what: string, list: string | undefined]>([
    ["hosts that it does not list", "gis.example.com"],
    ["any host where it is empty", " "],
    ["any host where it is not set", undefined],
  ])("keeps whatever carries a secret from %s, before anything is sent", async (_, list) => {
    const server = await serve((_, response) => response.end());
    const http = open(makeRun({ LINTEL_ALLOWED_HOSTS: list }).io);
    const carrying: Partial<Request>[] = [
      { headers: { authorization: secret("hush") } },
      { method: "POST", body: { form: [["token", secret("hush")]] } },
      { method: "POST", body: { json: { BEID: secret("hush") } } },
      { secrets: [secret("hush")] },
    ];
    for (const each of carrying) {
      const failure = await failureOf(http.call({ ...get(server.url), ...each }));
      expect(failure).toMatchObject({ code: "host-not-allowed", exit: 4 });
      expect(inspect(failure)).not.toContain("hush");
    }
    expect(server.received).toEqual([]);
    await http.call(get(server.url));
    expect(server.received).toHaveLength(1);
  });
});

describe("the read-only client", () => {
  const portal = "/portal/sharing/rest";
  const pass = signInPass("/api/auth/loginadmin");
  const body = { form: [] };

  test.each<[string, Partial<Request>, string]>([
    ["an update", { method: "POST" }, `${portal}/portals/self/settings/update`],
    [
      "an update in disguise",
      { method: "POST", signIn: pass },
      `${portal}/portals/self/settings/%75pdate/`,
    ],
    ["an update by GET", {}, `${portal}/portals/self/settings/update?f=json`],
    ["a sign-in without a pass", { method: "POST" }, "/api/auth/loginadmin"],
    ["a pass for another path", { method: "POST", signIn: pass }, "/api/auth/login"],
    ["reading by POST without a pass", { method: "POST" }, `${portal}/portals/self/settings`],
    ["a forged pass", { method: "POST", signIn: { path: "/api/auth/login" } }, "/api/auth/login"],
    ["PUT", { method: "PUT", signIn: pass }, "/api/auth/loginadmin"],
    ["DELETE", { method: "DELETE" }, "/state"],
    ["LOCK", { method: "LOCK" }, "/state"],
  ])("refuses %s", async (_, request, path) => {
    const server = await serve((__, response) => response.end());
    const client = readOnlyClient(open(makeRun().io));
    const failure = await failureOf(
      client.call({
        url: server.url + path,
        repeats: "freely",
        ...request,
        ...(request.method && { body }),
      }),
    );
    expect(failure.code).toBe("a-bug-in-lintel");
    expect(server.received).toEqual([]);
  });

  test("lets GET and a sign-in pass", async () => {
    const server = await serve((_, response) => response.end("fine"));
    const client = readOnlyClient(open(makeRun().io));
    await client.call(get(`${server.url}${portal}/portals/self/settings`));
    await client.call({
      method: "POST",
      url: `${server.url}/web/api/auth/loginadmin`,
      signIn: pass,
      repeats: "freely",
    });
    expect(server.received).toHaveLength(2);
  });

  test("allows reading a portal whose address contains the words of an update", async () => {
    const server = await serve((_, response) => response.end("fine"));
    const client = readOnlyClient(open(makeRun().io));
    const roots = [
      "/update/sharing/rest",
      "/portals/self/settings/update/sharing/rest",
      "/a%2Fupdate",
    ];
    const paths = ["", "/portals/self", "/portals/update/settings", "/portals/self/settings"];
    for (const root of roots) {
      for (const path of paths) await client.call(get(`${server.url}${root}${path}?f=json`));
      await client.call({
        method: "POST",
        url: `${server.url}${root}/api/auth/loginadmin`,
        signIn: pass,
        repeats: "freely",
      });
    }
    expect(server.received).toHaveLength(roots.length * (paths.length + 1));
  });

  test.each([
    "",
    "/",
    "//",
    "?f=json",
    "#part",
    ";part=1",
    "/.",
    "/x/..",
    "/%2e",
    "%3Ff=json",
    "%253Ff=json",
    "%20",
    "/?/portals/self",
  ])("refuses the update of the reference by whatever name, followed by %s", async (end) => {
    const server = await serve((_, response) => response.end());
    const client = readOnlyClient(open(makeRun().io));
    const plain = catalog.update.path;
    const names = [plain, plain.toUpperCase(), plain.replace("/settings/", "//%73ettings;a/./")];
    for (const name of names) {
      for (const id of ["self", "portals", "update", "a%20b"]) {
        const url = `${server.url}${portal}${name.replace(/<PORTAL_ID>/i, id)}${end}`;
        await expect(client.call(get(url))).rejects.toMatchObject({ code: "a-bug-in-lintel" });
      }
    }
    expect(server.received).toEqual([]);
  });

  test("has no pass for an update", () => {
    expect(() => signInPass(catalog.update.path)).toThrow(TypeError);
    expect(() => readPass("https://gis.example.com", catalog.update.path as Resource)).toThrow(
      TypeError,
    );
  });

  describe("for what is read by POST", () => {
    const root = "https://gis.example.com/portal/sharing/rest";
    const settings: Resource = "/portals/<portal_id>/settings";

    test("knows the settings as the resource above the update", () => {
      expect(`${settings}/update`).toBe(catalog.update.path);
    });

    test.each<[string, Resource, string]>([
      [root, "", root],
      [`${root}//`, "", root],
      ["https://gis.example.com", "", "https://gis.example.com"],
      [root, "/portals/self", `${root}/portals/self`],
      [root, settings, `${root}/portals/self/settings`],
      [root, settings, `${root}/portals/0123%20AB/settings`],
      [root, "/portals/<portal_id>", `${root}/portals/0123%20AB`],
    ])("lets what is read below %s at %j pass: %s", (from, resource, url) => {
      const reads = readPass(from, resource);
      expect(opensReading({ method: "POST", url, reads, repeats: "freely" })).toBe(true);
      const forged = { root: from, resource };
      expect(opensReading({ method: "POST", url, reads: forged, repeats: "freely" })).toBe(false);
    });

    const updating = `${root}/portals/self/settings/update`;
    test.each<[string, string, Resource, string]>([
      ["the update", root, settings, updating],
      ["the update with a slash", root, settings, `${updating}/`],
      ["the update in capitals", root, settings, updating.replace("update", "UPDATE")],
      ["the update, encoded", root, settings, updating.replace("/update", "%2fupdate")],
      ["the update, read as a portal's root", updating, "", updating],
      ["another resource of the list", root, "/portals/self", `${root}/portals/self/settings`],
      ["another resource", root, settings, `${root}/portals/self/users`],
      ["something below it", root, settings, `${root}/portals/self/settings/x`],
      ["something in front of it", root, settings, `${root}/x/portals/self/settings`],
      ["an id of two steps", root, settings, `${root}/portals/self/x/settings`],
      ["an id of two steps, encoded", root, settings, `${root}/portals/x%2Fy/settings`],
      ["an id that goes up", root, settings, `${root}/portals/%2e%2e/settings`],
      ["an id that ends the path", root, settings, `${root}/portals/self%3f/settings`],
      ["a parameter", root, settings, `${root}/portals/self/settings;x=1`],
      ["a slash too many", root, settings, `${root}/portals/self/settings/`],
      ["a query", root, settings, `${root}/portals/self/settings?x=1`],
      ["an empty query", root, settings, `${root}/portals/self/settings?`],
      ["a fragment", root, settings, `${root}/portals/self/settings#x`],
      ["no id", root, settings, `${root}/portals//settings`],
      ["too little", root, settings, `${root}/portals/settings`],
      ["settings for their portal", root, "/portals/<portal_id>", `${root}/portals/self/settings`],
      ["no portal", root, "/portals/<portal_id>", `${root}/portals/`],
      ["a portal that goes up", root, "/portals/<portal_id>", `${root}/portals/%2e%2e`],
      ["the update as a portal", root, "/portals/<portal_id>", `${root}/portals/self%2Fsettings`],
      ["another root", root, "", "https://gis.example.com/other/sharing/rest"],
      ["another host", root, "", "https://gis.example.org/portal/sharing/rest"],
      ["another port", root, "", "https://gis.example.com:8443/portal/sharing/rest"],
      ["another scheme", root, "", "http://gis.example.com/portal/sharing/rest"],
      ["a root with a query", `${root}?x=`, "", `${root}?x=`],
    ])("refuses %s", async (_, from, resource, url) => {
      const reads = readPass(from, resource);
      const client = readOnlyClient(open(makeRun().io));
      const failure = await failureOf(
        client.call({ method: "POST", url, reads, repeats: "freely" }),
      );
      expect(failure.code).toBe("a-bug-in-lintel");
    });

    test.each(["PUT", "DELETE", "PATCH", "post"])("refuses %s", (method) => {
      const reads = readPass(root, settings);
      const url = `${root}/portals/self/settings`;
      expect(opensReading({ method, url, reads, repeats: "freely" })).toBe(false);
    });
  });
});

describe.skipIf(!HAS_OPENSSL)(`certificates${NEEDS_OPENSSL}`, () => {
  let certificates: Certificates;
  beforeAll(() => (certificates = makeCertificates()));
  const serveTls = async (isStrict: boolean, { server: own, ca } = certificates) => {
    const server = createTlsServer(
      {
        ...own,
        ca,
        requestCert: isStrict,
        rejectUnauthorized: isStrict,
      },
      (_, response) => response.end("safe"),
    );
    return `https://${await listen(server)}/`;
  };

  test("a private authority is trusted once it is handed in", async () => {
    const url = await serveTls(false);
    const failure = await failureOf(open(makeRun().io).call(update(url)));
    expect(failure).toMatchObject({ code: "not-trusted", sent: false });
    expect(failure.help).toContain("--ca-file");
    expect(await open(makeRun().io, { ca: certificates.ca }).call(update(url))).toMatchObject({
      text: "safe",
    });
  });

  test("a server that asks for a client certificate is shown one", async () => {
    const url = await serveTls(true);
    const { ca, client } = certificates;
    const failure = await failureOf(open(makeRun().io, { ca }).call(get(url)));
    expect(failure.exit).toBe(4);
    expect(await open(makeRun().io, { ca, ...client }).call(get(url))).toMatchObject({
      text: "safe",
    });
  });

  test.each(["No required SSL certificate was sent", "The SSL certificate error"])(
    "nginx, which says so in a page, is understood: %s",
    async (words) => {
      const page = `<html>\r\n<head><title>400 ${words}</title></head>\r\n</html>`;
      const { url } = await serve((_, response) => response.writeHead(400).end(page));
      const failure = await failureOf(open(makeRun().io).call(update(url)));
      expect(failure).toMatchObject({ code: "not-trusted", sent: false });
      expect(failure.help).toContain("--cert FILE");
    },
  );

  test("an authority of NODE_EXTRA_CA_CERTS is trusted beside the one handed in", async () => {
    const url = await serveTls(false);
    const file = join(mkdtempSync(join(tmpdir(), "lintel-")), "ca.pem");
    writeFileSync(file, certificates.ca);
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    const http = open(makeRun({ NODE_EXTRA_CA_CERTS: file }).io, { ca: makeCertificates().ca });
    expect(await http.call(get(url))).toMatchObject({ text: "safe" });
  });

  test("says what is wrong with one: its names", async () => {
    const url = await serveTls(false);
    const { ca } = certificates;
    const failure = await failureOf(
      open(makeRun().io, { ca }).call(get(url.replace("127.0.0.1", "localhost"))),
    );
    expect(failure.message).toContain("(ERR_TLS_CERT_ALTNAME_INVALID)");
    expect(failure.help).toMatch(/^It names other hosts\./);
  });

  test("says what is wrong with one: its time", async () => {
    const old = makeCertificates(-1);
    const url = await serveTls(false, old);
    const failure = await failureOf(open(makeRun().io, { ca: old.ca }).call(get(url)));
    expect(failure.message).toContain("(CERT_HAS_EXPIRED)");
    expect(failure.help).toMatch(/clock of this machine/);
  });

  test("says what is wrong with one: its purpose; the call is not repeated", async () => {
    const { ca, client } = certificates;
    const url = await serveTls(false, { ...certificates, server: client });
    const run = makeRun();
    const failure = await failureOf(open(run.io, { ca }).call(get(url)));
    expect(failure.code).toBe("not-trusted");
    expect(failure.message).toContain("(INVALID_PURPOSE)");
    expect(failure.help).toMatch(/made for another purpose/);
    expect(run.slept).toEqual([]);
  });

  test("says that one in between may be missing", async () => {
    const url = `https://${await listen(createTlsServer(certificates.server))}/`;
    const failure = await failureOf(open(makeRun().io).call(get(url)));
    expect(failure.message).toContain("(UNABLE_TO_VERIFY_LEAF_SIGNATURE)");
    expect(failure.help).toMatch(/--ca-file FILE .* add the intermediate and root certificates/);
  });

  test("a server whose TLS is too old is not trusted", async () => {
    const old = {
      minVersion: "TLSv1",
      maxVersion: "TLSv1",
      ciphers: "DEFAULT@SECLEVEL=0",
    } as const;
    const server = createTlsServer({ ...certificates.server, ...old });
    const { ca } = certificates;
    const call = open(makeRun().io, { ca }).call(get(`https://${await listen(server)}/`));
    expect((await failureOf(call)).help).toMatch(/TLS 1\.2 or later/);
  });

  const encrypted = (key: string, passphrase: string) =>
    String(
      createPrivateKey(key).export({
        type: "pkcs8",
        format: "pem",
        cipher: "aes-256-cbc",
        passphrase,
      }),
    );

  test.each<[what: string, given: (made: Certificates) => HttpOptions, message: RegExp]>([
    ["no certificate", () => ({ cert: "x", key: "hush" }), /cannot be used \(.+\)/],
    [
      "a key of another one",
      ({ server, client }) => ({ cert: server.cert, key: client.key }),
      /cannot be used \(.+\)/,
    ],
    ["a certificate without its key", ({ client: { cert } }) => ({ cert }), /only the certificate/],
    ["a key without its certificate", () => ({ key: "hush" }), /only the key/],
    ["an authority that is none", () => ({ ca: "hush" }), /authority .*NO_START_LINE/],
    ["an authority that is a key", ({ server: { key } }) => ({ ca: key }), /authority .*\(.+\)/],
    ["an empty file for an authority", () => ({ ca: "" }), /authority .*NO_START_LINE/],
    ["an empty file for a certificate", () => ({ cert: "", key: "hush" }), /certificate .* empty/],
    ["an empty file for a key", ({ client: { cert } }) => ({ cert, key: "" }), /key .* is empty/],
    [
      "a key with a passphrase",
      ({ client: { cert, key } }) => ({ cert, key: encrypted(key, "hush") }),
      /key has a passphrase/,
    ],
  ])("%s is wrong usage, and not shown", async (_, given, message) => {
    const http = open(makeRun().io, given(certificates));
    const failure = await failureOf(http.call(get("https://gis.example.com")));
    expect(failure).toMatchObject({ code: "bad-certificate", exit: 64 });
    expect(failure.message).toMatch(message);
    expect(inspect(failure)).not.toMatch(/hush|PRIVATE KEY/);
  });

  test("a file of NODE_EXTRA_CA_CERTS that is missing is named with its variable", async () => {
    const { ca } = certificates;
    const http = open(makeRun({ NODE_EXTRA_CA_CERTS: "/nowhere.pem" }).io, { ca });
    expect(await failureOf(http.call(get("https://gis.example.com")))).toMatchObject({
      code: "bad-certificate",
      message: '"/nowhere.pem" cannot be read: there is no such file.',
      help: "Check NODE_EXTRA_CA_CERTS, which names a file in PEM.",
    });
  });
});

describe("a secret", () => {
  test("says nothing but that it is one", () => {
    const made = secret("hush", "Bearer ");
    const shown = [
      String(made),
      JSON.stringify({ made }),
      inspect(made, { showHidden: true, depth: 9, getters: true }),
      inspect({ a: [made] }, { showHidden: true, depth: 9 }),
      Object.values({ ...made })
        .filter((each) => typeof each === "string")
        .join(),
    ];
    expect(shown.join()).not.toContain("hush");
  });

  test("that another system repeats, plain or encoded, withholds its text", () => {
    const made = secret('h&sh "1', "Bearer ");
    for (const echo of ['h&sh "1', "h%26sh%20%221", "h%26sh+%221", 'h&sh \\"1', btoa('h&sh "1')]) {
      expect(showForeign(`You sent ${echo}!`, [made])).toBe("(withheld: it repeats a secret)");
    }
    expect(showForeign("a\u001b[31m\nb", [made])).toBe("a\\u{1b}[31m\\u{a}b");
    expect(showForeign("x".repeat(1000), [])).toHaveLength(501);
  });
});
