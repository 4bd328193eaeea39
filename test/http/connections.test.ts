// Connections as they come and go: kept, closed by either side, at strange addresses, and through proxies that do not answer.
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { openHttp, type HttpOptions } from "../../src/http/http.js";
import type { Request } from "../../src/request.js";
import {
  closedPort,
  HAS_OPENSSL,
  listen,
  makeCertificates,
  makeRun,
  NEEDS_OPENSSL,
  serve,
  serveRaw,
} from "../support/network.js";
import type { Environment } from "../support/run.js";

function open(options: HttpOptions = {}, env: Environment = {}) {
  const http = openHttp(makeRun(env).io, options);
  onTestFinished(() => http.close());
  return http;
}

const get = (url: string): Request => ({ url, repeats: "freely" });
const update = (url: string): Request => ({
  method: "POST",
  url,
  body: { form: [["name", "Zürich & more"]] },
  repeats: "unsent",
});

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);
const NEEDS_IPV6 = HAS_IPV6 ? "" : " (skipped: there is no IPv6 here)";
const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine";

describe("a connection", () => {
  test("is kept for what comes later", async () => {
    const sockets = new Set<Socket>();
    const server = await serveRaw((socket) => {
      sockets.add(socket);
      socket.on("data", () => socket.write(ANSWER));
    });
    const http = open();
    for (let at = 0; at < 5; at++) {
      expect(await http.call(at % 2 ? update(server.url) : get(server.url))).toMatchObject({
        text: "fine",
      });
    }
    expect(sockets.size).toBe(1);
  });

  test("that a server closed meanwhile is not used for an update", async () => {
    const http = open();
    let closed: Promise<unknown> = Promise.resolve();
    const server = await serveRaw((socket) => {
      closed = new Promise((done) => socket.once("close", done));
      socket.on("data", () => socket.end(ANSWER));
    });
    for (let at = 0; at < 5; at++) {
      expect(await http.call(update(server.url))).toMatchObject({ text: "fine" });
      await closed;
    }
  });

  test.each([
    ["with the answer", (end: () => void) => end()],
    ["right after it", (end: () => void) => setImmediate(end)],
  ])("that a server closes %s, without a word, costs no update", async (_, then) => {
    const server = await serveRaw((socket) =>
      socket.on("data", () => {
        socket.write(ANSWER);
        then(() => socket.end());
      }),
    );
    const http = open();
    const updateOften = async () => {
      for (let at = 0; at < 10; at++) {
        expect(await http.call(update(server.url))).toMatchObject({ text: "fine" });
      }
    };
    await updateOften();
    await Promise.all(Array.from({ length: 8 }, updateOften));
  });

  test("ends with the client, and every call over it", async () => {
    let closed: Promise<unknown> | undefined;
    let asked: (() => void) | undefined;
    const isAsked = new Promise<void>((done) => (asked = done));
    const server = await serveRaw((socket) => {
      closed = new Promise((done) => socket.once("close", done));
      socket.once("data", () => asked?.());
    });
    const http = open();
    const waiting = failureOf(http.call(update(server.url)));
    await isAsked;
    await http.close();
    expect(await waiting).toMatchObject({ code: "no-answer", sent: true });
    await closed;
  });
});

describe("what is asked and answered", () => {
  test.each(["POST", "DELETE", "UNLOCK"])("%s tells how long its body is", async (method) => {
    const server = await serve((_, response) => response.end());
    await open().call({ ...update(server.url), method });
    const [{ headers, body } = { headers: {}, body: "" }] = server.received;
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    expect(headers["transfer-encoding"]).toBeUndefined();
    expect(new URLSearchParams(body).get("name")).toBe("Zürich & more");
  });

  test("what comes before the answer is passed over", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n";
    const server = await serveRaw((socket) =>
      socket.on("data", () => socket.write(early + ANSWER)),
    );
    expect(await open().call(get(server.url))).toMatchObject({ status: 200, text: "fine" });
  });

  test.each([
    ["a head that is too long", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx"],
    ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nx"],
  ])("%s is not understood", async (_, answer) => {
    const server = await serveRaw((socket) => socket.on("data", () => socket.write(answer)));
    expect(await failureOf(open().call(get(server.url)))).toMatchObject({
      code: "answer-not-understood",
      sent: true,
    });
  });

  test("a change of protocol that nobody asked for is no answer", async () => {
    const answer =
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";
    const server = await serveRaw((socket) => socket.on("data", () => socket.write(answer)));
    expect(await failureOf(open().call(update(server.url)))).toMatchObject({
      code: "no-answer",
      sent: true,
    });
  });

  test("what no header can hold is not sent", async () => {
    const server = await serve((_, response) => response.end());
    const asking = open().call({
      ...get(server.url),
      headers: { authorization: "Bearer a\nb: c" },
    });
    expect(await failureOf(asking)).toMatchObject({ code: "not-reachable", sent: false });
    expect(server.received).toEqual([]);
  });

  test.skipIf(!HAS_IPV6)(
    `an address of IPv6 is reached, and named with its brackets${NEEDS_IPV6}`,
    async () => {
      const hosts: (string | undefined)[] = [];
      const server = createServer((request, response) => {
        hosts.push(request.headers.host);
        response.end("fine");
      });
      await new Promise<void>((done) => server.listen(0, "::1", done));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const http = open({}, { LINTEL_ALLOWED_HOSTS: undefined });
      expect(await http.call(get(`http://[::1]:${port}/x`))).toMatchObject({ text: "fine" });
      expect(hosts).toEqual([`[::1]:${port}`]);
    },
  );
});

