// The portals of a call → a warning for each that a file beside those of the call is about, too.
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { aboutFile, hasErrors, type Diagnostic } from "../../diagnostic.js";
import { isPart } from "../../document/check/check.js";
import { checkFile } from "../../document/check/check-file.js";
import { desiredOf } from "../../document/read/desired.js";
import { readFile } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { identityOf } from "../../state/key.js";
import { compareNames } from "../../lib/text.js";

export interface Named {
  readonly file: string;
  /** Empty where the file does not tell it. */
  readonly url: string;
  readonly id: string;
}

const LIMITS = { largest: 1024 * 1024, links: "refused" } as const;
/** So that a plan of one file among hundreds stays quick. */
const MOST_READ = 500;
const MOST_CHECKED = 10;

/** What a file takes from a base, or refers to, is not looked for: by its own text is told which files are worth checking. */
export async function managedBeside(portals: readonly Named[], io: Io): Promise<Diagnostic[]> {
  const named = new Set(portals.map(({ file }) => resolve(io.cwd, file)));
  const folders = new Map<string, Named[]>();
  for (const each of portals) {
    const folder = dirname(each.file);
    const own = folders.get(folder) ?? [];
    if (isAddress(each.file, each.url)) own.push(each);
    folders.set(folder, own);
  }
  const found: Diagnostic[] = [];
  for (const [folder, own] of folders) {
    const others = own.length > 0 ? filesIn(resolve(io.cwd, folder), named) : [];
    const likely = others.slice(0, MOST_READ).filter(mayBeAbout(own));
    for (const path of likely.slice(0, MOST_CHECKED)) {
      const file = join(folder, path.slice(resolve(io.cwd, folder).length + 1));
      const key = await keyIn(file, io);
      const twin = own.find(({ url, id }) => identityOf(url, id).key === key);
      if (twin) found.push(alsoManaged(twin.file, file));
    }
  }
  return found;
}

function isAddress(file: string, url: string): boolean {
  return file !== "-" && URL.canParse(url);
}

/** But for those that are named, which are mostly all of thousands. */
function filesIn(folder: string, named: ReadonlySet<string>): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.ya?ml$/.test(name) && !isPart(name))
      .filter((name) => !named.has(join(folder, name)))
      .toSorted(compareNames)
      .map((name) => join(folder, name));
  } catch {
    // Whoever reads the named file says what is wrong with its folder.
    return [];
  }
}

/** Many files name one host, and then an id each. */
function mayBeAbout(own: readonly Named[]) {
  return (path: string): boolean => {
    let text: string;
    try {
      text = readFile(path, LIMITS).toString("utf8").toLowerCase();
    } catch {
      return false;
    }
    const [, other = "self"] = /\bid:\s*["']?([\w.-]+)/.exec(text) ?? [];
    return own.some(
      ({ url, id }) => text.includes(new URL(url).host) && other === id.toLowerCase(),
    );
  };
}

async function keyIn(file: string, io: Io): Promise<string | undefined> {
  const { root, diagnostics } = await checkFile(file, io);
  if (!root || hasErrors(diagnostics)) return undefined;
  const { url, id } = desiredOf(file, root).portal;
  return url === undefined ? undefined : identityOf(url, id).key;
}

function alsoManaged(file: string, other: string): Diagnostic {
  return aboutFile(
    "same-portal-beside",
    file,
    `"${other}" is about the same portal: what one of the two files applies, the other one takes for drift.`,
    "Make one file of them, or let one of them extend the other.",
  );
}
