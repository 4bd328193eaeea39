// A feed → server-sent events for every page that listens: each is told what has changed since it was told last, and nothing is kept for one that is slow.
import type { ServerResponse } from "node:http";
import type { Io } from "../../io.js";
import type { Changes, Feed, Stamp } from "./feed.js";
import { headersFor } from "../../lib/local-server.js";

export interface Events {
  /** Undefined where too many listen already. */
  listen(response: ServerResponse, since: Stamp, key?: string): true | undefined;
  listening(): number;
  close(): void;
}

interface Listener {
  readonly response: ServerResponse;
  /** The one portal that it is about; all, where there is none. */
  readonly key?: string | undefined;
  stamp: Stamp;
  /** It has not taken what it was sent; and for how many beats. */
  isSlow: boolean;
  beats: number;
}

export const EVENTS_TYPE = "text/event-stream; charset=utf-8";

/** So much is written at a time, and the rest when that has been taken. */
const MOST_ROWS = 200;
const MOST_LISTENERS = 256;
/** Whatever changes meanwhile is told together. */
const TOGETHER_MS = 200;
/** Proxies end connections in which nothing happens. */
const BEAT_MS = 20_000;
const MOST_BEATS = 3;

export function openEvents(
  io: Pick<Io, "sleep" | "machine">,
  feed: Feed,
  /** As JSON. */
  textOf: (changes: Changes) => string,
): Events {
  const listeners = new Set<Listener>();
  const closing = new AbortController();
  const nextFor = openNext(feed, textOf);
  let isDue = false;

  function tell(listener: Listener): void {
    while (!listener.isSlow) {
      const next = nextFor(listener);
      if (!next) return;
      listener.stamp = next.stamp;
      if (next.text !== "") listener.isSlow = !listener.response.write(next.text);
    }
  }

  const tellAll = () => {
    isDue = false;
    for (const listener of listeners) tell(listener);
  };
  const end = feed.changed(() => {
    if (isDue || listeners.size === 0) return;
    isDue = true;
    io.sleep(TOGETHER_MS, closing.signal).then(tellAll, () => undefined);
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
      if (listeners.size >= MOST_LISTENERS) return undefined;
      const listener: Listener = { response, key, stamp: since, isSlow: false, beats: 0 };
      listeners.add(listener);
      response.writeHead(200, headersFor(EVENTS_TYPE));
      response.on("close", () => listeners.delete(listener));
      response.on("drain", () => {
        Object.assign(listener, { isSlow: false, beats: 0 });
        tell(listener);
      });
      // Whoever has lost the connection asks again soon.
      listener.isSlow = !response.write("retry: 2000\n\n");
      tell(listener);
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

interface Next {
  readonly stamp: Stamp;
  /** Empty where it is none of the listener's concern. */
  readonly text: string;
}

/** Undefined for one that has been told all there is. */
function openNext(feed: Feed, textOf: (changes: Changes) => string) {
  // Most listeners are told the same.
  let last = { from: "", until: "", next: { stamp: "", text: "" } };
  return ({ key, stamp: from }: Listener): Next | undefined => {
    const { stamp } = feed;
    if (from === stamp) return undefined;
    if (key !== undefined) {
      return { stamp, text: feed.hasChanged(key, from) ? eventOf("changed", stamp, "") : "" };
    }
    if (last.from === from && last.until === stamp) return last.next;
    const changes = feed.since(from, MOST_ROWS);
    if (changes === undefined) return undefined;
    if (changes === "anew") return { stamp, text: eventOf("anew", stamp, "") };
    const text = eventOf("rows", changes.stamp, textOf(changes));
    last = { from, until: stamp, next: { stamp: changes.stamp, text } };
    return last.next;
  };
}

/** JSON has no line ends of its own, which would end the event. */
function eventOf(name: string, id: Stamp, data: string): string {
  return `event: ${name}\nid: ${id}\ndata: ${data}\n\n`;
}
