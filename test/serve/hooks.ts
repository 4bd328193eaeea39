// Who is told by a run that does not end: a server that notes what it was posted, and when, and answers as a test says.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve, type Received } from "../support/network.js";
import type { openNight } from "./night.js";

export interface Posted extends Received {
  readonly atMs: number;
  readonly status: number;
}

/** An event as JSON tells it. */
export interface Heard {
  readonly id: string;
  readonly time: string;
  readonly event: string;
  readonly portal: { readonly name: string };
  readonly message: string;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

type Night = Awaited<ReturnType<typeof openNight>>;

export async function openHook({ clock }: Pick<Night, "clock">) {
  const posted: Posted[] = [];
  let answer: (request: Received) => Answer = () => ({ status: 200 });
  const { url } = await serve((request, response) => {
    const { status, headers = {} } = answer(request);
    posted.push({ ...request, atMs: clock.nowMs, status });
    response.writeHead(status, headers).end();
  });
  const taken = () => posted.filter(({ status }) => status === 200);
  return {
    url,
    posted,
    /** Answers from now on. */
    answers: (how: number | typeof answer, headers: Answer["headers"] = {}) => {
      answer = typeof how === "number" ? () => ({ status: how, headers }) : how;
    },
    /** The events of what it has taken, with when that was. */
    heard: () =>
      taken().flatMap(({ body, atMs }) =>
        (JSON.parse(body) as { readonly events: readonly Heard[] }).events.map((each) => ({
          ...each,
          atMs,
        })),
      ),
  };
}

export function writeConfig({ folder }: Pick<Night, "folder">, text: string): void {
  writeFileSync(join(folder, "lintel.yaml"), text);
}
