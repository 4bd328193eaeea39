// Windows that come again: which days, and what clock changes make of their times.
import { describe, expect, test } from "vitest";
import { check } from "../src/document/check/check.js";
import { readInput } from "../src/document/read/bytes.js";
import type { Node } from "../src/document/read/tree.js";
import { desiredAt } from "../src/document/schedule/at.js";
import { windowsFrom } from "../src/document/schedule/windows.js";
import {
  causeOf,
  digestOfGiven,
  givenDigests,
  isNewlyGiven,
  type Origin,
} from "../src/plan/cause.js";
import {
  lastBegun,
  nextAfter,
  occurrencesFrom,
  readRecurrence,
  writeRecurrence,
} from "../src/recurrence.js";
import type { Recurrence } from "../src/recurrence.js";
import { isoTime } from "../src/schedule.js";

const evening = { from: "18:00", until: "22:00", timeZone: "UTC" };
const saturday = { weekday: 6, ...evening };

/** The days on which it begins, from a moment on. */
function daysOf(rule: Recurrence, from: string, count: number): string[] {
  return occurrencesFrom(rule, Date.parse(from))
    .slice(0, count)
    .map(({ fromMs }) => isoTime(fromMs).slice(0, 10));
}

function timesOf(rule: Recurrence, from: string): string | undefined {
  const next = nextAfter(rule, Date.parse(from));
  return next && `${isoTime(next.fromMs)} ${isoTime(next.untilMs)}`;
}

describe("the days", () => {
  test.each<[string, Recurrence, string[]]>([
    ["each week", saturday, ["2027-01-02", "2027-01-09", "2027-01-16"]],
    ["the first of a month", { ...saturday, nth: 1 }, ["2027-01-02", "2027-02-06", "2027-03-06"]],
    ["the last of a month", { ...saturday, nth: -1 }, ["2027-01-30", "2027-02-27", "2027-03-27"]],
    [
      "the fifth, where there is one",
      { ...saturday, nth: 5 },
      ["2027-01-30", "2027-05-29", "2027-07-31"],
    ],
    ["a day of the month", { day: 15, ...evening }, ["2027-01-15", "2027-02-15", "2027-03-15"]],
    [
      "a day that not every month has",
      { day: 31, ...evening },
      ["2027-01-31", "2027-03-31", "2027-05-31"],
    ],
    ["the last day", { day: -1, ...evening }, ["2027-01-31", "2027-02-28", "2027-03-31"]],
    [
      "between days, both included",
      { ...saturday, first: "2027-01-09", last: "2027-01-16" },
      ["2027-01-09", "2027-01-16"],
    ],
  ])("%s", (_, rule, days) => {
    expect(daysOf(rule, "2027-01-01T00:00:00Z", 3)).toEqual(days);
  });

  test("are found however far away the first is", () => {
    const rule = { ...saturday, first: "2035-01-01" };
    expect(timesOf(rule, "2027-01-01T00:00:00Z")).toBe("2035-01-06T18:00:00Z 2035-01-06T22:00:00Z");
    const over = { ...saturday, last: "2020-01-01" };
    expect(isoTime(lastBegun(over, Date.parse("2027-01-01"))?.fromMs ?? 0)).toBe(
      "2019-12-28T18:00:00Z",
    );
    expect(nextAfter(over, Date.parse("2027-01-01"))).toBeUndefined();
  });
});

describe("the times, by the clocks of the zone", () => {
  const vienna = { weekday: 0, timeZone: "Europe/Vienna" };
  test("an end before the beginning is on the next day", () => {
    const rule = { ...vienna, from: "22:00", until: "02:00" };
    expect(timesOf(rule, "2027-06-06T12:00:00Z")).toBe("2027-06-06T20:00:00Z 2027-06-07T00:00:00Z");
  });

  test("a whole day of a clock change is as long as the day", () => {
    const whole = { ...vienna, from: "00:00", until: "00:00" };
    expect(timesOf(whole, "2027-03-27T12:00:00Z")).toBe(
      "2027-03-27T23:00:00Z 2027-03-28T22:00:00Z",
    );
    expect(timesOf(whole, "2027-10-30T12:00:00Z")).toBe(
      "2027-10-30T22:00:00Z 2027-10-31T23:00:00Z",
    );
  });

  test("a beginning that is skipped moves to the next valid minute", () => {
    const rule = { ...vienna, from: "02:30", until: "04:00" };
    expect(timesOf(rule, "2027-03-27T12:00:00Z")).toBe("2027-03-28T01:00:00Z 2027-03-28T02:00:00Z");
  });

  test("a repeated hour begins at its first and ends at its second", () => {
    const rule = { ...vienna, from: "02:10", until: "02:40" };
    expect(timesOf(rule, "2027-10-30T12:00:00Z")).toBe("2027-10-31T00:10:00Z 2027-10-31T01:40:00Z");
  });

  test("one that is skipped whole does not come that day", () => {
    const rule = { ...vienna, from: "02:10", until: "02:40" };
    expect(timesOf(rule, "2027-03-27T12:00:00Z")).toBe("2027-04-04T00:10:00Z 2027-04-04T00:40:00Z");
  });
});

