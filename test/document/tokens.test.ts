// Texts, whole and damaged → as the build writes yaml's lexer and parser anew, they find what yaml's own find.
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
  stdin: { contents: 'export { Lexer, Parser } from "yaml";', resolveDir: PROJECT },
  alias: { yaml: join(PROJECT, "node_modules/yaml/browser/index.js") },
  plugins: [plainYaml],
  bundle: true,
  format: "esm",
  write: false,
});
const [{ text: code } = { text: "" }] = outputFiles;
const plain = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof yaml;

test("no step is a generator any more", () => {
  expect([...code.matchAll(/^ {2}\*(\w+)\(/gm)].map(([, name]) => name)).toEqual(["lex", "parse"]);
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

function foundBy({ Lexer, Parser }: typeof yaml, text: string) {
  return { lexemes: [...new Lexer().lex(text)], tokens: [...new Parser().parse(text)] };
}
