// The lexer and the parser of yaml, which are generators within generators, and its nodes → the same in plain steps.
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** Each piece of a text passes through up to six generators, which takes longer than all else that is done to it. */
export const plainYaml: Plugin = {
  name: "plain-yaml",
  setup(plugged) {
    const rewrite = (filter: RegExp, rewritten: (text: string) => string) =>
      plugged.onLoad({ filter }, async ({ path }) => ({
        contents: rewritten(await readFile(path, "utf8")),
      }));
    rewrite(/yaml\/browser\/dist\/parse\/(?:lexer|parser)\.js$/, withPlainSteps);
    rewrite(/yaml\/browser\/dist\/nodes\/(?:Node|Pair|Collection)\.js$/, withPlainProperties);
  },
};

/** What the steps would yield they put into a list; who asks for the pieces sees no difference. */
function withPlainSteps(text: string): string {
  const plain = text
    .replaceAll(/^ {4}\*(?!lex\(|parse\()/gm, "    ")
    .replaceAll(/yield ([^;]*);/g, "this.made.push($1);")
    // A text is still read only as far as it is asked for, so that a hostile one ends early.
    .replace(
      "next = yield* this.parseNext(next);",
      "{ this.made = []; next = this.parseNext(next); for (let at = 0; at < this.made.length; at++) yield this.made[at]; }",
    )
    .replaceAll(/yield\* (?!this\.(?:next\(|end\())/g, "")
    .replaceAll(
      /^ {4}(next|end)\((\w*)\) \{$/gm,
      "    $1($2) { this.made = []; this.$1InSteps($2); return this.made; }\n    $1InSteps($2) {",
    );
  if (!plain.includes("this.made = []")) throw new Error("yaml is written otherwise by now");
  return plain;
}

/** Each node hides its kind from those who list its properties, which nobody does; that takes as long as the rest of it. */
function withPlainProperties(text: string): string {
  const plain = text.replaceAll(
    /Object\.defineProperty\(this, (NODE_TYPE|'schema'), \{\s*value: (\w+)[^}]*\}\);/g,
    "this[$1] = $2;",
  );
  if (plain.includes("defineProperty")) throw new Error("yaml is written otherwise by now");
  return plain;
}
