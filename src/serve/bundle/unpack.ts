// A portal's key → its files as they were published last, in a folder of their own, and what a look at them needs; what is forged or old is refused.
import { delimiter, resolve } from "node:path";
import { readBundle, type Bundle } from "./bundle.js";
import { openFolder, sweepFolders } from "./folder.js";
import { forgetting, openHighest } from "./highest.js";
import { queueKeyIn } from "./key.js";
import { readRevision, SAME_VERSION, type Revision } from "./revision.js";
import { readParts, readStored, type QueueDatabase } from "./tables.js";
import { DEFAULT_POOL } from "../queue/queue.js";
import { digestOfBytes } from "../../lib/digest.js";
import { secretsFolder } from "../../document/read/repository.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { quoted } from "../../state/postgres-connection.js";

export interface Unpacked {
  /** In whose working directory the files are, and whose variables are those of whoever published them; otherwise this machine's own. */
  readonly io: Io;
  /** From there. */
  readonly file: string;
  readonly revision: number;
  readonly commit: string | null;
  readonly bundle: Bundle;
  /** Takes the files away. */
  close(): Promise<void>;
}

export interface Unpacking {
  /**
   * Fails with queue-not-trusted, queue-rewound or not-published, and with what its file is to blame for. `digest` is
   * that of the bundle which the portal's row is about: both are written at once, so that no other counts.
   */
  unpack(key: string, digest?: string): Promise<Unpacked>;
}

interface Asked {
  readonly io: Io;
  readonly database: Pick<QueueDatabase, "schema" | "ask">;
  /** The queue's address as people know it, without any password. */
  readonly place: string;
  /** Whose portals this machine has the credentials, hosts and policies for. */
  readonly pools: readonly string[];
}

/** Fails with bad-queue-key. */
export function openUnpacking({ io, database, place, pools }: Asked): Unpacking {
  const { ask, schema } = database;
  const key = queueKeyIn(io);
  const highest = openHighest(place, io);
  const parts = openParts();
  let current: Revision | undefined;
  let swept: Promise<void> | undefined;

  /** The newest, which is verified once. */
  async function newest(): Promise<Revision> {
    const revision = await verified();
    // Another process of this machine may have seen a later one.
    const seen = highest.seen();
    if (seen && seen.queue !== revision.queue) {
      throw notTrusted("is of another queue than this machine has seen there", highest.path);
    }
    if (seen && revision.number < seen.number) throw rewound(revision, seen.number, highest.path);
    highest.note(revision);
    current = revision;
    return revision;
  }

  async function verified(): Promise<Revision> {
    const known = current;
    const row = await readStored(ask, schema, known && { known: known.number });
    if (!row) throw notPublished();
    if (known && row.number === known.number && row.queue === known.queue) return known;
    const whole = row.document === "" ? await readStored(ask, schema) : row;
    // Before the first one, and after a person has taken it out.
    if (!whole || whole.document === "") throw notPublished();
    const read = readRevision(whole, { key, queue: row.queue });
    if (read.revision) return read.revision;
    throw new Failure("queue-not-trusted", told(read.odd), read.help ?? NOBODY_CHANGES);
  }

  return {
    async unpack(portal, expected) {
      await (swept ??= sweepFolders(io));
      const revision = await newest();
      const digest = revision.bundles.get(portal);
      if (digest === undefined) throw notPublished(portal);
      if (expected !== undefined && digest !== expected) {
        throw notTrusted(`is not the one that the row of "${portal}" was written with`);
      }
      const [text] = await parts.of([digest], database);
      const bundle = readBundle(Buffer.from(text ?? "").toString("utf8"));
      if (!bundle) throw otherVersion();
      if (bundle.key !== portal) throw notTrusted("holds the bundle of another portal");
      // Whoever can write the database can move a portal's row, but not sign another pool.
      const pool = bundle.pool ?? DEFAULT_POOL;
      if (!pools.includes(pool)) throw ofAnotherPool(portal, { pool, pools, schema });
      const { problem } = bundle;
      if (problem) throw new Failure(problem.code, problem.message, problem.help);
      const bytes = await parts.of(
        bundle.files.map(([, each]) => each),
        database,
      );
      const contents = bundle.files.map(([path], at) => [path, bytes[at] ?? EMPTY] as const);
      const folder = await openFolder(io, new Map(contents));
      return {
        io: within(io, folder.path, bundle, revision),
        file: bundle.file,
        revision: revision.number,
        commit: revision.commit,
        bundle,
        close: () => folder.close(),
      };
    },
  };
}

const EMPTY = new Uint8Array();

