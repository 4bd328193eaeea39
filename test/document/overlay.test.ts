// What files say together: overlays, marks, references, and what a change under review may not refer to.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../support/property.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { inspect } from "node:util";
import { check } from "../../src/document/check/check.js";
import { desiredOf, signInOf } from "../../src/document/read/desired.js";
import { readSource } from "../../src/document/read/bytes.js";
import { parse } from "../../src/document/read/parse.js";
import { sourceTextOf } from "../../src/lib/source-text.js";
import { toJson, type Node } from "../../src/document/read/tree.js";
import { isSecret } from "../../src/secret.js";
import { folderOf } from "../support/run.js";

type Files = Readonly<Record<string, string>>;

function folderWith(files: Files): string {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** What is said together matters here, and not where the portal is. */
const ANYWHERE = { mayLackPortal: true };

function checkIn(cwd: string, env: Readonly<Record<string, string>> = {}, file = "portal.yaml") {
  const { root, diagnostics } = check(file, readSource({ file, cwd }), { cwd, env }, ANYWHERE);
  return {
    value: root && (JSON.parse(JSON.stringify(toJson(root))) as Record<string, unknown>),
    found: diagnostics.map((each) => `${each.file}:${each.place?.line} ${each.code}`),
    diagnostics,
  };
}

const checked = (files: Files, env?: Readonly<Record<string, string>>) =>
  checkIn(folderWith(files), env);

const head = 'targetVersion: "11.5"\n';

describe("overlays", () => {
  test("empty settings leave those of the base as they are", () => {
    const { value, found } = checked({
      "_base.yaml": `${head}settings:\n  blockBetaApps: true\n`,
      "portal.yaml": "extends: _base.yaml\nsettings:\n  # informationalBanner: { text: a }\n",
    });
    expect(found).toEqual([]);
    expect(value).toEqual({ targetVersion: "11.5", settings: { blockBetaApps: true } });
  });

  test("maps merge deeply, everything else replaces, the later wins", () => {
    const { value, found } = checked({
      "_a.yaml": `${head}portal: { name: a, id: "1" }
settings:
  informationalBanner: { text: a, enabled: true }
  portalConfigProperties: { httpsDomains: [a.example.com, b.example.com] }
`,
      "_b.yaml": "settings:\n  informationalBanner: { text: b }\n",
      "portal.yaml": `extends: [_a.yaml, ./_b.yaml]
portal: { name: c }
settings:
  informationalBanner: { bgColor: black }
  portalConfigProperties: { httpsDomains: [c.example.com] }
`,
    });
    expect(found).toEqual([]);
    expect(value).toEqual({
      targetVersion: "11.5",
      portal: { name: "c", id: "1" },
      settings: {
        informationalBanner: { text: "b", enabled: true, bgColor: "black" },
        portalConfigProperties: { httpsDomains: ["c.example.com"] },
      },
    });
  });

  test("!unmanaged drops what a base set, one leaf or a whole object", () => {
    const { value, found } = checked({
      "_a.yaml": `${head}settings:
  informationalBanner: { text: a, enabled: true }
  anonymousAccessNotice: { text: b }
  blockBetaApps: true
`,
      "portal.yaml": `extends: _a.yaml
settings:
  informationalBanner: { enabled: !unmanaged }
  anonymousAccessNotice: !unmanaged
`,
    });
    expect(found).toEqual([]);
    expect(value?.["settings"]).toEqual({
      informationalBanner: { text: "a" },
      blockBetaApps: true,
    });
  });

  test("two spellings are one property, so an overlay's replaces the base's", () => {
    const { value, found } = checked({
      "_a.yaml": `${head}settings: { portalConfigProperties: { portalAGOConfigEnabled: true } }\n`,
      "portal.yaml": `extends: _a.yaml
settings: { portalConfigProperties: { portalPlatformOnlineConfigEnabled: !default } }
`,
    });
    expect(found).toEqual([]);
    expect(value?.["settings"]).toEqual({ portalConfigProperties: {} });
  });

  test("a base in another folder resolves its own files from there, and names both places", () => {
    const { diagnostics } = checked({
      "bases/_a.yaml": "extends: deeper/_b.yaml\n",
      "bases/deeper/_b.yaml": "settings: { blockBetaApps: 1 }\n",
      "portal.yaml": `${head}extends: bases/_a.yaml\n`,
    });
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: "wrong-type",
      file: "bases/deeper/_b.yaml",
      place: { line: 1, column: 28 },
      related: [
        { message: 'extends "bases/deeper/_b.yaml"', place: { file: "bases/_a.yaml", line: 1 } },
        { message: 'extends "bases/_a.yaml"', place: { file: "portal.yaml", line: 2 } },
      ],
    });
  });

  test("reports one broken base, and the others too", () => {
    const { found } = checked({
      "_a.yaml": "a: [\n",
      "_b.yaml": "b: 'x\n",
      "portal.yaml": `${head}extends: [_a.yaml, _b.yaml, _c.yaml]\n`,
    });
    expect(found).toEqual([
      "_a.yaml:2 yaml-syntax",
      "_b.yaml:1 yaml-syntax",
      "portal.yaml:2 file-not-found",
    ]);
  });

  test("a base that two files share is no circle", () => {
    const { found } = checked({
      "_root.yaml": head,
      "_a.yaml": "extends: _root.yaml\n",
      "_b.yaml": "extends: _root.yaml\n",
      "portal.yaml": "extends: [_a.yaml, _b.yaml]\n",
    });
    expect(found).toEqual([]);
  });
});

