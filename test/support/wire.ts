// Puts a connection in front of a PostgreSQL server that can be cut at any moment.
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
