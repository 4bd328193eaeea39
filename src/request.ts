// Core type: a request whose secrets stay marked until it is sent, and its answer.
import { isJsonObject, parseJson, type Json, type JsonObject } from "./lib/json.js";
import { isSecret, revealed, type Field, type Secret } from "./secret.js";

export type Body =
  | { readonly json: Readonly<Record<string, Json | Secret>> }
  | { readonly form: readonly (readonly [name: string, value: Field])[] }
  | { readonly text: string; readonly contentType: string };

export interface Request {
  /** GET by default. */
  readonly method?: string;
  readonly url: string;
  /** The address as in the file, if it contains references; shown instead of their values. */
  readonly written?: string;
  /** Never a secret: proxies and servers log addresses. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, Field>>;
  readonly body?: Body;
  /** Whether it may be sent again after a failure: always, or only if it certainly did not arrive. The latter uses its own connection. */
  readonly repeats: "freely" | "unsent";
  /** Continues after an interrupt, because the outcome would be unknown. */
  readonly mustFinish?: true;
  /** Awaited before every attempt; an error stops the call. */
  readonly beforeAttempt?: () => Promise<void>;
  /** Called at every attempt right before its first byte; an error stops the attempt. */
  readonly assertMaySend?: () => void;
  /** Lets one POST through the read-only client. */
  readonly signIn?: ReturnType<typeof signInPass>;
  /** The same for a read with POST, as when a form carries the token. */
  readonly reads?: ReturnType<typeof readPass>;
  readonly pace?: Pace;
  /** Other secrets that the answer might repeat, besides those of the request. */
  readonly secrets?: readonly Secret[];
}

/** Limits how often a host is called. */
export interface Pace {
  /** Called before every attempt; returns when it may start. */
  wait(): Promise<void>;
  /** Called once at the end of the attempt; undefined without an answer. */
  onResponse(answer: Answer | undefined): void;
}

export interface Answer {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The position of the first byte that is not UTF-8, from 0; absent if there is none. */
  readonly strayByteAt?: number;
}

/** Adds the token to a request. After a refusal, given the refused request, signs in again first. */
export type Token = (request: Request, refused?: Request) => Promise<Request>;

/** A POST counts as read-only only with one of these, which only this module creates. */
const passes = new WeakSet<object>();

/** Declares that a POST to this path, below any base address, signs in. */
export function signInPass(path: string) {
  if (isUpdate(path)) throw new TypeError(`"${path}" does not sign in`);
  const pass = Object.freeze({ path });
  passes.add(pass);
  return pass;
}

export function opensReading(request: Request): boolean {
  const { method = "GET", url, signIn, reads } = request;
  const { pathname } = new URL(url);
  if (isUpdate(pathname)) return false;
  if (method === "GET") return true;
  if (method !== "POST") return false;
  if (reads && isOpenedBy(reads, addressOf(request))) return true;
  return !!signIn && passes.has(signIn) && pathname.endsWith(signIn.path);
}

/** Whether the path ends with the operation, below any root, rather than only containing its name. */
export function isUpdate(path: string): boolean {
  const [update, settings, , portals] = segmentsOf(path).toReversed();
  return update === "update" && settings === "settings" && portals === "portals";
}

/** As the most lenient server reads a path: fully decoded, in lower case, without parameters. */
function segmentsOf(path: string): string[] {
  let plain = path;
  for (let before = ""; plain !== before;) {
    before = plain;
    try {
      plain = decodeURIComponent(plain);
    } catch {
      // No server can decode it either.
    }
  }
  const segments: string[] = [];
  for (const part of plain.replace(/[?#].*/s, "").split(/[/\\]/)) {
    const segment = part.replace(/;.*/s, "").trim().toLowerCase();
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

/** The address to send. */
export function addressOf({ url, query = {} }: Request): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

/** The address for messages, without the query of `url`, which may come from a variable. */
export function shownAddress({ url, written, query = {} }: Request): string {
  if (written !== undefined) return written;
  const { origin, pathname, search } = new URL(url);
  const parts = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  if (search) parts.unshift("…");
  return origin + pathname + (parts.length ? `?${parts.join("&")}` : "");
}

/** The body to send. */
export function encodeBody(body: Body): { readonly text: string; readonly contentType: string } {
  if ("text" in body) return body;
  if ("form" in body) {
    return { text: encodeForm(body.form), contentType: "application/x-www-form-urlencoded" };
  }
  const plain = Object.entries(body.json).map(
    ([name, value]) => [name, isSecret(value) ? value.reveal() : value] as const,
  );
  const text = JSON.stringify(Object.fromEntries(plain));
  return { text, contentType: "application/json; charset=utf-8" };
}

export function encodeForm(form: readonly (readonly [string, Field])[]): string {
  const plain = form.map(([name, value]): [string, string] => [name, revealed(value)]);
  return new URLSearchParams(plain).toString();
}

export function secretsOf({ headers = {}, body, secrets = [] }: Request): readonly Secret[] {
  const values: unknown[] = [...Object.values(headers), ...secrets];
  if (body && "json" in body) values.push(...Object.values(body.json));
  if (body && "form" in body) values.push(...body.form.map(([, value]) => value));
  return values.filter(isSecret);
}

/** For messages, as in the file. */
export function hostOf({ url, written }: Pick<Request, "url" | "written">): string {
  if (written === undefined) return new URL(url).host;
  return /^(?:https?:\/\/)?((?:\$\{[^}]*\}|[^/?#])*)/i.exec(written)?.[1] ?? written;
}

/** The answer's JSON; undefined if it is not JSON. */
export function parseAnswer({ text }: Answer): Json | undefined {
  return parseJson(text.replace(/^\uFEFF/, ""));
}

export function parseObject(answer: Answer): JsonObject | undefined {
  const json = parseAnswer(answer);
  return isJsonObject(json) ? json : undefined;
}

export function isWebPage({ headers, text }: Answer): boolean {
  return (
    /html/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype|html|head|body)/i.test(text)
  );
}

/** The reference shows only the update; real portals show the settings one level above it. */
const RESOURCES = [
  "",
  "/portals/self",
  "/portals/<portal_id>",
  "/portals/<portal_id>/settings",
] as const;

export type Resource = (typeof RESOURCES)[number];

/** Declares that a POST to this resource, exactly below this root, only reads. */
export function readPass(root: string, resource: Resource) {
  if (!RESOURCES.includes(resource)) throw new TypeError(`"${resource}" is not read`);
  const pass = Object.freeze({ root, resource });
  passes.add(pass);
  return pass;
}

/** Compared literally, because a server may treat a similar address as another one. */
function isOpenedBy(pass: ReturnType<typeof readPass>, address: URL): boolean {
  if (!passes.has(pass) || !URL.canParse(pass.root)) return false;
  const root = new URL(pass.root);
  if (address.origin !== root.origin || /[?#]/.test(root.href + address.href)) return false;
  const [before, after] = (root.pathname.replace(/\/+$/, "") + pass.resource).split("<portal_id>");
  if (after === undefined) return address.pathname === (before || "/");
  const path = address.pathname;
  const id = path.slice(before?.length, path.length - after.length);
  return path === `${before}${id}${after}` && isEncodedStep(id);
}

function isEncodedStep(text: string): boolean {
  try {
    return isOneStep(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** Contains nothing that a server could read as another part of the path, or that a path cannot contain. */
export function isOneStep(id: string): boolean {
  return /^(?!\.{1,2}$)[^/\\;?#%\p{Cc}\p{Cs}]+$/u.test(id);
}
