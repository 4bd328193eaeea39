// lintel init --editor: what an editor needs, beside what its owner has there.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import { describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { readCommented, withMembers } from "../../src/commands/init/commented-json.js";
import { makeRun } from "../support/network.js";
import { folderOf } from "../support/run.js";

const PORTAL = `targetVersion: "11.5"
portal: { url: "https://gis.example.com/portal/sharing/rest" }
signIn: { url: "https://accounts.example.com" }
`;
const SETTINGS = ".vscode/settings.json";
const OTHERS = [
  ".vscode/extensions.json",
  ".vscode/desired-state.schema.json",
  ".vscode/desired-state-part.schema.json",
  ".vscode/lintel.schema.json",
];

/** A repository with these files, and `lintel init` in it; whoever answers sits at a terminal. */
function repository(files: Readonly<Record<string, string>>) {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  mkdirSync(join(folder.path, ".git"));
  const init = async (words: readonly string[], answers?: readonly string[]) => {
    const { io } = makeRun();
    const left = [...(answers ?? [])];
    const shown: string[] = [];
    const output = { write: (text: string) => void shown.push(text), isTerminal: false };
    const ask = (question: string) => {
      shown.push(question);
      return Promise.resolve(left.shift());
    };
    const stdin = { ...io.stdin, isTerminal: answers !== undefined, ask };
    const run = { ...io, cwd: folder.path, stdin, stdout: output, stderr: output };
    return { exit: await main(["init", ...words], run), shown: shown.join("") };
  };
  const path = (name: string) => join(folder.path, name);
  const text = (name: string) => readFileSync(path(name), "utf8");
  return { init, text, path, has: (name: string) => existsSync(path(name)) };
}

const newFile = ["--url", "https://gis.example.com/portal", "--target", "11.5"];

