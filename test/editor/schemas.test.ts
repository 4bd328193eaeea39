// The generated schemas in an editor: a real language server finds them, and says what `lintel validate` says.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTINGS, catalog, type Setting } from "../../src/catalog/catalog.js";
import { compareVersions } from "../../src/catalog/version.js";
import { findFiles } from "../../src/document/find.js";
import {
  startEditor,
  type Editor,
  type Marked,
  type Offered,
  type Position,
} from "../support/editor.js";
import { folderOf, lintel, PROJECT, type Folder } from "../support/run.js";

/** What a person sets once, in the editor or in the repository, so that it knows the marks. */
const EDITOR_SETTINGS = {
  customTags: ["!default scalar:object", "!unmanaged scalar:object", "!required scalar:object"],
  schemaStore: { enable: false },
};

/** What a file holds under a name: a setting, or a parameter as a whole. */
type Held = Pick<Setting, "parameter" | "property">;
const wholeParameters: readonly Held[] = catalog.parameters.map((parameter) => ({ parameter }));

let folder: Folder;
let editor: Editor;
let begun: string;
/** The same without its settings. */
let top: string;
const file = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = folderOf();
  const url = "https://gis.example.com/portal/sharing/rest";
  await lintel(["init", "--url", url, "--target", "11.5"], { cwd: folder.path });
  begun = readFileSync(file("portal.yaml"), "utf8");
  top = begun.slice(0, begun.indexOf("\nsettings:\n"));
  for (const name of ["desired-state.schema.json", "desired-state.draft-07.schema.json"]) {
    writeFileSync(file(name), readFileSync(join(PROJECT, "schemas", name)));
  }
  editor = await startEditor(folder.path, EDITOR_SETTINGS);
});

afterAll(() => folder.remove());

/** From 1, as people and `lintel validate` count. */
const linesOf = (marks: readonly Marked[]) => marks.map(({ range }) => range.start.line + 1);
const inOrder = (lines: readonly number[]) => lines.toSorted((one, other) => one - other);
const labelsOf = (offered: readonly Offered[]) => offered.map(({ label }) => label);
const messagesOf = (marks: readonly Marked[]) => marks.map(({ message }) => message);

/** Where a setting's key stands: the first of its name below its parameter's. */
function positionOf(text: string, { parameter, property }: Held): Position {
  const start = text.indexOf(`\n  ${parameter.name}:`) + 1;
  const at = property ? text.indexOf(`\n    ${property.name}:`, start) + 1 : start;
  return { line: text.slice(0, at).split("\n").length - 1, character: property ? 5 : 3 };
}

describe("the file and the schema that `lintel init` writes", () => {
  test("please the editor as they are", async () => {
    expect(begun).toContain("$schema=./desired-state-11.5.schema.json");
    expect(await editor.open(file("portal.yaml"), begun)).toEqual([]);
  });

  test("let the editor mark an unknown key and a wrong type on the lines that validate names", async () => {
    const text = `${top}
settings:
  informationalBanner:
    text: Closed on Saturday.
    colour: red
    enabled: "yes"
`;
    writeFileSync(file("wrong.yaml"), text);
    const marks = await editor.open(file("wrong.yaml"), text);
    expect(messagesOf(marks).toSorted()).toEqual([
      expect.stringMatching(/^Incorrect type\. Expected "boolean/),
      "Property colour is not allowed.",
    ]);
    const { stdout } = await lintel(["validate", "wrong.yaml", "--output", "json"], {
      cwd: folder.path,
    });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: readonly { code: string; line: number }[];
    };
    expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-key", "wrong-type"]);
    expect(inOrder(linesOf(marks))).toEqual(diagnostics.map(({ line }) => line));
  });

  test("show what the reference says of a setting where the pointer rests on it", async () => {
    const text = `${top}\n${yamlOf(introducedUpTo("11.5"), exampleOf)}`;
    await editor.open(file("hover.yaml"), text);
    for (const setting of introducedUpTo("11.5")) {
      const shown = await editor.hover(file("hover.yaml"), positionOf(text, setting));
      const { meaning } = setting.property ?? setting.parameter;
      expect(words(`${setting.path}: ${shown}`)).toContain(words(meaning));
    }
  });

  test("say from which version on a setting is deprecated", async () => {
    const [old] = SETTINGS.filter(({ property }) => property?.deprecated);
    if (!old) throw new Error("the reference deprecates nothing");
    const settings = yamlOf([old], exampleOf);
    for (const schema of ["desired-state.schema.json", "desired-state.draft-07.schema.json"]) {
      const text = `# yaml-language-server: $schema=./${schema}\n${settings}`;
      await editor.open(file("deprecated.yaml"), text);
      expect(await editor.hover(file("deprecated.yaml"), positionOf(text, old))).toContain(
        `Deprecated from ${old.property?.deprecated} on`,
      );
    }
  });

  test("offer the names that a setting may have, and no others", async () => {
    const text = `${top}\nsettings:\n  informationalBanner:\n    enabled: true\n    \n`;
    const line = text.split("\n").length - 2;
    const offered = await editor.complete(file("names.yaml"), text, { line, character: 4 });
    const properties = catalog.objects["informationalBanner"]?.map(({ name }) => name) ?? [];
    expect(
      labelsOf(offered)
        .filter((name) => !name.startsWith("!"))
        .toSorted(),
    ).toEqual(properties.filter((name) => name !== "enabled").toSorted());
  });

  test.each(["!default", "!unmanaged"])("let %s stand in place of every setting", async (mark) => {
    for (const settings of [introducedUpTo("11.5"), wholeParameters]) {
      const text = `${top}\n${yamlOf(settings, () => mark)}`;
      expect(await editor.open(file("marks.yaml"), text)).toEqual([]);
    }
  });

  test("accept a variable for a setting of any type", async () => {
    const text = `${top}\n${yamlOf(introducedUpTo("11.5"), () => "${vars.name}")}`;
    expect(await editor.open(file("marks.yaml"), text)).toEqual([]);
  });

  test("know variables, which a base may require", async () => {
    const text = `${top}\nvars:\n  city: !required\n  minutes: 60\n  links: []\n  pairs: { a: 1 }\n`;
    const marks = await editor.open(file("vars.yaml"), text);
    expect(linesOf(marks)).toEqual([
      text.split("\n").findIndex((each) => each.includes("pairs")) + 1,
    ]);
  });

  test.each(["", "null", "[[]]"])("let %j stand in place of none", async (value) => {
    for (const settings of [introducedUpTo("11.5"), wholeParameters]) {
      const text = `${top}\n${yamlOf(settings, () => value)}`;
      const marks = await editor.open(file("marks.yaml"), text);
      expect(inOrder([...new Set(linesOf(marks))])).toEqual(
        settings.map((each) => positionOf(text, each).line + 1),
      );
    }
  });
});

