// Which jobs of GitLab's pipeline run for what, by gitlab-ci-local; what each of them is given, and how long it may take.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { pipelineText } from "../../src/pipelines/pipeline.js";
import { jobsOf } from "./gitlab-local.js";
import { SAMPLE } from "./platform.js";

const BRANCH = "git:lintel-state";
const KEPT =
  "https://gitlab.example.com/api/v4/projects/gis%2Fportals/terraform/state/${portal.key}";
const FOLDER = "my $(touch pwned) $HOME [a] {b}*";

const textFor = (state = BRANCH, places: readonly string[] = ["portals/"]) =>
  pipelineText("gitlab", { ...SAMPLE, states: [state], places });

describe("for", () => {
  const MERGED = ["plan", "apply manual"];

  test.each([
    ["a proposal, whatever it changes", { source: "merge_request_event" }, ["propose"]],
    ["a merge that changes a portal", { changed: ["portals/a/b.yaml"] }, MERGED],
    ["a merge that changes the pipeline", { changed: [".gitlab-ci.yml"] }, MERGED],
    ["a merge of something else", { changed: ["README.md", "other/portals/a.yaml"] }, []],
    ["a pipeline by hand", { source: "web" }, MERGED],
    ["the clock", { source: "schedule", changed: ["portals/a.yaml"] }, ["clock", "drift"]],
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

interface Job {
  readonly environment?: string | { readonly name: string; readonly action: string };
  readonly timeout: string;
  readonly interruptible?: boolean;
  readonly resource_group?: string;
  readonly before_script?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly artifacts?: { readonly access?: string; readonly paths: readonly string[] };
}

test("what is secret is given to the jobs that need it, by their environment; only the apply waits for an approval", () => {
  const file = parse(textFor()) as Record<string, Job>;
  const names = ["propose", "plan", "apply", "clock", "drift"];
  const access = (name: string) => ({ name, action: "access" });
  expect(names.map((name) => file[name]?.environment)).toEqual([
    undefined,
    access("portal/plan"),
    "portal/apply",
    access("portal/clock"),
    access("portal-issues"),
  ]);
  for (const name of names) expect(file[name]?.timeout).toMatch(/^(5|15) minutes$|^1 hour$/);
  expect(names.filter((name) => file[name]?.interruptible)).toEqual(["propose"]);
  expect(names.map((name) => file[name]?.resource_group)).toEqual([
    undefined,
    undefined,
    "portal",
    "portal",
    "portal-issues",
  ]);
  // What is about to be applied is not for everybody who may look at the project.
  expect(names.map((name) => file[name]?.artifacts?.access)).toEqual([
    undefined,
    "developer",
    undefined,
    "developer",
    undefined,
  ]);
  const { image, before_script: before } = file["default"] as unknown as {
    image: string;
    before_script: string[];
  };
  expect(image).toMatch(/^node:24\.\d+\.\d+-\w+@sha256:[0-9a-f]{64}$/);
  expect(before.join()).toMatch(/^env (-u \w+ )+npm install --global --ignore-scripts "/);
  expect(before.join()).toContain("-u LINTEL_BEID -u LINTEL_STATE_KEY ");
  expect(file["drift"]?.before_script).toEqual([]);
  expect(file["propose"]?.variables).toEqual({ LINTEL_ALLOWED_HOSTS: "gis.example.com" });
});

test("its head says which right or token the state wants, and a proposal does without one that it cannot read", () => {
  expect(textFor()).toContain("allow Git push requests to the repository");
  expect(textFor(KEPT)).toContain("project access token with the role of a Maintainer");
  expect(textFor(KEPT)).not.toContain("Git push requests");
  for (const state of [BRANCH, KEPT])
    expect(textFor(state)).toContain("widget.json $LINTEL_COMPARE");
  const bucket = "s3://bucket/lintel?region=eu-central-1";
  expect(textFor(bucket)).toContain("widget.json --no-state");
});
