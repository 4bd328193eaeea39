// What lintel migrate does where files are many, large, there already or written in unusual ways.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PROJECT, folderOf, lintel, type Ran } from "../support/run.js";

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
    ["footerLinks", list(3_000, link)],
    ["httpsDomains", list(7_900, host)],
  ])("%s of %.20s…", async (name, value) => {
    const { run } = folder({ "large.js": configuration(`${name}: ${value}`) });
    const words = ["migrate", "large.js", "--target", "11.0", "--out", "portal.yaml"];
    const portal = ["--portal-url", "https://gis.example.com/portal"];
    expect(await run(...words, ...portal)).toMatchObject({ exit: 0 });
    expect(await run("validate", "portal.yaml")).toMatchObject({ exit: 0 });
  });
});

describe("reports what cannot be written into a file, with exit status 3", () => {
  const PROPERTIES = "tokenExpiration: 15, longTokenExpiration: 90";
  test.each([
    [
      `x-p: &p { ${PROPERTIES} }\nsettings:\n  portalConfigProperties: *p\n`,
      /"sceneViewerEnabled" cannot be added to "p.yaml": its settings are an alias/,
    ],
    [
      `x-s: &s\n  portalConfigProperties: { ${PROPERTIES} }\nsettings: *s\n`,
      /"sceneViewerEnabled" cannot be added to "p.yaml": its settings are an alias/,
    ],
    [
      "settings:\n  portalConfigProperties:\n    tokenExpiration: 15\n",
      /"tokenExpiration" is 30 in "config.js" and 15 in "p.yaml"/,
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
      /Did you mean "searchArcGISOnlineEnabled"\? \[near-name\]/,
    ],
    [
      configuration("searchPlatformOnlineEnabled: false"),
      "11.0",
      3,
      /The old portal read "searchArcGISOnlineEnabled" and ignored "searchPlatformOnlineEnabled"/,
    ],
    [OLD, "99.0", 0, /The reference ends at version 12\.1/],
  ])("%s for %s", async (text, target, status, message) => {
    const { run, read } = folder({ "old.js": text });
    const words = ["migrate", "old.js", "--target", target, "--out", "portal.yaml"];
    const { exit, stdout } = await run(...words);
    expect(exit).toBe(status);
    expect(stdout).toMatch(message);
    if (target === "99.0") expect(stdout).not.toContain("lintel upgrade");
    expect(read("portal.yaml")).not.toContain("near-name");
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
    expect(shown).toContain("is 12.1 already");
    expect(shown).toContain("desired-state-11.0.schema.json → ./desired-state-12.1.schema.json");
    expect(await run("upgrade", "--to", "12.1", "--write")).toMatchObject({ exit: 0 });
    expect(read("portal.yaml")).toBe(text.replace("11.0", "12.1"));
  });

  test("an upgrade beyond the reference warns", async () => {
    const { run } = folder({ "portal.yaml": 'targetVersion: "11.0"\nsettings: {}\n' });
    const { exit, stdout } = await run("upgrade", "--to", "99.0");
    expect(exit).toBe(0);
    expect(stdout).toContain("The reference ends at version 12.1");
  });
});

