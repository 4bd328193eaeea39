// lintel upgrade over many files: the target is changed where it stands, in each file or in the base of all.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Outputs } from "../../src/commands/documents.js";
import { call } from "../run/call.js";
import { folderOf, PROJECT } from "../support/run.js";

/** The example: twelve portals, whose target stands in one base. */
function openExample() {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  cpSync(join(PROJECT, "examples/fleet"), folder.path, { recursive: true });
  const at = (name: string) => join(folder.path, name);
  return {
    read: (name: string) => readFileSync(at(name), "utf8"),
    write: (name: string, text: string) => writeFileSync(at(name), text),
    upgrade: async (words: readonly string[]) => {
      const outputs = ["-o", "text", "-o", "json=upgrade.json"];
      const ran = await call(["upgrade", ...words, ...outputs], { cwd: folder.path });
      const document = JSON.parse(readFileSync(at("upgrade.json"), "utf8")) as Outputs["upgrade"];
      return { ...document, exit: ran.exit, text: ran.stdout + ran.stderr };
    },
  };
}

test("shows what changes once for files that are alike, and writes nothing", async () => {
  const { read, upgrade } = openExample();
  const before = read("_base.yaml");
  const { exit, text, portals } = await upgrade(["portals", "--to", "12.1"]);
  expect(exit).toBe(0);
  expect(text).toContain("10 portals: district-1, district-2");
  // Staging, development and the districts use other settings that are deprecated.
  expect(text.match(/From 11\.5 to 12\.1/g)).toHaveLength(3);
  expect(text).toContain("lintel upgrade portals --to 12.1 --write");
  expect(portals).toHaveLength(12);
  expect(portals[0]).toMatchObject({ from: "11.5", to: "12.1", exitCode: 0, written: [] });
  expect(read("_base.yaml")).toBe(before);
});

test("writes the base of all once, and files with a target of their own", async () => {
  const { read, write, upgrade } = openExample();
  const [base, staging] = [read("_base.yaml"), read("portals/staging.yaml")];
  write("portals/staging.yaml", `targetVersion: '11.5'   # ahead\r\n${staging}`);
  const { exit, portals } = await upgrade(["portals", "--to", "12.1", "--write"]);
  expect(exit).toBe(0);
  expect(read("_base.yaml")).toBe(base.replace('"11.5"', '"12.1"'));
  expect(read("portals/staging.yaml")).toBe(`targetVersion: '12.1'   # ahead\r\n${staging}`);
  const written = (name: string) => portals.find((each) => each.name === name)?.written;
  expect([written("district-1"), written("staging")]).toEqual([
    ["_base.yaml"],
    ["portals/staging.yaml"],
  ]);
  const again = await upgrade(["portals", "--to", "12.1", "--write"]);
  expect([again.exit, again.text]).toEqual([0, expect.stringContaining("already")]);
});

test("leaves a base that sets the target of files that were not named, or have errors", async () => {
  const { read, write, upgrade } = openExample();
  const base = read("_base.yaml");
  const some = await upgrade(["portals", "--only", "district-*", "--to", "12.1", "--write"]);
  expect([some.exit, some.text]).toEqual([
    3,
    expect.stringContaining('"_base.yaml" also sets the target of'),
  ]);
  expect(some.text).toContain("portals/staging.yaml");
  expect(read("_base.yaml")).toBe(base);
  write("portals/staging.yaml", `${read("portals/staging.yaml")}settings: { nope: 1 }\n`);
  const broken = await upgrade(["portals", "--to", "12.1", "--write"]);
  expect([broken.exit, read("_base.yaml")]).toEqual([3, base]);
  expect(broken.diagnostics.map(({ code }) => code)).toEqual(["unknown-key"]);
});

test("keeps the warnings of files that are alike, once", async () => {
  const { read, write, upgrade } = openExample();
  write("_base.yaml", read("_base.yaml").replace('"11.5"', '"10.9"'));
  const { text } = await upgrade(["portals", "--only", "district-*", "--to", "11.0"]);
  expect(text.match(/warning: .*\[not-carried-over\]/g)).toHaveLength(1);
  expect(text).toContain("lintel migrate config.js --into FILE");
});

test("of one file, names the base in which its target stands", async () => {
  const { upgrade } = openExample();
  const { exit, text } = await upgrade(["portals/staging.yaml", "--to", "12.1", "--write"]);
  expect(exit).toBe(3);
  expect(text).toContain("lintel upgrade _base.yaml --to 12.1 --write");
});
