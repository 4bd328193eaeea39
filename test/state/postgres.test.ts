// States in PostgreSQL: behaviour of databases only.
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { openHttp } from "../../src/http/http.js";
import { printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { openDatabaseStates } from "../../src/state/postgres-store.js";
import { StateConflict, type StateStore } from "../../src/state/state-store.js";
import { settle } from "../../src/state/steps.js";
import { HAS_OPENSSL, NEEDS_OPENSSL } from "../support/network.js";
import { openWire } from "../support/wire.js";
import { asAdmin, PASSWORD, sharedPostgres, speakTls } from "../support/postgres.js";
import { io } from "./places.js";
import { newFolder } from "./programs.js";
import { databasePlace } from "./postgres-place.js";
import { PORTAL, SETTLEMENT, stateAfter } from "./samples.js";

interface Opening {
  readonly env?: Readonly<Record<string, string>>;
  readonly portal?: typeof PORTAL;
  readonly assertAllowed?: (address: URL) => void;
}

/** As another run opens it. */
function openAt(
  address: string,
  { env = {}, portal = PORTAL, assertAllowed = () => {} }: Opening = {},
): StateStore {
  const own = { ...io, env };
  const http = openHttp(own, { assertAllowed });
  const states = openDatabaseStates({ io: own, http, assertAllowed, address, from: "/" });
  onTestFinished(async () => {
    await states.close();
    await http.close();
  });
  return states.storeOf({ portal, file: "portal.yaml" });
}

const NOTHING = { state: undefined, version: undefined };
const serialAt = async (store: StateStore) => (await store.read()).state?.serial;

describe("a schema", () => {
  test("is created once by ten concurrent first writes", async () => {
    const { address } = await databasePlace();
    const writes = Array.from({ length: 10 }, async (_, at) => {
      const portal = identityOf(`https://gis${at}.example.com/portal/sharing/rest`, "self");
      const store = openAt(address, { portal });
      await store.write({ ...stateAfter(1), portal }, undefined);
      return serialAt(store);
    });
    expect(await Promise.all(writes)).toEqual(Array.from({ length: 10 }, () => 1));
  });

  test("is suggested as SQL to a role that lacks the privilege to create or write", async () => {
    const guest = await databasePlace("guest");
    await expect(openAt(guest.address).write(stateAfter(1), undefined)).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("permission denied for database lintel (42501)") as string,
      help: expect.stringContaining(
        `\n  CREATE SCHEMA "${guest.schema}" AUTHORIZATION "guest";`,
      ) as string,
    });
    const { address, admin, schema } = await databasePlace();
    const version = await openAt(address).write(stateAfter(1), undefined);
    const refused = openAt(address.replace("lintel@", "guest@"));
    const failure = await refused.read().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "state-not-readable",
      message: expect.stringContaining(`permission denied for schema ${schema}`) as string,
    });
    const { help } = failure as { help: string };
    const grants = help.split("\n").filter((line) => line.startsWith("  GRANT"));
    expect(grants).toHaveLength(2);
    await admin(async (ask) => {
      for (const grant of grants) await ask(grant);
    });
    await refused.write(stateAfter(2), version);
    expect(await serialAt(openAt(address))).toBe(2);
  });

  test("with other content is left unchanged", async () => {
    const { admin, schema, address } = await databasePlace();
    await admin(async (ask) => {
      await ask(`CREATE SCHEMA ${schema} AUTHORIZATION lintel`);
      await ask(`CREATE TABLE ${schema}.state (country text)`);
      await ask(`ALTER TABLE ${schema}.state OWNER TO lintel`);
    });
    for (const [code, ask] of [
      ["state-not-readable", () => openAt(address).read()],
      ["state-not-writable", () => openAt(address).write(stateAfter(1), undefined)],
    ] as const) {
      const help = expect.stringContaining("Name another schema") as string;
      await expect(ask()).rejects.toMatchObject({ code, help });
    }
  });

  test("of an earlier version is used", async () => {
    const { admin, schema, address } = await databasePlace();
    await admin(async (ask) => {
      await ask(`CREATE SCHEMA ${schema} AUTHORIZATION lintel`);
      for (const table of [
        "version (product text NOT NULL, version integer NOT NULL)",
        "state (portal text PRIMARY KEY, lineage text NOT NULL, serial bigint NOT NULL, document text NOT NULL, written_at timestamptz NOT NULL)",
      ])
        await ask(`CREATE TABLE ${schema}.${table}`);
      await ask(`INSERT INTO ${schema}.version VALUES ('lintel', 1)`);
      await ask(`INSERT INTO ${schema}.state VALUES ($1, $2, $3, $4, now())`, [
        PORTAL.key,
        stateAfter(3).lineage,
        3,
        printState(stateAfter(3)),
      ]);
      await ask(`ALTER TABLE ${schema}.state OWNER TO lintel`);
    });
    const store = openAt(address);
    const { state, version } = await store.read();
    expect(state).toEqual(stateAfter(3));
    await store.write(stateAfter(4), version);
    expect(await serialAt(openAt(address))).toBe(4);
  });

  test("stores every text in a database of any encoding", async () => {
    const server = await sharedPostgres(inject("postgres"));
    const name = `latin_${process.pid}`;
    await asAdmin(server, "postgres", async (ask) => {
      await ask(
        `CREATE DATABASE ${name} OWNER lintel ENCODING LATIN1 TEMPLATE template0 LOCALE 'C'`,
      );
    });
    const store = openAt(`postgres://lintel@127.0.0.1:${server.port}/${name}`);
    const text = 'Übersicht 地図 🗺 \u0000 \ud800 "\\';
    const leaves = [{ path: ["informationalBanner", "text"], sent: text, shown: text }];
    const state = settle(stateAfter(0), { ...SETTLEMENT, leaves });
    const version = await store.write(state, undefined);
    expect(await store.read()).toEqual({ state, version });
    await store.write(settle(state, SETTLEMENT), version);
  });
});

