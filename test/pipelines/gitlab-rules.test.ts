// Which jobs of GitLab's pipeline run for what, by gitlab-ci-local; what each of them is given, and how long it may take.
import { describe, expect, test } from "vitest";
import { PIPELINE_FILES, pipelineTexts } from "../../src/pipelines/pipeline.js";
import { jobsOf } from "./gitlab-local.js";
import { SAMPLE } from "./platform.js";

const BRANCH = "git:lintel-state";
const KEPT =
  "https://gitlab.example.com/api/v4/projects/gis%2Fportals/terraform/state/${portal.key}";
const textFor = (state = BRANCH, more: object = {}) =>
  pipelineTexts("gitlab", { ...SAMPLE, states: [state], ...more })[PIPELINE_FILES.gitlab] ?? "";

describe("for", () => {
  const MERGED = ["plan", "apply manual"];

  test.each([
    ["a proposal, whatever it changes", { source: "merge_request_event" }, ["propose"]],
    ["a merge", {}, MERGED],
    ["a pipeline by hand", { source: "web" }, MERGED],
    ["the clock", { source: "schedule" }, ["clock", "report"]],
    ["a trigger of another program", { source: "trigger" }, []],
  ])("%s", async (_, happened, jobs) => {
    expect(await jobsOf(textFor(), happened)).toEqual({ jobs, wrong: [] });
  });
});

test("without a clock a person starts the plan, too, because it signs in", async () => {
  const text = textFor(BRANCH, { cron: undefined });
  const { jobs } = await jobsOf(text);
  expect(jobs).toEqual(["plan manual", "apply manual"]);
  expect((await jobsOf(text, { source: "schedule" })).jobs).toEqual([]);
});

test("a merge request compares with a state that it can read", () => {
  for (const state of [BRANCH, KEPT]) expect(textFor(state)).toContain("--preview $COMPARE");
  expect(textFor("s3://bucket/lintel?region=eu-central-1")).toContain("--preview --no-state");
});