test("a rule is one word in a state, and what is none of ours is no rule", () => {
  const rule = { ...saturday, nth: -1, timeZone: "Europe/Vienna" };
  const text = writeRecurrence(rule);
  expect(text).not.toContain("/");
  expect(readRecurrence(text)).toEqual(rule);
  for (const odd of ["", "%", "[]", "%7B%22from%22%3A1%7D"])
    expect(readRecurrence(odd)).toBeUndefined();
});

const FILE = `targetVersion: "12.1"
portal: { url: https://gis.example.com/portal/sharing/rest }
timeZone: Europe/Vienna
settings: { blockBetaApps: true }
schedule:
  open evening:
    every: { weekday: saturday, from: "18:00", until: "22:00" }
    settings: { blockBetaApps: false }
`;

function rootOf(text: string): Node {
  const now = () => Date.parse("2027-01-01T00:00:00Z");
  const { root, diagnostics } = check("a.yaml", readInput(Buffer.from(text)), {
    cwd: "/",
    env: {},
    now,
  });
  expect(diagnostics).toEqual([]);
  return root as Node;
}

describe("what a file sets", () => {
  const OPEN = Date.parse("2027-03-06T18:00:00Z");
  const CLOSED = Date.parse("2027-03-06T22:00:00Z");

  test("is the window's while one is open, and the report says what comes next", () => {
    const root = rootOf(FILE);
    expect(desiredAt(root, OPEN)).toMatchObject({
      leaves: [{ value: false, window: "open evening" }],
      schedule: {
        open: [
          { name: "open evening", from: "2027-03-06T17:00:00Z", until: "2027-03-06T21:00:00Z" },
        ],
        next: { time: "2027-03-06T21:00:00Z", opens: [], closes: ["open evening"] },
      },
    });
    expect(desiredAt(root, CLOSED)).toMatchObject({
      leaves: [{ value: true }],
      schedule: { open: [], next: { time: "2027-03-13T17:00:00Z", opens: ["open evening"] } },
    });
  });

  test("is listed for 13 months", () => {
    const listed = windowsFrom(rootOf(FILE), OPEN);
    expect(listed).toHaveLength(57);
    expect(isoTime(listed.at(-1)?.fromMs ?? 0)).toBe("2028-04-01T16:00:00Z");
  });

  /** The leaf at a moment, and what an apply of the file at another has taken note of. */
  function originAt(ms: number, { applied, sent }: { applied: Node; sent: boolean }): Origin {
    const [leaf] = desiredAt(applied, Date.parse("2027-01-01T00:00:00Z")).leaves;
    const given = givenDigests(leaf!);
    const window = sent ? undefined : "open evening";
    return {
      sent,
      window,
      pending: undefined,
      pendingWindow: undefined,
      live: sent,
      shown: sent,
      given,
      atMs: ms,
    };
  }

  test("opens and closes on schedule while the applied rule is unchanged", () => {
    const root = rootOf(FILE);
    for (const years of [0, 2]) {
      const at = (ms: number) => ms + years * 52 * 7 * 86_400_000;
      const [open] = desiredAt(root, at(OPEN)).leaves;
      const [closed] = desiredAt(root, at(CLOSED)).leaves;
      expect(causeOf(open!, originAt(at(OPEN), { applied: root, sent: true }))).toBe("schedule");
      expect(causeOf(closed!, originAt(at(CLOSED), { applied: root, sent: false }))).toBe(
        "schedule",
      );
      expect(isNewlyGiven(closed!, originAt(0, { applied: root, sent: true }).given)).toBe(false);
    }
  });

  test("a rule that was never applied does not open on schedule", () => {
    const root = rootOf(FILE);
    const moved = rootOf(FILE.replace("18:00", "17:00"));
    const [leaf] = desiredAt(moved, OPEN).leaves;
    expect(causeOf(leaf!, originAt(OPEN, { applied: root, sent: true }))).toBe("file");
  });

  test("a rule that is taken out while it is open closes at its time", () => {
    const root = rootOf(FILE);
    const without = rootOf(FILE.replace(/schedule:[^]*/, ""));
    const [leaf] = desiredAt(without, OPEN).leaves;
    expect(causeOf(leaf!, originAt(OPEN, { applied: root, sent: false }))).toBe("file");
    expect(causeOf(leaf!, originAt(CLOSED, { applied: root, sent: false }))).toBe("schedule");
  });

  test("the same rule has one digest at any moment", () => {
    const digests = [0, OPEN, CLOSED].map((ms) =>
      (desiredAt(rootOf(FILE), ms).leaves[0]?.gives ?? []).map(digestOfGiven),
    );
    expect(new Set(digests.map((each) => each.join())).size).toBe(1);
  });
});
