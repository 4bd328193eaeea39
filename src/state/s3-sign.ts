// Signs a request with AWS Signature Version 4, over the whole body.
import { createHash, createHmac } from "node:crypto";
import type { Secret } from "../secret.js";

// Written here instead of using a package: it is one page, and every request must go through `http/`.

export interface Keys {
  readonly id: string;
  readonly key: Secret;
  /** Of temporary keys. */
  readonly session?: Secret | undefined;
}

export interface Signing {
  readonly method: string;
  readonly address: URL;
  /** All signed headers, except those added here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly keys: Keys;
  /** By this machine's clock. */
  readonly nowMs: number;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const SERVICE = "s3";

/** `authorization` comes last. The host header is not returned, because it follows from the address. */
export function signed(signing: Signing): Readonly<Record<string, string>> {
  const { method, address, body, region, keys, nowMs } = signing;
  // 20130524T000000Z
  const moment = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const hash = sha256(body);
  const session = keys.session && { "x-amz-security-token": keys.session.reveal() };
  const own = { "x-amz-content-sha256": hash, "x-amz-date": moment, ...session };
  const all = Object.entries({ host: address.host, ...signing.headers, ...own })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, " ")] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const names = all.map(([name]) => name).join(";");
  const request = [
    method,
    address.pathname,
    queryOf(address),
    ...all.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    hash,
  ].join("\n");
  const scope = [moment.slice(0, 8), region, SERVICE, "aws4_request"];
  const text = [ALGORITHM, moment, scope.join("/"), sha256(request)].join("\n");
  const derived = scope.reduce<Buffer | string>(hmac, `AWS4${keys.key.reveal()}`);
  const signature = hmac(derived, text).toString("hex");
  const credential = `Credential=${keys.id}/${scope.join("/")}`;
  return {
    ...signing.headers,
    ...own,
    authorization: `${ALGORITHM} ${credential},SignedHeaders=${names},Signature=${signature}`,
  };
}

function queryOf({ searchParams }: URL): string {
  const pairs = [...searchParams].map((pair) => pair.map(encodePart).join("="));
  return pairs.toSorted().join("&");
}

/** Stricter than encodeURIComponent, which leaves five more characters unencoded. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
