// The contract of every event store.
import { expect, test } from "vitest";
import type { EventStore } from "../../../src/serve/events/event-store.js";
import type { PortalRecord } from "../../../src/serve/snapshot.js";
import type { Event } from "../../../src/serve/events/event.js";

/** A place in which stores are opened, one after the other. */
export interface Place {
  readonly name: string;
  /** Whether a store finds what the one before it recorded. */
  readonly isLasting: boolean;
  /** Called for each test; opens stores that share one place. */
  readonly open: () => Promise<() => Promise<EventStore>>;
}

export function knownOf(key: string, text = ""): PortalRecord {
  return {
    reported: { drift: text, pending: "", failure: "", notices: [], sinceMs: 1, count: 0 },
    checkedMs: 2,
    failures: 0,
    nextPollMs: 3,
    snapshot: {
      key,
      name: key,
      url: `https://${key}.example.com/rest`,
      id: "self",
      file: `${key}.yaml`,
      status: "in-sync",
      windows: [],
      waiting: [],
      drift: [],
    },
  };
}

export function eventOf(id: string, key = "north"): Event {
  const portal = { name: key, url: `https://${key}.example.com/rest`, id: "self" };
  const about = { portal, file: `${key}.yaml` };
  const more = { drift: [{ path: "informationalBanner.text", live: '\u2028 "ä" \n 1' }] };
  return { id, timeMs: 5, key, kind: "drift", message: "Grüße", isProblem: true, about, more };
}

const ids = (events: readonly Event[]) => events.map(({ id }) => id);

export function testEventStore({ name, isLasting, open }: Place): void {
  const begin = async () => {
    const reopen = await open();
    let store = await reopen();
    return {
      get store() {
        return store;
      },
      /** As a new start finds it. */
      again: async () => {
        await store.close();
        store = await reopen();
        return store;
      },
    };
  };

  test(`${name}: is empty at first`, async () => {
    const { store } = await begin();
    expect([...(await store.records())]).toEqual([]);
    await store.register(["page"]);
    expect(await store.pending("page", 10)).toEqual([]);
    await store.close();
  });

  test(`${name}: keeps the last snapshot of a portal until it is forgotten`, async () => {
    const { store } = await begin();
    await store.record("north", knownOf("north", "one"), []);
    await store.record("south", knownOf("south"), []);
    await store.record("north", knownOf("north", "two"), []);
    await store.forget("south");
    await store.forget("unknown");
    expect(await store.records()).toEqual(new Map([["north", knownOf("north", "two")]]));
    await store.close();
  });

  test(`${name}: gives a webhook the whole events recorded after it was registered, in order`, async () => {
    const { store } = await begin();
    await store.record("north", knownOf("north", "0"), [eventOf("before")]);
    await store.register(["page"]);
    await store.record("north", knownOf("north", "1"), [eventOf("a"), eventOf("b")]);
    await store.record("south", knownOf("south", "2"), [eventOf("c", "south")]);
    expect(await store.pending("page", 10)).toEqual([
      eventOf("a"),
      eventOf("b"),
      eventOf("c", "south"),
    ]);
    expect(ids(await store.pending("page", 2))).toEqual(["a", "b"]);
    await store.close();
  });

  test(`${name}: moves the cursor of one webhook only`, async () => {
    const { store } = await begin();
    await store.register(["one", "other"]);
    await store.record(
      "north",
      knownOf("north", "1"),
      ["a", "b", "c"].map((id) => eventOf(id)),
    );
    await store.acknowledge("one", ids(await store.pending("one", 2)));
    expect(ids(await store.pending("one", 10))).toEqual(["c"]);
    expect(ids(await store.pending("other", 10))).toEqual(["a", "b", "c"]);
    await store.record("north", knownOf("north", "2"), [eventOf("d")]);
    expect(ids(await store.pending("one", 10))).toEqual(["c", "d"]);
    await store.close();
  });

  test(`${name}: records portals at the same time`, async () => {
    const { store } = await begin();
    await store.register(["page"]);
    const keys = Array.from({ length: 50 }, (_, at) => `portal-${at}`);
    await Promise.all(keys.map((key) => store.record(key, knownOf(key), [eventOf(key, key)])));
    expect([...(await store.records()).keys()].toSorted()).toEqual(keys.toSorted());
    expect(ids(await store.pending("page", 100)).toSorted()).toEqual(keys.toSorted());
    await store.close();
  });

  test(`${name}: keeps the pending events of a forgotten portal`, async () => {
    const { store } = await begin();
    await store.register(["page"]);
    await store.record("north", knownOf("north", "1"), [eventOf("a")]);
    await store.forget("north");
    expect(ids(await store.pending("page", 10))).toEqual(["a"]);
    await store.close();
  });

  if (!isLasting) return;

  test(`${name}: keeps snapshots, events and cursors over a restart`, async () => {
    const begun = await begin();
    await begun.store.register(["page"]);
    await begun.store.record("north", knownOf("north", "1"), [eventOf("a"), eventOf("b")]);
    await begun.store.record("south", knownOf("south", "2"), []);
    await begun.store.acknowledge("page", ["a"]);
    const store = await begun.again();
    await store.register(["page", "new"]);
    expect(await store.records()).toEqual(
      new Map([
        ["north", knownOf("north", "1")],
        ["south", knownOf("south", "2")],
      ]),
    );
    expect(await store.pending("page", 10)).toEqual([eventOf("b")]);
    expect(await store.pending("new", 10)).toEqual([]);
    await store.close();
  });

  test(`${name}: forgets a webhook that is not registered again`, async () => {
    const begun = await begin();
    await begun.store.register(["page"]);
    await begun.store.record("north", knownOf("north", "1"), [eventOf("a")]);
    let store = await begun.again();
    await store.register([]);
    store = await begun.again();
    await store.register(["page"]);
    expect(await store.pending("page", 10)).toEqual([]);
    await store.record("north", knownOf("north", "2"), [eventOf("b")]);
    expect(ids(await store.pending("page", 10))).toEqual(["b"]);
    await store.close();
  });
}
