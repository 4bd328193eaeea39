// Files that people write in their own language → modules in generated/, so that the program imports them as text.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type OutputFile } from "esbuild";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Gives what is part of a text, for the licences. Run by the build and at the start of every test run, so that tests see what was edited a moment ago. What it makes:
 *
 *     src/pages/client/preview.ts   → generated/pages/preview-script.ts   export default "…"
 *     src/pages/client/preview.css  → generated/pages/preview-style.ts    export default "…"
 *     src/migrate/evaluate/engine.ts → generated/migrate/engine.ts      export default "…"
 *     src/pipelines/programs/github-portal.ts → generated/pipelines/github-portal.ts export default "…"
 *     docs/security.md              → generated/docs/security.ts          export default "…"
 *
 * and for every folder of Markdown an index whose texts are loaded only when they are asked for:
 *
 *     import { TEXTS } from "../../generated/docs/index.js";
 *     const { default: text } = await TEXTS.security();
 */
export async function makeTexts(): Promise<Parts> {
  keepOnly("generated/pages", await pages("src/pages/client"));
  keepOnly("generated/pipelines", await programs("src/pipelines/programs"));
  keepOnly("generated/docs", markdown("docs"));
  const { modules, ...parts } = await engine("src/migrate/evaluate");
  keepOnly("generated/migrate", modules);
  return parts;
}

interface Parts {
  readonly metafiles: readonly Metafile[];
  /** Files that went in as they are. */
  readonly read: readonly string[];
}

type Modules = Readonly<Record<string, string>>;

/** A file that is imported by another is part of that one's text. */
async function pages(folder: string): Promise<Modules> {
  const { outputFiles, warnings } = await build({
    absWorkingDir: project,
    entryPoints: [
      "home.css",
      "page.css",
      "contrast.css",
      "preview.*",
      "report.*",
      "portal.*",
      "portals.*",
    ].map((name) => join(folder, name)),
    outdir: "generated/pages",
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2023",
    charset: "utf8",
    logLevel: "warning",
  });
  // To esbuild a fault in a style sheet is a warning.
  if (warnings.length > 0) throw new Error("The pages' scripts and styles are not right.");
  const nameOf = (path: string) =>
    basename(path).replace(".js", "-script").replace(".css", "-style");
  return Object.fromEntries(outputFiles.map(({ path, text }) => [nameOf(path), moduleOf(text)]));
}

/**
 * What a pipeline runs with bare Node, as JavaScript that people can read in their repository. A name of two words is a
 * program, one of one word is what several programs share.
 */
async function programs(folder: string): Promise<Modules> {
  const names = readdirSync(join(project, folder)).filter((name) => name.includes("-"));
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: names.map((name) => join(folder, name)),
    outdir: "generated/pipelines",
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    charset: "utf8",
    logLevel: "warning",
  });
  // Where each part comes from says nothing to those who read it there.
  const textOf = ({ text }: OutputFile) => text.replace(/^\/\/ src\/.*\n/gm, "");
  return Object.fromEntries(
    outputFiles.map((file) => [basename(file.path, ".js"), moduleOf(textOf(file))]),
  );
}

/** What runs in the thread of the sealed engine, what runs in the engine itself, and the engine. */
async function engine(folder: string): Promise<Parts & { readonly modules: Modules }> {
  const common = {
    absWorkingDir: project,
    write: false,
    bundle: true,
    minify: true,
    metafile: true,
    logLevel: "warning",
  } as const;
  const thread = await build({
    ...common,
    entryPoints: [join(folder, "engine.ts")],
    format: "cjs",
    platform: "node",
    target: "node20",
    // The engine comes as bytes, so that nothing is read from where the thread's text would lie.
    define: { "import.meta.url": '"file:///engine.js"' },
  });
  const page = await build({
    ...common,
    entryPoints: [join(folder, "page/page.ts")],
    format: "iife",
    globalName: "lintel",
    target: "es2022",
  });
  const textOf = ({ outputFiles: [only] }: { readonly outputFiles: readonly OutputFile[] }) =>
    only?.text ?? "";
  const binary = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  const modules = {
    engine: moduleOf(textOf(thread)),
    page: moduleOf(textOf(page)),
    wasm: moduleOf(readFileSync(binary, "base64")),
  };
  return {
    modules,
    metafiles: [thread.metafile, page.metafile],
    read: [relative(project, binary)],
  };
}

function markdown(folder: string): Modules {
  const names = readdirSync(join(project, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => basename(name, ".md"))
    .toSorted();
  const textOf = (name: string) => readFileSync(join(project, folder, `${name}.md`), "utf8");
  const texts = names.map((name) => [name, moduleOf(textOf(name))]);
  const rows = names.map((name) => `  "${name}": () => import("./${name}.js"),\n`);
  return {
    ...Object.fromEntries(texts),
    index: `// Made by build/texts.ts.\nexport const TEXTS = {\n${rows.join("")}};\n`,
  };
}

function moduleOf(text: string): string {
  return `// Made by build/texts.ts.\nexport default ${JSON.stringify(text)};\n`;
}

/** What is as it should be stays untouched: another run of the tests may be reading it. */
function keepOnly(folder: string, modules: Modules): void {
  const path = join(project, folder);
  mkdirSync(path, { recursive: true });
  for (const name of readdirSync(path)) {
    if (!(basename(name, ".ts") in modules)) rmSync(join(path, name));
  }
  for (const [name, text] of Object.entries(modules)) {
    const file = join(path, `${name}.ts`);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
}
