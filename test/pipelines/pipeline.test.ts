// The pipelines of each system, for each kind of place: they can be read, and keep the state as the place wants it.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PIPELINE_FILES, pipelineText, type PipelineKind } from "../../src/pipelines/pipeline.js";

const SYSTEMS = Object.keys(PIPELINE_FILES) as PipelineKind[];

const BRANCH = "git:lintel-state";
const ELSEWHERE = "file:/srv/lintel/states";

const textFor = (system: PipelineKind, states: string | readonly string[], target = "portals") =>
  pipelineText(system, {
    target,
    package: "https://packages.example.com/lintel.tgz",
    variables: ["LINTEL_BEID"],
    states: [states].flat(),
    values: [],
    places: [`${target}/`],
    hosts: ["gis.example.com"],
  });

describe.each(SYSTEMS)("for %s", (system) => {
  test.each([BRANCH, ELSEWHERE])(
    "with the state at %s it plans, applies and goes by the clock",
    (state) => {
      const text = textFor(system, state);
      const commands = JSON.stringify(parse(text)).replaceAll("\\", "");
      for (const words of [
        'validate "$LINTEL_FILES"',
        'plan "$LINTEL_FILES" --output',
        'plan "$LINTEL_FILES" --save plan.json',
        'apply "$LINTEL_FILES" --due schedule,drift --yes',
      ]) {
        expect(commands).toContain(`lintel ${words}`);
      }
      expect(commands).toMatch(/lintel apply "?[\w$/]*plan\.json/);
      expect(commands).not.toMatch(/git (push|commit|checkout)/);
      for (const name of ["LINTEL_BEID", "LINTEL_PACKAGE", "LINTEL_ALLOWED_HOSTS"]) {
        expect(text).toContain(name);
      }
      expect(text.includes("the branch lintel-state")).toBe(state === BRANCH);
    },
  );

  test("a job that plans or applies has all of the history, by which a plan knows that it is old", () => {
    const text = textFor(system, BRANCH);
    const depths = (of: RegExp) => text.match(of)?.length;
    const isAll = { github: /fetch-depth: 0/g, azure: /fetchDepth: 0/g, gitlab: /GIT_DEPTH: "0"/g };
    expect(depths(isAll[system])).toBe(system === "gitlab" ? 1 : 4);
  });

  test("a name stands in a variable, and in no step", () => {
    const text = textFor(system, BRANCH, "-my portals/$(touch pwned)");
    const { on, trigger, variables, env, ...rest } = parse(text) as Record<string, unknown>;
    expect(JSON.stringify([on ?? trigger ?? "", variables ?? env])).toContain("pwned");
    // Beside these only where it says what it is run for.
    const withoutRules = (key: string, value: unknown) => (key === "changes" ? "" : value);
    expect(JSON.stringify(rest, withoutRules)).not.toContain("pwned");
    expect(JSON.stringify(parse(text))).toContain('"./-my portals/$(touch pwned)"');
  });
});

test("portals at several places get what each place wants", () => {
  for (const system of SYSTEMS) {
    const states = [BRANCH, "git:other@upstream", "s3://bucket/lintel?region=eu-central-1"];
    const text = textFor(system, states);
    for (const wanted of ["branch lintel-state", "branch other", "AWS_SECRET_ACCESS_KEY"]) {
      expect(text).toContain(wanted);
    }
    expect(text).toContain("kept where the files say");
    expect(text).not.toContain("PGPASSWORD");
  }
});

test("the key of signed states is told of where secrets are", () => {
  for (const system of SYSTEMS) {
    const [told = ""] = /^(?:#.*\n)+/.exec(textFor(system, BRANCH)) ?? [];
    expect(told).toContain("LINTEL_STATE_KEY");
  }
});
