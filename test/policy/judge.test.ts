// What policies find, and at which line: through bases, references, both spellings and marks; and what can keep them from judging.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { bounded } from "../../src/policy/judge.js";
import { timeAt } from "../../src/policy/policy-input.js";
import { judge } from "../../src/policy/judge.js";
import { readPolicies } from "../../src/policy/read.js";
import { call } from "../run/call.js";
import { folderOf, type Environment } from "../support/run.js";

const HEAD = `targetVersion: "11.5"
portal: { url: "https://gis.example.com/portal/sharing/rest" }
signIn: { url: "https://accounts.example.com" }
`;

function policyOf(body: string, name = "rule"): string {
  return `name: ${name}\nmessage: This is a rule.\nhelp: Ask somebody.\n${body}\nexamples: { bad: [{}] }\n`;
}

type Files = Readonly<Record<string, string>>;

async function find(files: Files, env: Record<string, string> = {}): Promise<readonly Found[]> {
  const folder = folderOf({ "portal.yaml": HEAD, ...files });
  onTestFinished(() => folder.remove());
  mkdirSync(join(folder.path, ".git"));
  const given = Object.keys(files).some((name) => name.startsWith("policy/"));
  return validate(folder.path, given ? ["--policy", "policy"] : [], env);
}

async function validate(cwd: string, words: readonly string[] = [], env: Environment = {}) {
  const ran = await call(["validate", "portal.yaml", "--output", "json", ...words], { cwd, env });
  const { diagnostics, exitCode } = JSON.parse(ran.stdout) as Told;
  expect(exitCode).toBe(diagnostics.some(({ severity }) => severity === "error") ? 3 : 0);
  return diagnostics;
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly related: readonly {
    readonly file: string;
    readonly line: number;
    readonly message: string;
  }[];
}

interface Told {
  readonly exitCode: number;
  readonly diagnostics: readonly Found[];
}

const told = (all: readonly Found[]) =>
  all.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);

describe("reports a finding at its value", () => {
  const must = policyOf(
    "must: { settings.portalConfigProperties.tokenExpiration: { maximum: 60 } }",
  );
  const wrong = (at: string) =>
    `${at} policy/rule This is a rule. "settings.portalConfigProperties.tokenExpiration" is 120 and must be <= 60.`;

  test("in the file itself, with the policy beside it", async () => {
    const found = await find({
      "policy/a.yaml": must,
      "portal.yaml": `${HEAD}settings:\n  portalConfigProperties:\n    tokenExpiration: 120\n`,
    });
    expect(told(found)).toEqual([wrong("portal.yaml:6")]);
    expect(
      found[0]?.related.map(({ file, line, message }) => `${file}:${line} ${message}`),
    ).toEqual(['policy/a.yaml:4 is where the policy "rule" asks for it']);
  });

  test("in a base, and through an alias", async () => {
    const base =
      "x-minutes: &minutes 120\nsettings:\n  portalConfigProperties:\n    tokenExpiration: *minutes\n";
    const found = await find({
      "policy/a.yaml": must,
      "_base.yaml": base,
      "portal.yaml": `${HEAD}extends: _base.yaml\n`,
    });
    expect(told(found)).toEqual([wrong("_base.yaml:1")]);
    expect(
      found[0]?.related.map(({ file, line, message }) => `${file}:${line} ${message}`),
    ).toEqual([
      '_base.yaml:4 uses it as "*minutes"',
      'portal.yaml:4 extends "_base.yaml"',
      'policy/a.yaml:4 is where the policy "rule" asks for it',
    ]);
  });

  test("at a reference, with its value", async () => {
    const found = await find(
      {
        "policy/a.yaml": policyOf("must: { settings.informationalBanner.text: { maxLength: 5 } }"),
        "portal.yaml": `${HEAD}settings:\n  informationalBanner: { text: "\${env:LINTEL_VAR_TEXT}" }\n`,
      },
      { LINTEL_VAR_TEXT: "Much too long" },
    );
    expect(told(found)).toEqual([
      'portal.yaml:5 policy/rule This is a rule. "settings.informationalBanner.text" is "Much too long" and must NOT have more than 5 characters.',
    ]);
  });

  test("at the key above a missing value", async () => {
    const settings =
      "settings:\n  portalConfigProperties:\n    surveyUrl: https://survey.example.com\n";
    expect(told(await find({ "policy/a.yaml": must, "portal.yaml": HEAD + settings }))).toEqual([
      'portal.yaml:5 policy/rule This is a rule. "settings.portalConfigProperties.tokenExpiration" is not there.',
    ]);
    expect(told(await find({ "policy/a.yaml": must }))).toEqual([
      'portal.yaml:1 policy/rule This is a rule. "settings.portalConfigProperties.tokenExpiration" is not there.',
    ]);
  });

  test("at the entry of a list", async () => {
    const found = await find({
      "policy/a.yaml": policyOf(
        'must: { settings.portalConfigProperties.httpsDomains: { items: { pattern: "[.]example[.]com$" } } }',
      ),
      "portal.yaml": `${HEAD}settings:\n  portalConfigProperties:\n    httpsDomains:\n      - a.example.com\n      - b.example.org\n`,
    });
    expect(found.map(({ line }) => line)).toEqual([8]);
  });
});

