// dist/ → the command as one file, and what of it begins an executable.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import packageFacts from "../../package.json" with { type: "json" };

export interface OneFile {
  readonly text: string;
  /** What runs in an executable, where `text` is an asset. */
  readonly executable: string;
}

/** What is ASCII stands for as many bytes as characters, and is what V8 reads fastest. */
const BEYOND_ASCII = /[^\0-\x7f]/g;

export function oneFile(project: string): OneFile {
  const folder = join(project, "dist/pieces");
  const names = readdirSync(folder).toSorted();
  const pieces = names.map((name) => {
    const text = readFileSync(join(folder, name), "utf8").trimEnd();
    return { name, text: text.replaceAll(BEYOND_ASCII, escaped).replaceAll("\n", "\n//") };
  });
  let fromEnd = 0;
  const places: Record<string, readonly [number, number]> = {};
  for (const { name, text } of pieces.toReversed()) {
    fromEnd += text.length + "\n".length;
    places[name] = [fromEnd, text.length];
    fromEnd += "//".length;
  }
  const licences = readFileSync(join(project, "dist/THIRD-PARTY.txt"), "utf8");
  const rest = [
    "The licences of what is bundled; below them, the rest of the command.",
    ...licences.replaceAll(BEYOND_ASCII, nearest).trimEnd().split("\n"),
  ];
  const comments = [...rest.map((line) => ` ${line}`.trimEnd()), ...pieces.map(({ text }) => text)];
  const all = comments.map((line) => `//${line}\n`).join("");
  const build = createHash("sha256").update(all).digest("hex").slice(0, 12);
  const begun = (entry: string, banner: string) =>
    beginning(project, entry, banner, { places, build });
  return {
    text: `${begun("file", "#!/usr/bin/env node")}${all}`,
    executable: begun("executable", ""),
  };
}

function beginning(
  project: string,
  entry: string,
  banner: string,
  { places, build }: { readonly places: object; readonly build: string },
): string {
  const { outputFiles } = buildSync({
    absWorkingDir: project,
    entryPoints: [`src/start/${entry}.ts`],
    write: false,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    banner: { js: banner },
    define: {
      PLACES: JSON.stringify(places),
      BUILD: JSON.stringify(build),
      VERSION: JSON.stringify(packageFacts.version),
      OLDEST_NODE: JSON.stringify(packageFacts.engines.node.replace(/^>=/, "")),
    },
  });
  return outputFiles[0]?.text ?? "";
}

/** In texts and patterns it means the same; nothing else of a piece is beyond ASCII. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** For people to read. */
function nearest(letter: string): string {
  const signs: Readonly<Record<string, string>> = { "©": "(c)", "“": '"', "”": '"', "’": "'" };
  return signs[letter] ?? (letter.normalize("NFKD").replaceAll(BEYOND_ASCII, "") || "?");
}
