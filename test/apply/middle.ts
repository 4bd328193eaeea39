// Something in front of a sandbox, such as a cache, a gateway or a portal with habits of its own → its address.
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { serve } from "../support/network.js";

export interface Middle {
  /** Whether a read goes on without the token; told how often its path was asked for, this time included. */
  readonly isBare?: (path: string, times: number) => boolean;
  /** What becomes of the values that an update sends. */
  readonly rewrite?: (value: string) => string;
}

export async function stand(sandbox: Sandbox, { isBare, rewrite }: Middle): Promise<string> {
  const times = new Map<string, number>();
  const { url } = await serve(({ method, path, headers, body }, response) => {
    times.set(path, (times.get(path) ?? 0) + 1);
    const isSeen = method !== "GET" || !isBare?.(path, times.get(path) ?? 0);
    const isUpdate = method === "POST" && path.endsWith("/update");
    const { authorization = "", "content-type": type = "" } = headers;
    const forwarded = fetch(sandbox.url + path, {
      method,
      headers: { ...(isSeen && { authorization }), ...(type && { "content-type": type }) },
      ...(body && { body: rewrite && isUpdate ? rewritten(body, rewrite) : body }),
    });
    void forwarded.then(async (answer) => {
      const more = { "content-type": answer.headers.get("content-type") ?? "" };
      response.writeHead(answer.status, more).end(await answer.text());
    });
  });
  return url;
}

function rewritten(body: string, rewrite: (value: string) => string): string {
  const fields = [...new URLSearchParams(body)].map(([name, value]) => [name, rewrite(value)]);
  return new URLSearchParams(Object.fromEntries(fields) as Record<string, string>).toString();
}
