// Noun: a request whose secrets stay marked until it is sent, and its answer.
import { isJsonObject, type Json, type JsonObject } from "./json.js";
import { isSecret, revealed, type Field, type Secret } from "./secret.js";

export type Body =
  | { readonly json: Readonly<Record<string, Json | Secret>> }
  | { readonly form: readonly (readonly [name: string, value: Field])[] }
  | { readonly text: string; readonly contentType: string };

export interface Request {
  /** GET when left out. */
  readonly method?: string;
  readonly url: string;
  /** The address as the file writes it, where it holds references; shown in place of what they stand for. */
  readonly written?: string;
  readonly query?: Readonly<Record<string, Field>>;
  readonly headers?: Readonly<Record<string, Field>>;
  readonly body?: Body;
  /** When it is sent again after a failure: freely, or only when it surely did not arrive. */
  readonly repeats: "freely" | "unsent";
  /** Goes on after an interrupt: what is under way would otherwise have an outcome that nobody knows. */
  readonly mustFinish?: true;
  /** Opens the reading door for one POST. */
  readonly signIn?: SignInPass;
  readonly pace?: Pace;
  /** More that the answer might repeat, beside what the request itself carries. */
  readonly secrets?: readonly Secret[];
}

/** Slows down whoever asks a host too often. */
export interface Pace {
  /** Asked before every attempt; returns when it may start. */
  wait(): Promise<void>;
  /** Told once how the attempt ended; undefined where no answer came. */
  heard(answer: Answer | undefined): void;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Puts the token into a request; given the request that was refused, signs in again first. */
export type Token = (request: Request, refused?: Request) => Promise<Request>;

/** Says that a POST to this path, below whatever base address, signs in. */
export interface SignInPass {
  readonly path: string;
}

const passes = new WeakSet<SignInPass>();

export function signInPass(path: string): SignInPass {
  if (isUpdate(path)) throw new TypeError(`"${path}" does not sign in`);
  const pass = Object.freeze({ path });
  passes.add(pass);
  return pass;
}

export function opensReading({ method = "GET", url, signIn }: Request): boolean {
  const { pathname } = new URL(url);
  if (isUpdate(pathname)) return false;
  if (method === "GET") return true;
  return method === "POST" && !!signIn && passes.has(signIn) && pathname.endsWith(signIn.path);
}

/** Servers read a path that is encoded, or ends in a slash or a parameter, as the plain one. */
function isUpdate(path: string): boolean {
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // No server decodes it either.
  }
  return /\/update(?:$|[/;?#])/i.test(plain);
}

/** The address as it goes over the wire. */
export function addressOf({ url, query = {} }: Request): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    address.searchParams.set(name, revealed(value));
  }
  return address;
}

/** The address for people. A query inside `url` may come from a variable, so that it is left out as a whole. */
export function shownAddress({ url, written, query = {} }: Request): string {
  if (written !== undefined) return written;
  const { origin, pathname, search } = new URL(url);
  const fields = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  const parts = [...(search ? ["…"] : []), ...fields];
  return origin + pathname + (parts.length ? `?${parts.join("&")}` : "");
}

export function contentTypeOf(body: Body): string {
  if ("json" in body) return "application/json; charset=utf-8";
  return "form" in body ? "application/x-www-form-urlencoded" : body.contentType;
}

export function encodeBody(body: Body): string {
  if ("json" in body) {
    const plain = Object.entries(body.json).map(([name, value]): [string, Json] => [
      name,
      isSecret(value) ? value.reveal() : value,
    ]);
    return JSON.stringify(Object.fromEntries(plain));
  }
  return "form" in body ? encodeForm(body.form) : body.text;
}

export function encodeForm(form: readonly (readonly [string, Field])[]): string {
  return new URLSearchParams(
    form.map(([name, value]): [string, string] => [name, revealed(value)]),
  ).toString();
}

export function secretsOf({
  query = {},
  headers = {},
  body,
  secrets = [],
}: Request): readonly Secret[] {
  const values: unknown[] = [...Object.values(query), ...Object.values(headers), ...secrets];
  if (body && "json" in body) values.push(...Object.values(body.json));
  if (body && "form" in body) values.push(...body.form.map(([, value]) => value));
  return values.filter(isSecret);
}

/** For people, as the file writes it. */
export function hostOf({ url, written }: Pick<Request, "url" | "written">): string {
  if (written === undefined) return new URL(url).host;
  return /^(?:https?:\/\/)?((?:\$\{[^}]*\}|[^/?#])*)/i.exec(written)?.[1] ?? written;
}

/** The answer's JSON; undefined where it is none. */
export function parseAnswer({ text }: Answer): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch {
    return undefined;
  }
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
