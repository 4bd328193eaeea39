// src/ → dist/: the command as small CommonJS files, and the library as one ES module. Types are added by tsc.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform, type BuildOptions, type Metafile } from "esbuild";
import packageFacts from "../package.json" with { type: "json" };
import { bundlesOf, licenceTexts } from "./bundled.js";
import { withEagerFunctions } from "./eager.js";
import { packed } from "./packs.js";
import { makeTexts } from "./texts.js";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(project, "dist");

/**
 * Where yargs looks for its translations, and above its "node_modules" for a package.json: there is neither, and CommonJS
 * has no import.meta.url. Elsewhere yargs would read the package.json of the user's folder. The drive makes it valid on
 * Windows, too.
 */
const YARGS_URL = "file:///C:/none/node_modules/yargs/lib/platform-shims/esm.mjs";

const common = {
  absWorkingDir: project,
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  metafile: true,
  logLevel: "warning",
  // Licences stand in a file of their own.
  legalComments: "none",
  // The build for browsers is ES modules, of which only what is used is kept; the one for Node starts ten times slower.
  alias: { yaml: join(project, "node_modules/yaml/browser/index.js") },
  define: { "import.meta.url": JSON.stringify(YARGS_URL) },
} as const satisfies BuildOptions;

const texts = await makeTexts();
rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "pieces"), { recursive: true });
const metafiles = await Promise.all([command(), library()]);
const bundles = bundlesOf(project, [...metafiles, ...texts.metafiles], texts.read);
// From it `npm run package` makes the list of parts that goes with a release.
writeFileSync(join(project, "generated/bundles.json"), JSON.stringify(bundles));
writeFileSync(join(dist, "THIRD-PARTY.txt"), licenceTexts(bundles));

/** Split, so that a command loads only its own pieces. */
async function command(): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: ["src/bin.ts"],
    outdir: "dist/pieces",
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".cjs" },
    write: false,
  });
  const pieces = new Map<string, string>();
  for (const { path, text } of outputFiles) {
    // CommonJS starts faster than ES modules, which alone esbuild can split: so each piece is turned afterwards.
    // Node's own import() of CommonJS first looks for its exports' names, which takes longer than all the rest.
    const { code } = await transform(withPlainExports(text), {
      format: "cjs",
      platform: "node",
      target: "node20",
      minify: true,
      // In a string every letter beyond ASCII is escaped, in a tagged template none; V8 reads text that is ASCII faster.
      supported: { "dynamic-import": false, "template-literal": false },
    });
    pieces.set(basename(path), code);
  }
  const digest = createHash("sha256");
  const example = join(project, "examples/quickstart/portal.yaml");
  for (const [name, text] of packed(withEagerFunctions(pieces, example), metafile)) {
    const code = `(function(module,exports,require){${text}\n})`;
    if (/\P{ASCII}/u.test(code)) throw new Error(`"${name}" is read as if it were ASCII.`);
    writeFileSync(join(dist, "pieces", name), code);
    digest.update(name).update(code);
  }
  await build({
    ...common,
    entryPoints: ["src/start/installed.ts"],
    outfile: "dist/bin.cjs",
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
    define: {
      BUILD: JSON.stringify(digest.digest("hex").slice(0, 12)),
      VERSION: JSON.stringify(packageFacts.version),
      OLDEST_NODE: JSON.stringify(packageFacts.engines.node.replace(/^>=/, "")),
    },
  });
  chmodSync(join(dist, "bin.cjs"), 0o755);
  return metafile;
}

/** As esbuild turns exports, each use of a name in another piece calls two getters: a twentieth of a long run. */
function withPlainExports(text: string): string {
  return text.replace(/export\s*\{([^}]*)\};?\s*$/, (_, names: string) => {
    const exported = names.split(",").map((name) => {
      const [own = "", other = own] = name.trim().split(" as ");
      return `${other}:${own}`;
    });
    return `module.exports={__esModule:true,${exported.join(",")}};`;
  });
}

async function library(): Promise<Metafile> {
  const { metafile } = await build({
    ...common,
    entryPoints: ["src/index.ts"],
    outfile: "dist/index.js",
    format: "esm",
    // What is CommonJS inside asks for Node's own modules by require, which ES modules lack.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return metafile;
}
