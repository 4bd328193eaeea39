// The command line as a person and a pipeline meet it.
import { RULES } from "../../src/document/check/rules/all.js";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import packageFacts from "../../package.json" with { type: "json" };
import { ALL } from "../../src/cli/all.js";
import { lintel } from "../run/call.js";
import { BIN, environment, folderOf, lintel as built, type Ran } from "../support/run.js";

/** Of a portal of its own, because one portal has one file. */
const good = (name: string) =>
  `targetVersion: "11.5"\nportal: { url: "https://${name}.example.com/portal/sharing/rest" }\n`;
const GOOD = good("gis");
const WRONG =
  'targetVersion: "11.5"\nsetings: {}\nportal: { url: "https://gis.example.com/sharing/rest" }\n';
const folder = folderOf({
  "good.yaml": GOOD,
  "wrong.yaml": WRONG,
  "fleet/a.yaml": good("a"),
  "fleet/b.yml": WRONG,
  "fleet/_part.yaml": "settings: {}\n",
  "fleet/deep/c.yaml": good("c"),
  "fleet/.hidden/d.yaml": WRONG,
  "fleet/readme.txt": "no yaml",
  "alone/portal.yaml": good("alone"),
  "many/portals/one.yaml": good("one"),
  "many/portals/two.yaml": good("two"),
  "many/portals/_base.yaml": "settings: {}\n",
  "nothing/readme.txt": "no yaml",
});
afterAll(() => folder.remove());

const run = (...words: string[]): Promise<Ran> => lintel(words, { cwd: folder.path });
const runIn = (name: string, ...words: string[]): Promise<Ran> =>
  lintel(words, { cwd: join(folder.path, name) });

test("a secret that Azure did not supply is missing, and is not sent", async () => {
  const names = ["LINTEL_BEID", "LINTEL_WEB_SERVICES_KEY"];
  const env = Object.fromEntries(names.map((name) => [name, `$(${name})`]));
  const text = `${GOOD}signIn: { url: "https://accounts.example.com" }\n`;
  const options = { cwd: folder.path, env, stdin: text };
  const { exit, stdout } = await built(["drift", "-"], options);
  expect({ exit, stdout }).toMatchObject({
    exit: 4,
    stdout: expect.stringContaining("[credential-missing]") as string,
  });
});

test("reads no package.json of the folder that it runs in", () => {
  const own = folderOf({ "good.yaml": GOOD });
  onTestFinished(() => own.remove());
  expect(spawnSync("mkfifo", [join(own.path, "package.json")]).status).toBe(0);
  // Reading it never ends.
  const ran = spawnSync(process.execPath, [BIN, "validate", "good.yaml"], {
    cwd: own.path,
    env: environment(),
    encoding: "utf8",
    timeout: 50_000,
    killSignal: "SIGKILL",
  });
  expect(ran).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^good\.yaml: no problems\.\n/) as string,
  });
});

describe("help", () => {
  test("no arguments print a short help", async () => {
    const { exit, stdout, stderr } = await run();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    for (const { name } of ALL) expect(stdout).toContain(`  ${name}`);
    expect((await run("--help")).stdout).toBe(stdout);
    expect((await run("-h")).stdout).toBe(stdout);
  });

  test("the version stands alone", async () => {
    expect(await built(["--version"])).toEqual({
      exit: 0,
      stdout: `${packageFacts.version}\n`,
      stderr: "",
    });
  });

  test.each(ALL.map(({ name }) => name))("of %s shows examples first", async (name) => {
    const { exit, stdout } = await run(name, "-h");
    expect(exit).toBe(0);
    expect(stdout.indexOf("Examples")).toBeGreaterThan(0);
    expect(stdout.indexOf("Examples")).toBeLessThan(stdout.indexOf("Options"));
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });
});

