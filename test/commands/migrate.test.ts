// lintel migrate and lintel upgrade as a person and a pipeline meet them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { serve } from "../support/network.js";
import { lintel } from "../run/call.js";
import { PROJECT, folderOf, type Ran } from "../support/run.js";

const OLD = `window.esriGeowConfig = {
  bingMapsKey: "AhSecretKey0123456789",
  tokenExpiration: 30, // short
  webAppBuilderEnabled: true,
  searchArcGISOnlineEnabled: false,
  surveyUrl: location.protocol + "//survey.example.org"
};
`;
const NOT_CERTAIN = "esriGeowConfig.httpsDomains = hosts();\n";

function folder(files: Record<string, string | Buffer> = {}) {
  const made = folderOf({ "config.js": OLD, ...files });
  onTestFinished(() => made.remove());
  const env = { SOURCE_DATE_EPOCH: "1767225600" };
  const run = (...words: string[]): Promise<Ran> => lintel(words, { cwd: made.path, env });
  const read = (name: string) => readFileSync(join(made.path, name), "utf8");
  return { path: made.path, run, read };
}

function documentOf({ stdout }: Ran): JsonObject & { readonly properties: readonly JsonObject[] } {
  return JSON.parse(stdout) as JsonObject & { readonly properties: readonly JsonObject[] };
}

