// What lintel migrate does where files are many, large, there already or written in unusual ways.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderOf, lintel, type Ran } from "../support/run.js";

const OLD = "window.esriGeowConfig = { tokenExpiration: 30, sceneViewerEnabled: false };\n";

function folder(files: Record<string, string>) {
  const made = folderOf({ "config.js": OLD, ...files });
  onTestFinished(() => made.remove());
  const env = { SOURCE_DATE_EPOCH: "1767225600" };
  const run = (...words: string[]): Promise<Ran> => lintel(words, { cwd: made.path, env });
  const read = (name: string) => readFileSync(join(made.path, name), "utf8");
  return { run, read };
}

const configuration = (property: string) => `window.esriGeowConfig = { ${property} };\n`;
const list = (count: number, item: (at: number) => string) =>
  `[${Array.from({ length: count }, (_, at) => item(at)).join(",")}]`;

describe("large lists", () => {
  const host = (at: number) => `"h${at}.example"`;
  const link = (at: number) => `{title:"t${at}",url:"https://x.example/${at}"}`;
  test.each([
    ["footerLinks", list(3_000, link), 3],
    ["httpsDomains", list(7_900, host), 0],
  ])("%s of %.20s…", async (name, value, status) => {
    const { run } = folder({ "large.js": configuration(`${name}: ${value}`) });
    const words = ["migrate", "large.js", "--target", "11.0", "--out", "portal.yaml"];
    const portal = ["--portal-url", "https://gis.example.com/portal"];
    const { exit, stdout } = await run(...words, ...portal);
    expect(exit).toBe(status);
    if (status !== 0) expect(stdout).toContain("and a desired-state file takes 8,000");
    expect(await run("validate", "portal.yaml")).toMatchObject({ exit: 0 });
  });
});

describe("what cannot be put into a file is told, with exit status 3", () => {
  const PROPERTIES = "tokenExpiration: 15, longTokenExpiration: 90";
  test.each([
    [
      `x-p: &p { ${PROPERTIES} }\nsettings:\n  portalConfigProperties: *p\n`,
      /"sceneViewerEnabled" cannot be added to "p.yaml", where "portalConfigProperties" is an alias/,
    ],
    [
      `x-s: &s\n  portalConfigProperties: { ${PROPERTIES} }\nsettings: *s\n`,
      /"sceneViewerEnabled" cannot be added to "p.yaml", where "settings" is an alias/,
    ],
    [
      "settings:\n  portalConfigProperties:\n    tokenExpiration: 15\n",
      /"tokenExpiration" has another value in "p.yaml"/,
    ],
  ])("%j", async (text, message) => {
    const { run } = folder({ "p.yaml": `targetVersion: "11.0"\n${text}` });
    const ran = await run("migrate", "config.js", "--into", "p.yaml", "--output", "json");
    expect(ran.exit).toBe(3);
    const { diagnostics, properties } = JSON.parse(ran.stdout) as Record<
      string,
      readonly { readonly message: string }[]
    >;
    expect(diagnostics?.map((each) => each.message)).toContainEqual(
      expect.stringMatching(message) as string,
    );
    expect(properties?.map((each) => each.message)).toContainEqual(
      expect.stringMatching(message) as string,
    );
  });
});

describe("odd names, versions and files", () => {
  test.each([
    [
      configuration("serchArcGISOnlineEnabled: false"),
      "11.0",
      0,
      /\[near-name\][^]*Did you mean "searchArcGISOnlineEnabled"/,
    ],
    [
      configuration("searchPlatformOnlineEnabled: false"),
      "11.0",
      0,
      /had no effect on the old portal, which read "searchArcGISOnlineEnabled"/,
    ],
    [OLD, "99.0", 0, /The reference ends at version 12\.1/],
  ])("%s for %s", async (text, target, status, message) => {
    const { run, read } = folder({ "old.js": text });
    const words = ["migrate", "old.js", "--target", target, "--out", "portal.yaml"];
    const { exit, stdout } = await run(...words);
    expect(exit).toBe(status);
    expect(stdout).toMatch(message);
    if (target === "99.0") expect(stdout).not.toContain("lintel upgrade");
    expect(read("portal.yaml")).not.toContain("no such setting any more");
  });

  test("a file that is missing is looked for where portals have it", async () => {
    const { run } = folder({});
    const { stdout, stderr } = await run("migrate", "nope.js", "--target", "11.0");
    expect(stdout + stderr).toContain("webapps/arcgis#home/js/arcgisonline/config.js");
    expect(stdout + stderr).not.toContain("lintel init");
  });

  test.each([
    "targetVersion: >-\n  11.0\nsettings: {}\n",
    'targetVersion: "11.0" # ours\nsettings: {}\n',
    "settings: {}\ntargetVersion: |-\n    11.0\n\n",
  ])("an upgrade changes the version alone in %j", async (text) => {
    const { run, read } = folder({ "portal.yaml": text });
    expect(await run("upgrade", "--to", "12.1", "--write")).toMatchObject({ exit: 0 });
    expect(read("portal.yaml")).toBe(text.replace("11.0", "12.1"));
  });

  test("an upgrade mends the schema's name after a target that was changed by hand", async () => {
    const line = "# yaml-language-server: $schema=./desired-state-11.0.schema.json";
    const text = `${line}\ntargetVersion: "12.1"\nsettings: {}\n`;
    const { run, read } = folder({ "portal.yaml": text });
    const shown = (await run("upgrade", "--to", "12.1")).stdout;
    expect(shown).toContain("has the target 12.1 already");
    expect(shown).toContain("desired-state-11.0.schema.json → ./desired-state-12.1.schema.json");
    expect(await run("upgrade", "--to", "12.1", "--write")).toMatchObject({ exit: 0 });
    expect(read("portal.yaml")).toBe(text.replace("11.0", "12.1"));
  });

  test("an upgrade beyond the reference says so", async () => {
    const { run } = folder({ "portal.yaml": 'targetVersion: "11.0"\nsettings: {}\n' });
    const { exit, stdout } = await run("upgrade", "--to", "99.0");
    expect(exit).toBe(0);
    expect(stdout).toContain("The reference ends at version 12.1");
  });
});

