// lintel pull: the file says what the portal shows, and every byte beside that stays.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { lintel } from "../run/call.js";
import { folderOf } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";

/** A portal with these settings, and a folder with these files; "portal.yaml" begins with the addresses. */
async function place(settings: JsonObject, files: Readonly<Record<string, string>>) {
  const sandbox = await openSandbox();
  sandbox.change("self", settings);
  const folder = folderOf({
    ...files,
    "portal.yaml": fileFor(sandbox, files["portal.yaml"]),
  });
  onTestFinished(() => folder.remove());
  const path = (name: string) => join(folder.path, name);
  return {
    sandbox,
    read: (name: string) => readFileSync(path(name), "utf8"),
    write: (name: string, text: string) => writeFileSync(path(name), text),
    has: (name: string) => existsSync(path(name)),
    run: (...words: string[]) =>
      lintel(words, {
        cwd: folder.path,
        env: { ...keysOf(sandbox), LINTEL_VAR_DAY: "Saturday" },
      }),
  };
}

const BANNER = { text: "Back at noon", bgColor: "yellow", fontColor: "black", enabled: true };

describe("in place", () => {
  test("changes only the bytes of values that differ, in any layout", async () => {
    const written = `# Ours.
settings:
    informationalBanner:   # seen by all
        text:   'Closed' # for now
        bgColor: &colour "yellow"
        enabled:   false
    portalConfigProperties: { tokenExpiration: !default,   httpsDomains: [ a.example.com ] }
`;
    const { run, read } = await place(
      {
        informationalBanner: BANNER,
        portalConfigProperties: { tokenExpiration: 60, httpsDomains: ["b.example.com"] },
      },
      { "portal.yaml": written },
    );
    const before = read("portal.yaml");
    const { exit, stdout } = await run("pull");
    expect({ exit, stdout }).toMatchObject({ exit: 0 });
    expect(read("portal.yaml")).toBe(
      before
        .replace("'Closed'", "'Back at noon'")
        .replace("enabled:   false", "enabled:   true")
        .replace("!default", "60")
        .replace("[ a.example.com ]", "[b.example.com]"),
    );
    expect((await run("plan")).stdout).not.toMatch(/^ +~ /m);
    const again = await run("pull");
    expect(again.stdout).toBe("No differences.\n");
  });

  test("line ends and a mark at the beginning stay", async () => {
    const { run, read, write } = await place({ informationalBanner: BANNER }, {});
    const crlf = `\ufeff${read("portal.yaml")}settings:\n  informationalBanner: { text: Closed }\n`;
    write("portal.yaml", crlf.replaceAll("\n", "\r\n"));
    expect((await run("pull")).exit).toBe(0);
    expect(read("portal.yaml")).toBe(
      crlf.replaceAll("\n", "\r\n").replace("Closed", "Back at noon"),
    );
  });

  test("what is written as a reference, or came through an alias, is left and named", async () => {
    const written = `x-text: &text Closed
settings:
  informationalBanner:
    text: Closed on \${env:LINTEL_VAR_DAY}
  anonymousAccessNotice:
    text: *text
`;
    const { run, read } = await place(
      { informationalBanner: BANNER, anonymousAccessNotice: { text: "Terms" } },
      { "portal.yaml": written },
    );
    const before = read("portal.yaml");
    const { exit, stdout } = await run("pull");
    expect(exit).toBe(0);
    expect(read("portal.yaml")).toBe(before);
    expect(stdout).toMatch(/! informationalBanner\.text +it is written as a reference/);
    expect(stdout).toMatch(/! anonymousAccessNotice\.text +it stands there through an alias/);
  });

  test("overrides a base's value in the portal's own file, never in the base", async () => {
    const base = "settings:\n  informationalBanner: { text: From the base, enabled: true }\n";
    const { run, read } = await place(
      { informationalBanner: { text: "By hand", enabled: true } },
      { "_base.yaml": base, "portal.yaml": "extends: _base.yaml\n" },
    );
    const pulled = await run("pull");
    expect(pulled.exit).toBe(0);
    expect(pulled.stdout).toContain('"From the base" → "By hand"  overrides _base.yaml:2\n');
    expect(read("_base.yaml")).toBe(base);
    expect(read("portal.yaml")).toContain("text: By hand");
    expect((await run("drift")).stdout).toContain("Nothing has been applied yet");
    expect((await run("plan")).stdout).not.toMatch(/^ +~ /m);
  });

  test("a base's variables stay references, and what overrides one names the line that refers to it", async () => {
    const base = `vars: { city: Vienna }
settings:
  informationalBanner:
    text: \${vars.city}
    bgColor: \${vars.colour}
`;
    const own = `extends: _base.yaml
vars: { colour: red }
settings: { anonymousAccessNotice: { title: "Maps of \${vars.city}", text: "\${vars.city}" } }
`;
    const { run, read } = await place(
      {
        informationalBanner: { text: "By hand", bgColor: "red" },
        anonymousAccessNotice: { title: "Maps of Vienna", text: "By hand" },
      },
      { "_base.yaml": base, "portal.yaml": own },
    );
    const before = read("portal.yaml");
    const { exit, stdout } = await run("pull");
    expect(exit).toBe(0);
    expect(stdout).toContain('"Vienna" → "By hand"  overrides _base.yaml:4\n');
    expect(stdout).toMatch(/! anonymousAccessNotice\.text +it is written as a reference/);
    expect(stdout).toContain("1 value added, 1 value not changed.");
    expect(read("_base.yaml")).toBe(base);
    expect(read("portal.yaml")).toBe(
      before.replace(/ }\n$/, ", informationalBanner: { text: By hand } }\n"),
    );
  });

  test("a text that would read as a reference comes back as it is", async () => {
    const text = "Write ${env:HOME}, ${vars.a}, $${x} and ${i18n.help}";
    const { run, read } = await place(
      { informationalBanner: { text } },
      { "portal.yaml": "settings:\n  informationalBanner:\n    text: Closed\n" },
    );
    expect((await run("pull")).exit).toBe(0);
    expect(read("portal.yaml")).toContain("$${env:HOME}");
    expect((await run("plan", "--no-state", "-o", "json")).stdout).toContain('"changes": []');
  });
});

