// The package as it is published: packed, installed elsewhere without a network, and used without anything else.
import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatMessage } from "publint/utils";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageFacts from "../package.json" with { type: "json" };
import { blocks } from "./support/manual.js";
import { PROJECT, folderOf, runProgram, type Folder } from "./support/run.js";

let folder: Folder;
let archive = "";
/** Of nobody: what the machine has set for npm must not decide. */
let env: Record<string, string>;

beforeAll(async () => {
  folder = folderOf({ "portal.yaml": 'targetVersion: "11.5"\nsetings: {}\n' });
  env = { HOME: folder.path, npm_config_userconfig: join(folder.path, "npmrc") };
  const words = ["pack", PROJECT, "--ignore-scripts", "--silent", "--pack-destination"];
  const packed = await runProgram("npm", [...words, folder.path], { cwd: folder.path, env });
  if (packed.exit !== 0) throw new Error(packed.stderr);
  archive = join(folder.path, packed.stdout.trim());
});

afterAll(() => folder.remove());

test("it is installed for everybody with an empty cache and no network, and npm warns of nothing", async () => {
  const prefix = join(folder.path, "for-all");
  const place = ["--prefix", prefix, "--cache", join(prefix, "cache"), "--offline"];
  const words = ["install", "--global", ...place, archive];
  const installed = await runProgram("npm", words, { cwd: folder.path, env });
  expect(installed).toMatchObject({ exit: 0, stderr: "" });
  expect(readdirSync(join(prefix, "lib/node_modules/lintel"))).not.toContain("node_modules");
  const run = (...words: string[]) =>
    runProgram(join(prefix, "bin/lintel"), words, { cwd: folder.path, env });
  expect((await run("--version")).stdout).toBe(`${packageFacts.version}\n`);
  expect(await run("validate")).toMatchObject({ exit: 3, stderr: "" });
});

test("it holds the manual and the examples, and no link in them leads nowhere", async () => {
  const listed = await runProgram("tar", ["-tzf", archive], { cwd: folder.path });
  const packed = new Set(listed.stdout.split("\n").map((name) => name.replace("package/", "")));
  const isPacked = (path: string) =>
    packed.has(path) || [...packed].some((name) => name.startsWith(`${path}/`));
  const pages = [...packed].filter((name) => name.endsWith(".md"));
  expect(pages).toEqual(
    expect.arrayContaining([
      "README.md",
      "docs/security.md",
      "examples/upgrade-from-10.9/README.md",
    ]),
  );
  const dead = pages.flatMap((page) => {
    const links = readFileSync(join(PROJECT, page), "utf8").matchAll(
      /\]\(([^)#\s]+)|src(?:set)?="([^"]+)"/g,
    );
    return [...links]
      .map(([, link, picture]) => link ?? picture ?? "")
      .filter((link) => !/^[a-z]+:/.test(link) && !isPacked(join(dirname(page), link)))
      .map((link) => `${page}: ${link}`);
  });
  expect(dead).toEqual([]);
});

test("a program imports the library, its schemas and its package.json; what else it has is its own", async () => {
  await installed();
  const names = ["lintel/package.json", "lintel/schemas/desired-state.schema.json"];
  writeFileSync(
    join(folder.path, "library.mjs"),
    `import { check } from "lintel";
${names.map((name, at) => `import json${at} from "${name}" with { type: "json" };`).join("\n")}
const { diagnostics } = await check(["portal.yaml"]);
console.log(diagnostics.map(({ code, line }) => code + " " + line).join());
console.log(json0.version, json1.type);
await import("lintel/dist/bin.cjs").catch(({ code }) => console.log(code));
`,
  );
  const words = ["--no-warnings", "library.mjs"];
  expect(await runProgram("node", words, { cwd: folder.path })).toEqual({
    exit: 0,
    stdout: `missing-key 1,unknown-key 2\n${packageFacts.version} object\nERR_PACKAGE_PATH_NOT_EXPORTED\n`,
    stderr: "",
  });
});

// The older compiler is one that people still have, and comes with a tool that judges types.
const tools = createRequire(
  createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json"),
);
const older = createRequire(tools.resolve("@arethetypeswrong/core/package.json"));
const OURS = "ours, as Node 16 resolves";
const OLDER = "5.6, as Node 16 resolves";
const compilers: Readonly<Record<string, readonly string[]>> = {
  [OURS]: [join(PROJECT, "node_modules/typescript/bin/tsc"), "node16"],
  "ours, as a bundler resolves": [join(PROJECT, "node_modules/typescript/bin/tsc"), "bundler"],
  [OLDER]: [older.resolve("typescript/bin/tsc"), "node16"],
};

test.each(Object.entries(compilers))(
  "its types need no other package's, not even Node's; compiler: %s",
  async (name, [tsc = "", resolution = ""]) => {
    await installed();
    const body = `import { apply, check, plan, type PlanDocument, type ValidateDocument } from "lintel";
export const found: Promise<ValidateDocument> = check(["a"]);
export const planned: Promise<PlanDocument> = plan(["a"], { allow: ["disable-notice"] });
export const applied: Promise<PlanDocument> = apply(["a"], { confirm: ({ length }) => length > 0 });
`;
    const file = `${name.replaceAll(/\W+/g, "-")}.mts`;
    writeFileSync(join(folder.path, file), body);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: "es2022",
      types: [],
      module: resolution === "bundler" ? "esnext" : resolution,
      moduleResolution: resolution,
    };
    writeFileSync(
      join(folder.path, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: [file] }),
    );
    const compile = () => runProgram("node", [tsc, "-p", "."], { cwd: folder.path });
    expect(await compile()).toMatchObject({ exit: 0, stdout: "" });
    // They are types, and not anything.
    writeFileSync(join(folder.path, file), body.replace('"disable-notice"', '"no-guard"'));
    expect((await compile()).stdout).toContain(`Type '"no-guard"' is not assignable`);
  },
);

