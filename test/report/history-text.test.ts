// Histories of several portals as a terminal shows them.
import { expect, test } from "vitest";
import { historyText } from "../../src/report/history-text.js";
import { stylesFor } from "../../src/report/styles.js";
import type { Entry, SettledChange } from "../../src/state/state.js";
import { AUTHOR } from "../state/samples.js";

const plain = stylesFor({ isColoured: false, columns: 80 });

function applied(time: string, number: number, ...changes: Partial<SettledChange>[]): Entry {
  const whole = { path: ["informationalBanner", "text"], action: "set", cause: "file", after: "" };
  return {
    kind: "apply",
    number,
    time,
    by: AUTHOR,
    planDigest: "ab12",
    guards: [],
    changes: changes.map((each) => ({ ...whole, ...each }) as SettledChange),
  };
}

const at = (hour: number) => `2026-01-02T0${hour}:00:00.000Z`;
const heads = (text: string) => text.split("\n").filter((line) => /^\w/.test(line));

test("the newest of all portals stands first; of one moment, the one that came last", () => {
  const told = [
    { entry: applied(at(1), 1), portal: "north" },
    { entry: applied(at(3), 2), portal: "north" },
    { entry: applied(at(2), 1), portal: "south" },
    { entry: applied(at(3), 2, { path: ["blockBetaApps"] }), portal: "south" },
  ];
  expect(heads(historyText(told, plain, "named"))).toEqual([
    "apply 2  2026-01-02 03:00 UTC  south",
    "apply 2  2026-01-02 03:00 UTC  north",
    "apply 1  2026-01-02 02:00 UTC  south",
    "apply 1  2026-01-02 01:00 UTC  north",
  ]);
  expect(heads(historyText(told.slice(0, 1), plain))).toEqual(["apply 1  2026-01-02 01:00 UTC"]);
  expect(historyText([], plain)).toBe("No entries.\n");
});

test("groups equal changes of one run, with the portals in order", () => {
  const inRun = (run: string, number: number) => ({ ...applied(at(1), number, {}), run });
  const told = [
    { entry: inRun("a", 1), portal: "portal-10" },
    { entry: inRun("a", 4), portal: "portal-2" },
    { entry: inRun("b", 5), portal: "portal-2" },
    { entry: { ...inRun("a", 2), outcome: "unknown" as const }, portal: "north" },
  ];
  expect(heads(historyText(told, plain, "named"))).toEqual([
    "apply 2  2026-01-02 01:00 UTC  north  outcome unknown",
    "apply 5  2026-01-02 01:00 UTC  portal-2",
    "apply  2026-01-02 01:00 UTC  2 portals: portal-2, portal-10",
  ]);
  expect(heads(historyText(told.slice(0, 1), plain))).toEqual(["apply 1  2026-01-02 01:00 UTC"]);
});

test("groups notes of a minute, and keeps the order of each portal", () => {
  const note = (kind: "hold" | "unhold", second: number) => ({
    kind,
    time: `2026-01-02T01:00:${second}.000Z`,
    by: AUTHOR,
    guards: [],
    changes: [],
  });
  const told = [
    { entry: note("hold", 10), portal: "north" },
    { entry: note("hold", 11), portal: "south" },
    { entry: note("unhold", 20), portal: "north" },
    { entry: note("hold", 30), portal: "north" },
    { entry: note("hold", 40), portal: "north" },
    { entry: note("hold", 41), portal: "east" },
  ];
  expect(heads(historyText(told, plain, "named"))).toEqual([
    "hold  2026-01-02 01:00 UTC  3 portals: east, north, south",
    "hold  2026-01-02 01:00 UTC  north",
    "unhold  2026-01-02 01:00 UTC  north",
    "hold  2026-01-02 01:00 UTC  north",
  ]);
});

test("groups the holds of a rollback, although each follows its portal's entry", () => {
  const hold = { kind: "hold" as const, by: AUTHOR, guards: [], changes: [], why: "rollback" };
  const told = ["north", "south", "west"].flatMap((portal) => {
    const entry: Entry = { ...applied(at(1), 2), kind: "rollback", run: "r1" };
    return [
      { entry, portal },
      { entry: { ...hold, time: entry.time }, portal },
    ];
  });
  expect(heads(historyText(told, plain, "named"))).toEqual([
    "hold  2026-01-02 01:00 UTC  3 portals: north, south, west",
    "rollback  2026-01-02 01:00 UTC  3 portals: north, south, west",
  ]);
});

test("a portal's name cannot forge a line of its own", () => {
  const told = [{ entry: applied(at(1), 1), portal: "north\napply 9  \u001b[2J" }];
  const text = historyText(told, plain, "named");
  expect(heads(text)).toHaveLength(1);
  expect(text).not.toContain("\u001b");
});

test("shows changes as a plan does, and names what the portal did not take", () => {
  const hosts = ["a", "b", "c"].map((name) => `${name}.example.com`);
  const path = ["portalConfigProperties", "httpsDomains"];
  const long = "The map services are not available on Saturday between eight and ten o'clock.";
  const text = historyText(
    [
      {
        portal: "north",
        entry: applied(
          at(1),
          1,
          { path, before: hosts, after: [...hosts.slice(0, 2), "d.example.com"] },
          { before: long, after: long.replace("Saturday", "Sunday") },
          { path: ["blockBetaApps"], before: null, after: true },
          { path, before: hosts, after: [], shown: hosts },
        ),
      },
    ],
    plain,
  );
  expect(text.split("\n").slice(2)).toEqual([
    "  portalConfigProperties",
    "    ~ httpsDomains  3 entries",
    "          … 2 unchanged",
    '        - "c.example.com"',
    '        + "d.example.com"',
    "  informationalBanner",
    "    ~ text",
    "        │ The map services are not available on [-Saturday-]{+Sunday+} between",
    "        │ eight and ten o'clock.",
    "  + blockBetaApps  true",
    "  portalConfigProperties",
    "    ~ httpsDomains  3 entries → no entries  not taken",
    '        - "a.example.com"',
    '        - "b.example.com"',
    '        - "c.example.com"',
    "",
  ]);
});