describe("a proxy", () => {
  test.each(["http", "https"])("that nobody runs is named as the reason (%s)", async (scheme) => {
    const proxy = `http://${await closedPort()}`;
    const failure = await failureOf(
      open({}, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }).call(
        update(`${scheme}://gis.example.com/x`),
      ),
    );
    expect(failure).toMatchObject({
      code: "not-reachable",
      sent: false,
      isPassing: true,
      message: 'The proxy does not connect to "gis.example.com" (ECONNREFUSED).',
    });
  });

  test("of the same machine as the host is told apart from it", async () => {
    const proxy = `http://${await closedPort()}`;
    const http = open({}, { HTTP_PROXY: proxy });
    const failure = await failureOf(http.call(update("http://127.0.0.1:9/x")));
    expect(failure).toMatchObject({
      message: 'The proxy does not connect to "127.0.0.1:9" (ECONNREFUSED).',
    });
  });

  test("is asked for nothing where it is none: 407 is an answer like others", async () => {
    const server = await serve((_, response) => response.writeHead(407).end());
    expect(await open().call(update(server.url))).toMatchObject({ status: 407 });
  });

  test.each([
    ["that hangs", "", "ETIMEDOUT"],
    ["that says no", "HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno", "403"],
    ["that fails", "HTTP/1.1 502 Bad Gateway\r\n\r\n", "502"],
    ["that speaks something else", "220 mail.example.com\r\n", "HPE_INVALID_CONSTANT"],
  ])("%s opens no tunnel, and nothing was sent", async (_, answer, reason) => {
    const sockets: Promise<unknown>[] = [];
    const server = await serveRaw((socket) => {
      sockets.push(new Promise((done) => socket.once("close", done)));
      socket.once("data", () => socket.write(answer));
    });
    const http = open({ connectTimeoutMs: 100 }, { HTTPS_PROXY: server.url });
    const failure = await failureOf(http.call(update("https://gis.example.com/x")));
    const isPassing = !/^4|^HPE/.test(reason);
    expect(failure).toMatchObject({
      code: "not-reachable",
      sent: false,
      isPassing,
      message: expect.stringContaining(`(${reason})`),
    });
    expect(sockets.length).toBe(isPassing ? 4 : 1);
    // None of them is left over.
    await Promise.all(sockets);
  });

  test("that answers a letter at a time is given up in time", async () => {
    const server = await serveRaw((socket) => {
      const timer = setInterval(() => socket.write("H"), 20);
      socket.once("close", () => clearInterval(timer));
    });
    const http = open({ connectTimeoutMs: 100 }, { HTTPS_PROXY: server.url });
    expect(await failureOf(http.call(update("https://gis.example.com/x")))).toMatchObject({
      code: "not-reachable",
      sent: false,
    });
  });

  test("whose tunnel leads nowhere is given up in time", async () => {
    const server = await serveRaw((socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n")),
    );
    const http = open({ connectTimeoutMs: 100 }, { HTTPS_PROXY: server.url });
    expect(await failureOf(http.call(update("https://gis.example.com/x")))).toMatchObject({
      code: "not-reachable",
      sent: false,
    });
  });
});

describe.skipIf(!HAS_OPENSSL)(`a proxy that is reached by https${NEEDS_OPENSSL}`, () => {
  async function arrange(of: "proxy" | "server") {
    const certificates = makeCertificates();
    const far = await listen(
      createTlsServer(certificates.server, (_, response) => response.end("safe")),
    );
    const asked: string[] = [];
    const proxy = createTlsServer(certificates[of]);
    proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
      asked.push(request.headers["proxy-authorization"] ?? "nobody");
      const [host = "", port = ""] = far.split(":");
      const through = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        through.pipe(socket).pipe(through);
      });
      socket.on("error", () => through.destroy());
    });
    const [, port] = (await listen(proxy)).split(":");
    const env = { HTTPS_PROXY: `https://me:hu%25sh@localhost:${port}` };
    return { http: open({ ca: certificates.ca }, env), asked };
  }

  test("proves its own name, and then the host proves its own", async () => {
    const { http, asked } = await arrange("proxy");
    expect(await http.call(update("https://gis.example.com/x"))).toMatchObject({ text: "safe" });
    expect(asked).toEqual([`Basic ${btoa("me:hu%sh")}`]);
  });

  test("is told nothing where it proves the name of the host instead", async () => {
    const { http, asked } = await arrange("server");
    const failure = await failureOf(http.call(update("https://gis.example.com/x")));
    expect(failure).toMatchObject({
      code: "not-trusted",
      sent: false,
      isPassing: false,
      message: "The certificate of the proxy is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).",
    });
    expect(asked).toEqual([]);
  });
});
