// Finds several files for one portal: in a run, among checked files, and in the folders of named files.
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ownKeyOf, ownName } from "./own-portal.js";
import type { Member, Resolved } from "./portal-context.js";
import { aboutFile, hasErrors } from "../diagnostic.js";
import type { Diagnostic, DiagnosticCode, Place, Related } from "../diagnostic.js";
import { isPart, type Checked } from "../document/check/check.js";
import { checkFile } from "../document/check/check-file.js";
import { desiredOf } from "../document/read/desired.js";
import { placeOf } from "../document/read/source.js";
import { nodeAt } from "../document/read/tree.js";
import { Failure } from "../failure.js";
import { readFile } from "../lib/files.js";
import type { Io } from "../io.js";
import type { OwnPortal } from "../portal/view.js";
import { identityOf } from "../state/key.js";
import { ADDRESS_FOR_EACH, isForOnePortal, placeForOne } from "../state-address/kinds.js";
import { groupBy } from "../lib/lists.js";
import { compareNames } from "../lib/text.js";

interface Named {
  readonly file: string;
  /** Empty if the file does not set it. */
  readonly url: string;
  readonly id: string;
}

const LIMITS = { largest: 1024 * 1024, links: "refused" } as const;
/** Keeps a plan of one file among hundreds quick. */
const MOST_READ = 500;
const MOST_CHECKED = 10;

/** Searches only the text of a file itself, not its bases and references. */
export async function duplicateOwners(portals: readonly Named[], io: Io): Promise<Diagnostic[]> {
  const named = new Set(portals.map(({ file }) => resolve(io.cwd, file)));
  const own = portals.filter(({ file, url }) => isAddress(file, url));
  const found: Diagnostic[] = [];
  for (const [folder, held] of groupBy(own, ({ file }) => dirname(file))) {
    const others = filesIn(resolve(io.cwd, folder), named);
    const likely = others.slice(0, MOST_READ).filter(mayBeAbout(held));
    for (const path of likely.slice(0, MOST_CHECKED)) {
      const file = join(folder, path.slice(resolve(io.cwd, folder).length + 1));
      const key = await keyIn(file, io);
      const twin = held.find(({ url, id }) => identityOf(url, id).key === key);
      if (twin) found.push(alsoManaged(twin.file, file));
    }
  }
  return found;
}

function isAddress(file: string, url: string): boolean {
  return file !== "-" && URL.canParse(url);
}

/** Without the named files, which are usually all of thousands. */
function filesIn(folder: string, named: ReadonlySet<string>): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.ya?ml$/.test(name) && !isPart(name))
      .filter((name) => !named.has(join(folder, name)))
      .toSorted(compareNames)
      .map((name) => join(folder, name));
  } catch {
    // Errors of a folder are reported when the named file is read.
    return [];
  }
}

/** Many files name one host, each with another id. */
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
    `"${other}" configures the same portal, so each file shows the other's changes as drift.`,
    "Merge the files, or let one extend the other.",
  );
}

/** The portal of a file and the place of its state, so that the file itself need not stay in memory. */
export interface About extends Named {
  /** Where the file names its portal. */
  readonly place: Place | undefined;
  /** The place of the state, if it is for one portal only. */
  readonly state: { readonly address: string; readonly place: Place } | undefined;
}

/** Undefined for a file with errors, and for a base. */
export function aboutOf({ file, root, diagnostics }: Checked): About | undefined {
  if (!root || hasErrors(diagnostics) || isPart(file)) return undefined;
  const { portal, state } = desiredOf(file, root);
  const { url = "", id } = portal;
  const placed = (...path: string[]) => {
    const node = nodeAt(root, path);
    return node && placeOf(node.span);
  };
  const place = url === "" ? undefined : placed("portal", "url");
  const stated = state !== undefined && isForOnePortal(state) ? placed("state") : undefined;
  return {
    file,
    url,
    id,
    place,
    state: stated && state ? { address: state, place: stated } : undefined,
  };
}

interface NamedPlace {
  readonly file: string;
  readonly place: Place;
}

