// Words of commands that people are told to run: a shell reads each as the one word that it is.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { shellWord } from "../src/lib/text.js";
import { fc } from "./support/property.js";
import { BIN, environment, folderOf, lintel, PROJECT } from "./support/run.js";

const words = [
  "portal.yaml",
  "my portal.yaml",
  "it's.yaml",
  "$HOME.yaml",
  "a;b&c|d.yaml",
  "*.yaml",
  "~root",
  "städte/größe.yaml",
  "#comment",
  "",
  "-",
];

/** What a shell makes of a command line: the words, one a line. */
function wordsIn(line: string): string[] {
  const output = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  return output.split("\0").slice(0, -1);
}

test.each(words)("%j comes out of a shell as it went in", (word) => {
  expect(wordsIn(shellWord(word))).toEqual([word]);
});

test("any name comes out of a shell as it went in", () => {
  const name = fc
    .string({ unit: "grapheme", maxLength: 20 })
    .filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(name, (text) => {
      const [word = ""] = wordsIn(shellWord(text));
      expect(word === text || word === `./${text}`).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("a name that looks like an option is made a path, and a plain one is left alone", () => {
  expect(shellWord("-f.yaml")).toBe("./-f.yaml");
  expect(shellWord("portals/staging.yaml")).toBe("portals/staging.yaml");
});

test("no message puts a file's name into a command as it stands", () => {
  const source = readdirSync(join(PROJECT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ name, text: readFileSync(join(PROJECT, "src", name), "utf8") }));
  const bare = source.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:lintel [a-z$]|iconv -|chmod u|git add )[^`\n]*?(?=\\n|`|\n)/g)]
      .flatMap(([command]) => [...command.matchAll(/\$\{((?:[^{}]|\{[^}]*\})*)\}/g)])
      .map(([, expression = ""]) => expression)
      .filter((expression) =>
        /file|base|place|shown|into|operands|named|body|\bout\b/i.test(expression),
      )
      .filter((expression) => !/shellWord|^spec\./.test(expression))
      // Quoted where it is named.
      .filter((expression) => !text.includes(`const ${expression} = shellWord(`))
      .map((expression) => `${name}: ${expression}`),
  );
  expect(bare).toEqual([]);
});

test("the next step that is printed for a file with spaces can be copied", async () => {
  const folder = folderOf({ "my portal.yaml": "setings: {}\n" });
  onTestFinished(() => folder.remove());
  const { stdout, stderr } = await lintel(["hold", "my portal.yaml"], {
    cwd: folder.path,
  });
  expect(stdout + stderr).toContain("  lintel hold 'my portal.yaml' --why ");
});

const HAS_SCRIPT = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!HAS_SCRIPT)(
  `a terminal that does not know its width is taken for a usual one${HAS_SCRIPT ? "" : " (skipped: there is no script here)"}`,
  () => {
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    const line = `stty cols 0; ${shellWord(process.execPath)} ${shellWord(BIN)} validate none.yaml`;
    const { stdout } = spawnSync("script", ["-qec", line, "/dev/null"], {
      cwd: folder.path,
      env: environment({ NO_COLOR: "1" }),
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      timeout: 240_000,
    });
    expect(stdout).toContain("Check the spelling, and the folder you are in.");
  },
);
