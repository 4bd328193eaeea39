// A queue in the server of the run, a repository whose files are published there, and machines that publish and that unpack.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import { contextOf, openNetwork } from "../../../src/cli/open-run.js";
import { findFiles } from "../../../src/document/find.js";
import type { Io } from "../../../src/io.js";
import { digestOfText } from "../../../src/lib/digest.js";
import { secret } from "../../../src/secret.js";
import { bundleText, type Bundle } from "../../../src/serve/bundle/bundle.js";
import { rowOf } from "../../../src/serve/bundle/revision.js";
import { openLead, type Lead } from "../../../src/serve/bundle/lead.js";
import { openPublisher, type Published } from "../../../src/serve/bundle/publish.js";
import type { Revised } from "../../../src/serve/bundle/revised.js";
import {
  BUNDLE_TABLES,
  readStored,
  writeParts,
  writeRevision,
} from "../../../src/serve/bundle/tables.js";
import type { Ask, QueueDatabase } from "../../../src/serve/bundle/tables.js";
import { openUnpacking, type Unpacked } from "../../../src/serve/bundle/unpack.js";
import { readFiles } from "../../../src/serve/follow/files.js";
import type { Files } from "../../../src/serve/follow/following.js";
import { reachableStores } from "../../../src/serve/queue/states.js";
import { connect, type Connection } from "../../../src/state/postgres-connection.js";
import { databaseAt, type Database } from "../../../src/state-address/database.js";
import { rule } from "../../policy/rules.js";
import { databasePlace, type DatabasePlace } from "../../state/postgres-place.js";
import { makeRun } from "../../support/network.js";
import { folderOf } from "../../support/run.js";

export const KEY = "the key of these tests, long enough";
export const keyOf = (at: number) => `gis${at}.example.com-portal-self`;

export class Killed extends Error {}

/** A process's connection; it dies right before it asks for the time of that number, as a process does that is killed. */
function databaseOn(connection: Connection, schema: string, diesAt = Infinity): QueueDatabase {
  let asked = 0;
  const ask: Ask = async (text, values) => {
    if (++asked >= diesAt) {
      await connection.close();
      throw new Killed(`before ${text}`);
    }
    return connection.ask(text, values);
  };
  return {
    schema,
    ask,
    async together(work) {
      await ask("BEGIN");
      try {
        const made = await work(ask);
        await ask("COMMIT");
        return made;
      } catch (error) {
        if (!connection.isOver()) await connection.ask("ROLLBACK");
        throw error;
      }
    },
  };
}

export interface MachineOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly diesAt?: number;
  /** Where its files are. */
  readonly cwd?: string;
  readonly poolOf?: (portal: { readonly name: string }) => string | undefined;
  /** Whose portals it works on; those of no pool, when left out. */
  readonly pools?: readonly string[];
  /** Another than that of the queue. */
  readonly lead?: Lead;
}

export type Queue = Awaited<ReturnType<typeof openQueue>>;

/** With a table of rows that follow the revision, as those of portals do. */
export async function openQueue() {
  const place: DatabasePlace = await databasePlace();
  const { schema, address } = place;
  const database = databaseAt(address, undefined) as Database;
  const { io: quiet } = makeRun();
  const to = { io: quiet, ca: undefined, assertAllowed: () => {} };
  const open = async () => {
    const connection = await connect(database, to);
    onTestFinished(() => connection.close());
    return connection;
  };
  const own = await open();
  await own.ask(`CREATE SCHEMA ${schema}`);
  for (const statement of BUNDLE_TABLES) await own.ask(statement.replaceAll("SCHEMA", schema));
  await own.ask(`CREATE TABLE ${schema}.row (key text PRIMARY KEY, digest text, number bigint)`);

  const revised = async (ask: Ask, { number, portals }: Revised) => {
    await ask(`DELETE FROM ${schema}.row WHERE NOT key = ANY($1)`, [portals.map(({ key }) => key)]);
    await ask(
      `INSERT INTO ${schema}.row SELECT key, digest, $3 FROM unnest($1::text[], $2::text[]) AS given (key, digest)
       ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, number = excluded.number`,
      [portals.map(({ key }) => key), portals.map(({ digest }) => digest), number],
    );
  };

  /** A machine with a memory of its own. */
  function openMachine() {
    const home = folderOf();
    onTestFinished(() => home.remove());
    const run = makeRun();
    const ioOf = ({ env = {}, cwd = "/" }: MachineOptions): Io => ({
      ...run.io,
      cwd,
      env: {
        PATH: process.env["PATH"],
        LINTEL_QUEUE_KEY: KEY,
        XDG_CONFIG_HOME: join(home.path, "config"),
        ...env,
      },
    });
    return {
      home: home.path,
      /** For as long as nothing else has it wait. */
      pass: (ms: number) => run.io.sleep(ms, new AbortController().signal),
      /** A process that publishes. */
      async serve(options: MachineOptions & { readonly cwd: string }) {
        const io = ioOf(options);
        const connection = await open();
        const pinned = await open();
        const publisher = openPublisher({
          io,
          database: databaseOn(connection, schema, options.diesAt),
          place: address,
          lead: options.lead ?? openLead(schema, () => Promise.resolve(pinned)),
          poolOf: options.poolOf ?? (() => undefined),
          revised,
        });
        return {
          look: async (names = ["portals"]): Promise<Published> =>
            publisher.look(await filesOf(io, names)),
          /** Without reading them anew. */
          publisher,
          files: (names = ["portals"]) => filesOf(io, names),
          async kill() {
            await connection.close();
            await pinned.close();
          },
        };
      },
      /** A process that unpacks; what it has unpacked goes with the test. */
      async work(options: MachineOptions = {}) {
        const io = ioOf(options);
        const unpacking = openUnpacking({
          io,
          database: databaseOn(await open(), schema),
          place: address,
          pools: options.pools ?? ["default"],
        });
        return async (key: string, digest?: string): Promise<Unpacked> => {
          const unpacked = await unpacking.unpack(key, digest);
          onTestFinished(() => unpacked.close());
          return unpacked;
        };
      },
    };
  }

  return {
    place,
    schema,
    ask: own.ask.bind(own),
    openMachine,
    /** What stands there, to be put back. */
    copy: async () => {
      const tables = ["revision", "part", "row"] as const;
      for (const each of tables) {
        await own.ask(`DROP TABLE IF EXISTS ${schema}.${each}_copy`);
        await own.ask(`CREATE TABLE ${schema}.${each}_copy AS SELECT * FROM ${schema}.${each}`);
      }
      return async () => {
        for (const each of tables) {
          await own.ask(`DELETE FROM ${schema}.${each}`);
          await own.ask(`INSERT INTO ${schema}.${each} SELECT * FROM ${schema}.${each}_copy`);
        }
      };
    },
    stored: async () => {
      const [row] = await own.ask<{ number: string; document: string; signature: string }>(
        `SELECT number, document, signature FROM ${schema}.revision`,
      );
      const rows = await own.ask<{ key: string; digest: string }>(
        `SELECT key, digest FROM ${schema}.row ORDER BY key`,
      );
      const parts = await own.ask<{ digest: string }>(`SELECT digest FROM ${schema}.part`);
      return { ...row, number: Number(row?.number ?? 0), rows, parts: parts.length };
    },
  };
}

