// Files as they were read → the queue's newest revision, where this process may publish and its files are no older than what is published.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Bundle } from "./bundle.js";
import { openHighest } from "./highest.js";
import { queueKeyIn } from "./key.js";
import type { Lead } from "./lead.js";
import { originOf, type Origin, type Withheld } from "./origin.js";
import { openPacking, type Packed, type PackedFiles } from "./pack.js";
import { openPrevious, type Previous } from "./previous.js";
import { PartChanged, put, tidy, type Parts } from "./put.js";
import type { Revised } from "./revised.js";
import { rowOf, type Revision } from "./revision.js";
import { takenOut, type Ask, type QueueDatabase } from "./tables.js";
import { digestOfBytes } from "../../digest.js";
import { readBytes } from "../../document/read/bytes.js";
import type { Io } from "../../io.js";
import type { Identity } from "../../run/tend/tend.js";
import type { Files } from "../follow/following.js";

/** What came of a look at the files and the queue. */
export type Published =
  | ({ readonly is: "published" } & PublishedRevision)
  /** The queue holds what the files say. */
  | { readonly is: "as-before" }
  /** Somebody is writing the files, or was faster: the next look shows. */
  | { readonly is: "later" }
  /** Another process publishes. */
  | { readonly is: "elsewhere" }
  | ({ readonly is: "withheld" } & Withheld);

export interface PublishedRevision extends Omit<Revised, "portals"> {
  /** What was wrong with the revision before, as what follows "The revision in the queue". */
  readonly odd?: string | undefined;
}

export interface Publishing {
  readonly io: Io;
  readonly database: QueueDatabase;
  /** The queue's address as people know it, without any password. */
  readonly place: string;
  readonly lead: Lead;
  /** As `lintel.yaml` says. */
  readonly poolOf: (portal: Identity) => string | undefined;
  /** In the transaction of the revision. */
  readonly revised: (ask: Ask, revised: Revised) => Promise<void>;
}

/** So long it is left to whoever leads to publish what is newer than what is published. */
const AHEAD_FOR_MS = 120_000;
const TIDY_EVERY_MS = 3_600_000;

/** Fails with bad-queue-key. */
export function openPublisher(publishing: Publishing) {
  const { io, database, lead, poolOf, place } = publishing;
  const key = queueKeyIn(io);
  const highest = openHighest(place, io);
  const previous = openPrevious({ database, key, highest, newId: randomUUID });
  const pack = openPacking({ io, poolOf, keyOf: (file) => previous.keyOf(file) });
  /** Since when this process has had other files than the revision of that number, and left them to another. */
  let ahead = { number: -1, sinceMs: 0 };
  let done: { readonly files: Files; readonly number: number } | undefined;
  let tidyMs = 0;

  async function withhold(withheld: Withheld): Promise<Published> {
    // Another one may be able to.
    await lead.release();
    return { is: "withheld", ...withheld };
  }

  /** Whether another one is to publish; not for ever, because it may have lost touch with what is newest. */
  function isLeftToOthers({ commit }: Origin, before: Previous): boolean {
    if (lead.isHeld()) return false;
    if (ahead.number !== before.stored.number) {
      ahead = { number: before.stored.number, sinceMs: io.now() };
    }
    // At the same commit, two whose variables differ would take turns without end.
    const isOther = commit !== null && before.revision !== undefined && before.commit !== commit;
    return !isOther || io.now() - ahead.sinceMs < AHEAD_FOR_MS;
  }

  async function tidyUp(packed: PackedFiles): Promise<void> {
    if (!lead.isHeld() || io.now() < tidyMs) return;
    tidyMs = io.now() + TIDY_EVERY_MS;
    await tidy(database, partsOf([...packed.portals.values()], packed));
  }

  async function publish(files: Files, before: Previous): Promise<Published> {
    const origin = await originOf(io, pathsIn(files));
    if ("withheld" in origin) return withhold(origin.withheld);
    const packed = await pack(files.values(), origin);
    if (!packed) return { is: "later" };
    const change = changeBetween(before, packed);
    if (before.revision && change.changed.length + change.gone.length === 0) {
      await tidyUp(packed);
      return { is: "as-before" };
    }
    if (isLeftToOthers(origin, before)) return { is: "elsewhere" };
    const behind = await origin.assertAhead(before.commit);
    if (behind) return withhold(before.odd ? withWayOut(behind, before.odd, database) : behind);
    const old = await previous.bundlesOf(change.old);
    const dirty = await origin.assertCommitted(blobIdsIn(packed, old, origin));
    if (dirty) return withhold(dirty);
    const { told, revision, putting } = nextAfter(before, { packed, change, old, origin });
    const isPut = await put({
      ...putting,
      database,
      next: { ...before.stored, queue: revision.queue, ...rowOf(revision, key) },
      revised: (ask) => publishing.revised(ask, { ...told, portals: portalsIn(packed) }),
    });
    if (!isPut) return { is: "later" };
    highest.note(revision);
    return { is: "published", ...told, odd: before.odd };
  }

  return {
    /** Fails as the database does; what was begun then counts whole or not at all. */
    async look(files: Files): Promise<Published> {
      await lead.take();
      const before = await previous.read();
      const isKnown = done?.files === files && done.number === before.stored.number;
      if (isKnown && (!lead.isHeld() || io.now() < tidyMs)) return { is: "as-before" };
      try {
        const published = await publish(files, before);
        if (published.is === "as-before") done = { files, number: before.stored.number };
        return published;
      } catch (error) {
        if (error instanceof PartChanged) return { is: "later" };
        throw error;
      }
    },
  };
}

function pathsIn(files: Files): ReadonlySet<string> {
  return new Set([...files.values()].flatMap(({ marks }) => [...marks.keys()]));
}

interface Change {
  readonly changed: readonly Packed[];
  readonly gone: readonly string[];
  /** The digests of the bundles that stood in their place. */
  readonly old: readonly string[];
}

function changeBetween({ revision }: Previous, { portals }: PackedFiles): Change {
  const before = revision?.bundles ?? new Map<string, string>();
  const changed = [...portals].filter(([key, { digest }]) => before.get(key) !== digest);
  const gone = [...before.keys()].filter((key) => !portals.has(key));
  const old = [...changed.map(([key]) => key), ...gone].flatMap((key) => before.get(key) ?? []);
  return { changed: changed.map(([, packed]) => packed), gone, old };
}

/** Also of what was removed here, which a commit may still hold. */
function blobIdsIn(
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

function nextAfter(before: Previous, { packed, change, old, origin: { commit } }: Found) {
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

function portalsIn({ portals }: PackedFiles): Revised["portals"] {
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
function partsOf(portals: readonly Packed[], { contents }: PackedFiles): Parts {
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

function withWayOut({ why, help }: Withheld, odd: string, { schema }: QueueDatabase): Withheld {
  return {
    why: `${why}; and what is in the queue ${odd}`,
    help: `${help}\nWhere nobody has published that, take it out of the queue's database:\n  ${takenOut(schema)}`,
  };
}
