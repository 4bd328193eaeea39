// A queue of a test's own in the server of the run, and processes of it that look at portals by what the test says.
import { inject, onTestFinished } from "vitest";
import { queueDue } from "../../../src/serve/queue/portals.js";
import { openQueue, type Queue } from "../../../src/serve/queue/queue.js";
import { revise } from "../../../src/serve/queue/revise.js";
import { ioFor } from "../../run/call.js";
import { asAdmin, sharedPostgres, type Ask } from "../../support/postgres.js";
import { sleep } from "../../../src/io.js";

let schemas = 0;

export interface QueuePlace {
  readonly address: string;
  readonly schema: string;
  readonly admin: <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;
  /** A process of it, until the test ends. */
  open(makes?: "tables" | "nothing" | "never", notice?: (sentence: string) => void): Promise<Queue>;
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
    async open(makes = "tables", notice = () => {}) {
      const { io } = ioFor({ cwd: "/" });
      const queue = await openQueue({
        io: { ...io, sleep, now: () => Date.now() },
        ca: undefined,
        assertAllowed: () => {},
        address,
        role: "worker",
        makes,
        notice,
      });
      onTestFinished(() => queue.close());
      return queue;
    },
  };
}

/** As if so many files had been published, each with a digest. */
export async function publish(
  { link, boss }: Queue,
  number: number,
  portals: Readonly<Record<string, string>>,
): Promise<void> {
  await boss.prepare(["default"]);
  const rows = Object.entries(portals).map(([key, digest]) => {
    const names = { name: key, url: `https://${key}.example.com`, id: "self" };
    return { key, file: `${key}.yaml`, ...names, pool: null, windows: [], digest };
  });
  const revised = { number, commit: null, portals: rows, changed: [], gone: [] };
  await link.together(async (ask) => {
    await revise(ask, revised, Date.now());
    await queueDue(ask, boss);
  });
}
