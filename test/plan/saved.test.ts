// Saved plans: the format, and every file that is refused.
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { digest } from "../../src/lib/digest.js";
import type { Json, JsonObject } from "../../src/lib/json.js";
import { changedEnds } from "../../src/plan/binding.js";
import { makePlan, type Plan } from "../../src/plan/plan.js";
import { parseSaved, printSaved, type Saved } from "../../src/plan/saved.js";
import { htmlReport } from "../../src/report/html-report.js";
import { markdownReport } from "../../src/report/markdown-report.js";
import { planReport } from "../../src/report/plan-report.js";
import { PLAIN } from "../../src/report/styles.js";
import { resultOf, resultOfStory, STORIES, portalsJson } from "../report/results.js";
import { inputs } from "./inputs.js";

const saved: Saved = {
  named: { files: ["portals"], only: ["north-*"] },
  options: { compareWith: "live-and-last", allow: ["disable-notice"] },
  portals: STORIES.flatMap((story) => {
    const { plan } = resultOfStory(story);
    return plan ? [{ file: `${story}.yaml`, plan, blockedBy: ["hold"] }] : [];
  }),
};
const text = printSaved(saved);
const OUTCOME = { command: "plan", exit: 0, diagnostics: [] } as const;
const MADE = { toolVersion: "0.1.0", at: "2026-01-01T00:00:00.000Z" };

function codeFor(changed: string): string {
  try {
    return parseSaved(changed, "plan.json") ? "none" : "no plan";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

/** As somebody could write it who knows how the digest is made. */
function withDigest(rest: Json): string {
  return JSON.stringify({ lintelPlan: 4, digest: digest(rest), ...(rest as JsonObject) });
}

test("reads a saved plan, reformatted or not", () => {
  expect(parseSaved(text, "plan.json")).toEqual(saved);
  expect(parseSaved(JSON.stringify(JSON.parse(text)), "plan.json")).toEqual(saved);
  expect(parseSaved(`\ufeff${text.replaceAll("\n", "\r\n")}`, "plan.json")).toEqual(saved);
  expect(codeFor(withDigest(saved as unknown as Json))).toBe("none");
});

test.each([
  ["does not take a desired-state file for a plan", "targetVersion: 12.1\n", "no plan"],
  ["does not take other JSON for a plan", '{ "version": 4 }', "no plan"],
  ["does not take truncated JSON for a plan", '{ "version": ', "no plan"],
  ["refuses a truncated plan", text.slice(0, -20), "file-not-readable"],
  [
    "refuses a plan of another version",
    text.replace('"lintelPlan": 4', '"lintelPlan": 5'),
    "file-not-readable",
  ],
  [
    "refuses a plan whose version is a text",
    text.replace('"lintelPlan": 4', '"lintelPlan": "4"'),
    "file-not-readable",
  ],
  ["refuses a plan without a digest", text.replace(/"digest": "\w+",/, ""), "plan-stale"],
  [
    "refuses a plan with a changed value",
    text.replace('"disable-notice"', '"disconnect"'),
    "plan-stale",
  ],
  [
    "refuses a plan with an added key",
    text.replace('"options"', '"more": 1, "options"'),
    "plan-stale",
  ],
  [
    "refuses a plan with a __proto__ key",
    text.replace('"options"', '"__proto__": {}, "options"'),
    "plan-stale",
  ],
  [
    "refuses deeply nested JSON",
    `{"lintelPlan":4,"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    "file-not-readable",
  ],
])("%s", (_, changed, code) => {
  expect(changed).not.toBe(text);
  expect(codeFor(changed)).toBe(code);
});

describe("with a correct digest", () => {
  const { named, options, portals } = saved;
  const [first] = portals.filter(({ plan }) => plan.changes.length > 0);
  if (!first) throw new Error("no story changes anything");

  test("accepts values as deep as portals allow, and refuses deeper ones", () => {
    const codeAt = (depth: number) => {
      const before = JSON.parse("[".repeat(depth) + "]".repeat(depth)) as Json;
      const changes = first.plan.changes.map((change) => ({ ...change, before }));
      const plan = { ...first.plan, changes };
      return codeFor(
        withDigest({ named, options, portals: [{ file: "a", plan }] } as unknown as Json),
      );
    };
    expect(codeAt(200)).toBe("none");
    expect(codeAt(2_000)).not.toBe("none");
  });

  test("refuses a wrong value at any place, or prints and compares it", () => {
    const values: Json[] = [null, true, 0, 1.5, "", "x", [], {}, [[]], [null], { x: 1 }];
    const fresh = makePlan(inputs({}));
    const seen = new Set<string>();
    let refused = 0;
    for (const portal of portals) {
      const document = { named, options, portals: [portal] } as unknown as Json;
      for (const place of placesOf(document)) {
        const kind = place.filter((part) => typeof part === "string").join(".");
        if (seen.has(kind)) continue;
        seen.add(kind);
        for (const value of [undefined, ...values]) {
          const changed = withDigest(put(document, place, value));
          if (codeFor(changed) === "plan-stale") refused++;
          else for (const { plan } of parseSaved(changed, "plan.json")?.portals ?? []) use(plan);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(60);
    expect(refused).toBeGreaterThan(400);

    function use(plan: Plan): void {
      const results = [resultOf(plan)];
      planReport(results, PLAIN);
      markdownReport(results);
      htmlReport(results, OUTCOME, MADE);
      JSON.stringify(portalsJson(results));
      changedEnds(plan, fresh);
    }
  });
});

type Place = readonly (string | number)[];

function placesOf(value: Json, at: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => {
    const place = [...at, Array.isArray(value) ? Number(key) : key];
    return [place, ...placesOf(held as Json, place)];
  });
}

/** With another value at a place; undefined takes it away. */
function put(value: Json, [first, ...deeper]: Place, now: Json | undefined): Json {
  if (first === undefined) return now ?? null;
  const entries = Object.entries(value as JsonObject).flatMap(([key, held]): [string, Json][] => {
    if (key !== String(first)) return [[key, held]];
    if (deeper.length === 0) return now === undefined ? [] : [[key, now]];
    return [[key, put(held, deeper, now)]];
  });
  return Array.isArray(value) ? entries.map(([, held]) => held) : Object.fromEntries(entries);
}
