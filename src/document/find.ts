// What people name on the command line → the desired-state files meant: files, folders, patterns, or nothing at all.
import { existsSync, readdirSync, type Dirent } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Failure } from "../failure.js";
import { reasonOf, statOf } from "../file.js";
import { isPart } from "./check/check.js";

/** In the order named, each file once; a file that does not exist is kept, so that reading it says so. */
export function findFiles(named: readonly string[], cwd: string): string[] {
  if (named.length === 0) return usual(cwd);
  const files = named.flatMap((name) => {
    if (name === "-" || existsSync(resolve(cwd, name))) {
      return name !== "-" && isFolder(resolve(cwd, name)) ? inFolder(name, cwd) : [name];
    }
    return /[*?[\]{}]/.test(name) ? matching(name, cwd) : [name];
  });
  return [
    ...new Set(
      files.map((file) => (file === "-" ? file : relative(cwd, resolve(cwd, file)) || file)),
    ),
  ];
}

function usual(cwd: string): string[] {
  if (existsSync(join(cwd, "portal.yaml"))) return ["portal.yaml"];
  const files = isFolder(join(cwd, "portals"))
    ? entriesIn(join(cwd, "portals"))
        .map(({ name }) => name)
        .filter((name) => name.endsWith(".yaml") && !isPart(name))
        .toSorted()
        .map((name) => join("portals", name))
    : [];
  if (files.length > 0) return files;
  throw new Failure(
    "no-files",
    "There is neither a portal.yaml here nor a portals/*.yaml.",
    "Name a file, or begin one:\n  lintel init",
  );
}

function inFolder(folder: string, cwd: string): string[] {
  const files = walk(resolve(cwd, folder)).filter((path) => isDesiredState(path));
  if (files.length > 0) return files;
  throw new Failure(
    "no-files",
    `The folder "${folder}" holds no .yaml or .yml file, apart from hidden ones and parts (_*.yaml).`,
    "Name another folder, or begin a file in this one:\n  lintel init",
  );
}

function matching(pattern: string, cwd: string): string[] {
  const fixed = pattern.split("/").findIndex((part) => /[*?[\]{}]/.test(part));
  const root = resolve(
    cwd,
    pattern.split("/").slice(0, fixed).join("/") || (pattern.startsWith("/") ? "/" : "."),
  );
  const expression = toExpression(pattern.split("/").slice(fixed).join("/"));
  const files = (isFolder(root) ? walk(root) : []).filter(
    (path) => expression.test(relative(root, path).replaceAll("\\", "/")) && !isPart(path),
  );
  if (files.length > 0) return files;
  throw new Failure(
    "no-files",
    `No file matches "${pattern}", apart from parts (_*.yaml).`,
    "Check the pattern, and the folder you are in.",
  );
}

function isDesiredState(path: string): boolean {
  return /\.ya?ml$/.test(path) && !isPart(path);
}

/** Whoever has more below one folder has named a disk. */
const MOST_ENTRIES = 200_000;

/** Every file below a folder, sorted; nothing hidden, no installed packages, and no folder that is a link: it may lead around. */
function walk(top: string): string[] {
  const files: string[] = [];
  let left = MOST_ENTRIES;
  const walkIn = (folder: string): void => {
    const entries = entriesIn(folder);
    left -= entries.length;
    if (left < 0) throw tooMany(top);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walkIn(path);
      else files.push(path);
    }
  };
  walkIn(top);
  return files;
}

function tooMany(folder: string): Failure {
  return new Failure(
    "no-files",
    `The folder "${folder}" holds more than ${MOST_ENTRIES.toLocaleString("en")} files and folders.`,
    "Name the folder that holds the desired-state files.",
  );
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
    throw new Failure(
      "no-files",
      `The folder "${folder}" cannot be searched: ${reason}.`,
      "Check the disk, or name the files themselves.",
    );
  }
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** A shell's pattern: * and ? stay within a folder, ** does not, {a,b} are alternatives. */
function toExpression(written: string): RegExp {
  // Several in a row mean the same as one, and would be tried in every combination.
  const pattern = written.replace(/(?:\*\*\/)+/g, "**/").replace(/\*{3,}/g, "**");
  const body = pattern.replace(
    /\*\*\/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|[.+^$()|\\[\]{}]/g,
    (part) => {
      if (part === "**/") return "(?:[^/]+/)*";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      if (part.startsWith("[") && part.length > 2)
        return part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
      if (part.startsWith("{") && part.length > 2) {
        return `(?:${part
          .slice(1, -1)
          .split(",")
          .map((each) => toExpression(each).source.slice(1, -1))
          .join("|")})`;
      }
      return `\\${part}`;
    },
  );
  try {
    return new RegExp(`^${body}$`);
  } catch {
    throw new Failure(
      "wrong-usage",
      `"${written}" is no pattern.`,
      "Check what stands between the brackets.",
    );
  }
}
