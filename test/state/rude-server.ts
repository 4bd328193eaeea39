// A local server that can be told to misbehave, and records its requests.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { collect, type Received } from "../support/network.js";

export type Fault =
  /** The connection ends before the request is carried out, or after. */
  | "cut before"
  | "cut after"
  /** Carried out, and answered with this status. */
  | { readonly late: number }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export type Misbehaving = ((request: Received, count: number) => Fault | undefined) | undefined;

/** `reply` carries a request out, and gives what sends its answer. */
export async function startRudeServer(
  reply: (request: Received) => (response: ServerResponse) => void,
  fault: Misbehaving,
) {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let pause: { readonly method: string; readonly work: () => Promise<void> } | undefined;
  const server = createServer(
    collect(received, async (request, response) => {
      if (pause?.method === request.method) await pause.work();
      const wrong = fault?.(request, received.length);
      if (typeof wrong === "object" && "late" in wrong) {
        reply(request);
        response.writeHead(wrong.late).end();
        return;
      }
      if (typeof wrong === "object") {
        response.writeHead(wrong.status, wrong.headers).end(wrong.body);
        return;
      }
      const send = wrong === "cut before" ? undefined : reply(request);
      if (wrong || !send) response.socket?.destroy();
      else send(response);
    }),
  );
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** How many there were. */
    connections: () => connections,
    misbehave: (next: Misbehaving) => void (fault = next),
    /** Does something before a request of that method is carried out. */
    pauseAt: (method: string, work: (() => Promise<void>) | undefined) =>
      void (pause = work && { method, work }),
    close: async () => {
      for (const each of sockets) each.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
