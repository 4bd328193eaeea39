// Gives each lane of kills a schema in a PostgreSQL server.
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
