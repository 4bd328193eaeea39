// The pieces of dist start from what V8 compiled when they were built, and as well without it.
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BIN, PROJECT, folderOf, lintel, runProgram, type Folder } from "./support/run.js";

let copy: Folder;
let whole: string;
const cache = readdirSync(dirname(BIN)).find((name) => name.startsWith("cache-")) ?? "";
const kept = readdirSync(join(dirname(BIN), cache));

beforeAll(async () => {
  copy = folderOf();
  whole = (await lintel(["validate", "examples"])).stdout;
});

afterAll(() => copy.remove());

/** What the command says after something happened to its cache. */
async function saidAfter(change: (cache: string) => void): Promise<string> {
  cpSync(dirname(BIN), copy.path, { recursive: true });
  change(join(copy.path, cache));
  const words = [join(copy.path, "bin.cjs"), "validate", "examples"];
  const { stdout, stderr } = await runProgram(process.execPath, words, { cwd: PROJECT });
  return stdout + stderr;
}

test("V8 takes what the build kept, and compiles no piece of validate anew", async () => {
  const script = `
    const { load, loaded } = require(${JSON.stringify(BIN)});
    for (const name of ${JSON.stringify(kept)}) load(name);
    console.log([...loaded].filter(([, { script }]) => script.cachedDataRejected !== false).length);
  `;
  const { stdout, stderr } = await runProgram(process.execPath, ["-e", script]);
  expect({ stdout, stderr }).toEqual({ stdout: "0\n", stderr: "" });
  expect(kept.filter((name) => /^(main|validate)-/.test(name))).toHaveLength(2);
});

test("a cache that is gone changes nothing", async () => {
  expect(await saidAfter((folder) => rmSync(folder, { recursive: true }))).toBe(whole);
});

test("a cache that is empty or no cache at all changes nothing", async () => {
  for (const text of ["", "no cache at all"]) {
    const spoil = (folder: string) =>
      kept.forEach((name) => writeFileSync(join(folder, name), text));
    expect(await saidAfter(spoil)).toBe(whole);
  }
});

test("the cache of another piece changes nothing", async () => {
  const mixUp = (folder: string) =>
    kept.forEach((name, at) =>
      cpSync(join(dirname(BIN), cache, kept.at(at - 1) ?? ""), join(folder, name)),
    );
  expect(await saidAfter(mixUp)).toBe(whole);
});