describe("a lost connection", () => {
  async function wired() {
    const place = await databasePlace();
    const wire = await openWire(place.server.port);
    const address = place.address.replace(`:${place.server.port}/`, `:${wire.port}/`);
    return { ...place, wire, store: openAt(address) };
  }

  test.each(["before", "after"] as const)(
    "%s the server has a write: it is written once",
    async (when) => {
      const { store, wire, address, admin, schema } = await wired();
      const first = await store.write(stateAfter(1), undefined);
      await admin(async (ask) => {
        await ask(`CREATE TABLE ${schema}.writes (document text)`);
        await ask(`ALTER TABLE ${schema}.writes OWNER TO lintel`);
        await ask(
          `CREATE RULE note AS ON UPDATE TO ${schema}.state DO ALSO INSERT INTO ${schema}.writes VALUES (NEW.document)`,
        );
      });
      wire.cutAt("UPDATE", when);
      const second = await store.write(stateAfter(2), first);
      expect(await openAt(address).read()).toEqual({ state: stateAfter(2), version: second });
      const written = await admin((ask) => ask(`SELECT document FROM ${schema}.writes`));
      expect(written).toHaveLength(1);
      await store.write(stateAfter(3), second);
    },
  );

  test("at the first write writes once", async () => {
    const { store, wire, address } = await wired();
    await openAt(address, { portal: OTHER }).write({ ...stateAfter(1), portal: OTHER }, undefined);
    wire.cutAt("INSERT", "after");
    const version = await store.write(stateAfter(1), undefined);
    expect(await openAt(address).read()).toEqual({ state: stateAfter(1), version });
  });

  test("while another run writes is a conflict", async () => {
    const { store, wire, address } = await wired();
    const first = await store.write(stateAfter(1), undefined);
    wire.cutAt("UPDATE", "before");
    const write = store.write(stateAfter(2), first);
    const other = openAt(address).write(settle(stateAfter(1), SETTLEMENT), first);
    const ended = await Promise.allSettled([write, other]);
    const lost = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(lost).toEqual([expect.any(StateConflict)]);
  });

  test("that stays lost reports an unknown outcome", async () => {
    const { store, wire, address } = await wired();
    const first = await store.write(stateAfter(1), undefined);
    wire.cutAt("UPDATE", "for good");
    await expect(store.write(stateAfter(2), first)).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("It is unknown whether") as string,
    });
    expect(await serialAt(openAt(address))).toBe(2);
  });
});

const OTHER = identityOf("https://other.example.com/portal/sharing/rest", "self");

