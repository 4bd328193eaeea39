// Opens connections with undici: direct ones, and tunnels through the proxies of the environment.
import { setMaxListeners } from "node:events";
import type { SecureContext } from "node:tls";
import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import { codeOf, ProxyRefusal } from "./call-failure.js";
import { openSecureContext, type Certificates } from "./certificates.js";
import { Failure } from "../failure.js";
import { isLoopback } from "../hosts.js";
import type { Io } from "../io.js";
import { visible } from "../lib/text.js";

/** As undici's EnvHttpProxyAgent expects them; "" for none, so that it does not read the environment itself. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

export interface Connections {
  /** Lends a dispatcher for one call: one with kept connections, or a fresh one that is closed afterwards. */
  use<T>(address: URL, mayKeep: boolean, call: (dispatcher: Dispatcher) => Promise<T>): Promise<T>;
  /** Ends every connection, open or not. */
  close(): Promise<void>;
}

interface Bounds {
  readonly connectTimeoutMs: number;
  /** In bytes. */
  readonly answerLimit: number;
}

interface Terms extends Bounds {
  readonly proxies: Proxies;
  readonly secureContext: SecureContext | undefined;
  readonly signal: AbortSignal;
}

export async function openConnections(
  io: Io,
  certificates: Certificates,
  bounds: Bounds,
): Promise<Connections> {
  const closing = new AbortController();
  const { signal } = closing;
  setMaxListeners(0, signal);
  const secureContext = await openSecureContext(io, certificates);
  const terms = { ...bounds, proxies: readProxies(io), secureContext, signal };
  const open = new Set<Dispatcher>();
  const kept = new Map<boolean, Dispatcher>();
  return {
    async use(address, mayKeep, call) {
      const isOwn = isLoopback(address.hostname);
      const keptOne = mayKeep ? kept.get(isOwn) : undefined;
      const dispatcher = keptOne ?? openDispatcher(isOwn, terms);
      open.add(dispatcher);
      if (mayKeep) kept.set(isOwn, dispatcher);
      try {
        return await call(dispatcher);
      } finally {
        if (!mayKeep) {
          open.delete(dispatcher);
          await dispatcher.destroy();
        }
      }
    },
    async close() {
      closing.abort();
      await Promise.all([...open].map((each) => each.destroy()));
    },
  };
}

/** Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; lower-case names win, as in undici. */
export function readProxies({ env, stderr }: Pick<Io, "env" | "stderr">): Proxies {
  const variable = (name: string) => env[name.toLowerCase()] ?? env[name] ?? "";
  const proxyIn = (name: string) => proxyAddress(name, variable(name));
  const [httpProxy, httpsProxy] = [proxyIn("HTTP_PROXY"), proxyIn("HTTPS_PROXY")];
  const noProxy = variable("NO_PROXY");
  const networks = noProxy.split(/[,\s]+/).filter((entry) => entry.includes("/"));
  if ((httpProxy || httpsProxy) && !warned.has(env)) {
    warned.add(env);
    for (const each of networks)
      stderr.write(`warning: Lintel ignores \`${visible(each)}\` in NO_PROXY; list the host.\n`);
  }
  return { httpProxy, httpsProxy, noProxy };
}

/** Warns once a run, even with several clients. */
const warned = new WeakSet<Io["env"]>();

function proxyAddress(name: string, text: string): string {
  if (!text) return "";
  const address = text.includes("://") ? text : `http://${text}`;
  try {
    const { username, password } = new URL(address);
    // undici decodes them, and its error names no variable.
    decodeURIComponent(username + password);
    if (/^https?:\/\/[^/]/.test(address)) return address;
  } catch {
    // The failure below shows no part of the address, because it may contain a password.
  }
  throw new Failure(
    "wrong-usage",
    `The variable ${name} holds no address of a proxy.`,
    "Write it as http://HOST:PORT or https://HOST:PORT. In a name or a password, write % as %25.",
  );
}

/** Calls to this machine are direct: a remote proxy would use its own "localhost", and could read unencrypted traffic. */
function openDispatcher(isOwnMachine: boolean, terms: Terms): Dispatcher {
  const { proxies, connectTimeoutMs, answerLimit, secureContext, signal } = terms;
  const tls = { timeout: connectTimeoutMs, signal, ...(secureContext && { secureContext }) };
  // One timer limits the whole call instead.
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: answerLimit };
  if (isOwnMachine) return new Agent({ ...limits, connect: tls });
  return new EnvHttpProxyAgent({
    ...limits,
    ...proxies,
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
    // Also for plain http, so that proxies behave the same for all hosts.
    proxyTunnel: true,
    clientFactory: (proxy, options) =>
      new ProxyClient(proxy, { ...options, headersTimeout: Math.ceil(connectTimeoutMs) }),
  });
}

/** Whether calls to this address use a proxy. Asks undici with a request that opens no connection. */
export async function isProxied(address: URL, proxies: Proxies): Promise<boolean> {
  if (isLoopback(address.hostname)) return false;
  let isAsked = false;
  const refusal = new Error("not opened");
  const agent = new EnvHttpProxyAgent({
    ...proxies,
    connect: (_, connected) => connected(refusal, null),
    clientFactory: (proxy) =>
      Object.assign(new Pool(proxy), {
        connect: () => {
          isAsked = true;
          return Promise.reject(refusal);
        },
      }),
  });
  const { origin } = address;
  await agent.request({ origin, path: "/", method: "GET" }).catch(() => undefined);
  await agent.destroy();
  return isAsked;
}

/** Asks a proxy for tunnels. Failures name the proxy; after some errors undici would retry forever. */
class ProxyClient extends Pool {
  override async connect(options: Parameters<Pool["connect"]>[0]): Promise<Dispatcher.ConnectData> {
    const answer = await super.connect(options).catch((error: unknown) => {
      throw new ProxyRefusal(codeOf(error));
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on("error", () => {}).destroy();
    throw new ProxyRefusal(String(answer.statusCode));
  }
}
