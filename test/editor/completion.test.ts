// Every completion of a real language server gives a file that validate accepts.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import { check } from "../../src/document/check/check.js";
import { readDraft } from "../../src/document/read/bytes.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { SIGN_IN_METHODS } from "../../src/sign-in.js";
import { SERVER_VERSIONS, startEditor, type Editor, type Offered } from "../support/editor.js";
import { folderOf, PROJECT, type Folder } from "../support/run.js";
import { accept, type Accepted } from "./accepted.js";
import { editorSettings, everyKey, textWith } from "./own-files.js";
import { positionIn, spotsIn, type Spot } from "./spots.js";

/** The districts of the fleet differ in their names, and so one stands for all of them. */
const examples = (readdirSync(join(PROJECT, "examples"), { recursive: true }) as string[])
  .filter((name) => name.endsWith(".yaml") && !name.startsWith("policy"))
  .filter((name) => !/district-(?!1\.)/.test(name))
  .map((name) => `examples/${name}`)
  .toSorted();

/** The first, which has the fewest settings, one in the middle, and the last. */
const versions = [catalog.versions[0] ?? "", "11.5", catalog.versions.at(-1) ?? ""];

const everyKeyBy = (schema: string, version: string): [string, string] => [
  `schemas/${schema}-${version}.yaml`,
  textWith(`${schema}.schema.json`, everyKey(version)),
];

/** Every key at a version, by the schema of that version and by those that choose; in a part, too. */
const made = new Map([
  ...versions.flatMap((version) => [
    everyKeyBy(`desired-state-${version}`, version),
    everyKeyBy("desired-state", version),
  ]),
  everyKeyBy("desired-state.draft-07", "11.5"),
  [
    "schemas/_part.yaml",
    textWith("desired-state-part.schema.json", { ...everyKey("11.5"), portal: undefined }),
  ],
  ["schemas/_empty.yaml", "# yaml-language-server: $schema=./desired-state-part.schema.json\n"],
  ...["desired-state-11.5", "desired-state"].map((schema): [string, string] => [
    `schemas/${schema}-login.yaml`,
    textWith(`${schema}.schema.json`, { ...everyKey("11.5"), signIn: { method: "login" } }),
  ]),
]);

/** What other lines were written for: chosen anew in a file that holds nothing else. */
const DECIDING = ["targetVersion", "deployment", "signIn.method"];

/** What a person has begun, and goes on with below. */
const UNFINISHED = ["missing-key", "footer-link", "not-in-settings", "undefined-variable"];

let folder: Folder;
let around: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

beforeAll(() => {
  folder = folderOf();
  mkdirSync(join(folder.path, ".git"));
  around = { cwd: folder.path, env: {} };
  for (const name of ["examples", "schemas"]) {
    cpSync(join(PROJECT, name), join(folder.path, name), { recursive: true });
  }
});

afterAll(() => folder.remove());