describe("migrate", () => {
  test("writes a file that a person can review and that passes the check", async () => {
    const { path, run, read } = folder();
    const { exit, stdout, stderr } = await run(
      "migrate",
      "config.js",
      "--target",
      "11.0",
      "--out",
      "portal.yaml",
    );
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(/config\.js:3:3 +migrated +tokenExpiration/);
    expect(stdout).toContain("5 properties: 3 migrated, 1 with stock values");
    expect(existsSync(join(path, "desired-state-11.0.schema.json"))).toBe(true);
    expect(read("portal.yaml"))
      .toBe(`# yaml-language-server: $schema=./desired-state-11.0.schema.json
# Migrated from "config.js" on 2026-01-01. Review each value before you apply it. Lintel manages
# only the settings in this file, and leaves all others as they are.

# portal:
#   url: https://gis.example.com/portal/sharing/rest
targetVersion: "11.0"
settings:
  portalConfigProperties:
    tokenExpiration: 30 # config.js:3
    searchArcGISOnlineEnabled: false # config.js:5
    surveyUrl: https://survey.example.org # config.js:6
`);
    expect(stdout).toContain(
      "Next: set portal.url and signIn in the file, review each value, then run:\n  lintel validate portal.yaml\n",
    );
    const { exit: checked, stdout: problems } = await run("validate", "portal.yaml");
    expect({ checked, problems }).toMatchObject({
      checked: 3,
      problems: expect.stringContaining('The key "portal" is missing.') as string,
    });
    const again = await run("migrate", "config.js", "--target", "11.0", "--out", "portal.yaml");
    expect(again).toMatchObject({ exit: 1 });
    expect(again.stderr).toContain("[file-exists]");
  });

  test("without a file to write, the YAML goes to standard output and the report beside it", async () => {
    const { run } = folder();
    const { exit, stdout, stderr } = await run("migrate", "config.js", "--target", "11.0", "--all");
    expect(exit).toBe(0);
    expect(stdout).toContain("searchArcGISOnlineEnabled: false");
    expect(stdout).toContain("webAppBuilderEnabled: true");
    expect(stderr).toContain("5 properties: 4 migrated, 1 without a counterpart.");
  });

  test("lists each property in JSON, never with the value of an unknown one", async () => {
    const { run } = folder({ "more.js": NOT_CERTAIN });
    const all: string[] = [];
    for (const format of ["json", "markdown", "sarif", "junit", "github", "gitlab", "text"]) {
      const ran = await run(
        "migrate",
        "config.js",
        "more.js",
        "--target",
        "11.0",
        "--output",
        format,
      );
      expect(ran.exit).toBe(3);
      all.push(ran.stdout, ran.stderr);
      if (format !== "json") continue;
      expect(
        documentOf(ran).properties.map(({ name, outcome, value, file, line, column }) => [
          name,
          outcome,
          value,
          file,
          line,
          column,
        ]),
      ).toEqual([
        ["bingMapsKey", "no-counterpart", null, "config.js", 2, 3],
        ["tokenExpiration", "migrated", 30, "config.js", 3, 3],
        ["webAppBuilderEnabled", "stock", true, "config.js", 4, 3],
        ["searchArcGISOnlineEnabled", "migrated", false, "config.js", 5, 3],
        ["surveyUrl", "migrated", "https://survey.example.org", "config.js", 6, 3],
        ["httpsDomains", "not-understood", null, "more.js", 1, 1],
      ]);
    }
    expect(all.join("")).not.toContain("AhSecretKey");
    expect(all.join("")).toContain("hosts()");
  });

  test("shows no secrets, for any error on their lines", async () => {
    const hazards = readFileSync(join(PROJECT, "test/migrate/hazards/secrets.js"), "utf8");
    const broken = OLD.replace('789",', '789"');
    const open = OLD.replace('789",', "789,");
    for (const text of [
      hazards,
      broken,
      open,
      hazards.replaceAll("\n", " "),
      open.replaceAll("\n", " "),
    ]) {
      const { run } = folder({ "old.js": text });
      for (const format of ["text", "json"]) {
        const { stdout, stderr, exit } = await run(
          "migrate",
          "old.js",
          "--target",
          "11.0",
          "--output",
          format,
        );
        expect(exit).toBe(3);
        expect(stdout + stderr).not.toMatch(/AhSecretKey|98765/);
      }
    }
  });

  test("what the check does not let pass is invalid, and left out with its value to be mended", async () => {
    const { run, read } = folder({
      "old.js":
        'window.esriGeowConfig = { surveyUrl: "//s.example.org", tokenExpiration: 30, sceneViewerEnabled: "false" };',
    });
    const { exit, stdout } = await run(
      "migrate",
      "old.js",
      "--target",
      "11.0",
      "--out",
      "portal.yaml",
      "--portal-url",
      "https://gis.example.com/portal",
    );
    expect(exit).toBe(3);
    expect(stdout).toContain("Next: set signIn in the file, review each value");
    expect(stdout).toContain("Write https://s.example.org");
    expect(stdout).toContain('is the text "false", which acted as true');
    expect(read("portal.yaml")).toContain('#     surveyUrl: "//s.example.org"\n');
    expect(await run("validate")).toMatchObject({ exit: 0 });
  });

  test("adds to a file that is there, and leaves what it says already", async () => {
    const before =
      '\ufeff# mine\r\ntargetVersion: "11.0"\r\nsettings:   # all\r\n  portalConfigProperties:\r\n    tokenExpiration: 99 # mine\r\nportal: { url: "https://gis.example.com/portal/sharing/rest" }\r\n';
    const { run, read } = folder({ "portal.yaml": before });
    const { exit, stdout } = await run("migrate", "config.js", "--into", "portal.yaml");
    expect(exit).toBe(3);
    expect(stdout).toContain("[already-set]");
    expect(read("portal.yaml")).toBe(
      before.replace(
        "# mine\r\nportal",
        "# mine\r\n    searchArcGISOnlineEnabled: false # config.js:5\r\n    surveyUrl: https://survey.example.org # config.js:6\r\nportal",
      ),
    );
    const again = await run("migrate", "config.js", "--into", "portal.yaml");
    expect(again.stdout).toContain('"portal.yaml" is unchanged.');
  });

  test("reads from a folder, from standard input and from the portal itself", async () => {
    const place = "customizations/10.9.1/framework/webapps/arcgis#home/js/arcgisonline/config.js";
    const { path, run } = folder({ [`arcgis/${place}`]: OLD, "empty/readme.txt": "nothing" });
    expect((await run("migrate", "arcgis", "--target", "11.0")).stderr).toContain(
      `arcgis/${place}:3:3`,
    );
    expect(await run("migrate", "empty", "--target", "11.0")).toMatchObject({ exit: 64 });
    const piped = await lintel(["migrate", "-", "--target", "11.0"], { cwd: path, stdin: OLD });
    expect(piped.stdout).toContain("tokenExpiration: 30 # -:3");
    const portal = await serve(({ path: asked }, response) => {
      const isFile = asked === "/portal/home/js/arcgisonline/config.js";
      response.writeHead(isFile ? 200 : 404, { "content-type": "application/javascript" });
      response.end(
        isFile
          ? OLD.replace('"//survey.example.org"', 'location.host + "/survey"').replace(
              "protocol +",
              "protocol + '//' +",
            )
          : "no",
      );
    });
    const fetched = await run("migrate", `${portal.url}/portal/sharing/rest`, "--target", "11.0");
    expect(fetched.stdout).toContain(
      `surveyUrl: ${portal.url}/survey`.replace(portal.url, `"${portal.url}`.slice(1)),
    );
    expect(portal.received.map(({ method }) => method)).toEqual(["GET"]);
    expect(await run("migrate", `${portal.url}/other`, "--target", "11.0")).toMatchObject({
      exit: 4,
    });
  });

  test.each([
    [["migrate"], 64, /No old configuration file/],
    [["migrate", "config.js"], 64, /"--target" is missing/],
    [["migrate", "config.js", "--target", "9.3"], 64, /"9.3" is not a known version/],
    [
      ["migrate", "config.js", "--target", "11.0", "--portal-url", "gis"],
      64,
      /"gis" is not a portal address/,
    ],
    [
      ["migrate", "config.js", "--target", "11.0", "--out", "a", "--into", "b"],
      64,
      /Both "--out" and "--into"/,
    ],
    [["migrate", "missing.js", "--target", "11.0"], 3, /no file "missing.js"/],
    [["migrate", "no.js", "--target", "11.0"], 3, /Nothing is assigned to "esriGeowConfig"/],
    [["migrate", "comment.js", "--target", "11.0"], 3, /in a comment/],
    [["migrate", "conflict.js", "--target", "11.0"], 3, /merge conflict/],
    [["migrate", "curly.js", "--target", "11.0"], 3, /typographic quote/],
    [["migrate", "open.js", "--target", "11.0"], 3, /does not end/],
    [["migrate", "cut.js", "--target", "11.0"], 3, /in the middle of something/],
    [["migrate", "bare.js", "--target", "11.0"], 3, /without quotes/],
    [["migrate", "first.js", "--target", "11.0"], 3, /first line is not JavaScript/],
    [["migrate", "page.js", "--target", "11.0"], 3, /web page/],
    [["migrate", "deep.js", "--target", "11.0"], 3, /nests too deep/],
    [["upgrade", "portal.yaml"], 64, /"--to" is missing/],
    [["upgrade", "portal.yaml", "--to", "9"], 64, /"9" is no version/],
    [["upgrade", "portal.yaml", "--to", "11.1"], 64, /tpsEnabled \(from 11.5 on\)/],
  ] as [string[], number, RegExp][])(
    "lintel %j says what is wrong",
    async (words, status, message) => {
      const { run } = folder({
        "no.js": "var a = 1;",
        "comment.js": "// window.esriGeowConfig = { tokenExpiration: 30 };",
        "conflict.js": "window.esriGeowConfig = {\n<<<<<<< mine\n  tokenExpiration: 30\n=======\n",
        "curly.js": "window.esriGeowConfig = { surveyUrl: \u201chttps://a.example.org\u201d };",
        "open.js": 'window.esriGeowConfig = {\n  surveyUrl: "https://a.example.org\n};',
        "cut.js": "window.esriGeowConfig = {\n  tokenExpiration: 30,",
        "bare.js": "window.esriGeowConfig = {\n  surveyUrl: https://a.example.org\n};",
        "first.js": "Configuration of our portal\nwindow.esriGeowConfig = {};",
        "page.js": "<html><body>Sign in</body></html>",
        "deep.js": `window.esriGeowConfig = { a: ${"[".repeat(100_000)}`,
        "portal.yaml":
          'targetVersion: "11.5"\nsettings: { portalConfigProperties: { tpsEnabled: true } }\n',
      });
      const { exit, stdout, stderr } = await run(...words);
      expect(stdout + stderr).toMatch(message);
      expect(exit).toBe(status);
      expect(stdout + stderr).not.toMatch(/\n {4}at /);
    },
  );
});

