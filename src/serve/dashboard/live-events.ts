// Sends changes to open pages as server-sent events. A page then fetches its new content.
import type { ServerResponse } from "node:http";
import type { Io } from "../../io.js";
import { headersFor } from "../../lib/local-server.js";
import type { Feed, Stamp } from "./feed.js";

export interface LiveEvents {
  /** False if too many pages listen already. */
  listen(response: ServerResponse, since: Stamp, key?: string): boolean;
  listening(): number;
  close(): void;
}

interface Listener {
  readonly response: ServerResponse;
  /** The portal that the page shows, if it shows only one. */
  readonly key?: string | undefined;
  stamp: Stamp;
  /** It has not read the last events. */
  isSlow: boolean;
  beats: number;
}

export const EVENTS_TYPE = "text/event-stream; charset=utf-8";

const MOST_LISTENERS = 256;
/** Changes within this time become one event. */
const COLLECT_MS = 500;
/** Proxies close idle connections. */
const BEAT_MS = 20_000;
const MOST_BEATS = 3;

export function openLiveEvents(io: Pick<Io, "sleep" | "machine">, feed: Feed): LiveEvents {
  const listeners = new Set<Listener>();
  const closing = new AbortController();
  let isDue = false;

  function send(listener: Listener): void {
    const { response, key, isSlow } = listener;
    if (isSlow || !feed.hasChanged(listener.stamp, key)) return;
    listener.stamp = feed.stamp;
    listener.isSlow = !response.write(`event: changed\nid: ${feed.stamp}\ndata:\n\n`);
  }

  const sendAll = () => {
    isDue = false;
    for (const listener of listeners) send(listener);
  };
  const end = feed.changed(() => {
    if (isDue || listeners.size === 0) return;
    isDue = true;
    io.sleep(COLLECT_MS, closing.signal).then(sendAll, () => undefined);
  });
  const stopBeats = io.machine.every(BEAT_MS, () => {
    for (const listener of listeners) {
      if (!listener.isSlow) listener.response.write(":\n\n");
      else if (++listener.beats >= MOST_BEATS) listener.response.destroy();
    }
    return Promise.resolve();
  });

  return {
    listen(response, since, key) {
      if (listeners.size >= MOST_LISTENERS) return false;
      const listener: Listener = { response, key, stamp: since, isSlow: false, beats: 0 };
      listeners.add(listener);
      response.writeHead(200, headersFor(EVENTS_TYPE));
      response.on("close", () => listeners.delete(listener));
      response.on("drain", () => {
        Object.assign(listener, { isSlow: false, beats: 0 });
        send(listener);
      });
      listener.isSlow = !response.write("retry: 2000\n\n");
      send(listener);
      return true;
    },
    listening: () => listeners.size,
    close() {
      end();
      stopBeats();
      closing.abort();
      for (const { response } of listeners) response.end();
    },
  };
}