/** The names under which pipelines tell the commit that they are at: here another one is meant. */
const COMMITS = ["CI_COMMIT_SHA", "GITHUB_SHA", "BUILD_SOURCEVERSION"];

/** Where the files are, with what whoever published them had in their environment, and all else of this machine. */
function within(io: Io, cwd: string, { variables }: Bundle, { commit }: Revision): Io {
  const own = Object.entries(io.env).filter(([name]) => !COMMITS.includes(name));
  const policies = (io.env["LINTEL_POLICY"] ?? "").split(delimiter).filter((path) => path !== "");
  const given = Object.entries(variables).map(([name, value]) => [name, value ?? undefined]);
  return {
    ...io,
    cwd,
    env: {
      ...(Object.fromEntries(own) as Io["env"]),
      ...(Object.fromEntries(given) as Io["env"]),
      ...(commit !== null && { GIT_COMMIT: commit }),
      // This machine's own, which no published file is to stand in for.
      LINTEL_SECRETS: secretsFolder(io.env, io.cwd),
      LINTEL_POLICY: policies.map((path) => resolve(io.cwd, path)).join(delimiter),
    },
  };
}

/** In bytes: enough for the small parts of tens of thousands of portals, which are then read once, as are the bases that they share. */
const MOST_KEPT = 64 * 1024 * 1024;
/** What V8 needs for each beside its bytes: the digest, the array and its place in the map. */
const AROUND = 400;

function openParts() {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  return {
    /** In their order. Fails with queue-not-trusted where one is not what its digest says. */
    async of(
      digests: readonly string[],
      { ask, schema }: Pick<QueueDatabase, "schema" | "ask">,
    ): Promise<readonly Uint8Array[]> {
      const missing = [...new Set(digests)].filter((each) => !kept.has(each));
      const found = missing.length > 0 ? await readParts(ask, schema, missing) : new Map();
      const all = digests.map((digest): Uint8Array => {
        const bytes: Uint8Array | undefined = kept.get(digest) ?? found.get(digest);
        if (!bytes) throw notTrusted("names a part that is not there");
        if (!kept.has(digest) && digestOfBytes(bytes) !== digest) {
          throw notTrusted("names a part that is not what was published");
        }
        return bytes;
      });
      for (const [at, digest] of digests.entries()) {
        const bytes = all[at] ?? EMPTY;
        const isNew = !kept.delete(digest);
        if (isNew) size += bytes.length + AROUND;
        // A copy: a small buffer is a piece of a larger one, which would be kept as a whole.
        kept.set(digest, isNew ? new Uint8Array(bytes) : bytes);
      }
      for (const [digest, bytes] of kept) {
        if (size <= MOST_KEPT) break;
        kept.delete(digest);
        size -= bytes.length + AROUND;
      }
      return all;
    },
  };
}

const NOBODY_CHANGES =
  "Nothing was carried out. A serve of this queue publishes anew what was changed by others; where it has another LINTEL_QUEUE_KEY than this worker, give both the same.";

function told(odd: string): string {
  return `The revision in the queue ${odd}.`;
}

function notTrusted(odd: string, path?: string): Failure {
  return new Failure("queue-not-trusted", told(odd), path ? forgetting(path) : NOBODY_CHANGES);
}

function ofAnotherPool(
  key: string,
  { pool, pools, schema }: { pool: string; pools: readonly string[]; schema: string },
): Failure {
  const ours = pools.map((each) => `"${each}"`).join(", ");
  const message = `The portal "${key}" was published for the pool "${pool}", and its row in the queue gives it to a worker of ${ours}.`;
  const [to, portal] = [pool, key].map((text) => `'${text.replaceAll("'", "''")}'`);
  const help = `Nothing was carried out. Check who can write the queue's database, and put the row back:\n  UPDATE ${quoted(schema)}.portal SET pool = ${to}, queued = NULL WHERE key = ${portal};`;
  return new Failure("queue-not-trusted", message, help);
}

function otherVersion(): Failure {
  const message = "What was published for this portal is of another version of Lintel.";
  return new Failure("queue-not-trusted", message, SAME_VERSION);
}

function rewound({ number }: Revision, seen: number, path: string | undefined): Failure {
  const message = `The revision in the queue is number ${number}, and number ${seen} was seen before: somebody has put back an older one.`;
  return new Failure("queue-rewound", message, path && forgetting(path));
}

function notPublished(key?: string): Failure {
  const message = key
    ? `No file for the portal "${key}" is published in the queue any more.`
    : "Nothing is published in the queue yet.";
  return new Failure(
    "queue-not-usable",
    message,
    "Publish the files:\n  lintel serve portals --queue ADDRESS",
  );
}