describe("a later run with more known", () => {
  test("takes back what an earlier one said is to be decided, and nothing else", async () => {
    const text = configuration(
      'surveyUrl: location.protocol + "//" + location.host + "/s", httpsDomains: hosts()',
    );
    const { run, read } = folder({ "old.js": text });
    await run("migrate", "old.js", "--target", "11.0", "--out", "portal.yaml");
    expect(read("portal.yaml")).toContain("#   surveyUrl (old.js:1), not-understood: ");
    const portal = ["--portal-url", "https://gis.example.com/portal"];
    await run("migrate", "old.js", "--into", "portal.yaml", ...portal);
    expect(read("portal.yaml")).toContain("surveyUrl: https://gis.example.com/s # old.js:1\n");
    expect(read("portal.yaml")).not.toContain("#   surveyUrl (");
    expect(read("portal.yaml")).toContain("#   httpsDomains (old.js:1), not-understood: ");
  });

  test("what the check refuses is not said to be written, and stays to be decided", async () => {
    const text = configuration('surveyUrl: "//s.example.org"');
    const { run, read } = folder({ "old.js": text });
    await run("migrate", "old.js", "--target", "11.0", "--out", "portal.yaml");
    const before = read("portal.yaml");
    expect(before).toContain("#   surveyUrl (old.js:1), invalid: ");
    const again = await run("migrate", "old.js", "--into", "portal.yaml");
    expect(again.exit).toBe(3);
    expect(again.stdout).toContain('"portal.yaml" is left as it is.');
    expect(again.stdout).not.toContain("Wrote");
    expect(read("portal.yaml")).toBe(before);
  });

  test("what is only to be checked leaves the exit status at 0, and goes when it has a value", async () => {
    const text = configuration('iotViewerUrl: "https://v.example.org", tokenExpiraton: 30');
    const { run, read } = folder({ "old.js": text });
    const { exit } = await run("migrate", "old.js", "--target", "11.0", "--out", "portal.yaml");
    expect(exit).toBe(0);
    expect(read("portal.yaml")).toContain(
      "# Left out, and to be checked:\n#   iotViewerUrl (old.js:1), needs-newer-target: ",
    );
    await run("upgrade", "--to", "11.1", "--write");
    await run("migrate", "old.js", "--into", "portal.yaml");
    expect(read("portal.yaml")).toContain("iotViewerUrl: https://v.example.org # old.js:1\n");
    expect(read("portal.yaml")).not.toContain("#   iotViewerUrl (");
    expect(read("portal.yaml")).toContain("#   tokenExpiraton (old.js:1), no-counterpart: ");
  });

  test("the list goes with its last entry", async () => {
    const text = configuration('surveyUrl: location.protocol + "//" + location.host + "/s"');
    const { run, read } = folder({ "old.js": text });
    await run("migrate", "old.js", "--target", "11.0", "--out", "portal.yaml");
    await run(
      "migrate",
      "old.js",
      "--into",
      "portal.yaml",
      "--portal-url",
      "https://gis.example.com",
    );
    expect(read("portal.yaml")).not.toContain("to be decided");
  });
});

test("what has no place in a setting's value is not printed", async () => {
  const links = '[{ title: "x", apiKey: "SECRET1", url: "https://x.example" }]';
  const { run } = folder({
    "old.js": configuration(`footerLinks: ${links}, httpsDomains: ["a", { k: "SECRET2" }]`),
  });
  for (const format of ["text", "json", "html"]) {
    const { stdout, stderr } = await run(
      "migrate",
      "old.js",
      "--target",
      "11.0",
      "--output",
      format,
    );
    expect(stdout + stderr).not.toContain("SECRET");
  }
});

test("a comment that names a property without counterpart is left out", async () => {
  const text =
    "window.esriGeowConfig = {\n  forums: 1,\n  // as in forums Lobster\n  tokenExpiration: 30\n};";
  const { run } = folder({ "old.js": text });
  const { stdout } = await run("migrate", "old.js", "--target", "11.0");
  expect(stdout).not.toContain("Lobster");
  expect(stdout).toContain("# a comment was left out, old.js:4");
});
