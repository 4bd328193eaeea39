// Lists sentences that a review should look at, by the words that mark a weak one: npx tsx test/words.ts [PATH…]
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { PROJECT } from "./support/run.js";

/** Words that a plain sentence seldom needs. */
const SIGNS =
  /\b(?:somebody|anybody|nobody|everybody|whoever|whatever|is told|are told|was told|told|tells?|otherwise(?: than)?|by itself|by themselves|once more|anew|say so|says so|said so|goes? on|going on|goes by|gone from|look(?:s|ed)? at|is meant|no object|any more|wants?|wanted)\b/gi;
const ARROW = /→|↔|×/g;
const LONGEST = 25;

interface Found {
  readonly place: string;
  readonly why: string;
  readonly sentence: string;
}

/** Of prose: without code blocks, and with each table cell and list item on its own. */
function sentencesOf(page: string): { line: number; text: string }[] {
  let isCode = false;
  return page.split("\n").flatMap((text, at) => {
    if (text.startsWith("```")) isCode = !isCode;
    if (isCode || text.startsWith("```")) return [];
    const cells = text.startsWith("|") ? text.split("|") : [text];
    return cells.flatMap((cell) => splitSentences(cell, at + 1));
  });
}

/** Of comments, one by one, and of texts in quotes that hold at least three words. */
function textsOf(source: string): { line: number; text: string }[] {
  return source.split("\n").flatMap((text, at) => {
    const comment = /(?:^|\s)(?:\/\/|\/?\*\*?) (.*?)(?: \*\/)?$/.exec(text)?.[1];
    if (comment !== undefined) return splitSentences(comment, at + 1);
    const quoted = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)];
    return quoted.flatMap(([, double, back]) => {
      const words = double ?? back ?? "";
      return /\S \S+ \S/.test(words) ? splitSentences(words, at + 1) : [];
    });
  });
}

function splitSentences(text: string, line: number): { line: number; text: string }[] {
  return text.split(/(?<=[.;:?!]) /).map((each) => ({ line, text: each.trim() }));
}

function findingsIn(path: string): Found[] {
  const isPage = path.endsWith(".md");
  const read = isPage ? sentencesOf : textsOf;
  return read(readFileSync(join(PROJECT, path), "utf8")).flatMap(({ line, text }) => {
    const prose = text.replaceAll(/`[^`]*`/g, "CODE").replaceAll(/\]\([^)]*\)/g, "]");
    const signs = [...prose.matchAll(SIGNS)].map(([sign]) => sign.toLowerCase());
    const arrows = isPage ? [] : [...prose.matchAll(ARROW)].map(([arrow]) => arrow);
    const length = prose.split(/\s+/).length;
    const why = [...signs, ...arrows, ...(length > LONGEST ? [`${length} words`] : [])];
    return why.length > 0
      ? [{ place: `${path}:${line}`, why: why.join(", "), sentence: text }]
      : [];
  });
}

function filesIn(path: string): string[] {
  const whole = join(PROJECT, path);
  if (!statSync(whole).isDirectory()) return [relative(PROJECT, whole)];
  return readdirSync(whole, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|md)$/.test(name))
    .map((name) => join(path, name))
    .toSorted();
}

const isShort = process.argv.includes("--count");
const paths = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const files = (paths.length > 0 ? paths : ["README.md", "docs", "src"]).flatMap(filesIn);
const found = files.map((file) => ({ file, all: findingsIn(file) }));
for (const { file, all } of found.filter(({ all }) => all.length > 0)) {
  console.log(`${file}: ${all.length}`);
  if (isShort) continue;
  for (const { place, why, sentence } of all) console.log(`  ${place} [${why}] ${sentence}`);
}
console.log(`All: ${found.reduce((sum, { all }) => sum + all.length, 0)}`);
