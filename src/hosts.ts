// Core type: the host allowlist. Parses a list such as LINTEL_ALLOWED_HOSTS, and checks addresses against it.
import { posix } from "node:path";
import { Failure } from "./failure.js";

export const ALLOWED_HOSTS = "LINTEL_ALLOWED_HOSTS";

/** The scheme of database servers, as `databaseServerOf` returns it. */
export const POSTGRES = "postgres:";

/** The scheme for the folder of a database's socket. */
const UNIX = "unix:";

/** An entry of the list. */
export interface ListedHost {
  readonly protocol: string;
  readonly hostname: string;
  /** Matches every host below it. */
  readonly isWildcard: boolean;
  /** Undefined for any port. */
  readonly port: string | undefined;
  /** The folder of a socket, which has no host. */
  readonly pathname: string;
}

const SOCKET_ENTRY = /^unix:(\/[^?#]*)$/i;
const ENTRY =
  /^(?:(https?|postgres(?:ql)?):\/\/)?(\*\.)?([^\s:/?#@*[\]\\]+|\[[0-9a-f:.]+\])(?::(\d{1,5}|\*))?$/i;

/** Fails at the first invalid entry, because a typo would silently allow or exclude a host. */
export function parseHosts(list: string): ListedHost[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean)
    .map((each) => parseEntry(each) ?? fail(each));
}

function parseEntry(entry: string): ListedHost | undefined {
  const [, folder] = SOCKET_ENTRY.exec(entry) ?? [];
  if (folder !== undefined) return socketEntry(folder);
  const [, scheme = "", wildcard, host = "", port] = ENTRY.exec(entry) ?? [];
  const protocol = PROTOCOLS[scheme.toLowerCase()] ?? "https:";
  const address = `https://${host}${port === undefined || port === "*" ? "" : `:${port}`}`;
  if (host === "" || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  const isOwn = isLoopback(hostname);
  if ((protocol === "http:" || port === "*") && !isOwn) return undefined;
  // A port without a scheme would be ambiguous.
  if (scheme === "" ? port !== undefined : wildcard !== undefined) return undefined;
  const number = port === undefined ? DEFAULT_PORTS[protocol] : String(Number(port));
  return {
    protocol,
    hostname,
    isWildcard: wildcard !== undefined,
    port: port === "*" ? undefined : number,
    pathname: "",
  };
}

/** Accepts the plain path, or the encoded one from messages. */
function socketEntry(folder: string): ListedHost | undefined {
  try {
    const { protocol, hostname, pathname } = socketAddressOf(decodeURIComponent(folder));
    return { protocol, hostname, isWildcard: false, port: undefined, pathname };
  } catch {
    return undefined;
  }
}

const PROTOCOLS: Readonly<Record<string, string>> = {
  http: "http:",
  postgres: POSTGRES,
  postgresql: POSTGRES,
};

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  "https:": "443",
  "http:": "80",
  [POSTGRES]: "5432",
};

function fail(entry: string): never {
  throw new Failure(
    "bad-variable",
    `${ALLOWED_HOSTS} holds "${entry}", which names no host that credentials may go to.`,
    "Separate the entries by commas; each is one of these:\n  gis.example.com           https, port 443\n  *.example.com             every host below it\n  https://gis.example.com:7443\n  postgres://db.example.com:5432\n  unix:/run/postgresql      the folder of a database's socket\n  http://127.0.0.1:*        http, on this machine only",
  );
}

export function isListed(address: URL, hosts: readonly ListedHost[]): boolean {
  return hosts.some(
    ({ protocol, hostname, isWildcard, port, pathname }) =>
      protocol === address.protocol &&
      (protocol !== UNIX || pathname === address.pathname) &&
      (port === undefined || port === portOf(address)) &&
      (isWildcard ? address.hostname.endsWith(`.${hostname}`) : address.hostname === hostname),
  );
}

/** The folder of a database's socket as an address, so that lists and prompts treat it like a host. */
export function socketAddressOf(folder: string): URL {
  // Without "..", which could lead elsewhere after a link; the connection uses the same path.
  return new URL(UNIX + encodeURI(posix.resolve(folder)).replace(/[?#]/g, encodeURIComponent));
}

export function isSocket({ protocol }: URL): boolean {
  return protocol === UNIX;
}

export function socketFolderOf({ pathname }: URL): string {
  return decodeURIComponent(pathname);
}

/** What a bare name in the list lacks for this address, as the end of a sentence; "" without such a name. */
export function bareNameHint(address: URL, hosts: readonly ListedHost[]): string {
  const { hostname } = address;
  const isBare = hosts.some(
    (each) => !each.isWildcard && each.hostname === hostname && each.port === "443",
  );
  return isBare ? `: "${hostname}" alone means https at port 443` : "";
}

/** The list entry for an address, also for messages. */
export function entryFor(address: URL): string {
  const isPlain = address.protocol === "https:" && address.port === "";
  return isPlain ? address.hostname : originOf(address);
}

/** Parses an http or https address without a password; fails for others. */
export function callableAddress(url: string, what: string, form: string, shown = url): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address && /^https?:$/.test(address.protocol) && !address.username && !address.password) {
    return address;
  }
  throw new Failure(
    "wrong-usage",
    // Shown without its beginning, which may contain a password.
    `"${shown.replace(/^.*@/, "…@")}" is no address of ${what}.`,
    `Write it as ${form}, without a user name or a password.`,
  );
}

/** Plain http to another machine can be read and changed. A database uses TLS, or is on this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return ["https:", POSTGRES, UNIX].includes(protocol) || isLoopback(hostname);
}

/** Scheme, host and port, or the folder of a socket. For unknown schemes, URL's own origin is "null". */
export function originOf({ protocol, host, pathname }: URL): string {
  return protocol === UNIX ? protocol + pathname : `${protocol}//${host}`;
}

/** Removes the brackets of an IPv6 address, which resolvers and servers do not accept. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}

export function portOf({ port, protocol }: URL): string {
  return port || (DEFAULT_PORTS[protocol] ?? "");
}
