// The variables that name proxies → which of them, if any, an address is asked through.
import { Failure } from "../failure.js";
import { isLoopback } from "../hosts.js";
import type { Io } from "../io.js";

export type ProxyOf = (address: URL) => URL | undefined;

export function readProxies({ env }: Pick<Io, "env">): ProxyOf {
  const variable = (name: string) => env[name.toLowerCase()] ?? env[name] ?? "";
  const plain = proxyIn(variable("HTTP_PROXY"));
  const secure = proxyIn(variable("HTTPS_PROXY")) ?? plain;
  const isOwn = [plain, secure].every((each) => !each || isLoopback(each.hostname));
  const isExcepted = readExceptions(variable("NO_PROXY"));
  return (address) => {
    // This machine may do without https, which a proxy on another one would read; and to that one it is another machine.
    if (isExcepted(address) || (!isOwn && isLoopback(address.hostname))) return undefined;
    return address.protocol === "https:" ? secure : plain;
  };
}

function proxyIn(text: string): URL | undefined {
  const address = text && !text.includes("://") ? `http://${text}` : text;
  if (!address) return undefined;
  if (URL.canParse(address) && /^https?:\/\/[^/]/.test(address)) return new URL(address);
  throw new Failure(
    "bad-address",
    "The address in HTTPS_PROXY or HTTP_PROXY is none.",
    "Write it as http://HOST:PORT.",
  );
}

/** Hosts with all below them, each with or without a port; a star stands for every host. */
function readExceptions(text: string): (address: URL) => boolean {
  const exceptions = text
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    // What has more than one colon is an address of IPv6 without its brackets.
    .map((each) => /^(?:\*?\.)?(\[.+\]|[^:]+)(?::(\d+))?$/.exec(each) ?? [each, `[${each}]`]);
  return ({ protocol, hostname, port }) => {
    const own = port || (protocol === "https:" ? "443" : "80");
    return exceptions.some(
      ([, host = "", only = own]) =>
        only === own && (host === "*" || `.${hostname}`.endsWith(`.${host}`)),
    );
  };
}
