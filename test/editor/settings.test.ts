// The settings on the page about editors: by them alone an editor knows which schema a file has, and finds nothing wrong with a good one.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVER_VERSIONS, startEditor, type Editor } from "../support/editor.js";
import { folderOf, PROJECT, type Folder } from "../support/run.js";
import { editorSettings, everyKey, textWith } from "./own-files.js";

/** A whole repository, of which some files lie where others have theirs. */
const FILES: Readonly<Record<string, string>> = {
  "portal.yaml": "quickstart/portal.yaml",
  "portals/deep/portal.yml": "disconnected/portal.yaml",
  "portals/own.lintel.yaml": "quickstart/portal.yaml",
  "elsewhere/own.lintel.yml": "disconnected/portal.yaml",
};

let folder: Folder;
const examples = join(PROJECT, "examples");
const fleet = (readdirSync(join(examples, "fleet"), { recursive: true }) as string[]).filter(
  (name) => name.endsWith(".yaml"),
);
const names = [...Object.keys(FILES), ...fleet];

beforeAll(() => {
  folder = folderOf();
  mkdirSync(join(folder.path, ".git"));
  cpSync(join(examples, "fleet"), folder.path, { recursive: true });
  for (const [name, example] of Object.entries(FILES)) {
    mkdirSync(join(folder.path, name, ".."), { recursive: true });
    cpSync(join(examples, example), join(folder.path, name));
  }
  // Without the line by which a file names its schema itself.
  for (const name of names) {
    const text = readFileSync(join(folder.path, name), "utf8");
    writeFileSync(join(folder.path, name), text.slice(text.indexOf("\n") + 1));
  }
});

afterAll(() => folder.remove());

describe.each(SERVER_VERSIONS)("yaml-language-server %i", (version) => {
  let editor: Editor;
  const textOf = (name: string) => readFileSync(join(folder.path, name), "utf8");
  const open = (name: string, text: string) => editor.open(join(folder.path, name), text);

  beforeAll(async () => {
    editor = await startEditor(folder.path, await editorSettings(folder.path), version);
  });

  test("finds nothing wrong with files and parts of the examples", async () => {
    const marks = names.map(async (name) => [name, await open(name, textOf(name))]);
    expect(await Promise.all(marks)).toEqual(names.map((name) => [name, []]));
  });

  test("marks a wrong key in each of them", async () => {
    const marks = names.map(async (name) => {
      const found = await open(name, `${textOf(name)}\nsettinsg: {}\n`);
      return [name, found.map(({ message }) => message)];
    });
    const message = "Property settinsg is not allowed.";
    expect(await Promise.all(marks)).toEqual(names.map((name) => [name, [message]]));
  });

  test("leaves files alone that are none of Lintel's", async () => {
    expect(await open("docker-compose.yaml", "services: { a: { image: b } }\n")).toEqual([]);
    expect(await open("policy/notice.yaml", "name: notice\n")).toEqual([]);
  });

  test("asks of a part for nothing that others say, and of a file for all of it", async () => {
    const text = "portal: { name: a }\nsignIn: { carry: form-token }\n";
    expect(await open("portals/_new.yaml", text)).toEqual([]);
    const marks = await open("portals/new.yaml", text);
    expect(marks.map((each) => each.message).toSorted()).toEqual([
      'Missing property "targetVersion".',
      'Missing property "url".',
      'Missing property "url".',
    ]);
  });

  test("names the targets there are where another stands", async () => {
    const target = async (name: string, wrong: string) => {
      const text = textWith("x", { ...everyKey("11.5"), targetVersion: wrong });
      const [head = ""] = text.split("\n");
      const marks = await open(
        "target.yaml",
        text.replace(head, `# yaml-language-server: $schema=${join(PROJECT, "schemas", name)}`),
      );
      return marks.map(({ message }) => message);
    };
    expect(await target("desired-state-11.5.schema.json", "11.4")).toEqual([
      'Value is not accepted. Valid values: "11.5".',
    ]);
    const [message] = await target("desired-state.schema.json", "10.7");
    expect(message).toMatch(/^Value is not accepted. Valid values: "10.8", .*"12.1"\.$/);
  });

  test("nothing of this reaches for the network", async () => {
    expect(await editor.close()).toBe("");
  });
});
