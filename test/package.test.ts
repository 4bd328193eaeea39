// The package as it is published: packed, unpacked elsewhere, and used without anything else installed.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import packageFacts from "../package.json" with { type: "json" };
import { PROJECT, folderOf, runProgram } from "./support/run.js";

test("the packed package brings the command, the library and its types, and needs nothing else", async () => {
  const folder = folderOf({ "portal.yaml": 'targetVersion: "11.5"\nsetings: {}\n' });
  onTestFinished(() => folder.remove());
  const cwd = folder.path;
  const words = ["pack", PROJECT, "--ignore-scripts", "--silent", "--pack-destination", cwd];
  const packed = await runProgram("npm", words, { cwd });
  expect(packed.exit).toBe(0);
  const archive = packed.stdout.trim().split("\n").at(-1) ?? "";
  expect((await runProgram("tar", ["xzf", archive], { cwd })).exit).toBe(0);
  mkdirSync(join(cwd, "node_modules"));
  renameSync(join(cwd, "package"), join(cwd, "node_modules/lintel"));

  const ran = await runProgram("node", ["node_modules/lintel/dist/bin.cjs", "--version"], { cwd });
  expect(ran.stdout).toBe(`${packageFacts.version}\n`);
  const checked = await runProgram("node", ["node_modules/lintel/dist/bin.cjs", "validate"], {
    cwd,
  });
  expect(checked).toMatchObject({ exit: 3, stderr: "" });

  writeFileSync(
    join(cwd, "library.mjs"),
    `import { check } from "lintel";
const diagnostics = await check("portal.yaml");
console.log(diagnostics.map(({ code, place }) => code + " " + place.line).join());
`,
  );
  const library = await runProgram("node", ["library.mjs"], { cwd });
  expect(library).toEqual({ exit: 0, stdout: "missing-key 1,unknown-key 2\n", stderr: "" });

  writeFileSync(
    join(cwd, "library.ts"),
    `import { apply, check, plan, type Diagnostic, type Results } from "lintel";
export const found: Promise<readonly Diagnostic[]> = check("a");
export const planned: Promise<Results> = plan(["a"], { allow: ["disable-notice"] });
export const applied: Promise<Results> = apply(["a"], { confirm: ({ length }) => length > 0 });
`,
  );
  const tsc = join(PROJECT, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--types", "", "--ignoreConfig"];
  const typed = await runProgram("node", [tsc, ...flags, "library.ts"], { cwd });
  expect(typed).toMatchObject({ exit: 0, stdout: "" });
});
