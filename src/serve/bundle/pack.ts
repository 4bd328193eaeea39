// Files as they were read → the bundle of each portal, or why it has none; and what stands in the files that count.
import { resolve } from "node:path";
import { bundleText, type Bundle } from "./bundle.js";
import { isBelow } from "./folder.js";
import { blobId, type Origin } from "./origin.js";
import type { Followed } from "../follow/files.js";
import { digestOfBytes, digestOfText } from "../../lib/digest.js";
import { readBytes } from "../../document/read/bytes.js";
import { Failure } from "../../failure.js";
import { marksOf, reasonOf, statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import type { Identity, Stopped } from "../../apply/reconcile.js";
import { listed } from "../../lib/text.js";

export interface Packed {
  readonly bundle: Bundle;
  readonly text: string;
  /** Of the text. */
  readonly digest: string;
}

/** A file that counts, as it stood. */
export interface Content {
  readonly path: string;
  readonly digest: string;
  /** What git would call it; "" where it is not there. */
  readonly blobId: string;
}

export interface PackedFiles {
  /** By the portals' keys. */
  readonly portals: ReadonlyMap<string, Packed>;
  /** By names from the root. */
  readonly contents: ReadonlyMap<string, Content>;
}

interface Asked {
  readonly io: Io;
  /** As `lintel.yaml` says. */
  readonly poolOf: (portal: Identity) => string | undefined;
  /** Of a portal whose file cannot be read: as it was published before; undefined where it never was. */
  readonly keyOf: (file: string) => Promise<string | undefined>;
}

/** So many portals before somebody else has a turn. */
const AT_A_TIME = 200;

export type Packing = ReturnType<typeof openPacking>;

export function openPacking({ io, poolOf, keyOf }: Asked) {
  const known: Known = new Map();
  /** Undefined where a file is not as it was read: it is being written. */
  return async (files: Iterable<Followed>, origin: Origin): Promise<PackedFiles | undefined> => {
    const portals = new Map<string, Packed>();
    const places = openPlaces(origin, known);
    for (const followed of files) {
      if (portals.size % AT_A_TIME === 0) await new Promise((turn) => setImmediate(turn));
      if ([...followed.marks].some(([path, mark]) => places.markOf(path) !== mark))
        return undefined;
      const file = origin.nameOf(resolve(io.cwd, followed.file)) ?? followed.file;
      const isNamed = followed.key !== followed.file;
      const key = isNamed ? followed.key : ((await keyOf(file)) ?? `file:${file}`);
      // Of two about one portal, both say so.
      if (portals.has(key)) continue;
      const paths = followed.needs?.paths ?? [...followed.marks.keys()];
      const taken = paths.map((path) => [path, places.take(path)] as const);
      const problem = followed.problem ?? problemOf(followed, taken, origin);
      const bare = { ...followed.portal, key, file, pool: poolOf(followed.portal) ?? null };
      const bundle: Bundle = problem
        ? { ...bare, windows: [], files: [], variables: {}, problem }
        : { ...bare, ...carriedOf(followed, taken, io) };
      const text = bundleText(bundle);
      portals.set(key, { bundle, text, digest: digestOfText(text) });
    }
    return { portals, contents: places.contents };
  };
}

/** A path, and what of it goes along; undefined where it cannot. */
type Taken = readonly (readonly [path: string, content: Named | undefined])[];

interface Named extends Content {
  /** From the root. */
  readonly name: string;
}

/** Read once for as long as they stay as they are, by paths. */
type Known = Map<string, Content & { readonly mark: string }>;

/** For one look at all files: each path is asked for once, however many portals share it. */
function openPlaces(origin: Origin, known: Known) {
  const marks = new Map<string, string>();
  const names = new Map<string, string | undefined>();
  const contents = new Map<string, Content>();
  function markOf(path: string): string {
    const mark = marks.get(path) ?? marksOf(path);
    marks.set(path, mark);
    return mark;
  }
  function nameOf(path: string): string | undefined {
    if (!names.has(path)) {
      const name = origin.nameOf(path);
      names.set(path, name !== undefined && isBelow(name) ? name : undefined);
    }
    return names.get(path);
  }
  return {
    contents,
    markOf,
    take(path: string): Named | undefined {
      const name = nameOf(path);
      const content = name === undefined ? undefined : contentAt(path, markOf(path), origin, known);
      if (name === undefined || !content) return undefined;
      contents.set(name, content);
      return { ...content, name };
    },
  };
}

/** Undefined for what is no file that can be read. */
function contentAt(
  path: string,
  written: string,
  origin: Origin,
  known: Known,
): Content | undefined {
  const mark = `${written} ${origin.commit?.length}`;
  const before = known.get(path);
  if (before?.mark === mark) return before;
  try {
    const bytes = readBytes(path);
    const made = { path, digest: digestOfBytes(bytes), blobId: blobId(bytes, origin), mark };
    known.set(path, made);
    return made;
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return statOf(path) ? undefined : { path, digest: "", blobId: "" };
  }
}

function carriedOf(
  { needs, windows }: Followed,
  taken: Taken,
  { env }: Io,
): Pick<Bundle, "windows" | "files" | "variables"> {
  const values = (needs?.variables ?? []).map((name) => [name, env[name] ?? null] as const);
  return {
    windows,
    files: taken.flatMap(([, content]) => (content ? [[content.name, content.digest]] : [])),
    variables: Object.fromEntries(values),
  };
}

/** Why other machines could not read it as this one does. */
function problemOf({ file, needs }: Followed, taken: Taken, origin: Origin): Stopped | undefined {
  if (!needs) return undefined;
  const [absolute] = needs.absolute;
  if (absolute !== undefined) {
    return stopped(
      `"${file}" leads to "${absolute}", an absolute path, which other machines do not have.`,
      "Write the path from the folder of the file that names it.",
    );
  }
  const left = taken.flatMap(([path, content]) => (content ? [] : [path]));
  if (left.length === 0) return undefined;
  const place = origin.commit === null ? "the folder that serve was begun in" : "the repository";
  return stopped(
    `"${file}" takes part of itself from ${listed(left)}, which cannot be published: what is published is plain files of ${place}, and no links.`,
    `Put the file itself into ${place}.`,
  );
}

function stopped(message: string, help: string): Stopped {
  const { code, exit } = new Failure("file-invalid", message);
  return { code, message, help, exit };
}