describe("references", () => {
  const banner = (text: string) => `${head}settings: { informationalBanner: { text: ${text} } }\n`;
  const textOf = (files: Files, env?: Readonly<Record<string, string>>) => {
    const { value, found } = checked(files, env);
    const settings = value?.["settings"] as { informationalBanner?: { text?: string } };
    return found[0] ?? settings.informationalBanner?.text;
  };

  test.each([
    ['"${env:LINTEL_VAR_A}"', "one"],
    ['"${env:LINTEL_VAR_A:-two}"', "one"],
    ['"${env:LINTEL_VAR_B:-two} ${env:LINTEL_VAR_B:-}."', "two ."],
    ['"${env:LINTEL_VAR_EMPTY:-two}"', ""],
    ['"a ${file:text.txt} b"', "a line\n b"],
    ['"${portal.name} and ${i18n.url}"', "portal and ${i18n.url}"],
    [
      '"$${env:X} $$${env:LINTEL_VAR_A} ${x} $ {env:A}"',
      "${env:X} $${env:LINTEL_VAR_A} ${x} $ {env:A}",
    ],
    ['"${env:lintel_var_a}"', "portal.yaml:2 forbidden-variable"],
    ['"${env:LINTEL_VAR_B}"', "portal.yaml:2 undefined-variable"],
    ['"${env:LINTEL_VAR_A-x}"', "portal.yaml:2 bad-reference"],
    ['"${file:latin1.txt}"', "portal.yaml:2 bad-reference"],
    ['"${file:.env}"', "portal.yaml:2 outside-repository"],
    ['"${file:sub/../../outside.txt}"', "portal.yaml:2 outside-repository"],
  ])("%s is %j", (text, expected) => {
    const env = { LINTEL_VAR_A: "one", LINTEL_VAR_EMPTY: "", lintel_var_a: "no" };
    const folder = folderOf({
      "portal.yaml": banner(text),
      "text.txt": "line\n\n",
      "latin1.txt": Buffer.from("Stra\xdfe", "latin1"),
      ".env": "KEY=1",
      "sub/x": "",
    });
    onTestFinished(() => folder.remove());
    const { value, found } = checkIn(folder.path, env);
    const settings = value?.["settings"] as { informationalBanner?: { text?: string } };
    expect(found[0] ?? settings.informationalBanner?.text).toBe(expected);
  });

  test("does not resolve references inside a variable's value", () => {
    const files = { "portal.yaml": banner('"${env:LINTEL_VAR_A}"') };
    expect(textOf(files, { LINTEL_VAR_A: "${env:LINTEL_VAR_A} $${" })).toBe(
      "${env:LINTEL_VAR_A} $${",
    );
  });

  test("inside a repository all files that git tracks are open, but none behind a link out of it", () => {
    const cwd = folderWith({
      "repo/portals/portal.yaml": `${head}settings:
  informationalBanner: { text: "\${file:../texts/banner.txt}" }
  anonymousAccessNotice: { text: "\${file:../texts/link.txt}" }
  authenticatedAccessNotice: { text: "\${file:../.git/config}", title: "\${file:../left.txt}" }
`,
      "repo/texts/banner.txt": "hello",
      "repo/left.txt": "left by a build",
      "secret.txt": "secret",
    });
    symlinkSync("../../secret.txt", join(cwd, "repo/texts/link.txt"));
    execFileSync("git", ["init", "-q"], { cwd: join(cwd, "repo") });
    execFileSync("git", ["add", "texts"], { cwd: join(cwd, "repo") });
    const { found } = checkIn(cwd, {}, "repo/portals/portal.yaml");
    expect(found).toEqual([
      "repo/portals/portal.yaml:4 outside-repository",
      "repo/portals/portal.yaml:5 outside-repository",
      "repo/portals/portal.yaml:5 outside-repository",
    ]);
  });

  test("a base outside the repository is refused before it is read", () => {
    const cwd = folderWith({
      "repo/portal.yaml": `${head}extends: [../outside.yaml, .hidden.yaml]\n`,
      "repo/.hidden.yaml": "password: [broken",
      "outside.yaml": "password: [broken",
    });
    mkdirSync(join(cwd, "repo/.git"));
    const { found, diagnostics } = checkIn(cwd, {}, "repo/portal.yaml");
    expect(found).toEqual(Array(2).fill("repo/portal.yaml:2 outside-repository"));
    expect(JSON.stringify(diagnostics)).not.toContain("password");
  });

  test("those under signIn and state are left as they are, and need not be defined", () => {
    const { value, found } = checked({
      "portal.yaml": `${head}signIn: { url: "\${env:LINTEL_VAR_URL:-https://accounts.example.com}", webServicesKey: "\${env:LINTEL_NOWHERE}" }
state: file:states/\${portal.name}
`,
    });
    expect(found).toEqual([]);
    expect(value?.["state"]).toBe("file:states/${portal.name}");
  });
});

