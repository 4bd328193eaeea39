// Live events: what an open page hears of changes, also after a lost connection, and how slow and many listeners end.
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { SnapshotSource } from "../../../src/serve/dashboard/source.js";
import { openLiveEvents } from "../../../src/serve/dashboard/live-events.js";
import type { Snapshot } from "../../../src/serve/snapshot.js";
import { openFeed } from "../../../src/serve/dashboard/feed.js";
import { makeRun } from "../../support/network.js";
import { ask, hear } from "./ask.js";
import { JOURNAL } from "../../state/samples.js";
import { fleet, openBoard, seen, stateOf, type Opened } from "./open.js";

async function stampOf({ url }: Opened): Promise<string> {
  const { body } = await ask(url, { headers: { host: new URL(url).host } });
  return /"stamp":"([^"]+)"/.exec(body)?.[1] ?? "";
}

const one = (events: readonly unknown[]) => events.length > 0;
const changed = { event: "changed", data: "" };

test("sends a change to an open list; the event's id is the new stamp", async () => {
  const board = await openBoard();
  const since = await stampOf(board);
  board.change(9, { status: "drifted" });
  const [event] = await hear(board.url, `/events?since=${since}`, one);
  expect(event).toMatchObject(changed);
  expect(event?.id).toBe(await stampOf(board));
});

test("sends at once what a lost connection missed, including a removed portal", async () => {
  const board = await openBoard();
  const since = await stampOf(board);
  board.change(9, { status: "drifted" });
  const [first] = await hear(board.url, `/events?since=${since}`, one);
  board.set(board.portals().filter(({ id }) => id !== "portal-12"));
  const headers = { "last-event-id": first?.id ?? "" };
  const [second] = await hear(board.url, `/events?since=${since}`, one, headers);
  expect(second).toMatchObject(changed);
  expect(second?.id).not.toBe(first?.id);
});

test("makes a page of another process reload", async () => {
  const board = await openBoard();
  for (const since of ["", "0000.7", "x"]) {
    const [event] = await hear(board.url, `/events?since=${encodeURIComponent(since)}`, one);
    expect(event).toMatchObject(changed);
  }
});

test("sends the page of one portal only its own changes", async () => {
  const board = await openBoard();
  const since = await stampOf(board);
  const key = "gis.example.com-portal-9";
  const heard = hear(board.url, `/events?since=${since}&portal=${key}`, one);
  board.change(10, { status: "invalid" });
  board.change(9, { status: "invalid" });
  expect((await heard).map(({ event }) => event)).toEqual(["changed"]);
});

test("shows a rollback whose outcome is unknown, on the page and to programs", async () => {
  const journal = { ...JOURNAL, kind: "rollback" } as const;
  const remembered = (each: Snapshot) => ({ state: { ...stateOf(each), journal } });
  const { url } = await openBoard(fleet(1), {}, {}, remembered);
  const page = (path: string) => ask(url, { path, headers: { host: new URL(url).host } });
  const [seen] = fleet(1);
  const { body } = await page(`/portals/${seen?.key}`);
  const [, first] = /id="history"[^]*?<li>([^]*?)<\/li>/.exec(body) ?? [];
  expect(first).toMatch(/Rollback[^]*not settled/);
  const { body: text } = await page(`/api/portals/${seen?.key}`);
  expect(text).toMatch(/"journal":\{"kind":"rollback"/);
  expect(text).not.toContain('"timeoutMs"');
});

test("sends a slow browser one event, and the next one when it has read that", async () => {
  const portals = new Map(fleet(20).map((each) => [each.id, each]));
  const listeners = new Set<() => void>();
  const board: SnapshotSource = {
    portals: () => [...portals.values()],
    changed: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const feed = openFeed(board, "process");
  const sent: string[] = [];
  const { io } = makeRun();
  const events = openLiveEvents(io, feed);
  const response = Object.assign(new EventEmitter(), {
    writeHead: () => response,
    end: () => response,
    write(text: string) {
      const [, id] = /^id: (.*)$/m.exec(text) ?? [];
      if (id !== undefined) sent.push(id);
      return id === undefined;
    },
  });
  events.listen(response as unknown as ServerResponse, feed.stamp);
  for (let time = 0; time < 50; time++) {
    for (const [id, each] of portals) portals.set(id, { ...each, lastApply: time });
    for (const listener of listeners) listener();
    await new Promise((turn) => setImmediate(turn));
  }
  expect(sent).toHaveLength(1);
  response.emit("drain");
  expect(sent).toEqual([sent[0], feed.stamp]);
  response.emit("drain");
  expect(sent).toHaveLength(2);
  events.close();
});

test("ends a listener that reads nothing for a minute, and takes 256 at most", async () => {
  const feed = openFeed({ portals: () => [seen(1)], changed: () => () => {} }, "process");
  const { io } = makeRun();
  let beat: () => unknown = () => undefined;
  const machine = {
    ...io.machine,
    every: (_: number, action: () => unknown) => ((beat = action), () => {}),
  };
  const events = openLiveEvents({ ...io, machine }, feed);
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
  expect(events.listen(listener(true), "")).toBe(false);
  events.close();
});
