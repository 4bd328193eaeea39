// Texts, whole and damaged → as the build writes yaml's lexer, parser and nodes anew, they find what yaml's own find.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import * as yaml from "yaml";
import { plainYaml } from "../../build/yaml.js";
import { fc } from "../support/property.js";
import { PROJECT } from "../support/run.js";

const texts = ["test/ok", "test/invalid"].flatMap((folder) =>
  readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(join(PROJECT, folder, name), "utf8")),
);
const odd = fc.constantFrom(
  ..."[]{}:,-?*&!|>'\"%@`#\n\t \r\\".split(""),
  "\n---\n",
  "\n...\n",
  "? a\n",
  "|2+\n",
  "\uFEFF",
);

const { outputFiles } = await build({
  stdin: {
    contents: 'export { Lexer, Parser, parseAllDocuments, visit } from "yaml";',
    resolveDir: PROJECT,
  },
  alias: { yaml: join(PROJECT, "node_modules/yaml/browser/index.js") },
  plugins: [plainYaml],
  bundle: true,
  format: "esm",
  write: false,
});
const [{ text: code } = { text: "" }] = outputFiles;
const plain = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof yaml;

test("no step of the two is a generator any more", () => {
  const composer = ["compose", "next", "end"];
  const names = [...code.matchAll(/^ {2}\*(\w+)\(/gm)].map(([, name]) => name);
  expect(names).toEqual([...composer, "lex", "parse"]);
});

test("of a whole file they find the same", () => {
  expect(texts.length).toBeGreaterThan(100);
  for (const text of texts) expect(foundBy(plain, text)).toEqual(foundBy(yaml, text));
});

test("of a damaged file they find the same", () => {
  const damaged = fc.record({ text: fc.constantFrom(...texts), at: fc.nat(5000), odd });
  fc.assert(
    fc.property(damaged, ({ text, at, odd }) => {
      const broken = text.slice(0, at) + odd + text.slice(at + odd.length);
      expect(foundBy(plain, broken)).toEqual(foundBy(yaml, broken));
    }),
    { numRuns: 500 },
  );
});

function foundBy({ Lexer, Parser, parseAllDocuments, visit }: typeof yaml, text: string) {
  const documents = [...parseAllDocuments(text)];
  const nodes: unknown[] = [];
  for (const document of documents) {
    visit(document, {
      Node: (at, node) => void nodes.push([at, KINDS.map((is) => is(node)), plainly(node)]),
      Pair: (at, pair) => void nodes.push([at, yaml.isPair(pair)]),
    });
  }
  return {
    lexemes: [...new Lexer().lex(text)],
    tokens: [...new Parser().parse(text)],
    nodes,
    errors: documents.flatMap(({ errors }) => errors.map(String)),
  };
}

const KINDS: readonly ((node: unknown) => boolean)[] = [
  yaml.isMap,
  yaml.isSeq,
  yaml.isScalar,
  yaml.isAlias,
];

/** Without what belongs to the collection: its schema, and what it holds, which is met by itself. */
function plainly(node: object) {
  return Object.entries(node).filter(([key]) => key !== "schema" && key !== "items");
}
