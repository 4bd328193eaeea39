// What became of portals, as programs read it.
import { expect, test } from "vitest";
import { EXIT, Failure } from "../../src/failure.js";
import { isEqual, type Json } from "../../src/lib/json.js";
import { expectGolden } from "./golden.js";
import { planOf, resultOf, resultOfStory, STORIES, portalsJson } from "./results.js";

test.each(["banner-off-after-the-day", "disconnect", "removed-line", "portal-not-reached"])(
  "%s reads as it is written",
  (story) => {
    const json = portalsJson([resultOfStory(story)]);
    expectGolden(`${story}.json.txt`, `${JSON.stringify(json, undefined, 2)}\n`);
  },
);

test("every story has the same keys, and is what JSON makes of it", () => {
  const json = portalsJson(STORIES.map(resultOfStory));
  const keys = json.portals.map((portal) => Object.keys(portal).join());
  expect(new Set(keys).size).toBe(1);
  expect(isEqual(JSON.parse(JSON.stringify(json)) as Json, json as unknown as Json)).toBe(true);
});

test("a portal without a plan has them too", () => {
  const failure = new Failure("not-reachable", "It cannot be reached.");
  const result = resultOf(planOf([]), {
    plan: null,
    status: "failed",
    failure,
    exit: EXIT.refused,
  });
  expect(portalsJson([result])).toMatchObject({
    portals: [
      {
        status: "failed",
        exitCode: 4,
        comparedWith: "nothing",
        changes: [],
        guards: [],
        request: null,
        failure: { code: "not-reachable", message: "It cannot be reached.", help: null },
      },
    ],
    summary: { portals: 1, changing: 0, changes: 0, failed: 1 },
  });
});
