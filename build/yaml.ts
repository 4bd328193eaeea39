// The lexer and the parser of yaml, which are generators within generators → the same with plain functions inside.
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** Each piece of a text passes through up to six generators, which takes longer than all else that is done to it. */
export const plainYaml: Plugin = {
  name: "plain-yaml",
  setup(plugged) {
    const filter = /yaml\/browser\/dist\/parse\/(?:lexer|parser)\.js$/;
    plugged.onLoad({ filter }, async ({ path }) => ({
      contents: withPlainSteps(await readFile(path, "utf8")),
    }));
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
      "{ this.made = []; next = this.parseNext(next); yield* this.made; }",
    )
    .replaceAll(/yield\* (?!this\.(?:made|next\(|end\())/g, "")
    .replaceAll(
      /^ {4}(next|end)\((\w*)\) \{$/gm,
      "    $1($2) { this.made = []; this.$1InSteps($2); return this.made; }\n    $1InSteps($2) {",
    );
  if (!plain.includes("this.made = []")) throw new Error("yaml is written otherwise by now");
  return plain;
}