describe("upgrade", () => {
  test("shows what changes, and edits only the target and the schema's line", async () => {
    const text =
      '# yaml-language-server: $schema=./desired-state-11.0.schema.json\ntargetVersion :  "11.0"   # ours\nsettings: { portalConfigProperties: { tokenExpiration:  30 } }\n';
    const { path, run, read } = folder({
      "portal.yaml": text,
      "desired-state-11.0.schema.json": "{}",
    });
    const shown = await run("upgrade", "--to", "12.1");
    expect(shown).toMatchObject({ exit: 0, stderr: "" });
    expect(shown.stdout).toMatch(
      /tokenExpiration \(12\.1\), portal\.yaml:3:39[\s\S]*iotViewerUrl \(11\.1, deprecated since 12\.1\)/,
    );
    expect(read("portal.yaml")).toBe(text);
    const written = documentOf(await run("upgrade", "--to", "12.1", "--write", "--output", "json"));
    expect(written).toMatchObject({
      from: "11.0",
      to: "12.1",
      written: ["portal.yaml", "desired-state-12.1.schema.json"],
    });
    expect(read("portal.yaml")).toBe(text.replace("-11.0.", "-12.1.").replace('"11.0"', '"12.1"'));
    expect(existsSync(join(path, "desired-state-12.1.schema.json"))).toBe(true);
    expect((await run("upgrade", "--to", "12.1")).stdout).toBe(
      "The target of portal.yaml is 12.1 already.\n",
    );
  });

  test("crossing the version that ended config.js explains how to carry its values over", async () => {
    const portal = 'portal: { url: "https://gis.example.com/portal/sharing/rest" }\n';
    const { run } = folder({
      "portal.yaml": `targetVersion: "10.9.1"\n${portal}`,
      "later.yaml": `targetVersion: "11.0"\n${portal}`,
      "hosted.yaml": `targetVersion: "10.9.1"\ndeployment: hosted-online\n${portal}`,
    });
    const codesOf = async (file: string, to: string) => {
      const { diagnostics } = documentOf(await run("upgrade", file, "--to", to, "-o", "json"));
      return (diagnostics as readonly JsonObject[]).map(({ code }) => code);
    };
    expect(await codesOf("portal.yaml", "11.0")).toEqual(["not-carried-over"]);
    expect(await codesOf("later.yaml", "12.1")).toEqual([]);
    expect(await codesOf("portal.yaml", "10.9.1")).toEqual([]);
    expect(await codesOf("hosted.yaml", "11.0")).toEqual([]);
    const { exit, stdout } = await run("upgrade", "--to", "12.1", "--write");
    expect(exit).toBe(0);
    expect(stdout).toContain("Keep a copy of the file before the portal is upgraded.");
    const [, words = ""] = /^ +lintel (migrate .*)$/m.exec(stdout) ?? [];
    expect(words).toBe("migrate config.js --into portal.yaml");
    expect(await run(...words.split(" "))).toMatchObject({ exit: 0 });
  });

  test("what is new says where it is deprecated already, and is of the file's own deployment", async () => {
    const { run } = folder({
      "portal.yaml": 'targetVersion: "10.9.1"\n',
      "hosted.yaml": 'targetVersion: "10.9.1"\ndeployment: hosted-online\n',
    });
    const availableIn = async (file: string) => {
      const { available } = documentOf(await run("upgrade", file, "--to", "12.1", "-o", "json"));
      return available as readonly JsonObject[];
    };
    const all = await availableIn("portal.yaml");
    expect(all).toContainEqual({
      name: "portalConfigProperties.tokenExpiration",
      since: "11.0",
      deprecated: "12.1",
    });
    expect(all).toContainEqual({
      name: "portalConfigProperties.webEditorEnabled",
      since: "11.3",
      deprecated: null,
    });
    expect((await run("upgrade", "portal.yaml", "--to", "12.1")).stdout).toContain(
      "  portalConfigProperties.tokenExpiration (11.0, deprecated since 12.1)\n",
    );
    expect(await availableIn("hosted.yaml")).toEqual([]);
  });

  test("names the settings that a version changes", async () => {
    const { run } = folder({
      "11.0.yaml": 'targetVersion: "11.0"\n',
      "11.2.yaml": 'targetVersion: "11.2"\n',
      "10.9.yaml": 'targetVersion: "10.9"\n',
    });
    const { stdout } = await run("upgrade", "11.0.yaml", "--to", "11.2");
    expect(stdout).toContain(
      "Changed on the way:\n  searchPlatformOnlineEnabled: From 11.2 it also acts in the map viewer.\n  showInAppLauncher: Its default list differs by version.\n",
    );
    const changedIn = async (file: string, to: string) => {
      const { changed } = documentOf(await run("upgrade", file, "--to", to, "-o", "json"));
      return (changed as readonly JsonObject[]).map(({ name, since }) => [name, since]);
    };
    const launcher = ["showInAppLauncher", null];
    const search = ["searchPlatformOnlineEnabled", "11.2"];
    expect(await changedIn("11.0.yaml", "11.2")).toEqual([search, launcher]);
    expect(await changedIn("11.0.yaml", "11.1")).toEqual([launcher]);
    expect(await changedIn("11.2.yaml", "12.1")).toEqual([launcher]);
    expect(await changedIn("11.2.yaml", "11.2")).toEqual([]);
    // New there, so that nothing of them changes.
    expect(await changedIn("10.9.yaml", "12.1")).toEqual([]);
  });

  test("a target that stands in a base is named, and changed only there", async () => {
    const base = 'targetVersion: "11.0"\n';
    const { path, run, read } = folder({
      "_base.yaml": base,
      "portal.yaml": "extends: ./_base.yaml\nsettings: {}\n",
    });
    expect((await run("upgrade", "--to", "11.5")).stdout).toContain(
      "The base sets targetVersion at _base.yaml:1:16.",
    );
    const written = await run("upgrade", "--to", "11.5", "--write");
    expect(written).toMatchObject({ exit: 0 });
    expect(written.stdout).toContain("Wrote _base.yaml.");
    expect(read("_base.yaml")).toBe('targetVersion: "11.5"\n');
    expect(read("portal.yaml")).toBe("extends: ./_base.yaml\nsettings: {}\n");
    writeFileSync(join(path, "portal.yaml"), "settings: {}\n");
    expect(await run("upgrade", "--to", "11.5")).toMatchObject({ exit: 3 });
  });
});
