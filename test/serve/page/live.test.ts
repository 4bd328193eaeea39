// What pages are told while they are open: only what has changed since they were told last, also after a connection that was lost.
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { PortalsNews } from "../../../src/serve/page/client/news.js";
import type { Board, Seen } from "../../../src/serve/page/board.js";
import { openEvents } from "../../../src/serve/page/events.js";
import { openFeed } from "../../../src/serve/page/feed.js";
import { makeRun } from "../../support/network.js";
import { ask, hear } from "./ask.js";
import { JOURNAL } from "../../state/samples.js";
import { fleet, openBoard, seen, stateOf, type Opened } from "./open.js";

async function stampOf({ url }: Opened): Promise<string> {
  const { body } = await ask(url, { headers: { host: new URL(url).host } });
  return /"stamp":"([^"]+)"/.exec(body)?.[1] ?? "";
}

const one = (events: readonly unknown[]) => events.length > 0;
const newsIn = (data: string) => JSON.parse(data) as PortalsNews;

test("a page is told of the portals that have changed since it was made, and of no other", async () => {
  const board = await openBoard();
  const since = await stampOf(board);
  board.change(9, { status: "drifted" });
  board.change(10, { status: "failed", name: '<img src=x onerror="alert(1)">' });
  const [heard] = await hear(board.url, `/events?since=${since}`, one);
  const { rows, gone, counts, verdict } = newsIn(heard?.data ?? "");
  expect(rows.map(([key]) => key)).toEqual([
    "gis.example.com-portal-9",
    "gis.example.com-portal-10",
  ]);
  expect(rows[1]?.[1]).toContain("&lt;img");
  expect(rows[1]?.[1]).not.toContain("<img");
  expect(gone).toEqual([]);
  expect(counts).toMatchObject({ drifted: 2, failed: 2, wanted: 15 });
  expect(verdict).toMatch(/^7 of 24 portals may need somebody/);
});

test("what a lost connection missed is told by the last id, each portal once, and what is gone", async () => {
  const board = await openBoard();
  const since = await stampOf(board);
  board.change(9, { status: "drifted" });
  const [first] = await hear(board.url, `/events?since=${since}`, one);
  for (const status of ["failed", "held", "stopped"] as const) board.change(11, { status });
  board.set(fleet().filter(({ id }) => id !== "portal-12"));
  const headers = { "last-event-id": first?.id ?? "" };
  const [second] = await hear(board.url, `/events?since=${since}`, one, headers);
  const { rows, gone } = newsIn(second?.data ?? "");
  // The others were made anew as well, by the test.
  expect(rows.filter(([key]) => key.endsWith("portal-11"))).toHaveLength(1);
  expect(gone).toEqual(["gis.example.com-portal-12"]);
});

test("a page of another process, or one that remembers nothing, is made anew", async () => {
  const board = await openBoard();
  for (const since of ["", "0000.7", "x"]) {
    const [heard] = await hear(board.url, `/events?since=${encodeURIComponent(since)}`, one);
    expect(heard?.event).toBe("anew");
  }
});

test("the page of one portal is told of that one alone", async () => {
  const board = await openBoard();
  const since = await stampOf(board);
  const key = "gis.example.com-portal-9";
  const heard = hear(board.url, `/events?since=${since}&portal=${key}`, one);
  board.change(10, { status: "failed" });
  board.change(9, { status: "failed" });
  expect((await heard).map(({ event }) => event)).toEqual(["changed"]);
});

test("the page and the interface of a portal tell a rollback that is not settled, and not as done", async () => {
  const journal = { ...JOURNAL, kind: "rollback" } as const;
  const remembered = (each: Seen) => ({ state: { ...stateOf(each), journal } });
  const { url } = await openBoard(fleet(1), {}, {}, remembered);
  const page = (path: string) => ask(url, { path, headers: { host: new URL(url).host } });
  const [seen] = fleet(1);
  const { body } = await page(`/portals/${seen?.key}`);
  const [, first] = /id="history"[^]*?<li>([^]*?)<\/li>/.exec(body) ?? [];
  expect(first).toMatch(/Rollback[^]*not settled/);
  for (const path of [`/api/portals/${seen?.key}`, "/api/history"]) {
    const { body: text } = await page(path);
    expect(text).toMatch(/"journal":\{"kind":"rollback"/);
    expect(text).not.toContain('"timeoutMs"');
  }
});

test("a browser that is slow is sent one piece, and when it has taken that, what is so by then", async () => {
  const portals = new Map(fleet(2_000).map((each) => [each.id, each]));
  const listeners = new Set<() => void>();
  const board: Board = {
    portals: () => [...portals.values()],
    changed: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const feed = openFeed(board, "process");
  const texts: { readonly keys: readonly string[] }[] = [];
  const textOf = (changes: { readonly portals: readonly Seen[] }) =>
    JSON.stringify({ keys: changes.portals.map(({ key }) => key) });
  const { io } = makeRun();
  const events = openEvents(io, feed, textOf);
  const response = Object.assign(new EventEmitter(), {
    isSlow: true,
    writeHead: () => response,
    end: () => response,
    write(text: string) {
      const [, data] = /^data: (.*)$/m.exec(text) ?? [];
      if (data !== undefined) texts.push(JSON.parse(data) as (typeof texts)[number]);
      return data === undefined;
    },
  });
  events.listen(response as unknown as ServerResponse, feed.stamp);
  const changeAll = async (times: number) => {
    for (let time = 0; time < times; time++) {
      for (const [id, each] of portals) portals.set(id, { ...each, lastApply: time });
      for (const listener of listeners) listener();
      await new Promise((turn) => setImmediate(turn));
    }
  };
  await changeAll(50);
  expect(texts).toHaveLength(1);
  expect(texts[0]?.keys).toHaveLength(200);
  // Each time that it has taken a piece it gets the next, until it knows all: 2,000 portals, each once.
  for (let pieces = 1; pieces <= 10; pieces++) response.emit("drain");
  expect(texts).toHaveLength(11);
  expect(new Set(texts.slice(1).flatMap(({ keys }) => keys)).size).toBe(2_000);
  response.emit("drain");
  expect(texts).toHaveLength(11);
  events.close();
});

test("one that takes nothing for a minute is let go, and there is an end to how many may listen", async () => {
  const feed = openFeed({ portals: () => [seen(1)], changed: () => () => {} }, "process");
  const { io } = makeRun();
  let beat: () => unknown = () => undefined;
  const machine = {
    ...io.machine,
    every: (_: number, action: () => unknown) => ((beat = action), () => {}),
  };
  const events = openEvents({ ...io, machine }, feed, () => "");
  let destroyed = 0;
  const listener = (takes: boolean) => {
    const response = Object.assign(new EventEmitter(), {
      writeHead: () => response,
      end: () => response,
      write: () => takes,
      destroy: () => {
        destroyed++;
        response.emit("close");
      },
    });
    return response as unknown as ServerResponse;
  };
  events.listen(listener(false), "process.0");
  events.listen(listener(true), "process.0");
  for (let beats = 0; beats < 3; beats++) beat();
  expect([destroyed, events.listening()]).toEqual([1, 1]);
  for (let count = 1; count < 256; count++) expect(events.listen(listener(true), "")).toBe(true);
  expect(events.listen(listener(true), "")).toBeUndefined();
  events.close();
});