describe("wrong usage is exit 64 and says what would be right", () => {
  const cases: [words: string[], message: RegExp][] = [
    [["valdate"], /Unknown command "valdate"[\s\S]*Did you mean "validate"\?/],
    [["validate", "--ouput", "json"], /Unknown option "--ouput"[\s\S]*Did you mean "--output"\?/],
    [["validate", "-x"], /Unknown option "-x"/],
    [["validate", "--output"], /"--output" requires a value/],
    [["validate", "--output", "--quiet"], /"--output" requires a value/],
    [["validate", "--output", "jsn"], /Unknown report "jsn"[\s\S]*Did you mean "json"\?/],
    [["validate", "--output", "json="], /names no file/],
    [["validate", "-o", "junit", "-o", "sarif"], /junit and sarif/],
    [["validate", "--quiet=yes"], /takes no value/],
    [["explain", "tokenExpirations"], /no setting[\s\S]*Did you mean .*"tokenExpiration"/],
    [["schema", "9.3"], /"9.3" is no version/],
    [["schema", "11.5", "part"], /Unexpected argument "part"[\s\S]*\n {10}lintel schema \[NAME\]/],
    [["completion"], /The shell is missing/],
    [["completion", "bsh"], /Did you mean "bash"/],
    [["help", "valdate"], /Unknown command or topic "valdate"/],
    [["help", "exit"], /Unknown command or topic "exit"[\s\S]*Did you mean "exit-status"\?/],
    [["help", "stat"], /Did you mean "state" or "status"\?/],
    [["comp"], /Did you mean "completion"\?/],
    [["plan", "--conc", "1"], /Did you mean "--concurrency"\?/],
    [["init", "new.yaml", "--url", "a", "--url", "b"], /given twice/],
    [["init", "new.yaml", "--url", "gis.example.com"], /"--url" cannot be "gis\.example\.com"/],
    [
      [
        "init",
        "new.yaml",
        "--url",
        "https://gis.example.com/portal/sharing/rest",
        "--target",
        "12.1",
        "--state",
        "postgres://u:pw@db/x",
      ],
      /^error: "--state" cannot be "…@db\/x"/,
    ],
    [["init", "new.yaml"], /Cannot prompt for "--url": standard input is not a terminal/],
    [["validate", "nothing"], /holds no .yaml/],
    [["validate", "fleet/*.json"], /No file matches/],
  ];
  test.each(cases)("lintel %j", async (words, message) => {
    const { exit, stdout, stderr } = await run(...words);
    expect(stderr).toMatch(message);
    expect(exit).toBe(64);
    expect(stdout).toBe("");
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  test("and still prints the JSON document on request", async () => {
    for (const words of [["--bogus"], ["--quiet=1"], ["nothing"]]) {
      const { exit, stdout } = await run("validate", ...words, "--output", "json");
      const document = JSON.parse(stdout) as Record<string, unknown>;
      expect(document).toMatchObject({ formatVersion: 1, command: "validate", diagnostics: [] });
      expect(document["failure"]).toMatchObject({ message: expect.any(String) as string });
      expect(document["exitCode"]).toBe(exit);
    }
  });
});

describe("validate", () => {
  test("a good file is exit 0, a wrong one exit 3", async () => {
    expect(await run("validate", "good.yaml")).toMatchObject({ exit: 0, stderr: "" });
    expect(await run("validate", "wrong.yaml")).toMatchObject({ exit: 3, stderr: "" });
    expect(await run("validate", "nowhere.yaml")).toMatchObject({ exit: 3, stderr: "" });
  });

  test("uses portal.yaml here, else every portals/*.yaml", async () => {
    expect((await runIn("alone", "validate")).stdout).toMatch(/^portal\.yaml: no problems\.\n/);
    expect((await runIn("many", "validate")).stdout).toBe("2 files: no problems.\n");
    expect(await runIn("nothing", "validate")).toMatchObject({ exit: 64 });
  });

  test("takes folders without parts and hidden files, and patterns", async () => {
    expect((await run("validate", "fleet")).stdout).toMatch(
      /^fleet\/b.yml:2:1[\s\S]*3 files: 1 error/,
    );
    expect((await run("validate", "fleet/**/*.yaml")).stdout).toBe("2 files: no problems.\n");
    expect((await run("validate", "{good,alone/p*}.yaml")).stdout).toBe("2 files: no problems.\n");
    expect((await run("validate", "[fg]*d.yaml")).stdout).toMatch(/^good\.yaml: no problems\.\n/);
    expect((await run("validate", "good.yaml", "./good.yaml", "*.yaml")).stdout).toContain(
      "2 files",
    );
  });

  test("reads standard input", async () => {
    const { exit, stdout } = await built(["validate", "-"], { stdin: WRONG });
    expect(exit).toBe(3);
    expect(stdout).toContain("-:2:1: error");
  });

  test("checks a part that is named, without asking it to be whole", async () => {
    expect(await run("validate", "fleet/_part.yaml")).toMatchObject({ exit: 0 });
  });

  test("writes several reports at once, text to the terminal", async () => {
    const words = ["wrong.yaml", "-o", "json=out/a.json", "--output=sarif=out/b.sarif"];
    const { stdout, exit } = await run("validate", ...words);
    expect(exit).toBe(3);
    expect(stdout).toContain("wrong.yaml:2:1: error");
    expect(JSON.parse(readFileSync(join(folder.path, "out/a.json"), "utf8"))).toBeTruthy();
    expect(JSON.parse(readFileSync(join(folder.path, "out/b.sarif"), "utf8"))).toBeTruthy();
  });

  test("fails when a report cannot be written", async () => {
    const { exit, stderr } = await run("validate", "good.yaml", "-o", "json=good.yaml/x.json");
    expect(stderr).toContain("cannot be written");
    expect(exit).toBe(1);
  });

  test("is quiet when asked, unless something is wrong", async () => {
    expect((await run("validate", "-q", "good.yaml")).stdout).toBe("");
    expect((await run("validate", "-q", "wrong.yaml")).stdout).toContain("unknown-key");
  });
});

describe("colour", () => {
  const ESCAPE = "\u001b[";
  const coloured = async (env: Record<string, string>, ...words: string[]) =>
    (await lintel(["validate", "wrong.yaml", ...words], { cwd: folder.path, env })).stdout.includes(
      ESCAPE,
    );
  test("a flag wins over NO_COLOR, that over FORCE_COLOR, that over the terminal", async () => {
    expect(await coloured({})).toBe(false);
    expect(await coloured({ FORCE_COLOR: "1" })).toBe(true);
    expect(await coloured({ FORCE_COLOR: "0" })).toBe(false);
    expect(await coloured({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(await coloured({ FORCE_COLOR: "1" }, "--no-color")).toBe(false);
    await coloured({ FORCE_COLOR: "1" }, "-o", "text=colour.txt");
    expect(readFileSync(join(folder.path, "colour.txt"), "utf8")).not.toContain(ESCAPE);
  });
});

test("a reader that closes the pipe early is no failure", async () => {
  const child = spawn(process.execPath, [BIN, "schema"], { env: environment(), stdio: "pipe" });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exit = await new Promise((done) => child.on("close", done));
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
});

describe("explain", () => {
  test("says of every rule what it finds and how bad that is", async () => {
    for (const { code, severity, meaning } of RULES) {
      const { stdout } = await run("explain", code);
      const words = stdout.replace(/\s+/g, " ");
      expect(words).toContain(
        `${code} A rule of ${severity} severity. It finds ${meaning.replaceAll("`", '"')}.`,
      );
    }
    expect((await run("explain", "low-contrst")).stderr).toContain('Did you mean "low-contrast"?');
  });

  test("lists every setting, and describes one by any of its names", async () => {
    const list = (await run("explain")).stdout;
    expect(list).toContain("portalConfigProperties.dataPipelinesEnabled");
    const one = (await run("explain", "portalConfigProperties.tokenExpiration")).stdout;
    for (const fact of ["minutes", "120", "11.0", "12.1"]) expect(one).toContain(fact);
    expect((await run("explain", "tokenExpiration")).stdout).toBe(one);
    expect((await run("explain", "settings.portalConfigProperties.tokenExpiration")).stdout).toBe(
      one,
    );
    const other = (await run("explain", "searchArcGISOnlineEnabled")).stdout;
    expect(other).toContain("searchPlatformOnlineEnabled");
    expect((await run("explain", "text")).stdout.match(/\.text/g)).toHaveLength(3);
  });

  test("with a file names the line that gives a value, and what that overrode", async () => {
    const folder = folderOf({
      "_base.yaml": `targetVersion: "11.5"\nsettings: { informationalBanner: { text: base, enabled: true } }\n`,
      "portal.yaml": "extends: _base.yaml\nsettings:\n  informationalBanner:\n    text: mine\n",
    });
    const words = ["explain", "informationalBanner", "--file", "portal.yaml"];
    const { stdout } = await lintel(words, { cwd: folder.path });
    const json = await lintel([...words, "-o", "json"], { cwd: folder.path });
    const broken = await lintel(["explain", "text", "--file", "nowhere.yaml"], {
      cwd: folder.path,
    });
    folder.remove();
    expect(stdout).toContain(
      "  value        portal.yaml:4:11  mine\n  overrode     _base.yaml:2:42  base\n",
    );
    expect(stdout).toContain("informationalBanner.bgColor is not set by portal.yaml.");
    const { settings } = JSON.parse(json.stdout) as { settings: { inFile: unknown[] }[] };
    expect(settings[0]?.inFile).toEqual([
      { value: "mine", file: "portal.yaml", line: 4, column: 11 },
      { value: "base", file: "_base.yaml", line: 2, column: 42 },
    ]);
    expect(broken).toMatchObject({ exit: 3 });
  });

  test("as JSON gives the facts", async () => {
    const { stdout } = await run("explain", "tokenExpiration", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      command: "explain",
      settings: [{ type: "minutes", default: 120, introduced: "11.0", deprecated: "12.1" }],
    });
  });
});

test("schema prints the committed schema, of the newest known version at or below the one asked for", async () => {
  const committed = (name: string) =>
    readFileSync(join(BIN, "../../schemas", `${name}.schema.json`), "utf8");
  expect((await run("schema")).stdout).toBe(committed("desired-state"));
  expect((await run("schema", "11.5")).stdout).toBe(committed("desired-state-11.5"));
  expect((await run("schema", "11.10")).stdout).toBe(committed("desired-state-11.5"));
});
