// A PostgreSQL server of its own → schemas in which runs are killed: the lock of one that died ends by itself.
import { join } from "node:path";
import { startPostgres, stopPostgres } from "../support/postgres.js";
import type { Keeping } from "./kept.js";

export async function databaseKeeping(above: string) {
  const folder = join(above, "postgres");
  const { port } = await startPostgres(folder);
  let schemas = 0;
  const keeping: Keeping = {
    name: "postgres:",
    byHand: [],
    fresh: async () => ({
      address: `postgres://lintel@127.0.0.1:${port}/lintel?schema=kept_${++schemas}`,
      env: { LINTEL_ALLOWED_HOSTS: "http://127.0.0.1:*,postgres://127.0.0.1:*" },
    }),
  };
  return { keeping, close: async () => stopPostgres(folder) };
}
