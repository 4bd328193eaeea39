// A request as a test writes it, down to Host and Origin, and what comes back.
import { request as send } from "node:http";

export interface Said {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Not with fetch, which writes Host and Origin itself. */
export function ask(url: string, said: Said = {}): Promise<Answered> {
  const { method = "GET", path = "/", headers = {}, body = "" } = said;
  const { port } = new URL(url);
  return new Promise((done, fail) => {
    const asked = send({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    asked.on("error", fail).end(body);
  });
}

/** What the events tell until that is enough, each with its name; they never end by themselves. */
export async function hear(
  url: string,
  path: string,
  isEnough: (events: readonly Heard[]) => boolean,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Heard[]> {
  const stop = new AbortController();
  const response = await fetch(url + path, { headers, signal: stop.signal });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true });
      const events = heardIn(text);
      if (isEnough(events)) return events;
    }
  } finally {
    stop.abort();
  }
  throw new Error("The events ended.");
}

export interface Heard {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

function heardIn(text: string): Heard[] {
  const whole = text.slice(0, text.lastIndexOf("\n\n"));
  return whole.split("\n\n").flatMap((block) => {
    const fields = Object.fromEntries(
      block.split("\n").map((line) => line.split(/: (.*)/s, 2)),
    ) as Record<string, string>;
    const { event, id = "", data = "" } = fields;
    return event === undefined ? [] : [{ event, id, data }];
  });
}
