// The queue → the revision that stands there, as far as it can be trusted; what the next one is called; and its bundles, where they are asked for.
import { readBundle, type Bundle } from "./bundle.js";
import type { Highest } from "./highest.js";
import { readRevision, type Revision } from "./revision.js";
import {
  beginQueue,
  readParts,
  readStored,
  type QueueDatabase,
  type StoredRevision,
} from "./tables.js";
import { digestOfBytes } from "../../lib/digest.js";
import type { Secret } from "../../secret.js";

export interface Previous {
  readonly stored: StoredRevision;
  /** Undefined where there is none, or none to go on from. */
  readonly revision?: Revision;
  /** Why there is none to go on from, as what follows "The revision in the queue". */
  readonly odd?: string;
  /** That it says it was published from, whether it can be trusted or not: nobody goes back behind that. */
  readonly commit: string | null;
  readonly next: Pick<Revision, "queue" | "number">;
}

interface Asked {
  readonly database: QueueDatabase;
  readonly key: Secret;
  readonly highest: Highest;
  readonly newId: () => string;
}

/** Whoever may write the row could leave no number for those that come. */
const HIGHEST_BELIEVED = 2 ** 50;
const AT_ONCE = 1_000;

export function openPrevious({ database, key, highest, newId }: Asked) {
  const { ask, schema } = database;
  let current: Previous | undefined;
  /** By the names of their files. */
  let keys: { readonly of: Revision; readonly byFile: ReadonlyMap<string, string> } | undefined;

  async function stored(known?: number): Promise<StoredRevision> {
    const found = await readStored(ask, schema, known === undefined ? {} : { known });
    if (found) return found;
    await beginQueue(ask, schema, newId());
    return stored();
  }

  async function bundlesOf(digests: readonly string[]): Promise<readonly Bundle[]> {
    const bundles: Bundle[] = [];
    for (let at = 0; at < digests.length; at += AT_ONCE) {
      const parts = await readParts(ask, schema, digests.slice(at, at + AT_ONCE));
      for (const [digest, bytes] of parts) {
        const isOwn = digestOfBytes(bytes) === digest;
        const bundle = isOwn ? readBundle(bytes.toString("utf8")) : undefined;
        if (bundle) bundles.push(bundle);
      }
    }
    return bundles;
  }

  return {
    /** `isAnew`: also where the number is the one that was read before. */
    async read({ isAnew = false } = {}): Promise<Previous> {
      const known = isAnew ? undefined : current?.revision?.number;
      const found = await stored(known);
      const isKnown = current && found.document === "" && found.number === known;
      if (isKnown && found.queue === current?.stored.queue) return checked(current);
      current = understood(found.document === "" ? await stored() : found);
      return checked(current);
    },
    /** Those of the bundles that are there, as they were published. */
    bundlesOf,
    async keyOf(file: string): Promise<string | undefined> {
      const revision = current?.revision;
      if (!revision) return undefined;
      if (keys?.of !== revision) {
        const bundles = await bundlesOf([...revision.bundles.values()]);
        keys = { of: revision, byFile: new Map(bundles.map((each) => [each.file, each.key])) };
      }
      return keys.byFile.get(file);
    },
  };

  function understood(found: StoredRevision): Previous {
    const { queue, document } = found;
    const next = { queue, number: found.number + 1 };
    if (document === "") return { stored: found, commit: null, next };
    const read = readRevision(found, { key, queue });
    if (!read.revision) return { stored: found, odd: read.odd, commit: read.claimed.commit, next };
    return { stored: found, revision: read.revision, commit: read.revision.commit, next };
  }

  /** Against what this machine has seen: an older one that somebody has put back is gone over, and a queue that was begun anew goes on. */
  function checked(previous: Previous): Previous {
    const { stored: found, revision } = previous;
    const seen = highest.seen();
    const believed = found.number < HIGHEST_BELIEVED ? found.number : 0;
    if (!seen?.queue.startsWith(found.within)) {
      return { ...previous, next: { queue: found.queue, number: believed + 1 } };
    }
    const number = Math.max(believed, seen.number) + 1;
    if (!revision) return { ...previous, next: { queue: seen.queue, number } };
    if (revision.queue !== seen.queue || revision.number >= seen.number) return previous;
    const { revision: _older, ...rest } = previous;
    const odd = `is number ${revision.number}, after number ${seen.number}`;
    return { ...rest, odd, next: { queue: seen.queue, number } };
  }
}
