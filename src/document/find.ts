// Finds the desired-state files for a command line: files, folders, patterns, or the default.
import { existsSync, readdirSync, type Dirent } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { Failure } from "../failure.js";
import { isFolder, reasonOf } from "../lib/files.js";
import { compareNames } from "../lib/text.js";
import type { NamedFolder } from "../outcome.js";
import { isPart } from "./check/check.js";

/**
 * In the order of the arguments, each file once; files of a folder or pattern in natural order. Keeps a file that does
 * not exist, so that reading it reports the error.
 */
export async function findFiles(words: readonly string[], cwd: string): Promise<string[]> {
  if (words.length === 0) return usual(cwd);
  // Alphabetical order means that a shell expanded a pattern, which puts 10 before 2.
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

/** The folders among the arguments; `files` are all files found. */
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

/** The configuration of `lintel serve`, which is never a portal's file. */
export const CONFIG_FILE = "lintel.yaml";

/** Neither a base nor the configuration. */
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

/** The same for names, where dots and slashes have no meaning. */
export async function nameMatcher(pattern: string): Promise<(name: string) => boolean> {
  const isMatch = await matcherFor(asLetters(pattern), { dot: true });
  return (name) => isMatch(asLetters(name));
}

function asLetters(text: string): string {
  return text.replaceAll("/", "\u2215");
}

async function matcherFor(pattern: string, options: { readonly dot?: true } = {}) {
  // Loaded only for patterns, which most runs do not use.
  const { default: picomatch } = await import("picomatch");
  // The package treats brackets and bars as regular expressions; in file names they are literal.
  const plain = pattern.replace(/\\.|[()|]/g, (found) => (found.length > 1 ? found : `\\${found}`));
  return picomatch(plain, { nonegate: true, posix: true, windows: false, ...options });
}

/** Like a shell: * and ? match within a folder, ** across folders, and hidden files need a dot in the pattern. */
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

/** Every file below a folder, sorted. Skips hidden files, installed packages and linked folders, which could form loops. */
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

/** An unreadable folder counts as empty. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder that was deleted meanwhile counts as empty, too.
    if (/^(?:EACCES|EPERM|ENAMETOOLONG|ENOENT|ENOTDIR)$/.test(code ?? "")) return [];
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const message = `The folder "${folder}" cannot be searched: ${reason}.`;
    throw new Failure("wrong-usage", message, "Check the disk, or name the files themselves.");
  }
}
