// src/ → dist/: the command as small CommonJS files with what V8 makes of them, and the library as one ES module.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { build, transform } from "esbuild";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(project, "dist");

/** @type {import("esbuild").BuildOptions} */
const common = {
  plugins: [{ name: "yargs", setup: withOwnPlatform }],
  absWorkingDir: project,
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  metafile: true,
  logLevel: "warning",
  // The build for browsers is ES modules, of which only what is used is kept; the one for Node starts ten times slower.
  alias: { yaml: join(project, "node_modules/yaml/browser/index.js") },
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const results = await Promise.all([
  // Split, so that a command loads its own pieces alone.
  build({
    ...common,
    entryPoints: ["src/bin.ts"],
    outdir: "dist/pieces",
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".cjs" },
    write: false,
  }),
  build({
    ...common,
    entryPoints: ["src/index.ts"],
    outfile: "dist/index.mjs",
    format: "esm",
    // What is CommonJS inside asks for Node's own modules by require, which ES modules lack.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  }),
]);
const [command] = results;
for (const { path, text } of command.outputFiles) {
  // CommonJS starts faster than ES modules, and esbuild splits ES modules alone: so each piece is turned afterwards.
  // Node's own import() of CommonJS first looks for its exports' names, which takes longer than all the rest.
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    // The letters of a tagged template stay as they are, because it can be asked how it was written; those of a string do not.
    supported: { "dynamic-import": false, "template-literal": false },
  });
  // As load.cjs reads it; in the comments of licences nothing is lost.
  if (/[^\0-\x7f]/.test(code.replace(/\/\*[^]*?\*\//g, ""))) {
    throw new Error(`${path} is not ASCII alone`);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}
copyFileSync(join(project, "src/load.cjs"), join(dist, "bin.cjs"));
chmodSync(join(dist, "bin.cjs"), 0o755);
await keepCompiled();
writeFileSync(join(dist, "THIRD-PARTY.txt"), licences(results));
execFileSync(process.execPath, [join(project, "node_modules/typescript/bin/tsc"), "-p", "src"], {
  cwd: project,
  stdio: "inherit",
});

/** Runs what is called most, and keeps what V8 compiled for it; it compiles a function when that is first called. */
async function keepCompiled() {
  const require = createRequire(import.meta.url);
  const { load, loaded, cache } = require(join(dist, "bin.cjs"));
  // What is compiled under other flags than those of the next process is of no use to it.
  require("node:v8").setFlagsFromString = () => {};
  const outputs = Object.entries(command.metafile.outputs);
  const [path] = outputs.find(([, { entryPoint }]) => entryPoint === "src/cli/main.ts");
  const { main } = load(basename(path));
  const folder = mkdtempSync(join(tmpdir(), "lintel-build-"));
  const ending = new AbortController();
  const silent = { write() {}, isTerminal: false };
  const io = {
    env: { SOURCE_DATE_EPOCH: "0" },
    cwd: project,
    stdin: silent,
    stdout: silent,
    stderr: silent,
    now: Date.now,
    random: Math.random,
    sleep: () => Promise.resolve(),
    signal: new AbortController().signal,
    machine: { host: "build", pid: process.pid, elapsedMs: Date.now, every: () => () => {} },
  };
  const run = async (words, more = {}) => {
    const exit = await main(words, { ...io, ...more });
    if (exit !== 0) throw new Error(`lintel ${words.join(" ")} ends with ${exit}`);
  };
  for (const words of [["--help"], ["validate", "examples"], ["explain", "tokenExpiration"]]) {
    await run(words);
  }
  await run(["schema", "11.5"]);
  const old = "examples/upgrade-from-10.9/config.js";
  const url = "https://maps.example.org/portal";
  await run(["migrate", old, "--target", "11.0", "--portal-url", url]);
  let ended = Promise.resolve();
  const sandbox = await new Promise((ready) => {
    const stdout = { write: (line) => ready(JSON.parse(line)), isTerminal: false };
    ended = run(["sandbox", "--output", "json"], { stdout, signal: ending.signal });
  });
  const portal = `targetVersion: "12.1"
portal: { url: "${sandbox.portalUrl}" }
signIn: { url: "${sandbox.signInUrl}" }
settings: { informationalBanner: { text: Hello, enabled: true }, blockBetaApps: true }
`;
  writeFileSync(join(folder, "portal.yaml"), portal);
  const { beid, webServicesKey } = sandbox;
  const env = {
    LINTEL_ALLOWED_HOSTS: sandbox.url,
    LINTEL_BEID: beid,
    LINTEL_WEB_SERVICES_KEY: webServicesKey,
  };
  for (const words of [["plan", "--offline"], ["plan"], ["apply", "--yes"], ["plan"], ["drift"]]) {
    await run(words, { cwd: folder, env });
  }
  ending.abort();
  await ended;
  rmSync(folder, { recursive: true });
  mkdirSync(cache);
  for (const [name, { script }] of loaded) {
    writeFileSync(join(cache, name), script.createCachedData());
  }
}

/** Instead of the platform of yargs, which takes longer to load than yargs itself. */
function withOwnPlatform(build) {
  const path = join(project, "src/cli/platform.ts");
  build.onResolve({ filter: /platform-shims\/esm\.mjs$/ }, () => ({ path }));
}

/** The licences ask that their text travels with what is bundled. */
function licences(results) {
  const inputs = results.flatMap((result) => Object.keys(result.metafile.inputs));
  const packages = new Set(
    inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  return [...packages]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((name) => {
      const folder = join(project, "node_modules", name);
      const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      const text = file ? readFileSync(join(folder, file), "utf8").trim() : license;
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
}
