// A run's Io with a clock that jumps, servers that behave as a test says, and certificates of a private authority.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from "node:https";
import {
  connect,
  createServer as createRawServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Io, readMachine } from "../../src/io.js";
import type { Request } from "../../src/request.js";
import { UTC } from "../../src/lib/text.js";
import { OWN_HOSTS, type Environment } from "./run.js";

export interface Run {
  readonly io: Io;
  /** Every wait, in milliseconds; none of them took any time. */
  readonly slept: number[];
  /** What the server's clock shows when it keeps the run's time. */
  now(): number;
  interrupt(): void;
}

export function makeRun(more: Environment = {}, startMs = Date.UTC(2026, 0, 1)): Run {
  const env = { LINTEL_ALLOWED_HOSTS: OWN_HOSTS, ...more };
  let nowMs = startMs;
  const slept: number[] = [];
  const interruption = new AbortController();
  const silent = { write: () => {}, isTerminal: false };
  const io: Io = {
    env,
    cwd: "/",
    stdin: {
      read: () => Promise.resolve(new Uint8Array()),
      ask: () => Promise.resolve(undefined),
      askUnseen: () => Promise.resolve(undefined),
      isTerminal: false,
    },
    stdout: silent,
    stderr: silent,
    now: () => nowMs,
    zone: UTC,
    random: () => 1,
    sleep: (ms, signal) => {
      slept.push(ms);
      nowMs = Math.max(nowMs, nowMs + ms);
      return signal.aborted ? Promise.reject(new Error("aborted")) : Promise.resolve();
    },
    signal: interruption.signal,
    machine: readMachine(process),
  };
  return { io, slept, now: () => nowMs, interrupt: () => interruption.abort() };
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
}

export type Answering = (
  request: Received,
  response: ServerResponse,
  received: readonly Received[],
) => void;

export const get = (url: string): Request => ({ url, repeats: "freely" });

/** What must not be repeated. */
export const update = (url: string): Request => ({
  method: "POST",
  url,
  body: { form: [["name", "Zürich & more"]] },
  repeats: "unsent",
});

export async function serve(answer: Answering): Promise<Listening> {
  const received: Received[] = [];
  const server = createServer(collect(received, answer));
  const host = await listen(server);
  return { url: `http://${host}`, host, received };
}

export function collect(received: Received[], answer: Answering) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(one);
      answer(one, response, received);
    });
  };
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** A server below HTTP: it is given the socket, and how many came before. */
export async function serveRaw(meet: (socket: Socket, before: number) => void): Promise<Listening> {
  let count = 0;
  const server = createRawServer((socket) => {
    socket.on("error", () => {});
    meet(socket, count++);
  });
  const host = await listen(server);
  return { url: `http://${host}`, host, received: [] };
}

export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<string> {
  const server = createRawServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

export interface Certificates {
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  /** For "localhost" alone, which the server's is not. */
  readonly proxy: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

/** Without it no certificate can be made; the tests that need one then say so in their names and are skipped. */
export const HAS_OPENSSL = spawnSync("openssl", ["version"]).status === 0;
export const NEEDS_OPENSSL = HAS_OPENSSL ? "" : " (skipped: there is no openssl here)";

/** Those that the authority issues are good for so many days; fewer than none are over. */
export function makeCertificates(days = 2): Certificates {
  const directory = mkdtempSync(join(tmpdir(), "lintel-certificates-"));
  const path = (name: string) => join(directory, name);
  const openssl = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: directory, stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  try {
    openssl(
      "req",
      "-x509",
      ...key,
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-subj",
      "/CN=Example CA",
      "-days",
      "2",
    );
    const issue = (name: string, extensions: string) => {
      writeFileSync(path(`${name}.ext`), extensions);
      openssl(
        "req",
        ...key,
        "-keyout",
        `${name}.key`,
        "-out",
        `${name}.csr`,
        "-subj",
        `/CN=${name}`,
      );
      openssl(
        "x509",
        "-req",
        "-in",
        `${name}.csr`,
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        String(days),
        "-extfile",
        `${name}.ext`,
        "-out",
        `${name}.pem`,
      );
      return {
        cert: readFileSync(path(`${name}.pem`), "utf8"),
        key: readFileSync(path(`${name}.key`), "utf8"),
      };
    };
    return {
      server: issue("server", "subjectAltName=IP:127.0.0.1,DNS:gis.example.com"),
      proxy: issue("proxy", "subjectAltName=DNS:localhost"),
      client: issue("client", "extendedKeyUsage=clientAuth"),
      ca: readFileSync(path("ca.pem"), "utf8"),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export interface Proxy {
  readonly host: string;
  /** The targets of its tunnels, as they were asked for. */
  readonly asked: string[];
  /** What came with them to prove who asks. */
  readonly credentials: (string | undefined)[];
}

/** A proxy that opens tunnels. All of them lead to `far`, whatever was asked for; without `far`, to what was asked for. */
export async function serveProxy({
  far,
  tls,
}: { readonly far?: string; readonly tls?: TlsOptions } = {}): Promise<Proxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const server = tls ? createTlsServer(tls) : createServer();
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push(request.url ?? "");
    credentials.push(request.headers["proxy-authorization"]);
    const [host = "", port] = (far ?? request.url ?? "").split(":");
    const through = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      through.pipe(socket).pipe(through);
    });
    through.on("error", () => socket.destroy());
    socket.on("error", () => through.destroy());
  });
  return { host: await listen(server), asked, credentials };
}
