// Merges a file with its bases; every value remembers its own file.
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { catalog, referenceName } from "../../catalog/catalog.js";
import type { Diagnostic } from "../../diagnostic.js";
import { parse, type Parsed } from "./parse.js";
import { LARGEST_FILE, readSource, type Files, type Reading } from "./bytes.js";
import { isOpenTo, repositoryOf } from "./repository.js";
import {
  childOf,
  diagnose,
  entriesOf,
  settingPath,
  textOf,
  type Entry,
  type Node,
  type Text,
} from "./tree.js";

/** A base may occur in several chains; more files than this are an attack. */
const MOST_FILES = 100;

/** No system opens a longer path. */
const LONGEST_PATH = 4096;

/** The remaining limits for bases, and where to read them. */
interface Budget extends Files {
  bases: number;
  /** All bases together may be as long as one file, because each costs time, even if repeated. */
  letters: number;
  readonly paths: string[];
}

/**
 * Resolves relative names from `cwd`, and names files relative to it in messages. `paths` are the bases, including
 * unreadable ones. There is no root if a file of the chain cannot be parsed.
 */
export function extend(
  reading: Reading,
  { cwd, files }: Files,
): Parsed & { readonly paths: readonly string[] } {
  const budget: Budget = { cwd, files, bases: MOST_FILES, letters: LARGEST_FILE, paths: [] };
  return { ...load(reading, [], budget), paths: budget.paths };
}

function load(reading: Reading, chain: readonly string[], budget: Budget): Parsed {
  if (reading.problem) return { problems: [reading.problem] };
  const { source } = reading;
  const { root: own, problems: wrong } = parse(source);
  if (!own) return { problems: wrong };
  const problems = [...wrong, ...spelledTwice(own)];
  if (chain.length > 0 && own.kind !== "mapping") problems.push(notMapping(own));
  const here = [...chain, source.path ?? join(budget.cwd, "-")];
  let isWhole = true;
  let below: Node | undefined;
  for (const name of basesOf(own)) {
    const base = loadBase(name, source.path, here, budget);
    problems.push(...base.problems);
    if (!base.root) isWhole = false;
    else below = below ? lay(below, base.root, []) : base.root;
    // Reports an exceeded limit only once.
    if (budget.bases < 0 || budget.letters < 0) break;
  }
  if (!isWhole) return { problems };
  const bare = withoutEmptySettings(without(own, "extends"));
  return { root: below ? lay(below, bare, []) : bare, problems };
}

function loadBase(
  name: Text,
  from: string | undefined,
  chain: readonly string[],
  budget: Budget,
): Parsed {
  if (name.value.length > LONGEST_PATH) return { problems: [tooLong(name)] };
  const { cwd, files } = budget;
  const file = shown(name, from, cwd);
  const path = resolve(cwd, file);
  const refusal = refuse(name, path, chain);
  if (refusal) return { problems: [refusal] };
  if (--budget.bases < 0) return { problems: [tooMany(name)] };
  budget.paths.push(path);
  const base = readSource({ file, cwd, files, extendedAt: name.span });
  budget.letters -= base.source?.text.length ?? 0;
  return budget.letters < 0 ? { problems: [tooMuch(name)] } : load(base, chain, budget);
}

/** The names under `extends`; the schema reports values of other types. */
function basesOf(root: Node): Text[] {
  const value = entriesOf(root).get("extends")?.value;
  const nodes = value?.kind === "list" ? value.items : value ? [value] : [];
  return nodes.filter((node): node is Text => Boolean(textOf(node)));
}

function shown({ value }: Text, from: string | undefined, cwd: string): string {
  if (isAbsolute(value)) return value;
  const path = join(from ? dirname(from) : cwd, value);
  return relative(cwd, path) || path;
}

function refuse(name: Text, path: string, chain: readonly string[]): Diagnostic | undefined {
  const at = chain.indexOf(path);
  if (at !== -1) {
    const circle = [...chain.slice(at), path].map((each) => basename(each)).join(" → ");
    const message = `Files extend each other in a circle: ${circle}.`;
    return diagnose("bad-extends", name, message, "Take one of them out of the circle.");
  }
  const repository = repositoryOf(chain.at(-1) ?? "");
  if (!repository || isOpenTo(repository, path)) return undefined;
  const message = `"${name.value}" is not a file that a review of this repository shows.`;
  const help = "Extend files inside the repository that are not hidden.";
  return diagnose("outside-repository", name, message, help);
}

