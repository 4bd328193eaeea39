// Proxies, certificates and an address → a request there, over a connection that is kept.
import type { Agent, ClientRequest, OutgoingHttpHeaders } from "node:http";
import { openSecureContext, type Certificates } from "./certificates.js";
import { clientFor, placeOf, proxyHeaders, proxyPlaceOf } from "./protocol.js";
import { readProxies } from "./proxies.js";
import { leadThrough, type Terms } from "./tunnels.js";
import type { Io } from "../io.js";

export const CONNECT_TIMEOUT_S = 10;

export interface Connecting extends Certificates {
  readonly connectTimeoutMs?: number;
}

export interface Prepared {
  /** Nothing is sent before its end is called. */
  readonly call: ClientRequest;
  /** It is for a proxy to read and to pass on, as what is plain is. */
  readonly isForwarded: boolean;
}

export interface Connections {
  prepare(address: URL, method: string, headers: OutgoingHttpHeaders): Promise<Prepared>;
  /** Calls back once the request has an open connection; fails it where that takes too long. */
  onceOpen(request: ClientRequest, isOpen: () => void): void;
  /** Ends whatever goes on over them. */
  close(): void;
}

/** Most servers close what was not used for five seconds or longer, and what is sent at that moment is lost. */
const IDLE_MS = 4_000;

export async function openConnections(io: Io, options: Connecting): Promise<Connections> {
  const { connectTimeoutMs = 1000 * CONNECT_TIMEOUT_S } = options;
  const proxyOf = await readProxies(io);
  const terms = { connectTimeoutMs, secureContext: await openSecureContext(io, options) };
  const ways = new Map<string, Promise<Way>>();
  return {
    async prepare(address, method, headers) {
      const proxy = proxyOf(address);
      const key = `${address.protocol} ${proxy?.href}`;
      const way = ways.get(key) ?? openWay(address.protocol, proxy, terms);
      ways.set(key, way);
      return (await way).prepare(address, method, headers);
    },
    onceOpen(request, isOpen) {
      const timer = setTimeout(
        () => request.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })),
        connectTimeoutMs,
      );
      request.once("close", () => clearTimeout(timer));
      request.once("socket", (socket) => {
        const open = () => {
          clearTimeout(timer);
          isOpen();
        };
        // Some servers close a connection without having said so: that is read in the next turn.
        if (request.reusedSocket) setImmediate(() => setImmediate(open));
        else socket.once("encrypted" in socket ? "secureConnect" : "connect", open);
      });
    },
    close() {
      for (const way of ways.values()) void way.then((open) => open.close());
    },
  };
}

/** For all requests of one scheme that go through one proxy, or none. */
interface Way {
  prepare(address: URL, method: string, headers: OutgoingHttpHeaders): Prepared;
  close(): void;
}

async function openWay(scheme: string, proxy: URL | undefined, terms: Terms): Promise<Way> {
  // A plain request goes to the proxy as it is: many of them open tunnels to port 443 alone.
  const forwarding = scheme === "https:" ? undefined : proxy;
  const { Agent, request } = await clientFor(forwarding?.protocol ?? scheme);
  const { secureContext } = terms;
  const agent: Agent = new Agent({
    keepAlive: true,
    timeout: IDLE_MS,
    ...(secureContext && { secureContext }),
  });
  const endTunnels = proxy && !forwarding ? await leadThrough(proxy, agent, terms) : undefined;
  return {
    prepare(address, method, headers) {
      const path = address.pathname + address.search;
      if (!forwarding) {
        const call = request({ ...placeOf(address), method, path, headers, agent });
        return { call, isForwarded: false };
      }
      const call = request({
        ...proxyPlaceOf(forwarding),
        method,
        path: address.origin + path,
        headers: { host: address.host, ...headers, ...proxyHeaders(forwarding) },
        agent,
      });
      return { call, isForwarded: true };
    },
    close() {
      endTunnels?.();
      agent.destroy();
    },
  };
}
