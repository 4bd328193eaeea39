// An agent for https and a proxy → the agent's connections lead through tunnels of that proxy.
import type { Agent, ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { ProxyRefusal } from "./call-failure.js";
import { clientFor, proxyHeaders, proxyPlaceOf } from "./protocol.js";

export interface Terms {
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext | undefined;
}

/** What is returned ends the tunnels that are not open yet; those that are belong to the agent. */
export async function leadThrough(proxy: URL, agent: Agent, terms: Terms): Promise<() => void> {
  const { connectTimeoutMs, secureContext } = terms;
  const { request } = await clientFor(proxy.protocol);
  const secured = agent.createConnection.bind(agent);
  const opening = new Set<ClientRequest>();

  function openTunnel(far: string, opened: (failure: Error | null, socket?: Socket) => void): void {
    const asked = request({
      ...proxyPlaceOf(proxy),
      method: "CONNECT",
      path: far,
      headers: { host: far, connection: "keep-alive", ...proxyHeaders(proxy) },
      agent: false,
      ...(secureContext && { secureContext }),
    });
    const giveUp = () => asked.destroy(new ProxyRefusal("ETIMEDOUT"));
    const timer = setTimeout(giveUp, connectTimeoutMs);
    opening.add(asked);
    asked.once("close", () => {
      clearTimeout(timer);
      opening.delete(asked);
    });
    asked.once("error", (error: NodeJS.ErrnoException) =>
      opened(error instanceof ProxyRefusal ? error : new ProxyRefusal(error.code)),
    );
    asked.once("connect", ({ statusCode = 0 }, socket) => {
      clearTimeout(timer);
      if (statusCode >= 200 && statusCode < 300) return opened(null, socket);
      socket.destroy();
      opened(new ProxyRefusal(String(statusCode)));
    });
    asked.end();
  }

  agent.createConnection = (options, opened) => {
    const { host, port } = options;
    openTunnel(`${host?.includes(":") ? `[${host}]` : host}:${port}`, (failure, socket) => {
      // Of a failure alone Node expects no connection, which its types do not say.
      const through = { ...options, socket };
      opened?.(failure, failure ? (undefined as never) : secured(through)!);
    });
    return undefined;
  };
  return () => {
    for (const asked of opening) asked.destroy();
  };
}
