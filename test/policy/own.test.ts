// Policies that files name themselves, the command that tries policies, and a program that keeps them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { delimiter } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { check, plan } from "../../src/library.js";
import { call } from "../run/call.js";
import { folderOf } from "../support/run.js";
import { rule } from "./rules.js";

const HEAD = `targetVersion: "11.5"
portal: { url: "https://gis.example.com/portal/sharing/rest" }
signIn: { url: "https://accounts.example.com" }
`;
const BETA = "must: { settings.blockBetaApps: { const: true } }";

function place(files: Readonly<Record<string, string>>): string {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  mkdirSync(join(folder.path, ".git"));
  return folder.path;
}

interface Told {
  readonly exitCode: number;
  readonly failure: { readonly code: string } | null;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly file: string;
    readonly line: number;
    readonly help: string;
  }[];
  readonly policies: readonly object[];
}

async function told(words: string, cwd: string, env: Record<string, string> = {}): Promise<Told> {
  const ran = await call([...words.split(" "), "--output", "json"], { cwd, env });
  return JSON.parse(ran.stdout) as Told;
}

const codes = ({ diagnostics }: Told) => diagnostics.map(({ code }) => code);

test("resolves policy paths from the file or base that names them; an overlay replaces those of a base", async () => {
  const cwd = place({
    "bases/_base.yaml": "policy: rules\n",
    "bases/rules/beta.yaml": rule("beta", BETA),
    "portals/a.yaml": `${HEAD}extends: ../bases/_base.yaml\n`,
    "portals/b.yaml": `${HEAD}extends: ../bases/_base.yaml\npolicy: [own.yml]\n`,
    "portals/own.yml": rule("own", "must: { contrast: {} }"),
  });
  expect(codes(await told("validate portals/a.yaml", cwd))).toEqual(["policy/beta"]);
  expect(codes(await told("validate portals/b.yaml", cwd))).toEqual(["policy/own"]);
});

test("of a broken base are reported once for all files that extend it", async () => {
  const cwd = place({
    "_base.yaml": "policy: rules\n",
    "rules/beta.yaml": rule("beta", "must: { settings.blockBetaApp: {} }"),
    "a.yaml": `${HEAD}extends: _base.yaml\n`,
    "b.yaml": `${HEAD.replace("gis.", "maps.")}extends: _base.yaml\n`,
  });
  const found = await told("validate a.yaml b.yaml", cwd);
  expect(found.diagnostics).toMatchObject([
    { code: "unknown-key", file: "rules/beta.yaml", line: 4 },
  ]);
  expect(found.diagnostics[0]?.help).toContain("This concerns 2 files.");
});

test("a slow policy in one file does not stop the check of others", async () => {
  const hang = rule("hang", 'must: { settings.informationalBanner.text: { pattern: "^(a+)+$" } }');
  const cwd = place({
    "hang.yml": hang,
    "a.yaml": `${HEAD}policy: hang.yml\nsettings: { informationalBanner: { text: "${"a".repeat(40)}!" } }\n`,
    "b.yaml": `${HEAD.replace("gis.", "maps.")}settings: { blockBetaApp: true }\n`,
  });
  const found = await told("validate a.yaml b.yaml", cwd);
  expect(codes(found)).toEqual(["policy-not-usable", "unknown-key"]);
  expect(found.exitCode).toBe(3);
});

test("limits a file to a hundred policies", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 101 }, (_, at) => [`rules/${at}.yaml`, rule(`r-${at}`, BETA)]),
  );
  const cwd = place({ ...files, "portal.yaml": `${HEAD}policy: rules\n` });
  expect(codes(await told("validate", cwd))).toEqual(["file-too-large"]);
});

test("policy test counts examples, and exits with 3 when one fails", async () => {
  const example = "examples:\n  good:\n    - settings: { blockBetaApps: VALUE }\n  bad: [{}]\n";
  const policy = (value: string) =>
    rule("beta", BETA).replace(/examples:.*\n/, example.replace("VALUE", value));
  const cwd = place({ "good/a.yaml": policy("true"), "bad/a.yaml": policy("false") });
  const good = await told("policy test good", cwd);
  expect(good).toMatchObject({
    exitCode: 0,
    diagnostics: [],
    policies: [{ name: "beta", severity: "error", file: "good/a.yaml", examples: 2, failed: 0 }],
  });
  const bad = await told("policy test bad", cwd);
  expect(bad).toMatchObject({
    exitCode: 3,
    diagnostics: [{ code: "example-fails", file: "bad/a.yaml", line: 7 }],
    policies: [{ examples: 2, failed: 1 }],
  });
  const text = await call(["policy", "test", "good"], { cwd });
  expect(text.stdout).toBe("beta: 2 examples as they say\ngood/a.yaml: no problems.\n");
  // Both folders at once have two policies of one name.
  const env = { LINTEL_POLICY: ["good", "bad"].join(delimiter) };
  expect(codes(await told("policy test", cwd, env)).toSorted()).toEqual([
    "duplicate-key",
    "example-fails",
  ]);
});

test.each(["policy", "policy try good", "policy test"])(
  "wrong words are wrong usage: %s",
  async (words) => {
    expect(await told(words, place({ "a.txt": "" }))).toMatchObject({
      exitCode: 64,
      failure: { code: "wrong-usage" },
    });
  },
);

test("a program keeps those that it names, and those of its environment", async () => {
  const cwd = place({
    "portal.yaml": HEAD,
    "beta.yml": rule("beta", BETA),
    "own.yml": rule("own", "must: { contrast: {} }"),
    "broken.yml": "name: [",
  });
  const env = { LINTEL_POLICY: "own.yml", LINTEL_ALLOWED_HOSTS: "*.example.com" };
  const policy = "beta.yml";
  const found = await check(["portal.yaml"], { cwd, env, policy });
  expect(found.diagnostics.map(({ code }) => code).toSorted()).toEqual([
    "policy/beta",
    "policy/own",
  ]);
  const planned = await plan(["portal.yaml"], { cwd, env, policy, offline: true });
  expect(planned.portals[0]?.policies.toSorted()).toEqual(["beta", "own"]);
  await expect(plan(["portal.yaml"], { cwd, env, policy: ["broken.yml"] })).rejects.toMatchObject({
    code: "policy-not-usable",
  });
  writeFileSync(join(cwd, "portal.yaml"), `${HEAD}settings: { blockBetaApps: true }\n`);
  expect(await check(["portal.yaml"], { cwd, env: {}, policy })).toEqual(
    await check(["portal.yaml"], { cwd, env: {} }),
  );
});
