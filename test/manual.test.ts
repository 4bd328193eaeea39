// The commands and programs in the manual work.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { blocks, codes, isCall, PAGES } from "./support/manual.js";
import { folderOf, PROJECT, runProgram } from "./support/run.js";
import { fileFor, keysOf, openSandbox } from "./support/sandbox.js";

test("every call names a command, and options that it has", async () => {
  const lines = blocks("sh").flatMap(([page, text]) =>
    text.split("\n").map((line) => ({ page, line })),
  );
  const spoken = PAGES.flatMap((page) => codes(page).map((line) => ({ page, line })));
  const calls = [...lines, ...spoken]
    .map((each) => ({
      ...each,
      call: /(?:^|\| )lintel ([a-z].*?)(?: +#.*)?$/.exec(each.line)?.[1],
    }))
    .flatMap(({ page, call }) => (call === undefined ? [] : [{ page, words: call.split(/[ =]/) }]));
  expect(calls.length).toBeGreaterThan(80);
  const wrong: string[] = [];
  for (const { page, words } of calls) {
    if (!(await isCall(words))) wrong.push(`${page}: lintel ${words.join(" ")}`);
  }
  expect(wrong).toEqual([]);
});

test("the first program on the page about the library runs as it is written", async () => {
  const sandbox = await openSandbox();
  const settings = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";
  const program = blocks("ts", ["docs/library.md"])[0]?.[1] ?? "";
  const { code } = await transform(program, { loader: "ts" });
  const files = { "portal.yaml": fileFor(sandbox, settings), "program.mjs": code };
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  mkdirSync(join(folder.path, "node_modules"));
  symlinkSync(PROJECT, join(folder.path, "node_modules/lintel"));
  const options = { cwd: folder.path, env: keysOf(sandbox) };
  expect(await runProgram(process.execPath, ["program.mjs"], options)).toMatchObject({
    exit: 0,
    stderr: "",
  });
  expect(sandbox.settings()).toEqual({ informationalBanner: { text: "Hello", enabled: true } });
});
