// Finds the desired-state files that a command line names: files, folders, patterns, or nothing at all.
import { existsSync, readdirSync, type Dirent } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { Failure } from "../failure.js";
import { isFolder, reasonOf } from "../lib/files.js";
import { compareNames } from "../lib/text.js";
import type { NamedFolder } from "../outcome.js";
import { isPart } from "./check/check.js";

/**
 * In the order named, each file once; those of a folder or a pattern as people count. A file that does not exist is
 * kept, so that reading it reports that.
 */
export async function findFiles(words: readonly string[], cwd: string): Promise<string[]> {
  if (words.length === 0) return usual(cwd);
  // What stands in the alphabet's order is what a shell has made of a pattern, and that puts 10 before 2.
  const isSorted = words.every((word, at) => at === 0 || (words[at - 1] ?? "") < word);
  const named = isSorted ? words.toSorted(compareNames) : words;
  const files = new Set<string>();
  for (const name of named) {
    const path = resolve(cwd, name);
    let meant = [name];
    if (name !== "-" && isFolder(path)) meant = inFolder(name, cwd);
    else if (PATTERN.test(name) && !existsSync(path)) meant = await matching(name, cwd);
    for (const file of meant) {
      files.add(file === "-" ? file : relative(cwd, resolve(cwd, file)) || file);
    }
  }
  return [...files];
}

/** The folders among the words; `files` are all that were found. */
export function foldersAmong(
  words: readonly string[],
  files: readonly string[],
  cwd: string,
): NamedFolder[] {
  return words
    .filter((word) => word !== "-" && isFolder(resolve(cwd, word)))
    .map((word) => {
      const below = resolve(cwd, word) + sep;
      return { folder: word, files: files.filter((file) => resolve(cwd, file).startsWith(below)) };
    });
}

/** The configuration of `lintel serve`: no portal's file, wherever it stands. */
export const CONFIG_FILE = "lintel.yaml";

/** Neither a part of others nor that one. */
function isPortals(path: string): boolean {
  return !isPart(path) && basename(path) !== CONFIG_FILE;
}

const PATTERN = /[*?[\]{}]/;

function usual(cwd: string): string[] {
  if (existsSync(join(cwd, "portal.yaml"))) return ["portal.yaml"];
  const files = entriesIn(join(cwd, "portals"))
    .map(({ name }) => join("portals", name))
    .filter((path) => path.endsWith(".yaml") && isPortals(path))
    .toSorted(compareNames);
  if (files.length > 0) return files;
  const message = "This folder has no portal.yaml and no portals/*.yaml.";
  throw new Failure("wrong-usage", message, "Name a file, or create one:\n  lintel init");
}

function inFolder(folder: string, cwd: string): string[] {
  const files = filesBelow(resolve(cwd, folder)).filter(
    (path) => /\.ya?ml$/.test(path) && isPortals(path),
  );
  if (files.length > 0) return files;
  const message = `The folder "${folder}" holds no .yaml or .yml file, apart from hidden ones and parts (_*.yaml).`;
  const help = "Name another folder, or begin a file in this one:\n  lintel init";
  throw new Failure("wrong-usage", message, help);
}

/** The same for names, in which nothing is hidden and a slash is a letter like any other. */
export async function nameMatcher(pattern: string): Promise<(name: string) => boolean> {
  const isMatch = await matcherFor(asLetters(pattern), { dot: true });
  return (name) => isMatch(asLetters(name));
}

function asLetters(text: string): string {
  return text.replaceAll("/", "\u2215");
}

async function matcherFor(pattern: string, options: { readonly dot?: true } = {}) {
  // Only a pattern needs it, and most calls have none.
  const { default: picomatch } = await import("picomatch");
  // The package gives brackets and bars of regular expressions a meaning; in the name of a file they have none.
  const plain = pattern.replace(/\\.|[()|]/g, (found) => (found.length > 1 ? found : `\\${found}`));
  return picomatch(plain, { nonegate: true, posix: true, windows: false, ...options });
}

/** As a shell reads it, * and ? stay within a folder, ** does not, and hidden files are matched only where a dot is written. */
async function matching(pattern: string, cwd: string): Promise<string[]> {
  const parts = pattern.split("/");
  const fixed = parts.findIndex((part) => /(?<!\\)[*?[{]/.test(part));
  const above = parts.slice(0, fixed).join("/").replace(/\\(.)/g, "$1");
  const root = resolve(cwd, above || (pattern.startsWith("/") ? "/" : "."));
  const rest = parts.slice(fixed).join("/");
  const isMatch = await matcherFor(rest);
  const mayBeHidden = /(?:^|[/{,])\./.test(rest);
  const files = (isFolder(root) ? filesBelow(root, mayBeHidden) : []).filter(
    (path) => isMatch(relative(root, path).split(sep).join("/")) && isPortals(path),
  );
  if (files.length > 0) return files;
  const message = `No file matches "${pattern}"; parts (_*.yaml) do not count.`;
  throw new Failure("wrong-usage", message, "Check the pattern, and the folder you are in.");
}

/** Every file below a folder, sorted; nothing hidden, no installed packages, and no folder that is a link: it may lead around. */
export function filesBelow(top: string, mayBeHidden = false): string[] {
  const files: string[] = [];
  const walkIn = (folder: string): void => {
    const entries = entriesIn(folder);
    for (const entry of entries.toSorted((one, other) => compareNames(one.name, other.name))) {
      if ((entry.name.startsWith(".") && !mayBeHidden) || entry.name === "node_modules") continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walkIn(path);
      else files.push(path);
    }
  };
  walkIn(top);
  return files;
}

/** A folder that may not be read hides its files from us as it does from others. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Gone since it was seen, it holds nothing either.
    if (/^(?:EACCES|EPERM|ENAMETOOLONG|ENOENT|ENOTDIR)$/.test(code ?? "")) return [];
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const message = `The folder "${folder}" cannot be searched: ${reason}.`;
    throw new Failure("wrong-usage", message, "Check the disk, or name the files themselves.");
  }
}