test("hides what a variable gives to a sign-in, in any field", () => {
  const cwd = folderWith({
    "portal.yaml": `${head}portal: { url: https://gis.example.com/rest }
signIn: { method: login, url: https://accounts.example.com, username: "\${env:LINTEL_ANY}", password: "\${env:LINTEL_NONE}" }
`,
  });
  const around = { cwd, env: {} };
  const { root } = check("portal.yaml", readSource({ file: "portal.yaml", cwd }), around);
  const signIn =
    root &&
    signInOf(desiredOf("portal.yaml", root), { cwd, env: { LINTEL_ANY: "hunter2" } }, "KEY");
  expect(signIn).toMatchObject({
    method: "login",
    carry: "authorization",
    fields: { url: "https://accounts.example.com" },
    variables: { username: "LINTEL_ANY", password: "LINTEL_NONE" },
  });
  expect(isSecret(signIn?.fields["username"])).toBe(true);
  expect(signIn?.fields["password"]).toBeUndefined();
  expect(inspect(signIn)).not.toContain("hunter2");
});

test("reports a literal secret without showing it", () => {
  for (const line of [
    "password: hunter2",
    '"password" : "hunter2"',
    "password: |\n    hunter2",
    "password: ${env:A:-hunter2}",
    "password: [hunter2",
    "password: hunter2: x",
    "token: hunter2",
    "password: !default hunter2",
    "password: !hunter2 x",
    "password: *hunter2",
  ]) {
    const { diagnostics } = checked({
      "portal.yaml": `${head}signIn:\n  method: login\n  ${line}\n  url: https://accounts.example.com\n`,
    });
    expect(diagnostics.length).toBeGreaterThan(0);
    const shown = JSON.stringify(
      diagnostics.map(({ place, message }) => [place?.excerpt, message]),
    );
    // A tag or an alias is part of the language; what they are called is no secret.
    if (!/[!*]hunter2/.test(line)) expect(shown).not.toContain("hunter2");
  }
});

describe("reading what was printed gives the same values", () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
  const tree = fc.letrec((tie) => ({
    node: fc.oneof({ depthSize: "small" }, leaf, tie("list"), tie("mapping")),
    list: fc.array(tie("node"), { maxLength: 4 }),
    mapping: fc.dictionary(
      fc.string().filter((key) => !key.startsWith("x-")),
      tie("node"),
      {
        maxKeys: 4,
      },
    ),
  })).mapping;

  test("for any tree of values written as JSON, which is YAML", () => {
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify(value, null, 1);
        const source = { ...sourceTextOf("x", text), path: undefined };
        const { root, problems } = parse(source);
        expect(problems).toEqual([]);
        expect(JSON.parse(JSON.stringify(toJson(root as Node)))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });
});
