// Proxies, certificates and the connect timeout → what opens the connections. The only owner of undici.
import type { Dispatcher } from "undici";
import { Failure } from "../failure.js";
import { readFile } from "../file.js";
import { isLoopback } from "../hosts.js";
import type { Io } from "../io.js";

export const CONNECT_TIMEOUT_S = 10;
const LIMITS = { largest: 16 * 1024 * 1024, links: "followed" } as const;

export interface Connecting {
  readonly connectTimeoutMs?: number;
  /** Certificates in PEM: an authority to trust beside the usual ones, and what to show to a server that asks. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export type Opened = Pick<Dispatcher, "dispatch" | "destroy">;

export async function openDispatcher(io: Io, options: Connecting): Promise<Opened> {
  const secureContext = await openSecureContext(io, options);
  const connect = {
    timeout: options.connectTimeoutMs ?? 1000 * CONNECT_TIMEOUT_S,
    ...(secureContext && { secureContext }),
  };
  const variable = (name: string) => io.env[name.toLowerCase()] ?? io.env[name] ?? "";
  const httpProxy = proxyAddress(variable("HTTP_PROXY"));
  const httpsProxy = proxyAddress(variable("HTTPS_PROXY"));
  // Without the rest of undici (fetch, WebSocket, caches), which takes longer to load than an apply to run.
  const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
  if (!httpProxy && !httpsProxy) return new Agent({ connect });
  // By its default, which alone the pieces of the bundle hand on of a CommonJS package.
  const { default: undici } = await import("undici");
  const proxied = new undici.EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy: variable("NO_PROXY"),
    // A plain request goes to the proxy as it is: many of them open tunnels to port 443 alone.
    proxyTunnel: false,
    connect,
    requestTls: connect,
    proxyTls: connect,
  });
  const proxies = [httpProxy, httpsProxy].filter(Boolean);
  const isOwn = proxies.every((each) => isLoopback(new URL(each).hostname));
  return isOwn ? proxied : besideProxy(proxied, new Agent({ connect }));
}

/** This machine may do without https, which a proxy on another one would read; and to that one it is another machine. */
function besideProxy(proxied: Opened, direct: Opened): Opened {
  return {
    dispatch: (request, handler) => {
      const { hostname } = new URL(String(request.origin));
      return (isLoopback(hostname) ? direct : proxied).dispatch(request, handler);
    },
    destroy: async () => void (await Promise.all([proxied.destroy(), direct.destroy()])),
  };
}

/** One context for all connections; undefined where Node's own is enough. */
async function openSecureContext(io: Io, { ca, cert, key }: Connecting) {
  if (!ca && !cert && !key) return undefined;
  // Loaded here alone, for it reads all the authorities that Node brings along.
  const { createSecureContext, rootCertificates } = await import("node:tls");
  // A list of authorities replaces all that Node trusts, those of its own variable included; Node itself says nothing of
  // a file there that is missing or holds none.
  const extra = io.env["NODE_EXTRA_CA_CERTS"];
  try {
    return createSecureContext({
      ...(ca && { ca: [...rootCertificates, ...(extra ? [readFile(extra, LIMITS)] : []), ca] }),
      ...(cert && { cert }),
      ...(key && { key }),
    });
  } catch (error) {
    const reason = (error as { code?: string }).code ?? "not in PEM";
    throw new Failure(
      "bad-certificate",
      `The certificates handed in cannot be used (${reason}).`,
      "Check that --ca-file, --cert and --key name files in PEM, that TF_HTTP_CLIENT_…_PEM hold such where they are set, and that the key belongs to the certificate.",
    );
  }
}

function proxyAddress(text: string): string {
  const address = text && !text.includes("://") ? `http://${text}` : text;
  if (!address || (URL.canParse(address) && /^https?:\/\/[^/]/.test(address))) return address;
  throw new Failure(
    "bad-address",
    "The address in HTTPS_PROXY or HTTP_PROXY is none.",
    "Write it as http://HOST:PORT.",
  );
}
