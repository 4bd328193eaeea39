// What every ledger promises, asked of each of them.
import { expect, test } from "vitest";
import type { Ledger } from "../../../src/serve/ledger/ledger.js";
import type { Known } from "../../../src/serve/known.js";
import type { Event } from "../../../src/serve/news/event.js";

/** A place of which ledgers are opened, one after the other. */
export interface Place {
  readonly name: string;
  /** Whether what was recorded is still there for whoever opens it anew. */
  readonly isLasting: boolean;
  /** Called anew for each test: opens ledgers that share one place. */
  readonly open: () => Promise<() => Promise<Ledger>>;
}

export function knownOf(key: string, text = ""): Known {
  return {
    standing: { drift: text, waits: "", trouble: "", notices: [], sinceMs: 1, told: 0 },
    lookedMs: 2,
    failures: 0,
    turnMs: 3,
    seen: {
      key,
      name: key,
      url: `https://${key}.example.com/rest`,
      id: "self",
      file: `${key}.yaml`,
      status: "wanted",
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

export function testLedger({ name, isLasting, open }: Place): void {
  const begin = async () => {
    const reopen = await open();
    let ledger = await reopen();
    return {
      get ledger() {
        return ledger;
      },
      /** As a new start finds it. */
      again: async () => {
        await ledger.close();
        ledger = await reopen();
        return ledger;
      },
    };
  };

  test(`${name}: nothing is known at first`, async () => {
    const { ledger } = await begin();
    expect([...(await ledger.portals())]).toEqual([]);
    await ledger.receivers(["page"]);
    expect(await ledger.unsent("page", 10)).toEqual([]);
    await ledger.close();
  });

  test(`${name}: what was recorded last is what is known, and what was forgotten is not`, async () => {
    const { ledger } = await begin();
    await ledger.record("north", knownOf("north", "one"), []);
    await ledger.record("south", knownOf("south"), []);
    await ledger.record("north", knownOf("north", "two"), []);
    await ledger.forget("south");
    await ledger.forget("nobody");
    expect(await ledger.portals()).toEqual(new Map([["north", knownOf("north", "two")]]));
    await ledger.close();
  });

  test(`${name}: a receiver gets what is recorded once it is named, in that order, each with all that it tells`, async () => {
    const { ledger } = await begin();
    await ledger.record("north", knownOf("north", "0"), [eventOf("before")]);
    await ledger.receivers(["page"]);
    await ledger.record("north", knownOf("north", "1"), [eventOf("a"), eventOf("b")]);
    await ledger.record("south", knownOf("south", "2"), [eventOf("c", "south")]);
    expect(await ledger.unsent("page", 10)).toEqual([
      eventOf("a"),
      eventOf("b"),
      eventOf("c", "south"),
    ]);
    expect(ids(await ledger.unsent("page", 2))).toEqual(["a", "b"]);
    await ledger.close();
  });

  test(`${name}: what is settled is settled for that receiver alone`, async () => {
    const { ledger } = await begin();
    await ledger.receivers(["one", "other"]);
    await ledger.record(
      "north",
      knownOf("north", "1"),
      ["a", "b", "c"].map((id) => eventOf(id)),
    );
    await ledger.settle("one", ids(await ledger.unsent("one", 2)));
    expect(ids(await ledger.unsent("one", 10))).toEqual(["c"]);
    expect(ids(await ledger.unsent("other", 10))).toEqual(["a", "b", "c"]);
    await ledger.record("north", knownOf("north", "2"), [eventOf("d")]);
    expect(ids(await ledger.unsent("one", 10))).toEqual(["c", "d"]);
    await ledger.close();
  });

  test(`${name}: portals that are recorded at the same time do not lose each other`, async () => {
    const { ledger } = await begin();
    await ledger.receivers(["page"]);
    const keys = Array.from({ length: 50 }, (_, at) => `portal-${at}`);
    await Promise.all(keys.map((key) => ledger.record(key, knownOf(key), [eventOf(key, key)])));
    expect([...(await ledger.portals()).keys()].toSorted()).toEqual(keys.toSorted());
    expect(ids(await ledger.unsent("page", 100)).toSorted()).toEqual(keys.toSorted());
    await ledger.close();
  });

  test(`${name}: what was to be told of a portal that is forgotten is told all the same`, async () => {
    const { ledger } = await begin();
    await ledger.receivers(["page"]);
    await ledger.record("north", knownOf("north", "1"), [eventOf("a")]);
    await ledger.forget("north");
    expect(ids(await ledger.unsent("page", 10))).toEqual(["a"]);
    await ledger.close();
  });

  test(`${name}: what happened is told the newest first, of all portals or of one`, async () => {
    const { ledger } = await begin();
    await ledger.record("north", knownOf("north", "1"), [eventOf("a"), eventOf("b")]);
    await ledger.record("south", knownOf("south", "1"), [eventOf("c", "south")]);
    await ledger.record("north", knownOf("north", "2"), [eventOf("d")]);
    expect(ids(await ledger.events(3))).toEqual(["d", "c", "b"]);
    expect(ids(await ledger.events(2, "north"))).toEqual(["d", "b"]);
    await ledger.close();
  });

  if (!isLasting) return;

  test(`${name}: a new start knows all that was recorded, and who has got what`, async () => {
    const begun = await begin();
    await begun.ledger.receivers(["page"]);
    await begun.ledger.record("north", knownOf("north", "1"), [eventOf("a"), eventOf("b")]);
    await begun.ledger.record("south", knownOf("south", "2"), []);
    await begun.ledger.settle("page", ["a"]);
    const ledger = await begun.again();
    await ledger.receivers(["page", "new"]);
    expect(await ledger.portals()).toEqual(
      new Map([
        ["north", knownOf("north", "1")],
        ["south", knownOf("south", "2")],
      ]),
    );
    expect(await ledger.unsent("page", 10)).toEqual([eventOf("b")]);
    expect(await ledger.unsent("new", 10)).toEqual([]);
    await ledger.close();
  });

  test(`${name}: a receiver that is not named any more is forgotten, and begins anew when it is`, async () => {
    const begun = await begin();
    await begun.ledger.receivers(["page"]);
    await begun.ledger.record("north", knownOf("north", "1"), [eventOf("a")]);
    let ledger = await begun.again();
    await ledger.receivers([]);
    ledger = await begun.again();
    await ledger.receivers(["page"]);
    expect(await ledger.unsent("page", 10)).toEqual([]);
    await ledger.record("north", knownOf("north", "2"), [eventOf("b")]);
    expect(ids(await ledger.unsent("page", 10))).toEqual(["b"]);
    await ledger.close();
  });
}
