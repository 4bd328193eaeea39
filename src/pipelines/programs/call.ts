// A request to a platform → its answer as JSON, or an error that tells what it answered.
import type { Json } from "../../json.js";

export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content?: Json;
}

/** Whoever calls knows the shape of the answer from the platform's reference. */
export async function call<Answer>({ method, address, headers, content }: Call): Promise<Answer> {
  const response = await fetch(address, {
    method,
    headers: { "content-type": "application/json", ...headers },
    signal: AbortSignal.timeout(30_000),
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${address}: ${response.status} ${text.slice(0, 1000)}`);
  }
  return JSON.parse(text) as Answer;
}
