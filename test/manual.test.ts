// The manual's calls are ones that the command takes, and its JSON documents are those that the command writes.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { blocks, codes, isCall, namesIn, PAGES, rowsUnder } from "./support/manual.js";
import { folderOf, lintel, PROJECT, runProgram } from "./support/run.js";
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

test("the JSON documents have the keys that the page on output names", async () => {
  const portal = `targetVersion: "11.5"
portal: { url: https://gis.example.com/portal/sharing/rest }
signIn: { url: https://accounts.example.com }
settings: { informationalBanner: { text: Hello, enabled: true } }
`;
  const old = join(PROJECT, "examples/upgrade-from-10.9/config.js");
  const folder = folderOf({ "portal.yaml": portal });
  onTestFinished(() => folder.remove());
  const run = async (...words: string[]) => {
    const { stdout } = await lintel([...words, "--output", "json"], { cwd: folder.path });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const page = "docs/output.md";
  const always = rowsUnder(page, "Key | Holds").flatMap(([key = ""]) => namesIn(key));
  const validated = await run("validate");
  expect(Object.keys(validated)).toEqual(always);

  const own = rowsUnder(page, "Command | Keys");
  const added = (command: string) =>
    namesIn(own.find(([name = ""]) => namesIn(name).includes(command))?.[1] ?? "");
  const keys = (value: unknown): string[] =>
    Object.entries(value as object).flatMap(([key, held]: [string, unknown]) => [
      key,
      ...(Array.isArray(held) && held[0] instanceof Object ? Object.keys(held[0] as object) : []),
      ...(["guard", "rule", "targetVersion"].includes(key) ? Object.keys(held as object) : []),
    ]);
  const told = (document: Record<string, unknown>) =>
    keys(Object.fromEntries(Object.entries(document).filter(([key]) => !always.includes(key))));
  const asNamed = async (command: string, ...words: string[]) => {
    const named = added(command).filter((name) => !name.startsWith("-"));
    // Of one file alone, the keys of its portal stand at the top, too.
    const found = new Set(told(await run(...words)));
    expect([command, [...found].toSorted()]).toEqual([command, named.toSorted()]);
  };
  await asNamed("state show", "state", "show");
  await asNamed("init", "init", "new.yaml", "--url", "https://gis.example.com/portal");
  await asNamed("explain", "explain", "tokenExpiration", "--file", "portal.yaml");
  await asNamed("explain GUARD", "explain", "shrink-list");
  await asNamed("explain RULE", "explain", "low-contrast");
  await asNamed("migrate", "migrate", old, "--target", "11.0");
  expect(told(await run("upgrade", "portal.yaml", "--to", "12.1"))).toEqual(
    expect.arrayContaining(["from", "to", "targetVersion", "deprecated", "available", "written"]),
  );

  const planned = await run("status", "--offline");
  const [entry = {}] = planned["portals"] as object[];
  const portalKeys = rowsUnder(page, "Key of a portal | Holds").flatMap(([key = ""]) =>
    namesIn(key),
  );
  const more = ["serial", "lastApply", "signature", "next"];
  expect(Object.keys(entry)).toEqual([...portalKeys, ...more]);
  expect(Object.keys(planned["summary"] as object)).toEqual([
    "portals",
    "changing",
    "changes",
    "changesLeftOut",
    "failed",
    "guarded",
    "againstPolicy",
  ]);
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
