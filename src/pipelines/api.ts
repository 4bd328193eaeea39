// Calls the API of a platform with the platform's own token, and nothing but that API.
import { Failure } from "../failure.js";
import { isSecure, originOf } from "../hosts.js";
import type { Http } from "../http/http.js";
import { parseJson, type Json } from "../lib/json.js";
import { showForeign } from "../lib/text.js";
import type { Answer, Body } from "../request.js";
import { secret, type Field, type Secret } from "../secret.js";

export interface Api {
  /** The shape of the answer is known from the platform's reference. */
  read<T>(path: string): Promise<T>;
  /** Undefined where there is nothing. */
  readText(path: string): Promise<string | undefined>;
  /** Undefined in a dry run, which sends nothing. */
  write<T>(method: "POST" | "PATCH" | "PUT", path: string, content: Json): Promise<T | undefined>;
  /** A query that the platform takes by POST, and that changes nothing. */
  query<T>(path: string, content: Json): Promise<T>;
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
  readonly contentType?: (path: string) => string;
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
  const { base, headers, advice, contentType, version } = endpoint;
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

  function parsed({ text }: Answer, path: string): unknown {
    const json = text === "" ? null : parseJson(text);
    // Such as a page to sign in, with which some platforms answer a token that has expired.
    if (json === undefined) throw new Refused(`"${path}" answers no JSON.`, 200, advice);
    return json;
  }

  const bodyOf = (path: string, content: Json): Body => ({
    text: JSON.stringify(content),
    contentType: contentType?.(path) ?? "application/json",
  });

  return {
    read: async <T>(path: string) => parsed(await call("GET", path), path) as T,
    async readText(path) {
      try {
        return (await call("GET", path)).text;
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return undefined;
        throw error;
      }
    },
    async write<T>(method: string, path: string, content: Json) {
      if (!dryRun) return parsed(await call(method, path, bodyOf(path, content)), path) as T;
      dryRun(`${method} ${path}\n${JSON.stringify(content, undefined, 2)}`);
      return undefined;
    },
    query: async <T>(path: string, content: Json) =>
      parsed(await call("POST", path, bodyOf(path, content)), path) as T,
  };
}

/** What others answered or left is text: where it has another form than the reference says, that is no bug of Lintel. */
export async function understood<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (![TypeError, SyntaxError, RangeError].some((kind) => error instanceof kind)) throw error;
    const message = `The platform answered in an unexpected form (${(error as Error).message}).`;
    throw new Failure("answer-not-understood", message, "Run it again with --verbose.");
  }
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

/** Reads page after page, until one is not full. */
export async function findInPages<T>(
  pageAt: (page: number) => Promise<readonly T[]>,
  size: number,
  isMeant: (entry: T) => boolean,
): Promise<T | undefined> {
  for (let page = 1; ; page++) {
    const entries = await pageAt(page);
    const found = entries.find(isMeant);
    if (found || entries.length < size) return found;
  }
}