test("--path pulls what it names and all below it; an unset value is left", async () => {
  const written =
    "settings:\n  informationalBanner: { text: Closed, bgColor: red }\n  blockBetaApps: true\n";
  const { run, read } = await place(
    { informationalBanner: { text: "Open" }, blockBetaApps: false },
    { "portal.yaml": written },
  );
  const { stdout } = await run("pull", "--path", "informationalBanner", "-o", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    command: "pull",
    file: "portal.yaml",
    pulled: [
      { path: "informationalBanner.text", value: "Open", outcome: "changed", why: null },
      { path: "informationalBanner.bgColor", outcome: "left" },
    ],
  });
  expect(read("portal.yaml")).toContain("{ text: Open, bgColor: red }\n  blockBetaApps: true\n");
});

test("--all adds chosen values, not stock values or those of an installer", async () => {
  const { run, read } = await place(
    {
      informationalBanner: BANNER,
      portalConfigProperties: {
        surveyUrl: "https://survey123.arcgis.com",
        tokenExpiration: 60,
        footerLinks: [],
        webEditorEnabled: true,
      },
    },
    { "portal.yaml": "settings:\n  blockBetaApps: false\n" },
  );
  expect((await run("pull", "--all")).exit).toBe(0);
  expect(read("portal.yaml").split("settings:")[1]).toBe(`
  blockBetaApps: false
  informationalBanner:
    text: Back at noon
    bgColor: yellow
    fontColor: black
    enabled: true
  portalConfigProperties:
    tokenExpiration: 60
`);
});

test("--all spells a setting as the portal does", async () => {
  const { run, read } = await place(
    { portalConfigProperties: { searchArcGISOnlineEnabled: false } },
    { "portal.yaml": "" },
  );
  expect((await run("pull", "--all", "--into", "_pulled.yaml")).exit).toBe(0);
  expect(read("_pulled.yaml")).toContain("searchArcGISOnlineEnabled: false");
});

