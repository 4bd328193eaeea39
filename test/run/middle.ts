// Puts a cache, a gateway or a portal with habits of its own in front of a sandbox.
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { serve } from "../support/network.js";

export interface Middle {
  /** Whether a read goes on without the token; told how often its path was asked for, this time included. */
  readonly isBare?: (path: string, times: number) => boolean;
  /** Whether everything that a request says is answered back in an error, as careless portals do. */
  readonly isEchoed?: (path: string) => boolean;
  /** Whether it asks to come back in a minute, or after so many seconds. */
  readonly isBusy?: (path: string, times: number) => boolean;
  readonly busySeconds?: number;
  /** Held back until then, whether or not somebody still waits for the answer. */
  readonly delay?: (path: string) => Promise<void>;
  /** What becomes of the values that an update sends. */
  readonly rewrite?: (value: string) => string;
  /** What becomes of an answer. */
  readonly retell?: (answer: string) => string;
}

export async function stand(
  sandbox: Sandbox,
  {
    isBare,
    isEchoed,
    isBusy,
    busySeconds = 60,
    delay,
    rewrite,
    retell = (answer) => answer,
  }: Middle,
): Promise<string> {
  const times = new Map<string, number>();
  const { url } = await serve(({ method, path, headers, body }, response) => {
    if (isEchoed?.(path)) {
      const error = { code: 500, message: path + body, details: Object.values(headers) };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ error }));
      return;
    }
    times.set(path, (times.get(path) ?? 0) + 1);
    if (isBusy?.(path, times.get(path) ?? 0)) {
      response.writeHead(429, { "retry-after": String(busySeconds) }).end();
      return;
    }
    const isSeen = method !== "GET" || !isBare?.(path, times.get(path) ?? 0);
    const isUpdate = method === "POST" && path.endsWith("/update");
    const own = ["authorization", "x-esri-authorization", "content-type", "cookie", "referer"];
    const kept = own.filter((name) => isSeen || !name.endsWith("authorization"));
    const forward = () =>
      fetch(sandbox.url + path, {
        method,
        headers: Object.fromEntries(
          kept.flatMap((name) =>
            headers[name] === undefined ? [] : [[name, String(headers[name])]],
          ),
        ) as Record<string, string>,
        ...(body && { body: rewrite && isUpdate ? rewritten(body, rewrite) : body }),
      });
    const forwarded = delay ? delay(path).then(forward) : forward();
    const answered = forwarded.then(async (answer) => {
      const more = { "content-type": answer.headers.get("content-type") ?? "" };
      response.writeHead(answer.status, more).end(retell(await answer.text()));
    });
    answered.catch(() => response.destroy());
  });
  return url;
}

function rewritten(body: string, rewrite: (value: string) => string): string {
  const fields = [...new URLSearchParams(body)].map(([name, value]) => [name, rewrite(value)]);
  return new URLSearchParams(Object.fromEntries(fields) as Record<string, string>).toString();
}
