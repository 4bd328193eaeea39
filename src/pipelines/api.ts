// Calls the API of a platform with the platform's own token, and nothing but that API.
import { Failure } from "../failure.js";
import { isSecure, originOf } from "../hosts.js";
import type { Http } from "../http/http.js";
import { parseJson, type Json } from "../lib/json.js";
import { showForeign } from "../lib/text.js";
import type { Answer, Body } from "../request.js";
import { secret, type Field, type Secret } from "../secret.js";
import { hasShape, type Shape, type Shaped } from "./shape.js";

type Writing = "POST" | "PATCH" | "PUT";

export interface Api {
  /** Fails where the answer has another shape. */
  read<const S extends Shape>(path: string, shape: S): Promise<Shaped<S>>;
  /** Undefined where there is nothing. */
  find<const S extends Shape>(path: string, shape: S): Promise<Shaped<S> | undefined>;
  /** Undefined where there is nothing. */
  readText(path: string): Promise<string | undefined>;
  /** Shows the request in a dry run, and sends nothing. */
  write(method: Writing, path: string, content: Json, contentType?: string): Promise<void>;
  /** A query that the platform takes by POST, and that changes nothing. */
  query<const S extends Shape>(path: string, content: Json, shape: S): Promise<Shaped<S>>;
}

export interface Access {
  readonly http: Pick<Http, "call">;
  /** Shows what a dry run would send; undefined where this is none. */
  readonly dryRun?: ((line: string) => void) | undefined;
}

/** The address of the API, as the platform's own variables say, and how the token is sent there. */
export interface Endpoint {
  readonly base: string;
  readonly headers: Readonly<Record<string, Field>>;
  /** What to do where the token is refused. */
  readonly advice: string;
  /** Added to each path that has none of its own. */
  readonly version?: string;
}

export class Refused extends Failure {
  readonly status: number;
  constructor(message: string, status: number, help: string) {
    super("platform-refused", message, help);
    this.status = status;
  }
}

export function openApi({ http, dryRun }: Access, endpoint: Endpoint): Api {
  const { base, headers, advice, version } = endpoint;
  const secrets = Object.values(headers).filter((each): each is Secret => typeof each !== "string");

  function addressOf(path: string): string {
    if (version === undefined || path.includes("api-version=")) return base + path;
    return `${base}${path}${path.includes("?") ? "&" : "?"}${version}`;
  }

  async function call(method: string, path: string, body?: Body): Promise<Answer> {
    const answer = await http.call({
      method,
      url: addressOf(path),
      headers,
      repeats: method === "GET" ? "freely" : "unsent",
      ...(body && { body }),
    });
    if (answer.status >= 200 && answer.status < 300 && answer.status !== 203) return answer;
    const said = showForeign(answer.text, secrets, 300);
    const what = `${method} ${path.replace(/\?.*/, "")}`;
    const message = `The platform refuses "${what}" (${answer.status})${said ? `: ${said}` : "."}`;
    throw new Refused(message, answer.status, advice);
  }

  function jsonIn({ text }: Answer, path: string): unknown {
    const json = text === "" ? null : parseJson(text);
    // Such as a page to sign in, with which some platforms answer a token that has expired.
    if (json === undefined) throw new Refused(`"${path}" answers no JSON.`, 200, advice);
    return json;
  }

  function shaped<const S extends Shape>(answer: Answer, path: string, shape: S): Shaped<S> {
    const json = jsonIn(answer, path);
    if (hasShape(json, shape)) return json;
    const message = `The platform answers "${path.replace(/\?.*/, "")}" in an unexpected form.`;
    throw new Failure("answer-not-understood", message, "Run it again with --verbose.");
  }

  const read: Api["read"] = async (path, shape) => shaped(await call("GET", path), path, shape);

  async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  }

  const bodyOf = (content: Json, contentType = "application/json"): Body => {
    return { text: JSON.stringify(content), contentType };
  };

  return {
    read,
    find: (path, shape) => orUndefined(read(path, shape)),
    readText: async (path) => (await orUndefined(call("GET", path)))?.text,
    async write(method, path, content, contentType) {
      if (dryRun) dryRun(`${method} ${path}\n${JSON.stringify(content, undefined, 2)}`);
      else jsonIn(await call(method, path, bodyOf(content, contentType)), path);
    },
    query: async (path, content, shape) =>
      shaped(await call("POST", path, bodyOf(content)), path, shape),
  };
}

/** The platform sets this variable; a token goes to no other host than its own. */
export function apiAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && isSecure(url) && !url.username && !url.search) return text.replace(/\/+$/, "");
  throw new Failure("bad-variable", `"${text}" is no address of a platform's API.`, "Write https.");
}

export function isWithin(base: string): (address: URL) => void {
  const origin = originOf(new URL(base));
  return (address) => {
    if (originOf(address) === origin) return;
    throw new Failure("host-not-allowed", `The platform's token goes to "${origin}" only.`);
  };
}

export function bearer(token: string): Secret {
  return secret(token, "Bearer ");
}

/** With an empty name, as Azure DevOps takes its tokens. */
export function basic(token: string): Secret {
  return secret(Buffer.from(`:${token}`).toString("base64"), "Basic ");
}

const PAGE = 100;

/** Reads page after page, as GitHub and GitLab count them, until one is not full. */
export async function findInPages<const S extends Shape>(
  api: Api,
  path: string,
  shape: S,
  isMeant: (entry: Shaped<S>) => boolean,
): Promise<Shaped<S> | undefined> {
  const query = `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE}`;
  for (let page = 1; ; page++) {
    const entries: readonly Shaped<S>[] = await api.read(`${query}&page=${page}`, [shape]);
    const found = entries.find(isMeant);
    if (found !== undefined || entries.length < PAGE) return found;
  }
}