test("the examples of the library compile in strict TypeScript", async () => {
  await installed();
  const source = readFileSync(join(PROJECT, "src/library.ts"), "utf8");
  const [ours = "", older = ""] = [compilers[OURS]?.[0], compilers[OLDER]?.[0]];
  const examples = [...source.matchAll(/@example\n((?: \* .*\n| \*\n(?! \* @))+)/g)].map(
    ([, lines = ""]) => lines.replaceAll(/^ \* ?/gm, ""),
  );
  const body = `import { apply, check, drift, plan, render, rollback, status } from "lintel";
declare const text: string, console: { log(...texts: unknown[]): void };
declare function writeFile(path: string, text: string): Promise<void>;
${examples.map((lines) => `{\n${lines}}\n`).join("")}`;
  expect(body.match(/await /g)?.length).toBeGreaterThan(7);
  const programs = [body, ...blocks("ts", ["docs/library.md"]).map(([, text]) => text)];
  const files = programs.map((text, at) => {
    const name = `example-${at}.mts`;
    writeFileSync(
      join(folder.path, name),
      text.replace("process.exitCode", "(globalThis as { code?: number }).code"),
    );
    return name;
  });
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "node16",
    types: [],
  };
  writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  for (const tsc of [ours, older]) {
    const compiled = await runProgram("node", [tsc, "-p", "."], { cwd: folder.path });
    expect(compiled).toMatchObject({ exit: 0, stdout: "" });
  }
});

test("an AbortSignal is taken where the program's types know one", async () => {
  await installed();
  const body = `import { plan } from "lintel";
export const planned = plan([], { signal: new AbortController().signal });
export const wrong = plan([], { signal: 1 });
`;
  writeFileSync(join(folder.path, "signal.mts"), body);
  const [tsc = ""] = compilers[OURS] ?? [];
  const flags = ["--ignoreConfig", "--strict", "--noEmit", "--module", "node16", "--types", ""];
  const words = [tsc, ...flags, "signal.mts"];
  const { stdout } = await runProgram("node", words, { cwd: folder.path });
  expect(stdout.match(/error TS.*/g)).toEqual([
    "error TS2322: Type 'number' is not assignable to type 'AbortSignal'.",
  ]);
});

test("publint and Are the Types Wrong find nothing", async () => {
  const pkgDir = await installed();
  const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  const attw = tools.resolve("./dist/index.js");
  // Every Node that runs Lintel takes an ES module by require, too.
  const words = [attw, archive, "--ignore-rules", "cjs-resolves-to-esm", "--format", "json"];
  const judged = await runProgram("node", words, { cwd: folder.path, env });
  expect(judged.exit).toBe(0);
  expect(Object.keys(JSON.parse(judged.stdout).problems)).toEqual(["CJSResolvesToESM"]);
});

/** Beside the programs that the tests write; made once. */
async function installed(): Promise<string> {
  const own = join(folder.path, "node_modules/lintel");
  if (!existsSync(own)) {
    mkdirSync(own, { recursive: true });
    const words = ["xzf", archive, "--strip-components=1", "--directory", own];
    expect((await runProgram("tar", words)).exit).toBe(0);
  }
  return own;
}