describe.each(["desired-state.schema.json", "desired-state.draft-07.schema.json"])(
  "%s chooses by the target",
  (schema) => {
    const versions = catalog.versions.filter((version) => introducedAt(version).length > 0);

    test.each(versions)("what %s introduced is wrong for the version before", async (version) => {
      const settings = introducedAt(version);
      const before = catalog.versions[catalog.versions.indexOf(version) - 1] ?? "";
      const textAt = (target: string) =>
        [
          `# yaml-language-server: $schema=./${schema}`,
          `targetVersion: "${target}"`,
          yamlOf(settings, exampleOf),
        ].join("\n");
      const early = await editor.open(file(`${schema}.yaml`), textAt(before));
      expect(linesOf(early).length).toBeGreaterThan(0);
      for (const message of messagesOf(early)) expect(message).toMatch(/not allowed/);
      expect(await editor.open(file(`${schema}.yaml`), textAt(version))).toEqual([]);
    });
  },
);

test.each([...(await findFiles(["examples"], PROJECT)), "examples/fleet/_base.yaml"])(
  "the editor finds nothing wrong with %s",
  async (name) => {
    const path = join(PROJECT, name);
    const text = readFileSync(path, "utf8");
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\//);
    expect(await editor.open(path, text)).toEqual([]);
  },
);

test("a policy pleases the editor, which marks a path that nothing has and completes one that is begun", async () => {
  const schema = "policy.schema.json";
  writeFileSync(file(schema), readFileSync(join(PROJECT, "schemas", schema)));
  const example = readFileSync(join(PROJECT, "examples/policy/production-notice.yaml"), "utf8");
  const text = example.replace("../../schemas/", "./");
  expect(await editor.open(file("rule.yaml"), text)).toEqual([]);
  const wrong = text.replace("  portal.host:", "  portal.hots:");
  const marks = await editor.open(file("wrong.yaml"), wrong);
  const line = wrong.split("\n").findIndex((each) => each.includes("hots"));
  expect(linesOf(marks)).toEqual([line + 1]);
  const offered = await editor.complete(file("wrong.yaml"), wrong, { line, character: 5 });
  expect(labelsOf(offered)).toContain("portal.host");
});

// The last test, because it ends the server, which names on standard error whatever reaches for the network.
test("nothing of this reaches for the network", async () => {
  expect(await editor.close()).toBe("");
});

function introducedUpTo(version: string): Setting[] {
  return SETTINGS.filter(({ parameter, property }) =>
    [parameter, property].every(
      (each) => !each?.introduced || compareVersions(each.introduced, version) <= 0,
    ),
  );
}

function introducedAt(version: string): Setting[] {
  const at = catalog.versions.indexOf(version);
  const before = at > 0 ? introducedUpTo(catalog.versions[at - 1] ?? "") : SETTINGS;
  return introducedUpTo(version).filter((each) => !before.includes(each));
}

const exampleOf = ({ property }: Held): string => JSON.stringify(property?.example ?? true);

function yamlOf(settings: readonly Held[], valueOf: (setting: Held) => string): string {
  const lines = ["settings:"];
  for (const setting of settings) {
    const { parameter, property } = setting;
    if (!property) lines.push(`  ${parameter.name}: ${valueOf(setting)}`);
    else {
      if (!lines.includes(`  ${parameter.name}:`)) lines.push(`  ${parameter.name}:`);
      lines.push(`    ${property.name}: ${valueOf(setting)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** An editor escapes what would be Markdown. */
function words(text: string): string {
  return (text.match(/[\w.]+/g) ?? []).join(" ");
}