describe("a later run with --into", () => {
  test("adds a value that is known now", async () => {
    const text = configuration(
      'surveyUrl: location.protocol + "//" + location.host + "/s", httpsDomains: hosts()',
    );
    const { run, read } = folder({ "old.js": text });
    await run("migrate", "old.js", "--target", "11.0", "--out", "portal.yaml");
    expect(read("portal.yaml")).toContain(
      "# To decide:\n#   surveyUrl (old.js:1), not-understood: ",
    );
    const portal = ["--portal-url", "https://gis.example.com/portal"];
    await run("migrate", "old.js", "--into", "portal.yaml", ...portal);
    expect(read("portal.yaml")).toContain("surveyUrl: https://gis.example.com/s # old.js:1\n");
  });

  test("takes the portal's address from the file, and reports what the file has already", async () => {
    const text = configuration(
      'surveyUrl: location.protocol + "//" + location.host + "/s", tokenExpiration: 45, longTokenExpiration: 90',
    );
    const { run, read } = folder({
      "old.js": text,
      "portal.yaml":
        'targetVersion: "12.1"\nportal: { url: "https://gis.example.com/portal/sharing/rest" }\nsettings:\n  portalConfigProperties:\n    tokenExpiration: 30\n    longTokenExpiration: 90\n',
    });
    const { exit, stdout } = await run("migrate", "old.js", "--into", "portal.yaml", "-o", "json");
    const { properties } = JSON.parse(stdout) as {
      properties: { name: string; outcome: string; message: string }[];
    };
    expect(properties.map(({ name, outcome }) => [name, outcome])).toEqual([
      ["surveyUrl", "migrated"],
      ["tokenExpiration", "not-added"],
      ["longTokenExpiration", "already-set"],
    ]);
    expect(properties[1]?.message).toBe(
      '"tokenExpiration" is 45 in "old.js" and 30 in "portal.yaml". Lintel kept the latter.',
    );
    expect(exit).toBe(3);
    expect(read("portal.yaml")).toContain("surveyUrl: https://gis.example.com/s # old.js:1\n");
  });

  test("keeps the file when the check refuses the value", async () => {
    const text = configuration('surveyUrl: "//s.example.org"');
    const { run, read } = folder({ "old.js": text });
    await run("migrate", "old.js", "--target", "11.0", "--out", "portal.yaml");
    const before = read("portal.yaml");
    expect(before).toContain("#   surveyUrl (old.js:1), invalid: ");
    const again = await run("migrate", "old.js", "--into", "portal.yaml");
    expect(again.exit).toBe(3);
    expect(again.stdout).toContain('"portal.yaml" is unchanged.');
    expect(again.stdout).not.toContain("Wrote");
    expect(read("portal.yaml")).toBe(before);
  });
});

test("refuses a target without such settings", async () => {
  const { run } = folder({ "old.js": configuration("tokenExpiration: 45") });
  const { exit, stderr } = await run("migrate", "old.js", "--target", "10.9");
  expect(exit).toBe(64);
  expect(stderr).toContain("--target 11.0");
});

test("what is only to check leaves the exit status at 0", async () => {
  const entries =
    'iotViewerUrl: "https://v.example.org", classificationBanner: 1, tokenExpiraton: 3';
  const { run, read } = folder({ "old.js": configuration(entries) });
  const { exit } = await run("migrate", "old.js", "--target", "11.0", "--out", "portal.yaml");
  expect(exit).toBe(0);
  const [, list] = read("portal.yaml").split("# To check:\n");
  expect(list).toContain("#   iotViewerUrl (old.js:1), needs-newer-target: ");
  expect(list).toContain("#   tokenExpiraton (old.js:1), no-counterpart: ");
  expect(list).toContain("Use the setting informationalBanner.");
});

test.each(["00a-stock-10.9.js", "00b-stock-10.4.js"])(
  "the stock file %s is one line, with a count of names without a counterpart",
  async (name) => {
    const text = readFileSync(join(PROJECT, "test/migrate/files", name), "utf8");
    const { run } = folder({ "old.js": text });
    const { exit, stderr } = await run("migrate", "old.js", "--target", "12.1");
    expect(exit).toBe(0);
    expect(stderr).toMatch(
      /^\d+ properties: \d+ with stock values \(use --all to copy them\), \d+ without a counterpart\.\n+$/,
    );
  },
);

test("what has no place in a setting's value is not printed", async () => {
  const links = '[{ title: "x", apiKey: "SECRET1", url: "https://x.example" }]';
  const { run } = folder({
    "old.js": configuration(`footerLinks: ${links}, httpsDomains: ["a", { k: "SECRET2" }]`),
  });
  for (const format of ["text", "json", "markdown"]) {
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

test("comments are not copied", async () => {
  const text =
    'window.esriGeowConfig = {\n  // bingMapsKey: "Lobster"\n  tokenExpiration: 30 // Lobster\n};';
  const { run } = folder({ "old.js": text });
  const { stdout, stderr } = await run("migrate", "old.js", "--target", "11.0");
  expect(stdout).toContain("tokenExpiration: 30 # old.js:3\n");
  expect(stdout + stderr).not.toContain("Lobster");
});
