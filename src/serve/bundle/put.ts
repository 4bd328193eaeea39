// A revision and the bytes of its parts → all of it in the queue at once, where nobody was faster; or nothing.
import * as tables from "./tables.js";
import type { Ask, QueueDatabase, StoredRevision } from "./tables.js";

/** By digest; read when it has to be sent. Fails with PartChanged where it is another one by now. */
export type Parts = ReadonlyMap<string, () => Uint8Array>;

/** A file was written between being packed and being sent. */
export class PartChanged extends Error {
  override name = "PartChanged";
}

interface Putting {
  readonly database: QueueDatabase;
  /** What must still stand there. */
  readonly before: StoredRevision;
  readonly next: StoredRevision;
  /** Of the portals that changed; the others' are there. */
  readonly parts: Parts;
  /** What the revision before named and this one does not; "all others" where `parts` are all that it names. */
  readonly unused: readonly string[] | "all others";
  readonly revised: (ask: Ask) => Promise<void>;
}

/** False where somebody else has published meanwhile. What is done again, after its answer was lost, is found done. */
export function put({ database, before, next, parts, unused, revised }: Putting): Promise<boolean> {
  const { schema } = database;
  return database.together(async (ask) => {
    const now = await tables.readStored(ask, schema, { isToBeWritten: true });
    if (now?.number === next.number && now.signature === next.signature) return true;
    if (now?.number !== before.number || now.signature !== before.signature) return false;
    await sendParts(ask, schema, parts);
    await tables.markParts(ask, schema, { used: [...parts.keys()], unused });
    await tables.pruneParts(ask, schema);
    await tables.writeRevision(ask, schema, next);
    await revised(ask);
    return true;
  });
}

/** What the queue holds of a revision, made whole where others have changed it; what is unused for long goes. */
export async function tidy({ schema, ask }: QueueDatabase, parts: Parts): Promise<void> {
  await tables.pruneParts(ask, schema);
  await sendParts(ask, schema, parts);
}

const ASKED_AT_ONCE = 5_000;
const SENT_AT_ONCE = 500;
/** In bytes. */
const MOST_SENT = 4 * 1024 * 1024;

/** Those alone that are not there yet. */
async function sendParts(ask: Ask, schema: string, parts: Parts): Promise<void> {
  const digests = [...parts.keys()];
  for (let at = 0; at < digests.length; at += ASKED_AT_ONCE) {
    const asked = digests.slice(at, at + ASKED_AT_ONCE);
    const there = await tables.wholeParts(ask, schema, asked);
    let batch: [string, Uint8Array][] = [];
    let size = 0;
    const send = async () => {
      if (batch.length > 0) await tables.writeParts(ask, schema, batch);
      [batch, size] = [[], 0];
    };
    for (const digest of asked) {
      const bytes = there.has(digest) ? undefined : parts.get(digest)?.();
      if (!bytes) continue;
      batch.push([digest, bytes]);
      size += bytes.length;
      if (batch.length >= SENT_AT_ONCE || size >= MOST_SENT) await send();
    }
    await send();
  }
}
