// Lists the portals of a checkout in the queue, each with its file and commit. Never goes back to an older commit.
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { PortalFile } from "../portal-files.js";
import type { Files } from "../file-watch.js";
import { uncheckedRecord, type PortalRecord, type Snapshot } from "../snapshot.js";
import { resultOfInvalid } from "../portal-check.js";
import type { Event } from "../events/event.js";
import type { Query, QueueDatabase } from "./database.js";
import { isCommit } from "./clone.js";
import { listPortals, type ListedPortal } from "./portals.js";
import { recordIn } from "./queue-store.js";
import { knownOf } from "./shapes.js";
import type { Io } from "../../io.js";
import { findRoot, isUsable, openRepository, type Repository } from "../../lib/git.js";
import { realPathOf } from "../../lib/paths.js";
import { shellWord } from "../../lib/text.js";
import { commitOf } from "../../state/author/checkout.js";
import { asciiText } from "../../state/postgres-connection.js";

export type Listed =
  | {
      readonly is: "listed";
      readonly commit: string;
      /** The number of files whose portals are checked again. */
      readonly changed: number;
      readonly events: readonly Event[];
    }
  | { readonly is: "same" }
  /** Why this checkout is not listed. */
  | { readonly is: "withheld"; readonly why: string; readonly help: string };

export interface Listing {
  readonly io: Io;
  readonly files: Files;
  /** The files that changed since this process last listed them. */
  readonly changed: ReadonlySet<string>;
  /** This process has listed nothing yet. An earlier process may have listed the same commit. */
  readonly isFirst: boolean;
  readonly poolOf: (name: string) => string;
}

export async function listCheckout(database: QueueDatabase, listing: Listing): Promise<Listed> {
  const { files } = listing;
  // Git's answers are cached for each environment.
  const io = { ...listing.io, env: { ...listing.io.env } };
  const [first = "."] = files.keys();
  const root = findRoot(dirname(resolve(io.cwd, first)));
  const opened = root === undefined ? undefined : openRepository(io, root);
  if (!opened)
    return withheld("its files are in no git repository", "Start it in a clone of the repository.");
  if (!isUsable(opened)) return withheld(opened.why, opened.help);
  const paths = [...new Set([...files.values()].flatMap(({ marks }) => [...marks.keys()]))];
  const commit = await commitOf(io, paths);
  if (commit === undefined)
    return withheld("the repository has no commit yet", "Commit the files.");
  if (commit.endsWith("-dirty"))
    return withheld("it has uncommitted changes", "Commit and push them, or put them aside.");
  const [queue] = await database.query<{ commit: string | null }>(
    "SELECT commit FROM SCHEMA.queue",
  );
  const before = queue?.commit ?? null;
  if (before === commit && listing.changed.size === 0) return { is: "same" };
  const refused = before === commit ? undefined : await whyNot(opened, commit, before);
  if (refused) return refused;
  const portals = [...files.values()].map((followed): ListedPortal => ({
    key: followed.key,
    file: nameInRepository(followed.file, io),
    pool: listing.poolOf(followed.portal.name),
    isChanged: listing.changed.has(followed.file) && !(listing.isFirst && before === commit),
    isInvalid: followed.problem !== undefined,
  }));
  const nowMs = io.now();
  const events = await database.transaction(async (query) => {
    if (!(await listPortals(query, { commit, before, portals: oncePerKey(portals) })))
      return undefined;
    await addSnapshots(query, listing, nowMs);
    await setUnchecked(query, portals);
    return recordProblems(query, listing, nowMs);
  });
  // Another process was faster. The next round compares with its listing.
  if (!events) return { is: "same" };
  return {
    is: "listed",
    commit,
    changed: portals.filter(({ isChanged }) => isChanged).length,
    events,
  };
}

/** Relative to the root of the repository, with slashes, as workers name it. */
export function nameInRepository(file: string, { cwd }: Pick<Io, "cwd">): string {
  const path = resolve(cwd, file);
  const root = findRoot(dirname(path)) ?? cwd;
  return relative(root, join(realPathOf(dirname(path)) ?? dirname(path), basename(path)))
    .split(sep)
    .join("/");
}

