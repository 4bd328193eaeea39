// The variables that name proxies → which of them, if any, an address is asked through.
import { Failure } from "../failure.js";
import { isLoopback, portOf, withoutBrackets } from "../hosts.js";
import type { Io } from "../io.js";

export async function readProxies({
  env,
}: Pick<Io, "env">): Promise<(address: URL) => URL | undefined> {
  const variable = (name: string) => env[name.toLowerCase()] ?? env[name] ?? "";
  const proxyIn = (name: string) => readProxy(name, variable(name));
  const plain = proxyIn("HTTP_PROXY");
  const secure = proxyIn("HTTPS_PROXY") ?? plain;
  const isOwn = [plain, secure].every((each) => !each || isLoopback(each.hostname));
  const isExcepted = await readExceptions(variable("NO_PROXY"));
  return (address) => {
    // This machine may do without https, which a proxy on another one would read; and to that one it is another machine.
    if (isExcepted(address) || (!isOwn && isLoopback(address.hostname))) return undefined;
    return address.protocol === "https:" ? secure : plain;
  };
}

function readProxy(name: string, text: string): URL | undefined {
  const address = text && !text.includes("://") ? `http://${text}` : text;
  if (!address) return undefined;
  try {
    const proxy = new URL(address);
    // A name or a password that cannot be read would fail with the first request, and seem to be the portal's fault.
    decodeURIComponent(proxy.username + proxy.password);
    if (/^https?:\/\/[^/]/.test(address)) return proxy;
  } catch {
    // Told alike.
  }
  throw new Failure(
    "bad-address",
    `The address in ${name} is none of a proxy that can be used.`,
    "Write it as http://HOST:PORT or https://HOST:PORT. In a name or a password, % is written as %25.",
  );
}

/** Hosts with all below them, each with or without a port, and networks; a star stands for every host. */
async function readExceptions(text: string): Promise<(address: URL) => boolean> {
  const entries = text
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean);
  const isInNetwork = await readNetworks(entries.filter((each) => each.includes("/")));
  // What has more than one colon is an address of IPv6 without its brackets.
  const exceptions = entries.map(
    (each) => /^(?:\*?\.)?(\[.+\]|[^:]+)(?::(\d+))?$/.exec(each) ?? [each, `[${each}]`],
  );
  return (address) => {
    const own = portOf(address);
    return (
      isInNetwork(withoutBrackets(address.hostname)) ||
      exceptions.some(
        ([, host = "", only = own]) =>
          only === own && (host === "*" || `.${address.hostname}`.endsWith(`.${host}`)),
      )
    );
  };
}

/** 10.0.0.0/8: what an address names itself, for names are not looked up. */
async function readNetworks(entries: readonly string[]): Promise<(host: string) => boolean> {
  if (entries.length === 0) return () => false;
  // Loaded here alone: what stays off the network comes by this file as well.
  const { BlockList, isIPv4, isIPv6 } = await import("node:net");
  // Of one list, Node would find an address of IPv4 in ::/0, and so would send what nobody has named past the proxy.
  const [narrow, wide] = [new BlockList(), new BlockList()];
  for (const entry of entries) {
    const [, network = "", bits = ""] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
    if (isIPv4(network) && Number(bits) <= 32) narrow.addSubnet(network, Number(bits), "ipv4");
    if (isIPv6(network) && Number(bits) <= 128) wide.addSubnet(network, Number(bits), "ipv6");
  }
  return (host) =>
    isIPv6(host)
      ? wide.check(host, "ipv6") || narrow.check(host, "ipv6")
      : narrow.check(host, "ipv4");
}