export function samePortals(files: readonly About[]): Diagnostic[] {
  const portals = files.flatMap(({ file, url, id, place }) =>
    place ? [{ file, place, key: identityOf(url, id).key }] : [],
  );
  const states = files.flatMap(({ file, state }) =>
    state ? [{ file, place: state.place, key: state.address }] : [],
  );
  return [...groupsOf(portals).map(twice), ...groupsOf(states).map(shared)];
}

type Group = readonly [NamedPlace, NamedPlace, ...NamedPlace[]];

function groupsOf(found: readonly (NamedPlace & { readonly key: string })[]): Group[] {
  const groups = groupBy(found, ({ key }) => key);
  return [...groups.values()].flatMap(([first, second, ...more]): Group[] =>
    first && second ? [[first, second, ...more]] : [],
  );
}

function twice(group: Group): Diagnostic {
  return diagnosticOf(group, {
    code: "same-portal-twice",
    message: "configure the same portal.",
    help: "Name only one of them, or merge them.",
    where: (file) => `is where "${file}" sets its portal`,
  });
}

function shared(group: Group): Diagnostic {
  return diagnosticOf(group, {
    code: "state-place-shared",
    message: "use one address for their states, which can contain the state of one portal.",
    help: ADDRESS_FOR_EACH,
    where: (file) => `is where "${file}" sets its state`,
  });
}

interface Wording {
  readonly code: DiagnosticCode;
  /** Continues after the names of the files. */
  readonly message: string;
  readonly help: string;
  readonly where: (file: string) => string;
}

function diagnosticOf(
  [first, at, ...more]: Group,
  { code, message, help, where }: Wording,
): Diagnostic {
  const names = [first, at, ...more].map(({ file }) => `"${file}"`);
  const related = [first, ...more].map(({ file, place }): Related => ({
    place,
    message: where(file),
  }));
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const found = aboutFile(code, at.file, `${all} ${message}`, help);
  return { ...found, place: at.place, related };
}

/** A file of a run, and what reveals that another file is for the same portal. */
export interface Owner<T> {
  readonly member: Member<T>;
  /** Absent if the file could not be resolved. */
  readonly resolved?: Resolved;
  readonly own?: OwnPortal | undefined;
}

/** Fails members that share a portal or the address of a state. */
export function withoutDuplicates<T>(owners: readonly Owner<T>[]): Member<T>[] {
  const keyOf = ({ resolved }: Owner<T>) => resolved?.identity?.key;
  const aliasOf = ({ resolved, own }: Owner<T>) =>
    own && resolved?.identity && ownKeyOf(own, resolved.identity.url);
  const placeOf = ({ resolved }: Owner<T>) => placeForOne(resolved?.stateAddress?.address);
  const [byKey, byAlias, byPlace] = [keyOf, aliasOf, placeOf].map((each) => groupBy(owners, each));
  const filesOf = (map: typeof byKey, key: string | undefined) =>
    key === undefined ? [] : (map?.get(key) ?? []).map(({ member }) => member.file);
  return owners.map((owner) => {
    const { member, own } = owner;
    const { value: _none, failure: _before, ...rest } = member;
    const twins = new Set([...filesOf(byKey, keyOf(owner)), ...filesOf(byAlias, aliasOf(owner))]);
    if (twins.size > 1) return { ...rest, failure: twiceInRun(rest, twins, own) };
    const sharers = filesOf(byPlace, placeOf(owner));
    if (sharers.length > 1) return { ...rest, failure: sharedInRun(rest, sharers) };
    return member;
  });
}

function twiceInRun(
  { file, portal }: Member<unknown>,
  files: ReadonlySet<string>,
  own: OwnPortal | undefined,
): Failure {
  const others = [...files].filter((each) => each !== file).map((each) => `"${each}"`);
  const itself = own ? `, ${ownName(own)}` : "";
  return new Failure(
    "same-portal-twice",
    `"${file}" and ${others.join(", ")} configure the same portal, "${portal.url}" (${portal.id})${itself}.`,
    "Name only one of them, or merge them.",
  );
}

function sharedInRun({ file }: Member<unknown>, files: readonly string[]): Failure {
  const others = files.filter((each) => each !== file).map((each) => `"${each}"`);
  return new Failure(
    "state-place-shared",
    `"${file}" and ${others.join(", ")} use one address for their states, which can contain the state of one portal.`,
    ADDRESS_FOR_EACH,
  );
}
