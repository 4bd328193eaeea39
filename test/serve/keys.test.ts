// docs/output.md names every key of the events of a run, its files, its checkout and its queue.
import { expect, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { stylesFor } from "../../src/report/styles.js";
import type { PortalFile } from "../../src/serve/portal-files.js";
import { jsonLineOf, type LogEvent } from "../../src/serve/events/event.js";
import * as queueEvents from "../../src/serve/events/queue-events.js";
import * as runEvents from "../../src/serve/events/run-events.js";
import { UTC } from "../../src/lib/text.js";
import { unnamedKeys } from "./keys.js";

const failure = new Failure("clone-not-usable", "git cannot fetch.", "Look at it.");
const commit = "c".repeat(40);
const portal = { name: "a", url: "https://a.example.com", id: "self" };
const file: PortalFile = { file: "a.yaml", portal, key: "a", windows: [], marks: new Map() };
const [none, one] = [new Map<string, PortalFile>(), new Map([["a.yaml", file]])];

const told: readonly (LogEvent | undefined)[] = [
  runEvents.started({ mayApply: ["files"], everyMs: 1_000 }, { portals: 1, resumed: ["drifted"] }),
  queueEvents.started({ pools: ["north"], mayApply: ["files"] }),
  queueEvents.listing(1, 1_000, "http://127.0.0.1:1"),
  queueEvents.newCommit(commit, 1),
  queueEvents.withheld("it lags behind", "Fetch it."),
  queueEvents.complaint(failure),
  queueEvents.notice("It is away.", "Look at it."),
  runEvents.pulled({ is: "stuck", why: "no branch", help: "Switch." }, "", "Nothing moves."),
  runEvents.pulled({ is: "moved", from: "a", commit: "b" }, "", ""),
  runEvents.pulled({ is: "newest", commit: "b" }, "no branch", ""),
  runEvents.unreadable(failure),
  runEvents.readAgain(one, one),
  ...runEvents.filesChanged(none, one),
  ...runEvents.filesChanged(one, none),
];

test("docs/output.md names every key of an event", () => {
  const telling = { nowMs: 0, styles: stylesFor({ isColoured: false, zone: UTC }) };
  const lines = told.flatMap((news) => (news ? [jsonLineOf(news, telling)] : []));
  expect(lines).toHaveLength(told.length);
  const events = lines.map((line) => JSON.parse(line) as { event: string });
  expect(unnamedKeys(events)).toEqual([]);
  const unnamed = { event: "recovered", commit, changed: 1 };
  expect(unnamedKeys([unnamed])).toEqual(["recovered.commit", "recovered.changed"]);
});
