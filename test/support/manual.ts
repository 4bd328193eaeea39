// The pages that people read, and what stands in them: blocks of code, tables, links.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { aliasesOf, ALL, optionsOf } from "../../src/cli/all.js";
import { PROJECT } from "./run.js";

/** From the project's folder. */
export const TOPIC_PAGES = pagesIn("docs").filter((page) => page !== "docs/README.md");
export const START_PAGES = pagesIn("docs/start");
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...pagesIn("docs/decisions"),
  "docs/README.md",
  ...START_PAGES,
  ...TOPIC_PAGES,
];

function pagesIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
}

export function readPage(page: string): string {
  return readFileSync(join(PROJECT, page), "utf8");
}

/** The rows of the table whose head begins so. */
export function rowsUnder(page: string, head: string): string[][] {
  const [, after] = readPage(page).split(`\n| ${head}`);
  if (after === undefined) throw new Error(`${page} has no table "${head}"`);
  const lines = after.split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The blocks of code of a language, each with the page that it stands in. */
export function blocks(language: string, pages = PAGES): (readonly [page: string, text: string])[] {
  return pages.flatMap((page) =>
    [...readPage(page).matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
      .filter(([, named]) => named === language)
      .map(([, , text = ""]) => [page, text] as const),
  );
}

/** What stands between backticks, apart from blocks. */
export function codes(page: string): string[] {
  const text = readPage(page).replace(/^```[^]*?^```$/gm, "");
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

/** All names between backticks in a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** Whether the first word is a command, and each option among the others is one of its options. */
export async function isCall([command, ...words]: readonly string[]): Promise<boolean> {
  const listed = ALL.find(({ name }) => name === command);
  if (!listed) return false;
  const options = Object.entries(optionsOf((await listed.load()).spec))
    .flatMap(([name, option]) => [name, ...aliasesOf(option)])
    .map((name) => (name.length === 1 ? `-${name}` : `--${name}`));
  return words.filter((word) => /^--?[a-z]/.test(word)).every((word) => options.includes(word));
}
