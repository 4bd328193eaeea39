// Which jobs of GitLab's pipeline run for what, by gitlab-ci-local; what each of them is given, and how long it may take.
import { describe, expect, test } from "vitest";
import { PIPELINE_FILES, pipelineTexts } from "../../src/pipelines/pipeline.js";
import { jobsOf } from "./gitlab-local.js";
import { SAMPLE } from "./platform.js";

const BRANCH = "git:lintel-state";
const KEPT =
  "https://gitlab.example.com/api/v4/projects/gis%2Fportals/terraform/state/${portal.key}";
const FOLDER = "my $(touch pwned) $HOME [a] {b}*";

const textFor = (state = BRANCH, places: readonly string[] = ["portals/"], more: object = {}) =>
  pipelineTexts("gitlab", { ...SAMPLE, states: [state], places, ...more })[PIPELINE_FILES.gitlab] ??
  "";

describe("for", () => {
  const MERGED = ["plan", "apply manual"];

  test.each([
    ["a proposal, whatever it changes", { source: "merge_request_event" }, ["propose"]],
    ["a merge that changes a portal", { changed: ["portals/a/b.yaml"] }, MERGED],
    ["a merge that changes the pipeline", { changed: [".gitlab-ci.yml"] }, MERGED],
    ["a merge of something else", { changed: ["README.md", "other/portals/a.yaml"] }, []],
    ["a pipeline by hand", { source: "web" }, MERGED],
    ["the clock", { source: "schedule", changed: ["portals/a.yaml"] }, ["clock", "report"]],
    ["a trigger of another program", { source: "trigger", changed: ["portals/a.yaml"] }, []],
  ])("%s", async (_, happened, jobs) => {
    expect(await jobsOf(textFor(), happened)).toEqual({ jobs, wrong: [] });
  });

  test("a folder whose name means something to GitLab, and files beside each other", async () => {
    const text = textFor(BRANCH, [`${FOLDER}/`, "a[1]?.yaml"]);
    for (const changed of [`${FOLDER}/b.yaml`, `${FOLDER}/.b/c.txt`, "a[1]?.yaml"]) {
      expect([changed, await jobsOf(text, { changed: [changed] })]).toEqual([
        changed,
        { jobs: MERGED, wrong: [] },
      ]);
    }
    expect((await jobsOf(text, { changed: ["a1b.yaml", "my/b.yaml"] })).jobs).toEqual([]);
    const whole = await jobsOf(textFor(BRANCH, [""]), { changed: ["any/file"] });
    expect(whole.jobs).toEqual(MERGED);
  });
});

test("without a clock a person starts the plan, too, because it signs in", async () => {
  const text = textFor(BRANCH, ["portals/"], { cron: undefined });
  const { jobs } = await jobsOf(text, { changed: ["portals/a.yaml"] });
  expect(jobs).toEqual(["plan manual", "apply manual"]);
  expect((await jobsOf(text, { source: "schedule" })).jobs).toEqual([]);
});

test("a merge request compares with a state that it can read", () => {
  for (const state of [BRANCH, KEPT]) expect(textFor(state)).toContain("--preview $COMPARE");
  expect(textFor("s3://bucket/lintel?region=eu-central-1")).toContain("--preview --no-state");
});