async function filesOf(io: Io, names: readonly string[]): Promise<Files> {
  const files = await findFiles(names, io.cwd);
  await using network = openNetwork(io, { options: {} }, "reading");
  const stores = reachableStores(network.stores, "postgres://db.example.com/lintel");
  return await readFiles(files, contextOf("serve", io, { ...network, stores }, []), new Map());
}

/** As a person writes it. */
export const portalFile = (at: number, rest = "") => `extends: ../_base.yaml
portal: { name: portal-${at}, url: "https://gis${at}.example.com/portal/sharing/rest" }
${rest}`;

export const BASE = `targetVersion: "11.5"
signIn: { url: "https://accounts.example.com" }
state: "postgres://lintel@db.example.com/lintel"
policy: policy
settings:
  informationalBanner: { text: "\${file:texts/banner.txt} from \${env:LINTEL_VAR_TEAM:-us}", enabled: true }
`;

const AS = "-c user.name=Ana -c user.email=ana@example.org";

/** A clone in which what is written can be committed. */
export function openRepository(portals = 2, from?: string) {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const git = (...words: string[]) =>
    execFileSync("git", [...AS.split(" "), ...words], {
      cwd: folder.path,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  const write = (name: string, text: string) => {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const commit = (message = "change") => {
    git("add", "--all");
    git("commit", "--quiet", "--message", message);
    return git("rev-parse", "HEAD");
  };
  if (from !== undefined) git("clone", "--quiet", from, ".");
  else cpSync(template(), folder.path, { recursive: true });
  for (let at = 3; at <= portals; at++) write(`portals/${at}.yaml`, portalFile(at));
  if (portals > 2) commit();
  return {
    path: folder.path,
    git,
    write,
    commit,
    read: (name: string) => readFileSync(join(folder.path, name), "utf8"),
    named: (path: string) => relative(folder.path, path),
  };
}

/** Publishes whatever is asked for, as somebody with the key could. */
export async function plant(
  { ask, schema }: Pick<Queue, "ask" | "schema">,
  bundle: Partial<Bundle> & Pick<Bundle, "key">,
  contents: Readonly<Record<string, string>> = {},
): Promise<void> {
  const files = Object.entries(contents).map(([name, text]) => [name, digestOfText(text)] as const);
  const named = { name: "portal", url: "https://gis.example.com/portal/sharing/rest", id: "self" };
  const bare = { ...named, file: "portal.yaml", pool: null, windows: [], variables: {} };
  const text = bundleText({ ...bare, files, ...bundle });
  await ask(
    `INSERT INTO ${schema}.revision (queue, number, document, signature) VALUES ('own', 0, '', '') ON CONFLICT DO NOTHING`,
  );
  const stored = await readStored(ask, schema);
  if (!stored) throw new Error("no row");
  const parts = [text, ...Object.values(contents)].map(
    (each) => [digestOfText(each), Buffer.from(each)] as const,
  );
  await writeParts(ask, schema, parts);
  const revision = {
    queue: stored.queue,
    number: stored.number + 1,
    commit: null,
    bundles: new Map([[bundle.key, digestOfText(text)]]),
  };
  await writeRevision(ask, schema, { ...stored, ...rowOf(revision, secret(KEY)) });
}

let made: string | undefined;

/** With two portals; made once, because each call of git takes its time. */
function template(): string {
  if (made !== undefined) return made;
  const folder = folderOf({
    "_base.yaml": BASE,
    "texts/banner.txt": "Welcome\n",
    "policy/banner.yaml": rule("banner", "must: { settings.informationalBanner: {} }"),
    "portals/1.yaml": portalFile(1),
    "portals/2.yaml": portalFile(2),
  });
  process.on("exit", () => folder.remove());
  for (const line of ["init -q -b main", "config gc.auto 0", "add .", `${AS} commit -q -m begin`]) {
    execFileSync("git", line.split(" "), { cwd: folder.path });
  }
  return (made = folder.path);
}