describe("a state that is damaged", () => {
  test("is set aside by the statement in the help, and the next apply starts a new state", async () => {
    const place = await databasePlace();
    const { address, admin, schema } = place;
    await openAt(address).write(stateAfter(1), undefined);
    await place.plant("{");
    const failure = (await openAt(address)
      .read()
      .catch((error: unknown) => error)) as { code: string; help: string };
    expect(failure.code).toBe("state-damaged");
    const [, statement = ""] = /^ {2}(UPDATE .+)$/m.exec(failure.help) ?? [];
    await admin((ask) => ask(statement));
    expect(await serialAt(openAt(address))).toBeUndefined();
    await openAt(address).write(stateAfter(1), undefined);
    const rows = await admin((ask) => ask(`SELECT portal FROM ${schema}.state ORDER BY portal`));
    expect(rows.map(({ portal }) => portal)).toEqual([PORTAL.key, `${PORTAL.key} damaged`]);
  });
});

describe("a server", () => {
  const fails = async (address: string, words: RegExp, env = {}) => {
    for (const [code, ask] of [
      ["state-not-readable", (store: StateStore) => store.read()],
      ["state-not-writable", (store: StateStore) => store.write(stateAfter(1), undefined)],
    ] as const) {
      const failure = await ask(openAt(address, { env })).then(
        () => undefined,
        (error: unknown) => error as { code: string; message: string; help?: string },
      );
      expect(failure).toMatchObject({ code, message: expect.stringMatching(words) as string });
      expect(`${failure?.message}${failure?.help}`).not.toContain(PASSWORD);
    }
  };
  const at = async (rest: string, role = "lintel") => {
    const { port } = await sharedPostgres(inject("postgres"));
    return `postgres://${role}@127.0.0.1:${port}/${rest}`;
  };

  test("that is unreachable, unknown, or closes at once", async () => {
    await fails("postgres://lintel@127.0.0.1:1/lintel", /connect ECONNREFUSED 127\.0\.0\.1:1\.$/);
    await fails(
      "postgres://lintel@nowhere.invalid/lintel?sslmode=verify-full",
      /ENOTFOUND|EAI_AGAIN/,
    );
    await fails("postgres:///lintel?host=/nowhere", /ENOENT/, {
      PGUSER: "lintel",
    });
    const rude = createServer((socket) => void socket.destroy()).listen(0, "127.0.0.1");
    onTestFinished(() => void rude.close());
    await once(rude, "listening");
    const { port } = rude.address() as { port: number };
    await fails(`postgres://lintel@127.0.0.1:${port}/lintel`, /Connection terminated|ECONNRESET/);
  });

  test("is reached at a socket in the folder of the address", async () => {
    const { folder, port } = await sharedPostgres(inject("postgres"));
    const own = newFolder();
    // The name by which every client looks for the usual port.
    symlinkSync(join(folder, `.s.PGSQL.${port}`), join(own, ".s.PGSQL.5432"));
    const address = `postgres:///lintel?host=${own}/x/..&schema=none`;
    expect(await openAt(address, { env: { PGUSER: "lintel" } }).read()).toEqual(NOTHING);
  });

  test("that requires a password gets it from its usual sources, without showing it", async () => {
    const address = await at("lintel?schema=none", "guarded");
    await fails(address, /the server requires a password, and none was found\.$/);
    await fails(address, /password authentication failed for user "guarded" \(28P01\)\.$/, {
      PGPASSWORD: `not ${PASSWORD}`,
    });
    expect(await openAt(address, { env: { PGPASSWORD: PASSWORD } }).read()).toEqual(NOTHING);
    const file = join(newFolder(), "passwords");
    writeFileSync(file, `127.0.0.1:*:lintel:guarded:${PASSWORD}\n`, { mode: 0o600 });
    // Looked for by pg itself.
    vi.stubEnv("PGPASSFILE", file);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await openAt(address).read()).toEqual(NOTHING);
    await fails(await at("lintel", "stranger"), /pg_hba\.conf/);
    await fails(await at("nowhere"), /database "nowhere" does not exist \(3D000\)\.$/);
  });

  test.each([
    ["XX000", `no entry for ${PASSWORD}`],
    ["42883", PASSWORD.toUpperCase()],
    [PASSWORD, "no"],
  ])("that repeats the password does not reveal it (%#)", async (code, said) => {
    const echoing = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        // "N" to the question for TLS, then the wish for the password as it is.
        if (bytes.length === 8) socket.write("N");
        else if (bytes[0] !== 0x70) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        else {
          const fields = `SFATAL\0C${code}\0M${said}\0\0`;
          const answer = Buffer.alloc(5);
          answer.write("E");
          answer.writeInt32BE(4 + Buffer.byteLength(fields), 1);
          socket.end(Buffer.concat([answer, Buffer.from(fields)]));
        }
      });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void echoing.close());
    await once(echoing, "listening");
    const { port } = echoing.address() as { port: number };
    await fails(`postgres://lintel@127.0.0.1:${port}/lintel`, /withheld|\bno\b/, {
      PGPASSWORD: PASSWORD,
    });
  });

  test("without TLS gets no credentials from another machine", async () => {
    const heard: Buffer[] = [];
    const plain = createServer((socket) => {
      socket.on("data", (bytes) => {
        heard.push(bytes);
        socket.write("N");
      });
      socket.on("error", () => {});
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void plain.close());
    await once(plain, "listening");
    const { port } = plain.address() as { port: number };
    // A name of this machine that is not known to be one.
    const other = `postgres://guarded@0.0.0.0:${port}/lintel`;
    for (const env of [{}, { PGSSLMODE: "require" }, { PGSSLMODE: "prefer" }]) {
      await fails(other, /The server does not support SSL connections\.$/, {
        PGPASSWORD: PASSWORD,
        ...env,
      });
    }
    // The question whether it does, and nothing else.
    expect(new Set(heard.map((bytes) => bytes.toString("hex")))).toEqual(
      new Set(["0000000804d2162f"]),
    );
  });

  test.skipIf(!HAS_OPENSSL)(
    `whose certificate is not right gets no password${NEEDS_OPENSSL}`,
    async () => {
      const server = await sharedPostgres(inject("postgres"));
      const { ca, client, proxy } = await speakTls(server);
      const file = (text: string) => {
        const path = join(newFolder(), "one.pem");
        writeFileSync(path, text);
        return path;
      };
      const path = file(ca);
      const env = { PGPASSWORD: PASSWORD };
      const address = (host: string, more = "") =>
        `postgres://guarded@${host}:${server.port}/lintel?schema=none${more}`;
      const untrusted = /the server's certificate is not trusted \([A-Z_]+\)\.$/;
      await fails(address("0.0.0.0"), untrusted, env);
      await fails(address("127.0.0.1", "&sslmode=verify-full"), untrusted, env);
      const trusting = { ...env, PGSSLROOTCERT: path };
      // The authority is right, and the name is another one's.
      await fails(address("0.0.0.0"), /\(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/, trusting);
      await expect(openAt(address("0.0.0.0"), { env: trusting }).read()).rejects.toMatchObject({
        help: expect.stringMatching(/^It names other hosts\./) as string,
      });
      const right = [
        [address("127.0.0.1", "&sslmode=verify-full"), {}],
        [address("0.0.0.0"), { PGSSLMODE: "verify-ca" }],
      ] as const;
      for (const [each, more] of right) {
        expect(await openAt(each, { env: { ...trusting, ...more } }).read()).toEqual(NOTHING);
      }
      // What is wrong with the run's own is not told as the server's.
      const shown = { PGSSLCERT: file(client.cert), PGSSLKEY: file(client.key) };
      const [[whole]] = right;
      expect(await openAt(whole, { env: { ...trusting, ...shown } }).read()).toEqual(NOTHING);
      const odds = [
        { PGSSLKEY: file(proxy.key) },
        { PGSSLKEY: "" },
        { PGSSLROOTCERT: file("none") },
      ];
      for (const odd of odds) {
        const env = { ...trusting, ...shown, ...odd };
        await expect(openAt(whole, { env }).read()).rejects.toMatchObject({
          code: "bad-certificate",
          help: expect.stringContaining("PGSSLKEY") as string,
        });
      }
    },
  );

  test("that is not allowed is not contacted", async () => {
    const wire = await openWire(1);
    const { openHostAllowlist } = await import("../../src/http/host-allowlist.js");
    const env = { CI: "true", PGPASSWORD: PASSWORD, LINTEL_ALLOWED_HOSTS: "db.example.com" };
    const { assertAllowed } = openHostAllowlist({ ...io, env });
    const address = `postgres://lintel@127.0.0.1:${wire.port}/lintel`;
    const store = openAt(address, { env, assertAllowed });
    for (const ask of [
      () => store.read(),
      () => store.write(stateAfter(1), undefined),
      () => store.probe(),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        code: "host-not-allowed",
        help: expect.stringContaining(`,postgres://127.0.0.1:${wire.port}`) as string,
      });
    }
    await sleep(20);
    expect(wire.count()).toBe(0);
  });
});
