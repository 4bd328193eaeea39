// The table of a portal's history → its entries beyond those that the state holds, the newest first, some at a time.
import { Failure } from "../../failure.js";
import { isJsonObject, parseJson } from "../../lib/json.js";
import { digestOfEntry } from "../chain.js";
import { ENTRY, type Entry, type State } from "../state.js";
import type { Connection } from "./connection.js";
import { quoted } from "./refusal.js";
import { unlessMissing } from "./tables.js";

/** Each holds all settings of the portal twice, and only that much is in memory at once. */
const PAGE = 100;

interface Row {
  readonly number: string;
  readonly digest: string;
  readonly entry: string;
}

export async function* entriesBefore(
  connection: Connection,
  { schema, portal }: { readonly schema: string; readonly portal: string },
  { history }: State,
): AsyncGenerator<Entry> {
  const table = `${quoted(schema)}.history`;
  const known = new Set(history.map(digestOfEntry));
  const [oldest] = await unlessMissing(() =>
    connection.ask<Row>(`SELECT number FROM ${table} WHERE portal = $1 AND digest = $2`, [
      portal,
      history[0] ? digestOfEntry(history[0]) : "",
    ]),
  );
  for (let before = oldest?.number; ;) {
    const rows = await unlessMissing(() =>
      connection.ask<Row>(
        `SELECT number, digest, entry::text AS entry FROM ${table}
         WHERE portal = $1 AND ($2::bigint IS NULL OR number < $2) ORDER BY number DESC LIMIT $3`,
        [portal, before ?? null, PAGE],
      ),
    );
    for (const row of rows) if (!known.has(row.digest)) yield entryIn(row, table);
    if (rows.length < PAGE) return;
    before = rows.at(-1)?.number;
  }
}

/** As the state itself has it of old entries: without all values, of which the digests stay. */
function entryIn({ number, entry }: Row, table: string): Entry {
  const json = parseJson(entry);
  const { live: _values, ...rest } = isJsonObject(json) ? json : {};
  try {
    return ENTRY(rest);
  } catch (error) {
    throw new Failure(
      "state-not-readable",
      `The entry ${number} of ${table} is none that this version understands.`,
      `Look at it:\n  SELECT entry FROM ${table} WHERE number = ${number};`,
      { cause: error },
    );
  }
}