describe("the document has", () => {
  const settings = (text: string) => `${HEAD}settings:\n${text}`;
  const isFound = async (must: string, file: string) =>
    (await find({ "policy/a.yaml": policyOf(must), "portal.yaml": file })).some(
      ({ code }) => code === "policy/rule",
    );

  test.each([
    ["the reference's spelling", "portalPlatformOnlineConfigEnabled", "portalAGOConfigEnabled"],
    ["the other one", "portalAGOConfigEnabled", "portalPlatformOnlineConfigEnabled"],
    ["the same one", "portalAGOConfigEnabled", "portalAGOConfigEnabled"],
  ])("a property under its name, whichever is written: %s", async (_, named, written) => {
    const must = `must: { settings.portalConfigProperties.${named}: { const: false } }`;
    const file = (value: string) =>
      settings(`  portalConfigProperties: { ${written}: ${value} }\n`);
    expect([await isFound(must, file("true")), await isFound(must, file("false"))]).toEqual([
      true,
      false,
    ]);
  });

  test("the host of the address, without capitals, port and a dot at its end", async () => {
    const odd = HEAD.replace("gis.example.com", "GIS.Example.com.:7443");
    expect(odd).not.toBe(HEAD);
    expect(await isFound("must: { portal.host: { const: gis.example.com } }", odd)).toBe(false);
  });

  test("the documented default for its mark", async () => {
    const must = "must: { settings.portalConfigProperties.tokenExpiration: { maximum: 1 } }";
    const file = settings("  portalConfigProperties: { tokenExpiration: !default }\n");
    const [found] = await find({ "policy/a.yaml": policyOf(must), "portal.yaml": file });
    expect(found?.message).toMatch(/is \d+ and must be <= 1/);
  });

  test("a contrast that is rounded to no better grade", async () => {
    // 4.499…:1
    const colours = (front: string) =>
      settings(`  informationalBanner: { bgColor: white, fontColor: "${front}" }\n`);
    const must = "must: { contrast: { minimum: 4.5 } }";
    expect(await isFound(must, colours("#777777"))).toBe(true);
    expect(await isFound(must, colours("#767676"))).toBe(false);
    expect(await isFound(must, settings("  informationalBanner: { bgColor: white }\n"))).toBe(true);
  });

  test("no inherited properties", async () => {
    const banner = settings("  informationalBanner: { text: Hello }\n");
    expect(await isFound("must: { settings: { not: { minProperties: 2 } } }", banner)).toBe(false);
    const found = await find({ "policy/a.yaml": policyOf("must: { settings.toString: {} }") });
    expect(found.map(({ code }) => code)).toContain("unknown-key");
  });
});

test("time is that of the zone which the policy names, over a change of clocks", () => {
  const at = (moment: string, zone: string) => timeAt(Date.parse(moment), zone);
  expect(at("2026-12-04T11:00:00Z", "Europe/Vienna")).toEqual({
    date: "2026-12-04",
    weekday: "friday",
    minuteOfDay: 720,
    timeZone: "Europe/Vienna",
  });
  expect(at("2026-07-03T10:59:59Z", "Europe/Vienna")).toMatchObject({ minuteOfDay: 779 });
  expect(at("2026-12-06T23:30:00Z", "Europe/Vienna")).toMatchObject({
    weekday: "monday",
    minuteOfDay: 30,
  });
  expect(at("2026-12-06T23:30:00Z", "America/New_York")).toMatchObject({ weekday: "sunday" });
});

