// What became of portals, for the reports: the plans of the scenarios, and small ones made for a test.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../src/failure.js";
import type { Json } from "../../src/lib/json.js";
import type { Change } from "../../src/plan/diff.js";
import type { Plan } from "../../src/plan/plan.js";
import type { PlannedRequest } from "../../src/plan/request.js";
import { summarise, type PortalResult } from "../../src/plan/result.js";
import { portalJson } from "../../src/report/json-report.js";
import { pathOf } from "../plan/inputs.js";
import { PROJECT } from "../support/run.js";

const FOLDER = join(PROJECT, "test/scenarios");

export const STORIES = readdirSync(FOLDER);

export function resultOfStory(story: string): PortalResult {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(FOLDER, story, name), "utf8")) as unknown;
  const request = read("request.json") as PlannedRequest | null;
  return resultOf({
    ...(read("plan.json") as Plan),
    request: request && { parameters: request.parameters, settings: request.settings },
  });
}

export function resultOf(plan: Plan, more: Partial<PortalResult> = {}): PortalResult {
  return {
    file: "desired.yaml",
    portal: plan.binding.portal,
    status: plan.changes.length > 0 || plan.isJournalOpen ? "changes" : "unchanged",
    plan,
    hold: null,
    policies: [],
    failure: null,
    exit: EXIT.done,
    ...more,
  };
}

export function planOf(changes: readonly Change[], more: Partial<Plan> = {}): Plan {
  const portal = {
    name: "staging",
    url: "https://gis.example.com/portal/sharing/rest",
    id: "self",
  };
  return {
    binding: { toolVersion: "0.1.0", portal, state: null, live: null, desired: "", opened: [] },
    target: "11.5",
    deployment: "enterprise",
    comparedWith: "live-and-last",
    applicable: true,
    reason: null,
    isJournalOpen: false,
    desired: {},
    changes,
    guards: [],
    request: null,
    leftOut: 0,
    leaves: [],
    alsoSent: [],
    notes: [],
    ...more,
  };
}

export function changeOf(
  path: string,
  before: Json,
  after: Json,
  more: Partial<Change> = {},
): Change {
  return {
    path: pathOf(path),
    action: "set",
    cause: "file",
    before,
    after,
    place: { file: "desired.yaml", line: 7, column: 3 },
    notes: [],
    ...more,
  };
}

/** The same portal under other names, as in a fleet. */
export function named(result: PortalResult, name: string): PortalResult {
  return { ...result, file: `portals/${name}.yaml`, portal: { ...result.portal, name } };
}

/** What the JSON document of a command with plans holds of them. */
export function portalsJson(results: readonly PortalResult[]) {
  return { portals: results.map(portalJson), summary: { ...summarise(results) } };
}
