// Builds the command and the library into dist/, and lists the packages that they bundle. Types are added by tsc.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cyclonedxEsbuildPlugin } from "@cyclonedx/cyclonedx-esbuild";
import { build, transform } from "esbuild";
import { commonJs, options, project } from "./options.js";
import { writeTexts } from "./texts.js";

const dist = join(project, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "chunks"), { recursive: true });
await writeTexts();
await Promise.all([buildCommand(), buildLibrary(), listPackages()]);

/** In chunks, so that a command loads only what it needs. esbuild splits only ES modules; as CommonJS they start faster. */
async function buildCommand(): Promise<void> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: ["src/bin.ts"],
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    outExtension: { ".js": ".cjs" },
    format: "esm",
    splitting: true,
    sourcemap: "inline",
    sourcesContent: false,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    const { code, map } = await transform(text, {
      ...commonJs,
      target: options.target,
      minify: true,
      sourcefile: basename(path),
      sourcemap: "external",
      sourcesContent: false,
    });
    writeFileSync(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
    writeFileSync(`${path}.map`, map);
  }
  chmodSync(join(dist, "bin.cjs"), 0o755);
}

async function buildLibrary(): Promise<void> {
  await build({
    ...options,
    entryPoints: ["src/index.ts"],
    outdir: "dist",
    format: "esm",
    sourcemap: "linked",
    sourcesContent: false,
    // Bundled CommonJS calls require, which ES modules lack.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
}

/** Writes the bill of materials and, because the licences require it, their texts. */
async function listPackages(): Promise<void> {
  const outputFile = join(project, "generated/lintel.cdx.json");
  await build({
    ...options,
    ...commonJs,
    // The sealed engine is bundled apart, as a text.
    entryPoints: ["src/bin.ts", "src/index.ts", "src/migrate/evaluate/engine.ts"],
    outdir: "dist",
    write: false,
    plugins: [
      cyclonedxEsbuildPlugin({
        outputFile,
        outputReproducible: true,
        gatherLicenseTexts: true,
        logLevel: "silent",
      }),
    ],
  });
  const { components } = JSON.parse(readFileSync(outputFile, "utf8")) as BillOfMaterials;
  const texts = components.map(({ group, name, version, licenses, evidence }) => {
    const files = evidence?.licenses?.map(({ license }) => license?.text?.content ?? "") ?? [];
    const text = files
      .map((content) => Buffer.from(content, "base64").toString().trim())
      .join("\n\n");
    const declared = licenses
      .map(({ license, expression }) => expression ?? license?.id)
      .join(", ");
    return `${group ? `${group}/` : ""}${name} ${version}\n\n${text || declared}\n`;
  });
  writeFileSync(join(dist, "THIRD-PARTY.txt"), texts.join(`\n${"-".repeat(72)}\n\n`));
}

/** The part of CycloneDX that is read. */
interface BillOfMaterials {
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly Licence[];
    readonly evidence?: { readonly licenses?: readonly Licence[] };
  }[];
}

interface Licence {
  readonly license?: { readonly id?: string; readonly text?: { readonly content: string } };
  readonly expression?: string;
}
