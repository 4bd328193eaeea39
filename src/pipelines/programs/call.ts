// A request to a platform → its answer as JSON, or an error that tells what it answered.
import type { Json } from "../../lib/json.js";
import { headOf } from "./made.js";

export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content?: Json;
}

export class Refused extends Error {
  readonly status: number;
  constructor({ method, address }: Pick<Call, "method" | "address">, status: number, text: string) {
    // On one line and without unseen characters: the platform would obey what begins a line of its log.
    const said = text.slice(0, 1000).replaceAll(/[\s\p{C}]+/gu, " ");
    super(`${method} ${address}: ${status} ${said}`);
    this.status = status;
  }
}

const LIMIT_MS = 30_000;

/** Whoever calls knows the shape of the answer from the platform's reference. */
export async function call<Answer>(asked: Call): Promise<Answer> {
  const { method, address, headers, content } = asked;
  const response = await fetch(address, {
    method,
    headers: { "content-type": "application/json", ...headers },
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(asked, response.status, text);
  try {
    return JSON.parse(text) as Answer;
  } catch {
    // Such as a page to sign in, with which some platforms answer a token that has expired.
    throw new Refused(asked, response.status, `and no JSON: ${text}`);
  }
}

/** The beginning of a file that somebody else has made as long as they liked. */
export async function textFrom(
  address: string,
  headers: Call["headers"],
  most: number,
): Promise<string> {
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(LIMIT_MS) });
  if (!response.ok)
    throw new Refused({ method: "GET", address }, response.status, await response.text());
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.length > most) break;
  }
  return headOf(text, most);
}