function tooMany(name: Text): Diagnostic {
  const message = `This file extends more than ${MOST_FILES} files.`;
  return diagnose("bad-extends", name, message, "Let the bases extend fewer files.");
}

function tooLong(name: Text): Diagnostic {
  const message = `This is longer than ${LONGEST_PATH} letters, and so no path of a file.`;
  return diagnose("file-not-found", name, message, "Write the path of a file, or a list of paths.");
}

function tooMuch(name: Text): Diagnostic {
  const message = `The files that are extended hold more than ${LARGEST_FILE / 1024 / 1024} MiB together.`;
  const help = "Let the file extend fewer and shorter bases.";
  return diagnose("bad-extends", name, message, help);
}

function notMapping(root: Node): Diagnostic {
  const at = { ...root, span: { ...root.span, end: root.span.start } };
  const message = "A file that others extend must be a mapping of keys to values.";
  return diagnose("wrong-type", at, message, "Check that this is the right file.");
}

/** A property with both of its names would lose one value. */
function spelledTwice(root: Node): Diagnostic[] {
  const windows = [...entriesOf(childOf(root, "schedule")).values()].map(({ value }) => value);
  const parameters = [root, ...windows].flatMap((each) => [
    ...entriesOf(childOf(each, "settings")).values(),
  ]);
  return parameters.flatMap(({ value }) =>
    catalog.spellings.flatMap(({ property, also }) => {
      const second = entriesOf(value).get(also);
      if (!second || !entriesOf(value).has(property)) return [];
      const message = `"${property}" and "${also}" are two spellings of one property.`;
      return [diagnose("two-spellings", second.key, message, "Keep one of the two.")];
    }),
  );
}

/** Merges mappings recursively, and replaces everything else. */
export function lay(base: Node, over: Node, path: readonly string[]): Node {
  if (base.kind !== "mapping" || over.kind !== "mapping") return over;
  const entries = new Map(base.entries);
  for (const [key, entry] of over.entries) {
    const held = heldAs(entries, key, path);
    const below = held === undefined ? undefined : entries.get(held);
    // `!required` asks for a value, and the base has one.
    if (below && entry.value.kind === "mark" && entry.value.mark === "required") continue;
    const isDropped = entry.value.kind === "mark" && entry.value.mark === "unmanaged";
    if (held !== undefined && (isDropped || held !== key)) entries.delete(held);
    if (below && isDropped) continue;
    const value = below ? lay(below.value, entry.value, [...path, key]) : entry.value;
    const isLaidInto = value !== entry.value;
    entries.set(key, isLaidInto ? { key: entry.key, value } : below ? { ...entry, below } : entry);
  }
  return { ...over, entries, lowest: base.lowest ?? base.span };
}

/** The base's key for a property, which the overlay may spell differently. */
function heldAs(
  entries: ReadonlyMap<string, Entry>,
  key: string,
  path: readonly string[],
): string | undefined {
  if (entries.has(key)) return key;
  if (settingPath(path)?.length !== 1) return undefined;
  return [...entries.keys()].find((held) => referenceName(held) === referenceName(key));
}

function without(root: Node, key: string): Node {
  if (root.kind !== "mapping" || !root.entries.has(key)) return root;
  const entries = new Map(root.entries);
  // Keeps a wrong type, which the schema then reports.
  const value = entries.get(key)?.value;
  const isGood = basesOf(root).length === (value?.kind === "list" ? value.items.length : 1);
  if (isGood) entries.delete(key);
  return { ...root, entries };
}

/** "settings:" with all lines commented out means the same as no settings. */
function withoutEmptySettings(root: Node): Node {
  const value = childOf(root, "settings");
  if (root.kind !== "mapping" || value?.kind !== "scalar" || value.value !== null) return root;
  const entries = new Map(root.entries);
  entries.delete("settings");
  return { ...root, entries };
}