/** Workers only get pushed commits, and none that is older than the listed one. */
async function whyNot(
  { run, root }: Repository,
  commit: string,
  before: string | null,
): Promise<Listed | undefined> {
  const contains = async (head: string, other: string) =>
    (await run(["merge-base", "--is-ancestor", other, head])).exit === 0;
  if (!(await contains("@{upstream}", commit)))
    return withheld(
      `its commit ${short(commit)} is not pushed`,
      `Push it, or follow the branch of the workers:\n  git -C ${shellWord(root)} status`,
    );
  // Anyone who can write to the database may have changed the value.
  if (before === null || !isCommit(before)) return undefined;
  const pull = `Bring it up to date, or run it with --pull:\n  git -C ${shellWord(root)} pull`;
  if (await contains(before, commit))
    return withheld(`the queue lists ${short(before)}, which is newer than ${short(commit)}`, pull);
  // A rewritten branch is listed: workers skip portals that were applied from a removed commit.
  if ((await run(["cat-file", "-e", `${before}^{commit}`])).exit === 0) return undefined;
  return withheld(
    `the queue lists ${short(before)}, which this checkout does not have`,
    `${pull}\nIf the branch was rewritten, let the queue forget that commit:\n  lintel queue relist`,
  );
}

function withheld(why: string, help: string): Listed {
  return { is: "withheld", why, help };
}

function short(commit: string): string {
  return commit.slice(0, 10);
}

/** Two files for one portal each have a problem, but share one row. */
function oncePerKey(portals: readonly ListedPortal[]): readonly ListedPortal[] {
  return [...new Map(portals.map((portal) => [portal.key, portal])).values()];
}

function newly(followed: PortalFile, pool: string, nowMs: number): PortalRecord {
  const known = uncheckedRecord(followed, nowMs, nowMs);
  return { ...known, snapshot: { ...known.snapshot, pool } };
}

async function addSnapshots(
  query: Query,
  { files, poolOf }: Listing,
  nowMs: number,
): Promise<void> {
  const missing = await query<{ key: string }>(
    "SELECT p.key FROM SCHEMA.portal p LEFT JOIN SCHEMA.known k USING (key) WHERE k.key IS NULL",
  );
  const keys = new Set(missing.map(({ key }) => key));
  const added = [...files.values()].filter(({ key }) => keys.has(key));
  if (added.length === 0) return;
  const texts = added.map((followed) =>
    asciiText(JSON.stringify(newly(followed, poolOf(followed.portal.name), nowMs))),
  );
  await query(
    `INSERT INTO SCHEMA.known (key, known, status, failures, looked)
     SELECT key, known, 'unknown', 0, 0 FROM unnest($1::text[], $2::text[]) AS given (key, known)
     ON CONFLICT DO NOTHING`,
    [added.map(({ key }) => key), texts],
  );
}

/** The last check says nothing about files that changed since. */
async function setUnchecked(query: Query, portals: readonly ListedPortal[]): Promise<void> {
  const changed = portals.filter(({ isChanged }) => isChanged).map(({ key }) => key);
  const rows = await query<{ key: string; known: string }>(
    "SELECT key, known FROM SCHEMA.known WHERE key = ANY($1::text[]) AND status = 'in-sync'",
    [changed],
  );
  const unchecked = rows.flatMap(({ key, known }) => {
    const record = knownOf(known);
    if (!record) return [];
    const snapshot: Snapshot = { ...record.snapshot, status: "unknown" };
    return [{ key, known: asciiText(JSON.stringify({ ...record, snapshot })) }];
  });
  await query(
    `UPDATE SCHEMA.known k SET known = given.known, status = 'unknown', changed = pg_current_xact_id()
     FROM unnest($1::text[], $2::text[]) AS given (key, known) WHERE k.key = given.key`,
    [unchecked.map(({ key }) => key), unchecked.map(({ known }) => known)],
  );
}

/** The portal of an invalid file is never due, so its problem is recorded here. */
async function recordProblems(
  query: Query,
  { files, poolOf }: Listing,
  nowMs: number,
): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (const followed of files.values()) {
    const { problem, key, portal } = followed;
    if (!problem) continue;
    const [row] = await query<{ known: string }>("SELECT known FROM SCHEMA.known WHERE key = $1", [
      key,
    ]);
    const before = knownOf(row?.known ?? null) ?? newly(followed, poolOf(portal.name), nowMs);
    const { record, events } = resultOfInvalid(followed, before, { problem, nowMs });
    await recordIn(query, key, record, events);
    found.push(...events);
  }
  return found;
}
