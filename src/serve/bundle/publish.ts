// Files as they were read → the queue's newest revision, where this process may publish and its files are no older than what is published.
import { randomUUID } from "node:crypto";
import { blobIdsIn, changeBetween, nextAfter, partsOf, pathsIn, portalsIn } from "./change.js";
import { openHighest } from "./highest.js";
import { queueKeyIn } from "./key.js";
import type { Lead } from "./lead.js";
import { originOf, type Behind, type Origin, type Withheld } from "./origin.js";
import { openPacking, type PackedFiles } from "./pack.js";
import { openPrevious, type Previous } from "./previous.js";
import { PartChanged, put, tidy } from "./put.js";
import type { Revised } from "./revised.js";
import { rowOf } from "./revision.js";
import { takenOut, type Ask, type QueueDatabase } from "./tables.js";
import type { Io } from "../../io.js";
import type { Identity } from "../../apply/reconcile.js";
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
/** So often what others have changed in the queue is put right. */
const TIDY_EVERY_MS = 600_000;
/** Git is asked once more whether what was withheld can be published by now. */
const AGAIN_AFTER_MS = 10_000;

/** Fails with bad-queue-key. */
export function openPublisher(publishing: Publishing) {
  const { io, database, lead, poolOf, place } = publishing;
  const key = queueKeyIn(io);
  const highest = openHighest(place, io);
  const previous = openPrevious({ database, key, highest, newId: randomUUID });
  const pack = openPacking({ io, poolOf, keyOf: (file) => previous.keyOf(file) });
  /** Since when this process has had other files than the revision of that number, and left them to another. */
  let ahead = { number: -1, sinceMs: 0 };
  const last = openLast(io, lead);
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
    if (behind) return withhold(withWayOut(behind, before.odd, database));
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
      const before = await previous.read({ isAnew: lead.isHeld() && io.now() >= tidyMs });
      const same = await last.of(files, before, tidyMs);
      if (same) return same;
      await lead.take();
      try {
        const published = await publish(files, before);
        last.note(files, before, published);
        return published;
      } catch (error) {
        if (error instanceof PartChanged) return { is: "later" };
        throw error;
      }
    },
  };
}

/** What came of the last look, for as long as nothing has changed that could lead to anything else. */
function openLast({ now }: Pick<Io, "now">, lead: Lead) {
  let last: { files: Files; number: number; published: Published; atMs: number } | undefined;
  return {
    note(files: Files, { stored: { number } }: Previous, published: Published): void {
      const isPassing = published.is === "published" || published.is === "later";
      last = isPassing ? undefined : { files, number, published, atMs: now() };
    },
    async of(files: Files, { stored }: Previous, tidyMs: number): Promise<Published | undefined> {
      if (last?.files !== files || last.number !== stored.number) return undefined;
      const isFresh = now() - last.atMs < AGAIN_AFTER_MS;
      // Nobody holds on to the lead for what it cannot publish.
      if (last.published.is === "withheld") return isFresh ? last.published : undefined;
      const isLeading = await lead.take();
      const isSettled = last.published.is === "elsewhere" ? isFresh && !isLeading : true;
      return isSettled && !(isLeading && now() >= tidyMs) ? last.published : undefined;
    },
  };
}

/** For people, who alone know whether somebody has published that, or has it still. */
function withWayOut(
  { why, help, isUnknown }: Behind,
  odd: string | undefined,
  { schema }: QueueDatabase,
): Withheld {
  if (odd === undefined && !isUnknown) return { why, help };
  const where = odd === undefined ? "nobody has that commit any more" : "nobody has published that";
  return {
    why: odd === undefined ? why : `${why}; and what is in the queue ${odd}`,
    help: `${help}\nWhere ${where}, take it out of the queue's database:\n  ${takenOut(schema)}`,
  };
}
