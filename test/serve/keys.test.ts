// What is told of a run as a whole, of its files, its checkout and its queue → lines whose keys the page on output names; what is told of portals is looked at wherever it is told.
import { expect, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { stylesFor } from "../../src/report/styles.js";
import type { Followed } from "../../src/serve/follow/files.js";
import { jsonLineOf } from "../../src/serve/news/lines.js";
import type { News } from "../../src/serve/news/news.js";
import * as queueNews from "../../src/serve/news/queue-news.js";
import * as runNews from "../../src/serve/news/run-news.js";
import { UTC } from "../../src/lib/text.js";
import { unnamedKeys } from "./keys.js";

const failure = new Failure("clone-not-usable", "git cannot fetch.", "Look at it.");
const commit = "c".repeat(40);
const portal = { name: "a", url: "https://a.example.com", id: "self" };
const file: Followed = { file: "a.yaml", portal, key: "a", windows: [], marks: new Map() };
const [none, one] = [new Map<string, Followed>(), new Map([["a.yaml", file]])];

const told: readonly (News | undefined)[] = [
  runNews.started({ mayApply: ["files"], everyMs: 1_000 }, 1),
  queueNews.started({ pools: ["north"], mayApply: ["files"] }),
  queueNews.listing(1, 1_000, "http://127.0.0.1:1"),
  queueNews.newCommit(commit, 1),
  queueNews.withheld("it lags behind", "Fetch it."),
  queueNews.complaint(failure),
  queueNews.notice("It is away.", "Look at it."),
  runNews.pulled({ is: "stuck", why: "no branch", help: "Switch." }, "", "Nothing moves."),
  runNews.pulled({ is: "moved", from: "a", commit: "b" }, "", ""),
  runNews.pulled({ is: "newest", commit: "b" }, "no branch", ""),
  runNews.unreadable(failure),
  runNews.readAgain(one, one),
  ...runNews.fleetNews(none, one),
  ...runNews.fleetNews(one, none),
];

test("every key of a line stands on the page on output", () => {
  const telling = { nowMs: 0, paint: stylesFor({ isColoured: false, zone: UTC }) };
  const lines = told.flatMap((news) => (news ? [jsonLineOf(news, telling)] : []));
  expect(lines).toHaveLength(told.length);
  const events = lines.map((line) => JSON.parse(line) as { event: string });
  expect(unnamedKeys(events)).toEqual([]);
  const unnamed = { event: "recovered", commit, changed: 1 };
  expect(unnamedKeys([unnamed])).toEqual(["recovered.commit", "recovered.changed"]);
});
