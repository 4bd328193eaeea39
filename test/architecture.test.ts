// Enforces the map of CONTRIBUTING: what a module may import, which modules own a package, and which may use the process.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { CORE, MAY_IMPORT } from "./support/map.js";
import { PROJECT } from "./support/run.js";

/** Package → where alone it may be imported. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  yaml: ["document"],
  picomatch: ["document"],
  "lossless-json": ["core"],
  ajv: ["document"],
  "node:vm": ["policy"],
  diff: ["report"],
  sarif: ["report"],
  acorn: ["migrate"],
  "quickjs-emscripten-core": ["migrate"],
  "@jitl/quickjs-wasmfile-release-sync": ["migrate"],
  "node:worker_threads": ["migrate"],
  pg: ["state", "serve"],
  pgpass: ["state"],
  "pg-boss": ["serve"],
  hono: ["serve"],
  "@hono/node-server": ["serve"],
  "prom-client": ["serve"],
  undici: ["http"],
  yargs: ["cli"],
  "get-east-asian-width": ["report"],
  "node:child_process": ["core", "preview"],
  "node:http": ["core", "sandbox", "preview", "serve"],
};

interface Import {
  readonly file: string;
  readonly module: string;
  readonly target: string;
}

const files = readdirSync(join(PROJECT, "src"), { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((name) => /\.(ts|cts|mjs|cjs)$/.test(name));

function moduleOf(path: string): string {
  if (path === "package.json") return path;
  if (path.startsWith("schemas/")) return "catalog";
  // The texts of generated/preview belong to src/preview, and so on.
  const [, first = "", second] = path.split("/");
  // A core type of several files is a folder.
  const name = first.replace(/\.\w+$/, "");
  if (second !== undefined && !CORE.includes(name)) return first;
  return CORE.includes(name) ? "core" : name;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(PROJECT, file), "utf8");
  // A text may hold the word as well, as the name of a key.
  const found = text.matchAll(/(?<![".])(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, target = ""]) => ({ file, module: moduleOf(file), target }));
}

const imports = files.flatMap(importsOf);

test("the map lists every module of src, and no other", () => {
  const modules = new Set(files.map(moduleOf));
  expect([...modules].filter((module) => !(module in MAY_IMPORT))).toEqual([]);
  expect(Object.keys(MAY_IMPORT).filter((module) => !modules.has(module))).toEqual([]);
});

describe("a module imports only what it may", () => {
  const local = imports.filter(({ target }) => target.startsWith("."));
  test.each(Object.keys(MAY_IMPORT))("%s", (module) => {
    const strangers = local
      .filter((each) => each.module === module)
      .map(({ file, target }) => {
        const path = relative(PROJECT, resolve(join(PROJECT, dirname(file)), target));
        return { file, to: moduleOf(path.replaceAll("\\", "/")) };
      })
      .filter(({ to }) => to !== module && !MAY_IMPORT[module]?.includes(to))
      .map(({ file, to }) => `${file} → ${to}`);
    expect(strangers).toEqual([]);
  });
});

test("a package is imported by its owner alone", () => {
  const strangers = imports
    .filter(({ target }) => !target.startsWith("."))
    .map((each) => ({
      ...each,
      owned: each.target.replace(/^(?!node:)(@[^/]+\/[^/]+|[^/@]+)\/.*/, "$1"),
    }))
    .filter(({ owned }) => owned in OWNERS || !owned.startsWith("node:"))
    .filter(({ module, owned }) => !OWNERS[owned]?.includes(module))
    .map(({ file, target }) => `${file} → ${target}`);
  expect(strangers).toEqual([]);
});

test("only bin.ts, process.ts, library.ts, completion and what pipelines run touch the process, and nothing writes to the console", () => {
  const guilty = files.filter((file) => {
    const text = readFileSync(join(PROJECT, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    // yargs chooses the shell of its completion script by the environment of the process.
    const isDoor =
      /^src\/(bin\.ts|process\.ts|library\.ts|cli\/completion\.ts|pipelines\/programs\/)/.test(
        file,
      );
    return (
      (!isDoor && /\bprocess[.)]|"node:process"/.test(text)) || /\bconsole\.[a-z]+\(/.test(text)
    );
  });
  expect(guilty).toEqual([]);
});

test("what may not be there is asked for by statOf alone, because versions of Node differ in what they throw", () => {
  const asking = files.filter((file) =>
    /(?<!l)statSync\([^;]*throwIfNoEntry/.test(readFileSync(join(PROJECT, file), "utf8")),
  );
  expect(asking).toEqual(["src/lib/files.ts"]);
});

test("every file begins with one sentence that says what it is for", () => {
  const silent = files.filter((file) => {
    const lines = readFileSync(join(PROJECT, file), "utf8").replace(/^#!.*\n/, "");
    return !/^\/\/ [^\n]+[.?]\n/.test(lines);
  });
  expect(silent).toEqual([]);
});

test("no file is named after nothing in particular", () => {
  const vague = /(?:^|[/-])(utils?|helpers?|common|types|manager|service|base)[./-]/;
  expect(files.filter((file) => vague.test(file))).toEqual([]);
});

test("a setting's name stands in src only where the compiler checks it against the reference", () => {
  const catalog = readFileSync(join(PROJECT, "schemas/catalog.json"), "utf8");
  const names = [...catalog.matchAll(/"name": "(\w*[a-z][A-Z]\w*)"/g)].map(([, name = ""]) => name);
  const loose = files.flatMap((file) =>
    readFileSync(join(PROJECT, file), "utf8")
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
      .split("\n")
      .flatMap((line, at) =>
        names
          .filter((name) => new RegExp(`^[^"]*(?:===|case|:) *"${name}"`).test(line))
          .map((name) => `${file}:${at + 1} ${name}`),
      ),
  );
  expect(loose).toEqual([]);
});