test("--all that adds nothing says why", async () => {
  const { run } = await place(
    { blockBetaApps: true },
    { "portal.yaml": "settings:\n  blockBetaApps: true\n" },
  );
  expect((await run("pull", "--all")).stdout).toBe(
    "No differences. Nothing to add: all settings that the file lacks have default values, or an installer set them.\n",
  );
});

test("--into writes another file, and begins it where there is none", async () => {
  const { run, read, has } = await place({ blockBetaApps: true }, { "portal.yaml": "" });
  const before = read("portal.yaml");
  expect(has("pulled.yaml")).toBe(false);
  const { exit } = await run("pull", "--all", "--into", "_pulled.yaml");
  expect(exit).toBe(0);
  expect(read("_pulled.yaml")).toBe("settings:\n  blockBetaApps: true\n");
  expect(read("portal.yaml")).toBe(before);
});

test("pulls nothing without credentials: the public view omits settings", async () => {
  const { sandbox, read } = await place(
    { informationalBanner: BANNER },
    { "portal.yaml": "settings:\n  informationalBanner: { text: Closed }\n" },
  );
  const folder = folderOf({ "portal.yaml": read("portal.yaml") });
  onTestFinished(() => folder.remove());
  const { exit, stderr } = await lintel(["pull"], { cwd: folder.path });
  expect(exit).toBe(4);
  expect(stderr).toContain("LINTEL_BEID");
  expect(sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
});

describe("what was not compared and not written is said so", () => {
  const banner = { informationalBanner: BANNER, blockBetaApps: true };

  test("a path that is no setting is wrong usage, with the ones that are near", async () => {
    const { run } = await place(banner, { "portal.yaml": "settings: { blockBetaApps: true }\n" });
    const near = await run("pull", "--path", "informationalBaner");
    expect(near).toMatchObject({ exit: 64, stdout: "" });
    expect(near.stderr).toContain('"informationalBaner" is no setting.');
    expect(near.stderr).toContain('Did you mean "informationalBanner"');
    const bare = await run("pull", "--path", "bgColor", "--all");
    expect(bare).toMatchObject({ exit: 64, stdout: "" });
    expect(bare.stderr).toContain("Write the whole path: informationalBanner.bgColor.");
  });

  test("a setting that the file does not manage was not compared", async () => {
    const { run } = await place(banner, { "portal.yaml": "settings: { blockBetaApps: true }\n" });
    const one = await run("pull", "--path", "informationalBanner");
    expect(one.exit).toBe(0);
    expect(one.stdout).toBe(
      "Not compared: the file manages nothing of informationalBanner. To add what the portal shows:\n  lintel pull portal.yaml --all --path informationalBanner\n",
    );
    const both = ["--path", "informationalBanner", "--path", "blockBetaApps"];
    expect((await run("pull", ...both)).stdout).toMatch(
      /^No differences in blockBetaApps\.\n\nNot compared: /,
    );
    const { stdout } = await run("pull", ...both, "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      pulled: [],
      notCompared: ["informationalBanner"],
      written: [],
    });
  });

  test("a file that manages nothing was not compared at all", async () => {
    const { run } = await place(banner, { "portal.yaml": "" });
    expect((await run("pull")).stdout).toBe(
      "Not compared: the file manages nothing. To add what the portal shows:\n  lintel pull portal.yaml --all\n",
    );
  });

  test("another file that was to be written and was not", async () => {
    const { run, has } = await place(banner, {
      "portal.yaml": "settings: { blockBetaApps: true }\n",
    });
    const { exit, stdout } = await run("pull", "--path", "blockBetaApps", "--into", "x.yaml");
    expect(exit).toBe(0);
    expect(stdout).toBe("No differences in blockBetaApps.\n\nNothing was written to x.yaml.\n");
    expect(has("x.yaml")).toBe(false);
  });

  test("a new file of a pull names its portal, and is valid alone", async () => {
    const { run } = await place(banner, { "portal.yaml": "" });
    expect((await run("pull", "--all", "--into", "x.yaml")).exit).toBe(0);
    // The other file of the folder is about the same portal.
    const { stdout } = await run("validate", "x.yaml");
    expect(stdout).toContain("[same-portal-beside]");
    expect(stdout).toMatch(/^x.yaml: 1 warning\.$/m);
  });
});
