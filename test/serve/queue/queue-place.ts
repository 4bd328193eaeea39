// A queue of a test's own in the shared PostgreSQL server, opened by any number of processes.
import { inject, onTestFinished } from "vitest";
import { queueAt } from "../../../src/serve/queue/address.js";
import { openQueueDatabase, type QueueDatabase } from "../../../src/serve/queue/database.js";
import { openJobs, type Jobs } from "../../../src/serve/queue/jobs.js";
import { uncheckedRecord } from "../../../src/serve/snapshot.js";
import { listPortals } from "../../../src/serve/queue/portals.js";
import { recordIn } from "../../../src/serve/queue/queue-store.js";
import { makeTables } from "../../../src/serve/queue/tables.js";
import { sleep } from "../../../src/io.js";
import { ioFor } from "../../run/call.js";
import { asAdmin, sharedPostgres, type Ask } from "../../support/postgres.js";

let schemas = 0;

export interface QueuePlace {
  readonly address: string;
  readonly schema: string;
  readonly admin: <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;
  /** Another process of it, until the test ends. */
  open(onLost?: (message: string) => void): Promise<{ database: QueueDatabase; jobs: Jobs }>;
}

export async function queuePlace(user = "lintel"): Promise<QueuePlace> {
  const server = await sharedPostgres(inject("postgres"));
  const schema = `queue_${process.pid}_${++schemas}`;
  const address = `postgres://${user}@127.0.0.1:${server.port}/lintel?schema=${schema}`;
  const admin: QueuePlace["admin"] = (work) => asAdmin(server, "lintel", work);
  onTestFinished(() =>
    admin(async (ask) => {
      await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await ask(`DROP SCHEMA IF EXISTS ${schema}_jobs CASCADE`);
    }),
  );
  return {
    address,
    schema,
    admin,
    async open(onLost = () => {}) {
      const io = { ...ioFor({ cwd: "/" }).io, sleep, now: () => Date.now() };
      const database = await openQueueDatabase(queueAt(address, io), {
        io,
        ca: undefined,
        assertAllowed: () => {},
        program: "lintel test",
      });
      database.onOutage((why) => onLost(why?.message ?? "back"));
      const jobs = await openJobs({
        io,
        database,
        mayMake: true,
        expireInSeconds: 60,
        onError: onLost,
      });
      await makeTables(database);
      onTestFinished(async () => {
        await jobs.close();
        await database.close();
      });
      return { database, jobs };
    },
  };
}

/** Lists portals as `serve` does, all of them changed. */
export async function list(
  database: QueueDatabase,
  commit: string,
  keys: readonly string[],
  pool = "default",
): Promise<boolean> {
  const [queue] = await database.query<{ commit: string | null }>(
    "SELECT commit FROM SCHEMA.queue",
  );
  return listAfter(database, queue?.commit ?? null, commit, keys, pool);
}

/** The same by a process that read `before` as the last commit listed. */
export async function listAfter(
  { transaction }: QueueDatabase,
  before: string | null,
  commit: string,
  keys: readonly string[],
  pool = "default",
): Promise<boolean> {
  return transaction(async (inside) => {
    const portals = keys.map((key) => ({
      key,
      file: `portals/${key}.yaml`,
      pool,
      isChanged: true,
      isInvalid: false,
    }));
    const isListed = await listPortals(inside, { commit, before, portals });
    for (const key of keys) {
      const portal = { name: key, url: `https://${key}.example.com`, id: "self" };
      const followed = { key, file: `portals/${key}.yaml`, portal, windows: [], marks: new Map() };
      await recordIn(inside, key, uncheckedRecord(followed, 0, 0), []);
    }
    return isListed;
  });
}
