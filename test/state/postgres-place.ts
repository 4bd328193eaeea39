// A place for the contract: an empty schema in the PostgreSQL of the test run.
import { inject, onTestFinished } from "vitest";
import { isJsonObject, parseJson } from "../../src/lib/json.js";
import { asAdmin, sharedPostgres, type Ask, type Postgres } from "../support/postgres.js";
import { PORTAL } from "./samples.js";
import type { StatePlace } from "./store-contract.js";

export interface DatabasePlace extends StatePlace {
  readonly server: Postgres;
  readonly schema: string;
  /** As the superuser, in the database of the tests. */
  readonly admin: <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;
  readonly stored: () => Promise<string | undefined>;
}

let schemas = 0;

export async function databasePlace(user = "lintel"): Promise<DatabasePlace> {
  const server = await sharedPostgres(inject("postgres"));
  const schema = `test_${process.pid}_${++schemas}`;
  const address = `postgres://${user}@127.0.0.1:${server.port}/lintel?schema=${schema}`;
  const admin: DatabasePlace["admin"] = (work) => asAdmin(server, "lintel", work);
  onTestFinished(() =>
    admin(async (ask) => void (await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`))),
  );
  return {
    address,
    server,
    schema,
    admin,
    plant: (text) =>
      admin(async (ask) => {
        // A database that keeps its texts as UTF-8 takes no others.
        const document = typeof text === "string" ? text : Buffer.from(text).toString("latin1");
        const json = parseJson(document);
        const { lineage = "", serial = 0 } = isJsonObject(json) ? json : {};
        await ask(
          `INSERT INTO ${schema}.state VALUES ($1, $2, $3, $4, now()) ON CONFLICT (portal)
           DO UPDATE SET lineage = $2, serial = $3, document = $4`,
          [PORTAL.key, lineage, serial, document.replaceAll("\0", "")],
        );
      }),
    stored: () =>
      admin(async (ask) => {
        const [table] = await ask("SELECT to_regclass($1) AS name", [`${schema}.state`]);
        if (!table?.["name"]) return undefined;
        const [row] = await ask(`SELECT document FROM ${schema}.state WHERE portal = $1`, [
          PORTAL.key,
        ]);
        return row && String(row["document"]);
      }),
  };
}