describe.each(SERVER_VERSIONS)("yaml-language-server %i", (version) => {
  let editor: Editor;
  beforeAll(async () => {
    const settings = await editorSettings(folder.path, "examples/fleet/");
    editor = await startEditor(folder.path, settings, version);
  });

  test.each([...examples, ...made.keys()])("in %s", async (name) => {
    const text = made.get(name) ?? readFileSync(join(folder.path, name), "utf8");
    let tried = 0;
    for (const spot of spotsIn(text)) {
      for (const offered of await offeredAt(editor, name, spot)) {
        if (DECIDING.includes(spot.path)) continue;
        const accepted = accept(spot.text, spot.offset, offered);
        expect([spot.path, offered, wrongIn(name, accepted, text, spot.path)]).toEqual([
          spot.path,
          offered,
          [],
        ]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(10);
  });

  test.each(DECIDING)("for %s, in a file with what it needs alone", async (path) => {
    const key = path.split(".").at(-1) ?? "";
    const name = "schemas/alone.yaml";
    const before = `# yaml-language-server: $schema=./desired-state.schema.json
portal: { url: "https://gis.example.com/portal/sharing/rest" }
${path === "targetVersion" ? "" : 'targetVersion: "11.5"\n'}${path.includes(".") ? "signIn:\n  " : ""}${key}: `;
    const found = await offeredAt(editor, name, { path, text: before, offset: before.length });
    expect(found.length).toBeGreaterThan(1);
    for (const offered of found) {
      const accepted = accept(before, before.length, offered);
      expect([offered, wrongIn(name, accepted, before, path)]).toEqual([offered, []]);
    }
  });

  test.each(Object.entries(SIGN_IN_METHODS))(
    "for the method %s, its own fields and no others",
    async (method, fields) => {
      const before = textWith("desired-state-11.5.schema.json", {
        targetVersion: "11.5",
        signIn: { method },
      });
      const text = `${before}  `;
      const spot = { path: "signIn", text, offset: text.length };
      const found = await offeredAt(editor, "schemas/method.yaml", spot);
      const labels = found.map(({ label }) => label);
      expect(labels.toSorted()).toEqual(["carry", ...Object.keys(fields)].toSorted());
    },
  );

  test("each setting that is begun is offered values that it takes, the first letters being typed", async () => {
    const name = "schemas/typed.yaml";
    const head = textWith("desired-state-11.5.schema.json", { ...everyKey("11.5"), settings: {} });
    const settings = catalog.parameters.map(({ name: parameter }) => parameter);
    for (const parameter of settings) {
      const properties = catalog.objects[parameter]?.map((each) => each.name) ?? [];
      for (const property of properties) {
        const begun = `${head.replace("settings: {}\n", "")}settings:\n  ${parameter}:\n    ${property.slice(0, 3)}`;
        const spot = { path: "settings", text: begun, offset: begun.length };
        const own = (await offeredAt(editor, name, spot)).find(({ label }) => label === property);
        if (!own) throw new Error(`${property} is not offered`);
        const { text, end } = accept(begun, begun.length, own);
        const values = await offeredAt(editor, name, { path: property, text, offset: end });
        for (const offered of values) {
          const accepted = accept(text, end, offered);
          expect([property, offered, wrongIn(name, accepted, head, "settings")]).toEqual([
            property,
            offered,
            [],
          ]);
        }
      }
    }
  });

  test("nothing of this reaches for the network", async () => {
    expect(await editor.close()).toBe("");
  });
});

/** Tags are offered everywhere, because the settings name them; validate says where one has no place. */
async function offeredAt(editor: Editor, name: string, { text, offset }: Spot): Promise<Offered[]> {
  const found = await editor.complete(join(folder.path, name), text, positionIn(text, offset));
  return found.filter(({ label }) => !label.startsWith("!"));
}

/** What validate finds that it did not find before, but for what is still to be written where the cursor stands. */
function wrongIn(name: string, { text, blanks }: Accepted, before: string, path: string): string[] {
  const known = new Set(problemsIn(name, before).map(({ message }) => message));
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const waiting = blanks.map(lineOf);
  const isBlank = ({ code, place }: Diagnostic) =>
    code === "null-value" &&
    // The cursor stands behind the key, or on the line below it.
    waiting.some((line) => place?.line === line || place?.line === line - 1);
  return (
    problemsIn(name, text)
      .filter(({ severity, message }) => severity === "error" && !known.has(message))
      .filter((each) => !isBlank(each) && !UNFINISHED.includes(each.code))
      // A rule that is made an error finds what it found before.
      .filter(({ code }) => path !== `rules.${code}`)
      .map(({ message }) => message)
  );
}

/** Both servers offer much that makes the same text. */
const problems = new Map<string, readonly Diagnostic[]>();

function problemsIn(name: string, text: string): readonly Diagnostic[] {
  const key = createHash("sha1").update(`${name}\n${text}`).digest("base64");
  const known = problems.get(key);
  if (known) return known;
  const { diagnostics } = check(name, readDraft(text, { file: name, cwd: folder.path }), around);
  problems.set(key, diagnostics);
  return diagnostics;
}