describe("a policy that cannot be evaluated never passes", () => {
  test.each([
    ["is not there", { LINTEL_POLICY: "nowhere.yaml" }, {}, "file-not-found"],
    ["an empty folder", { LINTEL_POLICY: "empty" }, { "empty/read.me": "" }, "file-not-found"],
    ["is empty", { LINTEL_POLICY: "p" }, { "p/a.yaml": "" }, "empty-file"],
    ["is no YAML", { LINTEL_POLICY: "p" }, { "p/a.yaml": "a: [" }, "yaml-syntax"],
    [
      "two documents",
      { LINTEL_POLICY: "p" },
      { "p/a.yaml": "a: 1\n---\nb: 1\n" },
      "several-documents",
    ],
    [
      "two of one name",
      { LINTEL_POLICY: "p" },
      { "p/a.yaml": policyOf("must: { file: {} }"), "p/b.yaml": policyOf("must: { file: {} }") },
      "duplicate-key",
    ],
    [
      "one of several paths",
      { LINTEL_POLICY: "p:q" },
      { "p/a.yaml": policyOf("must: { file: {} }") },
      "file-not-found",
    ],
  ] as const)("%s", async (_, env, files, code) => {
    const found = await find(files, env);
    expect(found.map((each) => [each.code, each.severity])).toContainEqual([code, "error"]);
  });

  test("nor does one that a file names and that is not there, hidden, or outside of its repository", async () => {
    const file = (name: string) => `${HEAD}policy: ${name}\n`;
    for (const [name, code] of [
      ["nowhere", "file-not-found"],
      ["[nowhere.yaml]", "file-not-found"],
      [".hidden/a.yaml", "outside-repository"],
      ["../other", "outside-repository"],
      ["/etc/hostname", "outside-repository"],
      ["way/a.yaml", "outside-repository"],
    ] as const) {
      const place = folderOf({
        "repo/portal.yaml": file(name),
        "repo/.hidden/a.yaml": policyOf("must: { file: {} }"),
        "other/a.yaml": policyOf("must: { file: {} }"),
      });
      onTestFinished(() => place.remove());
      mkdirSync(join(place.path, "repo/.git"));
      symlinkSync("../other", join(place.path, "repo/way"));
      const diagnostics = await validate(join(place.path, "repo"));
      expect([name, ...diagnostics.map((each) => each.code)]).toContain(code);
    }
  });

  test("counts a policy that a file and the environment name once", async () => {
    const files = {
      "p/a.yaml": policyOf("must: { contrast: {} }"),
      "portal.yaml": `${HEAD}policy: [p, ./p/a.yaml]\n`,
    };
    const found = await find(files, { LINTEL_POLICY: "p/a.yaml" });
    expect(found.map(({ code }) => code)).toEqual(["policy/rule"]);
  });
});

describe("work without end", () => {
  const text = `${"a".repeat(40)}!`;

  test("is ended in the midst of an expression, and the policy is not asked again", () => {
    const folder = folderOf({
      "a.yaml": policyOf('must: { settings.informationalBanner.text: { pattern: "^(a+)+$" } }'),
    });
    onTestFinished(() => folder.remove());
    const { policies } = readPolicies(["."], folder.path);
    const given = {
      portal: { name: "a" },
      targetVersion: "11.5",
      deployment: "enterprise",
      file: "portal.yaml",
      settings: { informationalBanner: { text } },
      schedule: [],
    };
    const ask = () => judge(policies, given, undefined, 20);
    expect(ask).toThrow('The policy "rule" cannot be asked: it takes longer than 20 ms.');
    // What would take its time again is told at once.
    expect(() => judge(policies, { ...given, settings: {} }, undefined, 20)).toThrow(
      /cannot be asked/,
    );
  });

  test("also where a schema leads to itself", () => {
    const folder = folderOf({ "a.yaml": policyOf('must: { file: { allOf: [{ $ref: "#" }] } }') });
    onTestFinished(() => folder.remove());
    const { policies, problems } = readPolicies(["."], folder.path);
    const given = {
      portal: { name: "a" },
      targetVersion: "11.5",
      deployment: "enterprise",
      file: "a",
      settings: {},
      schedule: [],
    };
    expect(problems).toEqual([]);
    expect(() => judge(policies, given)).toThrow(/leads in a circle/);
  });

  test("does not hide a TypeError of our own", () => {
    expect(() => bounded(() => undefined as unknown as string).length).toThrow(TypeError);
    expect(() =>
      bounded(() => {
        throw new TypeError("ours");
      }),
    ).toThrow(new TypeError("ours"));
  });
});

test("a time limit that interrupts the first schema does not break those after it", async () => {
  vi.resetModules();
  const { openCompiler } = await import("../../src/document/check/compile.js");
  const compile = openCompiler();
  for (const longestMs of [20, 60_000]) {
    try {
      bounded(() => compile({ maximum: 60 }), longestMs);
    } catch (error) {
      // Only the short limit may interrupt.
      expect([longestMs, (error as Error).name]).toEqual([20, "Unjudged"]);
    }
  }
  expect(compile({ maximum: 60 })(61)).toHaveLength(1);
});
