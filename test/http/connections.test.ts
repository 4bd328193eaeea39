// Connections as they come and go: kept, closed by either side, and at strange addresses.
import { createServer } from "node:http";
import { type AddressInfo, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { openHttp, type HttpOptions } from "../../src/http/http.js";
import { get, update, makeRun, serve, serveRaw } from "../support/network.js";
import type { Environment } from "../support/run.js";

function open(options: HttpOptions = {}, env: Environment = {}) {
  const http = openHttp(makeRun(env).io, options);
  onTestFinished(() => http.close());
  return http;
}

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
  test("is kept for requests that are safe to repeat", async () => {
    const sockets = new Set<Socket>();
    const server = await serveRaw((socket) => {
      sockets.add(socket);
      socket.on("data", () => socket.write(ANSWER));
    });
    const http = open();
    for (let at = 0; at < 5; at++) {
      expect(await http.call(get(server.url))).toMatchObject({ text: "fine" });
    }
    // undici opens a second one where a call follows in the same turn.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  test("is an update's own, and closed after it", async () => {
    const closed: Promise<unknown>[] = [];
    const requests: number[] = [];
    const server = await serveRaw((socket, at) => {
      closed.push(new Promise((done) => socket.once("close", done)));
      requests[at] = 0;
      socket.on("data", () => {
        requests[at]! += 1;
        socket.write(ANSWER);
      });
    });
    const http = open();
    await http.call(get(server.url));
    for (let at = 1; at <= 3; at++) {
      expect(await http.call(update(server.url))).toMatchObject({ text: "fine" });
      await closed[at];
    }
    await http.call(get(server.url));
    expect(requests).toEqual([2, 1, 1, 1]);
  });

  test("that is still being opened ends with the client", async () => {
    let isOpen: (() => void) | undefined;
    let closed: Promise<unknown> | undefined;
    const opened = new Promise<void>((done) => (isOpen = done));
    // A server that accepts and says nothing: the handshake never ends.
    const server = await serveRaw((socket) => {
      closed = new Promise((done) => socket.once("close", done));
      isOpen?.();
    });
    const run = makeRun();
    const http = openHttp(run.io);
    const waiting = failureOf(http.call(update(server.url.replace("http", "https"))));
    await opened;
    await http.close();
    expect(await waiting).toMatchObject({ code: "not-reachable", sent: false });
    expect(run.slept).toEqual([]);
    await closed;
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
  ])("that a server closes %s, without a word, costs no call", async (_, then) => {
    const server = await serveRaw((socket) =>
      socket.on("data", () => {
        socket.write(ANSWER);
        then(() => socket.end());
      }),
    );
    const http = open();
    const callOften = async () => {
      for (let at = 0; at < 10; at++) {
        const request = at % 2 ? update(server.url) : get(server.url);
        expect(await http.call(request)).toMatchObject({ text: "fine" });
      }
    };
    await callOften();
    await Promise.all(Array.from({ length: 8 }, callOften));
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

describe("requests and answers", () => {
  test.each(["POST", "DELETE", "UNLOCK"])("%s sends the length of its body", async (method) => {
    const server = await serve((_, response) => response.end());
    await open().call({ ...update(server.url), method });
    const [{ headers, body } = { headers: {}, body: "" }] = server.received;
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    expect(headers["transfer-encoding"]).toBeUndefined();
    expect(new URLSearchParams(body).get("name")).toBe("Zürich & more");
  });

  test("asks for uncompressed answers, and does not decompress others", async () => {
    const bytes = gzipSync("fine");
    const server = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes),
    );
    const answer = await open().call(get(server.url));
    expect(server.received[0]?.headers["accept-encoding"]).toBeUndefined();
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(answer.strayByteAt).toBe(1);
  });

  test("ignores 1xx responses before the answer", async () => {
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

  test("refuses an unrequested change of protocol", async () => {
    const answer =
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";
    const server = await serveRaw((socket) => socket.on("data", () => socket.write(answer)));
    expect(await failureOf(open().call(update(server.url)))).toMatchObject({
      code: "no-answer",
      sent: true,
    });
  });

  test("refuses a value that no header can hold", async () => {
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