describe("the settings of VS Code", () => {
  test("are written with a new file, for the folder that holds it, at the root of the repository", async () => {
    const { init, text, has } = repository({});
    const { exit, shown } = await init(["gis/portal.yaml", ...newFile, "--editor", "vscode"]);
    expect(exit).toBe(0);
    for (const name of [SETTINGS, ...OTHERS]) {
      expect(has(name)).toBe(true);
      expect(shown).toContain(name);
    }
    expect(JSON.parse(text(SETTINGS))).toEqual({
      "yaml.customTags": ["!default scalar:object", "!unmanaged scalar:object"],
      "yaml.schemas": {
        "./.vscode/desired-state.schema.json": [
          "gis/portal.{yaml,yml}",
          "gis/portals/**/[^_]*.{yaml,yml}",
          "[^_]*.lintel.{yaml,yml}",
        ],
        "./.vscode/desired-state-part.schema.json": ["gis/**/_*.{yaml,yml}"],
        "./.vscode/lintel.schema.json": ["lintel.yaml"],
      },
    });
    expect(JSON.parse(text(OTHERS[0] ?? ""))).toEqual({ recommendations: ["redhat.vscode-yaml"] });
  });

  test("fit a folder that has the name of a pattern, and no other", async () => {
    const { init, text } = repository({});
    const folder = "gis {a,b} [1] (north) *";
    const words = [`${folder}/portal.yaml`, ...newFile, "--editor", "vscode"];
    expect((await init(words)).exit).toBe(0);
    const { "yaml.schemas": schemas } = JSON.parse(text(SETTINGS)) as Record<
      string,
      Record<string, string[]>
    >;
    // As the language server looks: for any path that ends so.
    const fits = (path: string) =>
      Object.entries(schemas ?? {})
        .filter(([, patterns]) =>
          picomatch.isMatch(
            `work/${path}`,
            patterns.map((each) => `**/${each}`),
          ),
        )
        .map(([schema]) => schema);
    expect(fits(`${folder}/portal.yaml`)).toEqual(["./.vscode/desired-state.schema.json"]);
    expect(fits(`${folder}/portals/a/b.yml`)).toEqual(["./.vscode/desired-state.schema.json"]);
    expect(fits(`${folder}/_base.yaml`)).toEqual(["./.vscode/desired-state-part.schema.json"]);
    expect(fits("gis a 1 north x/portal.yaml")).toEqual([]);
  });

  test("are written for files that are there, once", async () => {
    const { init, text } = repository({ "portals/a.yaml": PORTAL });
    const first = await init(["--editor", "vscode"]);
    expect(first).toMatchObject({ exit: 0, shown: expect.stringMatching(/^Wrote \.vscode\//) });
    expect(text(SETTINGS)).toContain('"portals/**/[^_]*.{yaml,yml}"');
    expect(text("portals/a.yaml")).toBe(PORTAL);
    const written = text(SETTINGS);
    const again = await init(["portals", "--editor", "vscode"]);
    expect(again).toMatchObject({
      exit: 0,
      shown: expect.stringContaining("already has these settings"),
    });
    expect(text(SETTINGS)).toBe(written);
  });

  test("are written beside a pipeline", async () => {
    const { init, has } = repository({ "portal.yaml": PORTAL });
    const { exit, shown } = await init(["--editor", "vscode", "--ci", "github"]);
    expect(exit).toBe(0);
    expect(shown).toMatch(/Wrote \.github\/[\s\S]*\n\nWrote \.vscode\//);
    expect(has(SETTINGS) && has(".github/workflows/portal.yml")).toBe(true);
  });

  test("are not asked for; where VS Code is used, a line names the command", async () => {
    const given = [...newFile, "--deployment", "enterprise", "--method", "token"];
    const words = [...given, "--name", "a", "--state", "file:.lintel"];
    const without = repository({});
    expect((await without.init(words, [])).shown).not.toContain("--editor");
    const used = repository({ ".vscode/tasks.json": "{}" });
    const { shown } = await used.init(words, []);
    expect(shown).toContain("\nFor VS Code: lintel init --editor vscode\n");
    expect(used.has(SETTINGS)).toBe(false);
  });

  test("of somebody's own keep every byte, comments too", async () => {
    const own = '{\r\n\t// ours\r\n\t"a": "// no comment }", // why\r\n\t/* and\r\n */\r\n}\r\n';
    const { init, text } = repository({ [SETTINGS]: own, "portal.yaml": PORTAL });
    expect((await init(["--editor", "vscode"])).exit).toBe(0);
    const [before = "", after = ""] = text(SETTINGS).split('\r\n\t"yaml.customTags"');
    expect(before).toBe('{\r\n\t// ours\r\n\t"a": "// no comment }", // why\r\n\t/* and\r\n */');
    expect(after).toMatch(/\r\n}\r\n$/);
    expect(readCommented(text(SETTINGS))).toMatchObject({
      a: "// no comment }",
      "yaml.schemas": expect.anything(),
    });
  });

  test("are written anew where they are of another Lintel, and only the copies", async () => {
    const { init, text, has } = repository({ "portal.yaml": PORTAL });
    await init(["--editor", "vscode"]);
    const [, whole = "", part = ""] = OTHERS;
    const before = text(whole);
    const older = before.replace('"type": "object"', '"type": "array"');
    const again = async (found: string) => {
      const other = repository({ "portal.yaml": PORTAL, [whole]: found });
      const { exit, shown } = await other.init(["--editor", "vscode"]);
      return { exit, told: shown.includes(whole), now: other.text(whole) };
    };
    expect(older).not.toBe(before);
    expect(await again(older)).toEqual({ exit: 0, told: true, now: before });
    for (const own of [JSON.stringify(JSON.parse(before)), '{ "title": "Ours" }', "{"]) {
      expect(await again(own)).toEqual({ exit: 0, told: false, now: own });
    }
    expect(has(part)).toBe(true);
  });

  test.each(["", "\ufeff", " \r\n"])("that say nothing, %j, are begun", async (own) => {
    const { init, text } = repository({ [SETTINGS]: own, "portal.yaml": PORTAL });
    expect((await init(["--editor", "vscode"])).exit).toBe(0);
    expect(JSON.parse(text(SETTINGS))).toHaveProperty(["yaml.schemas"]);
  });

  const latin = Buffer.from('{ "a": "caf\xe9" }', "latin1");
  test.each([
    ["in another encoding", (path: string) => writeFileSync(path, latin), "in UTF-8"],
    ["in a folder of that name", (path: string) => mkdirSync(path), "it is a folder"],
    ["too large", (path: string) => writeFileSync(path, " ".repeat(2 ** 20 + 1)), "than 1 MiB"],
    ["in a list", (path: string) => writeFileSync(path, "[]"), "is not a JSON object"],
    ["with a comma alone", (path: string) => writeFileSync(path, "{,}"), "is not a JSON object"],
    [
      "with comments that never end",
      (path: string) => writeFileSync(path, "/* ".repeat(300_000)),
      "is not a JSON object",
    ],
    [
      "with a text that never ends",
      (path: string) => writeFileSync(path, `{"${String.raw`\"`.repeat(400_000)}`),
      "is not a JSON object",
    ],
  ])("%s stay as they are", async (_, put, reason) => {
    const { init, path, has } = repository({ "portal.yaml": PORTAL, ".vscode/tasks.json": "{}" });
    put(path(SETTINGS));
    const { exit, shown } = await init(["--editor", "vscode"]);
    expect(shown).toContain(reason);
    expect(shown).toContain("Lintel does not change it.");
    expect(exit).toBe(1);
    expect(OTHERS.filter(has)).toEqual([]);
    if (reason === "in UTF-8") expect(readFileSync(path(SETTINGS))).toEqual(latin);
  });

  test.each([
    ["with other tags", '{ "yaml.customTags": ["!ours"] }', '"!default scalar:object"'],
    ["that are no JSON", '{ "yaml.customTags": [ }', "Correct it"],
  ])("%s are left to their owner, before anything is written", async (_, own, advice) => {
    const { init, text, has } = repository({ [SETTINGS]: own });
    const { exit, shown } = await init([...newFile, "--editor", "vscode"]);
    expect(exit).toBe(1);
    expect(shown).toContain(advice);
    expect(text(SETTINGS)).toBe(own);
    expect([...OTHERS, "portal.yaml"].filter(has)).toEqual([]);
  });
});

describe("a member is added to an object", () => {
  test.each([
    ["without members", "{}"],
    ["with a comment alone", "{ // nothing yet\n}"],
    ["on one line", '{ "a": [1, 2] }'],
    ["with a comma at its end", '{\n  "a": {\n    "b": 1,\n  },\n}\n'],
    ["with what looks like a comment, or like its end", '{ "a": "/* } */", "b": "\\"//" } // {'],
    ["after a byte-order mark", '\ufeff{ "a": 1 }'],
  ])("%s", (_, text) => {
    const before = readCommented(text);
    expect(before).toBeDefined();
    expect(readCommented(withMembers(text, { new: ["x"] }))).toEqual({ ...before, new: ["x"] });
  });

  test.each(["[]", "", "{ a: 1 }", '{ "a": 1 /* }'])("and %j is none", (text) => {
    expect(readCommented(text)).toBeUndefined();
  });
});
