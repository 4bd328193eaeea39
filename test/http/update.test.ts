// What may not be repeated: never on the wire twice, asked for its time right before its first byte, and known as sent once it may be.
import { createServer as createTlsServer } from "node:https";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { openHttp } from "../../src/http/http.js";
import {
  update,
  HAS_OPENSSL,
  listen,
  makeCertificates,
  makeRun,
  NEEDS_OPENSSL,
  serveProxy,
  serveRaw,
} from "../support/network.js";
import { expectOnceAtMost } from "./dropping.js";

const certificates = HAS_OPENSSL ? makeCertificates() : undefined!;

const asking = (url: string, assertMaySend: () => void) => ({ ...update(url), assertMaySend });

describe("checks right before the first byte whether an update may still be sent", () => {
  const late = new Failure("too-many-requests", "It is too late.");

  function open(env: Readonly<Record<string, string>> = {}) {
    const http = openHttp(makeRun(env).io, certificates && { ca: certificates.ca });
    onTestFinished(() => http.close());
    return http;
  }

  test("sends no byte if it may not, although the connection is open", async () => {
    const story: string[] = [];
    let isOpen: () => void = () => {};
    const opened = new Promise<void>((done) => (isOpen = done));
    let closed: Promise<unknown> | undefined;
    const server = await serveRaw((socket) => {
      isOpen();
      closed = new Promise((done) => socket.once("close", done));
      socket.on("data", () => story.push("bytes"));
    });
    const assertMaySend = () => {
      story.push("asked");
      throw late;
    };
    await expect(open().call(asking(server.url, assertMaySend))).rejects.toBe(late);
    await opened;
    await closed;
    expect(story).toEqual(["asked"]);
  });

  test("sends it if it may", async () => {
    const story: string[] = [];
    const server = await serveRaw((socket) =>
      socket.once("data", () => {
        story.push("bytes");
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine");
      }),
    );
    const assertMaySend = () => void story.push("asked");
    await open().call(asking(server.url, assertMaySend));
    expect(story).toEqual(["asked", "bytes"]);
  });

  test("at each attempt again", async () => {
    const server = await serveRaw((socket, before) =>
      socket.once("data", () =>
        socket.end(`HTTP/1.1 ${before ? 200 : 429} X\r\ncontent-length: 0\r\n\r\n`),
      ),
    );
    let times = 0;
    await open().call(asking(server.url, () => void times++));
    expect(times).toBe(2);
  });

  test.skipIf(!HAS_OPENSSL).each(["", " and the tunnel of a proxy"])(
    `after the handshake of TLS%s${NEEDS_OPENSSL}`,
    async (way) => {
      const story: string[] = [];
      // By TLS 1.2 the server's handshake ends before the client's.
      const tls = { ...certificates.server, maxVersion: "TLSv1.2" } as const;
      const server = createTlsServer(tls, () => story.push("request"));
      server.on("secureConnection", (socket) => {
        story.push("secured");
        socket.on("data", () => story.push("bytes"));
      });
      const far = await listen(server);
      const proxy = await serveProxy({ far });
      const http = way ? open({ HTTPS_PROXY: `http://${proxy.host}` }) : open();
      const assertMaySend = () => {
        story.push("asked");
        throw late;
      };
      const url = way ? "https://gis.example.com/" : `https://${far}/`;
      await expect(http.call(asking(url, assertMaySend))).rejects.toBe(late);
      await http.close();
      expect(story).toEqual(["secured", "asked"]);
      expect(proxy.asked).toHaveLength(way ? 1 : 0);
    },
  );
});

describe("an answer that is cut off at any byte", () => {
  const HEAD = "HTTP/1.1 200 OK\r\nserver: x\r\n";
  test.each([
    ["with its length", `${HEAD}content-length: 12\r\n\r\n{"ok": true}`],
    [
      "in chunks",
      `${HEAD}transfer-encoding: chunked\r\n\r\n6\r\n{"ok":\r\n6\r\n true}\r\n0\r\n\r\n`,
    ],
    ["of the last kept", `${HEAD}connection: close\r\ncontent-length: 12\r\n\r\n{"ok": true}`],
  ])("is no answer, and the update is not repeated: %s", async (_, whole) => {
    let cutAt = 0;
    let requests = 0;
    const server = await serveRaw((socket) =>
      socket.once("data", () => {
        requests++;
        socket.end(whole.slice(0, cutAt));
      }),
    );
    const http = openHttp(makeRun().io);
    onTestFinished(() => http.close());
    const headEnd = whole.indexOf("\r\n\r\n") + 4;
    for (; cutAt < whole.length; cutAt++) {
      requests = 0;
      const failure: unknown = await http.call(update(server.url)).catch((error: unknown) => error);
      const code = cutAt < headEnd ? "no-answer" : "no-answer";
      expect(failure).toMatchObject({ code, sent: true });
      expect(requests).toBe(1);
    }
    expect(await http.call(update(server.url))).toMatchObject({ text: '{"ok": true}' });
  });
});

test("a server that drops connections at any moment sees an update once at most", async () => {
  const { taken, unknown } = await expectOnceAtMost("plain", 40);
  expect(taken).toBeGreaterThan(5);
  expect(unknown).toBeGreaterThan(5);
});
