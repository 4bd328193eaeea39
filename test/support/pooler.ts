// A server of PostgreSQL → what may stand between it and a run: a wire that is cut at a moment, and a pooler that gives every transaction another session.
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Wire {
  readonly port: number;
  /** Connections that were made so far. */
  count(): number;
  /** Breaks at the next message of a run that holds the text: before the server has it, or before its answer comes back, or then and for good. */
  cutAt(text: string, when: "before" | "after" | "for good"): void;
  /** Nobody gets through from now on. */
  close(): void;
}

export async function openWire(port: number): Promise<Wire> {
  let cut: { readonly text: string; readonly when: "before" | "after" | "for good" } | undefined;
  let [count, isClosed] = [0, false];
  const sockets = new Set<Socket>();
  const own = await listen((client) => {
    count++;
    if (isClosed) {
      client.destroy();
      return;
    }
    const server = connect(port, "127.0.0.1");
    const end = () => [client, server].forEach((each) => each.destroy());
    for (const each of [client, server]) {
      sockets.add(each.on("error", end).on("close", end));
    }
    let isDeaf = false;
    client.on("data", (bytes) => {
      if (!cut || !bytes.includes(cut.text)) {
        server.write(bytes);
        return;
      }
      const { when } = cut;
      cut = undefined;
      isDeaf = true;
      isClosed ||= when === "for good";
      if (when === "before") end();
      else server.write(bytes);
    });
    // The server has answered, so that it has done it; nobody hears of it.
    server.on("data", (bytes) => (isDeaf ? end() : client.write(bytes)));
  });
  return {
    port: portOf(own),
    count: () => count,
    cutAt: (text, when) => void (cut = { text, when }),
    close() {
      isClosed = true;
      for (const each of sockets) each.destroy();
    },
  };
}

/** The message with which a client begins; its length stands in its first four bytes. */
interface Client {
  readonly socket: Socket;
  begun: boolean;
  waiting: Buffer[];
  on: Upstream | undefined;
}

interface Upstream {
  readonly socket: Socket;
  client: Client | undefined;
  rest: Buffer;
}

/** As poolers do in transaction mode: whoever says something gets a session until its transaction is over. */
export async function openPooler(port: number, startup: string, sessions: number): Promise<number> {
  const free: Upstream[] = [];
  const queue: Client[] = [];
  for (let at = 0; at < sessions; at++) free.push(await openUpstream(port, startup, release));

  function release(upstream: Upstream): void {
    if (upstream.client) upstream.client.on = undefined;
    upstream.client = undefined;
    // The one used last is the next, as with pgbouncer.
    free.push(upstream);
    const next = queue.shift();
    if (next) serve(next);
  }

  function serve(client: Client): void {
    const upstream = client.on ?? free.pop();
    if (!upstream) {
      queue.push(client);
      return;
    }
    client.on = upstream;
    upstream.client = client;
    for (const bytes of client.waiting.splice(0)) upstream.socket.write(bytes);
  }

  const own = await listen((socket) => {
    const client: Client = { socket, begun: false, waiting: [], on: undefined };
    socket.on("error", () => {});
    // Nobody else may get a session in the middle of a transaction.
    socket.on("close", () => client.on?.socket.destroy());
    socket.on("data", (bytes) => {
      if (!client.begun) {
        client.begun = true;
        socket.write(WELCOME);
      } else if (bytes[0] !== "X".charCodeAt(0)) {
        client.waiting.push(bytes);
        serve(client);
      }
    });
  });
  return portOf(own);
}

async function openUpstream(
  port: number,
  startup: string,
  release: (upstream: Upstream) => void,
): Promise<Upstream> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const upstream: Upstream = { socket, client: undefined, rest: Buffer.alloc(0) };
  let isReady: (() => void) | undefined;
  const ready = new Promise<void>((done) => (isReady = done));
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    upstream.client?.socket.write(bytes);
    upstream.rest = Buffer.concat([upstream.rest, bytes]);
    for (;;) {
      const length = upstream.rest.length < 5 ? Infinity : upstream.rest.readInt32BE(1) + 1;
      if (length > upstream.rest.length) return;
      const [type, status] = [upstream.rest[0], upstream.rest[5]];
      upstream.rest = upstream.rest.subarray(length);
      // ReadyForQuery, outside of a transaction.
      if (type !== "Z".charCodeAt(0) || status !== "I".charCodeAt(0)) continue;
      if (isReady) isReady();
      if (upstream.client) release(upstream);
      isReady = undefined;
    }
  });
  const words = Buffer.from(`${startup}\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + words.length);
  head.writeInt32BE(3 << 16, 4);
  socket.write(Buffer.concat([head, words]));
  await ready;
  return upstream;
}

/** Let in, number 4711 with no secret, ready. */
const WELCOME = Buffer.from("5200000008000000004b0000000c00001267000000005a0000000549", "hex");

async function listen(serve: (socket: Socket) => void): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens at no port");
  return address.port;
}
