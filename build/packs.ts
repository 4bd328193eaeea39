// The pieces of the command → fewer files: to find and open one takes as long as to read it, so what is always loaded together stands in one.
import { basename } from "node:path";
import type { Metafile } from "esbuild";

/** Each file has the name of its first, and holds all that these import, but for what stands in a file before it. */
const TOGETHER = [
  ["src/bin.ts", "src/cli/main.ts", "src/cli/call.ts", "src/cli/help.ts"],
  ["src/commands/validate.ts", "src/cli/read.ts", "src/cli/destinations.ts"],
  ["src/commands/plan.ts"],
  ["src/commands/apply.ts"],
];

/** CommonJS by its name → the same in files by theirs. */
export function packed(
  pieces: ReadonlyMap<string, string>,
  { outputs }: Metafile,
): ReadonlyMap<string, string> {
  const fileOf = filesByPiece(outputs);
  const front = basename(outputOf("src/bin.ts", outputs));
  const inFile = (file: string) => [...pieces].filter(([name]) => fileOf.get(name) === file);
  const alone = [...pieces].filter(([name]) => !fileOf.has(name));
  return new Map([
    ...alone.map(([name, code]): [string, string] => [name, withFiles(code)]),
    ...[...new Set(fileOf.values())].map((file): [string, string] => [
      file,
      packText(inFile(file)) + (file === front ? `load("./${front}");` : ""),
    ]),
  ]);

  /** What stands in another file is asked of that. */
  function withFiles(code: string, own?: string): string {
    return code.replace(/\brequire\("\.\/([\w-]+\.cjs)"\)/g, (whole, name: string) => {
      const file = fileOf.get(name);
      return file === undefined || file === own ? whole : `require("./${file}")("./${name}")`;
    });
  }

  function packText(held: readonly (readonly [name: string, code: string])[]): string {
    const file = fileOf.get(held[0]?.[0] ?? "");
    // In brackets, because V8 takes that for a sign that a function is called at once, and parses it only once.
    const functions = held.map(
      ([name, code]) =>
        `"./${name}":(function(module,exports,require){${withFiles(code, file)}\n})`,
    );
    return [
      `const pieces={${functions.join(",\n")}},loaded=new Map();`,
      "function load(name){",
      "const known=loaded.get(name);",
      "if(known)return known.exports;",
      "const piece={exports:{}};",
      "loaded.set(name,piece);",
      "pieces[name](piece,piece.exports,(wanted)=>wanted in pieces?load(wanted):require(wanted));",
      "return piece.exports;",
      "}",
      "module.exports=load;",
    ].join("\n");
  }
}

function filesByPiece(outputs: Metafile["outputs"]): ReadonlyMap<string, string> {
  const fileOf = new Map<string, string>();
  for (const entries of TOGETHER) {
    const paths = entries.map((entry) => outputOf(entry, outputs));
    const found = new Set<string>();
    for (const path of paths) addImported(path, outputs, found);
    for (const path of found) {
      if (!fileOf.has(basename(path))) fileOf.set(basename(path), basename(paths[0] ?? ""));
    }
  }
  return fileOf;
}

function addImported(path: string, outputs: Metafile["outputs"], found: Set<string>): void {
  if (found.has(path)) return;
  found.add(path);
  for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
    if (kind === "import-statement" && external !== true) addImported(imported, outputs, found);
  }
}

function outputOf(entry: string, outputs: Metafile["outputs"]): string {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry);
  if (found === undefined) throw new Error(`"${entry}" is no piece of its own.`);
  return found;
}
