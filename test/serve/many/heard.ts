// A sandbox → what it has heard and said, counted because its log forgets; and portals of it that hang.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Received } from "../../../src/sandbox/faults.js";
import type { Sandbox } from "../../../src/sandbox/sandbox.js";

export interface Heard {
  /** How often a portal was told to show a text. */
  updates(id: string, text: string): number;
  /** All updates. */
  readonly all: () => number;
  readonly signIns: () => number;
  /** Answers that refuse a call because there were too many. */
  readonly refused: () => number;
  close(): void;
}

interface Answered {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const FINISHED = "http.server.response.finish";

export function listenTo(sandbox: Sandbox): Heard {
  const updates: string[] = [];
  let [signIns, refused] = [0, 0];
  // Looks at every request and is meant for none.
  const match = (received: Received) => {
    if (received.path.includes("/loginadmin")) signIns++;
    const sent = updateIn(received);
    if (sent) updates.push(`${sent.id} ${sent.text}`);
    return false;
  };
  sandbox.faults.unshift({ kind: "hang", match, isLasting: true });
  const port = Number(new URL(sandbox.url).port);
  const answered = (message: unknown) => {
    const { request, response } = message as Answered;
    if (request.socket.localPort === port && response.statusCode === 429) refused++;
  };
  subscribe(FINISHED, answered);
  return {
    updates: (id, text) => updates.filter((each) => each === `${id} ${text}`).length,
    all: () => updates.length,
    signIns: () => signIns,
    refused: () => refused,
    close: () => unsubscribe(FINISHED, answered),
  };
}

export function textAt(sandbox: Sandbox, id: string): string | undefined {
  return (sandbox.settings(id)["informationalBanner"] as { text?: string } | undefined)?.text;
}

/** Which portal is to show what, by a request that says so. */
function updateIn({ path, body }: Received) {
  const [, id] = /\/portals\/([^/]+)\/settings\/update/.exec(path) ?? [];
  const banner = new URLSearchParams(body).get("informationalBanner");
  if (id === undefined || banner === null) return undefined;
  return { id, text: (JSON.parse(banner) as { readonly text: string }).text };
}

/**
 * Until it is ended, some answer nothing. One half are silent from now on; the other half from when they are told to
 * change, which every other one of them does nevertheless.
 */
export function hang({ faults }: Sandbox, ids: readonly string[]): () => void {
  const silent = new Set(ids.filter((_, at) => at % 2 === 0));
  const taking = new Set(ids.filter((_, at) => at % 4 === 1));
  const others = new Set(ids.filter((id) => !silent.has(id)));
  const fault = (isHandled: boolean, match: (received: Received) => boolean) =>
    ({ kind: "hang", isLasting: true, isHandled, match }) as const;
  const own = [
    fault(false, ({ path }) => silent.has(/\/portals\/([^/?]+)/.exec(path)?.[1] ?? "")),
    ...[true, false].map((isHandled) =>
      fault(isHandled, (received) => {
        const { id = "" } = updateIn(received) ?? {};
        if (!others.has(id) || taking.has(id) !== isHandled) return false;
        silent.add(id);
        return true;
      }),
    ),
  ];
  faults.push(...own);
  return () => {
    for (const each of own) faults.splice(faults.indexOf(each), 1);
  };
}
