// Writes what the program embeds as texts into generated/, as modules that tests and esbuild import alike.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { writeIfChanged } from "../schemas/generate/write-files.js";
import { commonJs, options, project } from "./options.js";

/** Also called before each test run, so that tests see the current sources. */
export async function writeTexts(): Promise<void> {
  await Promise.all([writePages(), writeEngine()]);
  writeTemplates();
  writeManual();
  writeExamples();
}

/** By the name of each folder in examples/starters/, the text of each file by its path. */
function writeExamples(): void {
  const folder = join(project, "examples/starters");
  const textsIn = (name: string) => {
    const paths = readdirSync(join(folder, name), { recursive: true, encoding: "utf8" });
    const files = paths.filter((path) => path.endsWith(".yaml")).toSorted();
    return files.map((path) => [path, readFileSync(join(folder, name, path), "utf8")] as const);
  };
  const texts = readdirSync(folder).map(
    (name) => [name, Object.fromEntries(textsIn(name))] as const,
  );
  const value = JSON.stringify(Object.fromEntries(texts), null, 2);
  writeModule("commands/examples", `export const EXAMPLES = ${value} as const;\n`);
}

/** Module of src/ → the scripts and styles of its pages, in its folder client/. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  lib: ["lib/client/page.css"],
  preview: ["preview/client/home.css", "preview/client/contrast.css", "preview/client/preview.*"],
  report: ["report/client/report.*"],
  serve: ["serve/dashboard/client/dashboard.*"],
};

/** preview/client/preview.ts → generated/preview/preview-script.ts, preview.css → preview-style.ts. */
async function writePages(): Promise<void> {
  for (const [folder, names] of Object.entries(PAGES)) {
    await bundle(folder, {
      entryPoints: names.map((name) => `src/${name}`),
      platform: "browser",
      target: "es2023",
      charset: "utf8",
    });
  }
}

/** The YAML of pipelines, and the commands that set platforms up, which people read as they are. */
function writeTemplates(): void {
  const folder = join(project, "src/pipelines");
  for (const name of readdirSync(folder).filter((each) => /\.(?:yml|sh)$/.test(each))) {
    const text = readFileSync(join(folder, name), "utf8");
    writeModule(`pipelines/${name.replace(/\.\w+$/, "")}`, textModule(text));
  }
}

/** The sealed engine: the thread that holds it, the page inside it, and its WebAssembly. */
async function writeEngine(): Promise<void> {
  const folder = "src/migrate/evaluate";
  await bundle("migrate", { ...commonJs, entryPoints: [`${folder}/engine.ts`] });
  await bundle("migrate", {
    entryPoints: [`${folder}/page/page.ts`],
    platform: "browser",
    globalName: "lintel",
    target: "es2022",
  });
  const wasm = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  writeModule("migrate/wasm", textModule(readFileSync(wasm, "base64")));
}

/** The topics of the manual: the pages of docs/ but for its index. */
export function manualPages(): { readonly name: string; readonly path: string }[] {
  return ["docs/start", "docs"].flatMap((folder) =>
    readdirSync(join(project, folder))
      .filter((name) => name.endsWith(".md") && name !== "README.md")
      .map((name) => ({ name: basename(name, ".md"), path: join(folder, name) })),
  );
}

/** Each loaded when it is asked for: `(await TEXTS.security()).default`. */
function writeManual(): void {
  const pages = manualPages();
  for (const { name, path } of pages) {
    writeModule(`docs/${name}`, textModule(readFileSync(join(project, path), "utf8")));
  }
  const rows = pages.map(({ name }) => `  "${name}": () => import("./${name}.js"),\n`);
  writeModule("docs/index", `export const TEXTS = {\n${rows.join("")}};\n`);
}

async function bundle(folder: string, more: BuildOptions): Promise<void> {
  const { outputFiles, warnings } = await build({
    ...options,
    ...more,
    outdir: "generated",
    write: false,
  });
  // esbuild only warns of a mistake in a style sheet.
  if (warnings.length > 0) throw new Error("The embedded scripts and styles have mistakes.");
  for (const { path, text } of outputFiles) {
    const name = basename(path)
      .replace(/\.js$/, folder in PAGES ? "-script" : "")
      .replace(".css", "-style");
    // Comments of esbuild name the file that each part comes from.
    writeModule(`${folder}/${name}`, textModule(text.replace(/^\/\/ src\/.*\n/gm, "")));
  }
}

function textModule(text: string): string {
  return `export default ${JSON.stringify(text)};\n`;
}

/** Only where it changed: another test run may be reading it. */
function writeModule(name: string, code: string): void {
  const file = join(project, "generated", `${name}.ts`);
  writeIfChanged(file, `// Made by build/texts.ts.\n${code}`);
}
