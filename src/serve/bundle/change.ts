// The revision before × the files as they are packed now → what is new, what is gone, and what the next revision is made of.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Bundle } from "./bundle.js";
import type { Origin } from "./origin.js";
import type { Packed, PackedFiles } from "./pack.js";
import type { Previous } from "./previous.js";
import { PartChanged, type Parts } from "./put.js";
import type { Revised } from "./revised.js";
import type { Revision } from "./revision.js";
import { digestOfBytes } from "../../lib/digest.js";
import { readBytes } from "../../document/read/bytes.js";
import type { Files } from "../follow/following.js";

export function pathsIn(files: Files): ReadonlySet<string> {
  return new Set([...files.values()].flatMap(({ marks }) => [...marks.keys()]));
}

export interface Change {
  readonly changed: readonly Packed[];
  readonly gone: readonly string[];
  /** The digests of the bundles that stood in their place. */
  readonly old: readonly string[];
}

export function changeBetween({ revision }: Previous, { portals }: PackedFiles): Change {
  const before = revision?.bundles ?? new Map<string, string>();
  const changed = [...portals].filter(([key, { digest }]) => before.get(key) !== digest);
  const gone = [...before.keys()].filter((key) => !portals.has(key));
  const old = [...changed.map(([key]) => key), ...gone].flatMap((key) => before.get(key) ?? []);
  return { changed: changed.map(([, packed]) => packed), gone, old };
}

/** Also of what was removed here, which a commit may still hold. */
export function blobIdsIn(
  { contents }: PackedFiles,
  old: readonly Bundle[],
  { root }: Origin,
): ReadonlyMap<string, string> {
  const ids = new Map([...contents].map(([name, { blobId }]) => [name, blobId]));
  for (const { file, files } of old) {
    for (const name of [file, ...files.map(([each]) => each)]) {
      if (!existsSync(join(root, name))) ids.set(name, "");
    }
  }
  return ids;
}

interface Found {
  readonly packed: PackedFiles;
  readonly change: Change;
  readonly old: readonly Bundle[];
  readonly origin: Origin;
}

export function nextAfter(before: Previous, { packed, change, old, origin: { commit } }: Found) {
  const { changed, gone } = change;
  const bundles = new Map([...packed.portals].map(([key, { digest }]) => [key, digest]));
  const revision: Revision = { ...before.next, commit, bundles };
  const used = usedBy(packed);
  const named = [...change.old, ...old.flatMap(({ files }) => files.map(([, digest]) => digest))];
  const unused = before.revision ? named.filter((digest) => !used.has(digest)) : "all others";
  const { number } = revision;
  return {
    told: { number, commit, changed: changed.map(({ bundle }) => bundle.key), gone },
    revision,
    putting: { before: before.stored, parts: partsOf(changed, packed), unused },
  } as const;
}

export function portalsIn({ portals }: PackedFiles): Revised["portals"] {
  return [...portals.values()].map(({ bundle, digest }) => ({ ...bundle, digest }));
}

function usedBy({ portals }: PackedFiles): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { digest, bundle } of portals.values()) {
    used.add(digest);
    for (const [, each] of bundle.files) used.add(each);
  }
  return used;
}

/** Of these portals, their bundles and the files in them. */
export function partsOf(portals: readonly Packed[], { contents }: PackedFiles): Parts {
  const parts = new Map<string, () => Uint8Array>();
  for (const { digest, text, bundle } of portals) {
    parts.set(digest, () => Buffer.from(text));
    for (const [name, each] of bundle.files) {
      parts.set(each, () => {
        const bytes = readBytes(contents.get(name)?.path ?? "");
        if (digestOfBytes(bytes) !== each) throw new PartChanged(name);
        return bytes;
      });
    }
  }
  return parts;
}
