// States in a PostgreSQL database: the contract, and what only a database can get wrong.
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import Client from "pg/lib/client.js";
import { identityOf } from "../../src/state/key.js";
import { postgresBackend } from "../../src/state/postgres/backend.js";
import { advisoryKey } from "../../src/state/postgres/tables.js";
import { settle, withJournal } from "../../src/state/steps.js";
import type { Holder, LockingStore } from "../../src/state/store.js";
import { HAS_OPENSSL, NEEDS_OPENSSL } from "../support/network.js";
import { openPooler, openWire } from "../support/pooler.js";
import { ADMIN, asAdmin, PASSWORD, sharedPostgres, speakTls } from "../support/postgres.js";
import { contract } from "./contract.js";
import { openLocking } from "./locking.js";
import { io, machine, openAt, send } from "./places.js";
import { newFolder } from "./programs.js";
import { databasePlace, type DatabasePlace } from "./postgres-place.js";
import { holderFor, JOURNAL, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";

describe("postgres:", () => {
  contract(postgresBackend, () => databasePlace());
});

async function locked(store: LockingStore): Promise<Holder> {
  const holder = holderFor(machine);
  await store.lock(holder);
  return holder;
}

async function writeOnce(store: LockingStore, serial = 1): Promise<void> {
  const holder = await locked(store);
  await store.write(stateAfter(serial), serial - 1);
  await store.unlock(holder);
}

/** Ends the session that holds the lock, as an administrator may. */
function endSessions({ admin, schema }: DatabasePlace): Promise<void> {
  return admin(async (ask) => {
    await ask(`SELECT pg_terminate_backend(pid) FROM ${schema}.holder`);
  });
}

describe("a schema", () => {
  test("is made by ten that come first at once", async () => {
    const { address } = await databasePlace();
    const writes = Array.from({ length: 10 }, async (_, at) => {
      const portal = identityOf(`https://gis${at}.example.com/portal/sharing/rest`, "self");
      const store = openAt(address, { portal });
      const holder = await locked(store);
      await store.write({ ...stateAfter(1), portal }, 0);
      await store.unlock(holder);
      return (await store.read())?.serial;
    });
    expect(await Promise.all(writes)).toEqual(Array.from({ length: 10 }, () => 1));
  });

  test("is told in SQL to a role that may not make it, and to one that may not write in it", async () => {
    const guest = await databasePlace("guest");
    await expect(locked(guest.open())).rejects.toMatchObject({
      code: "state-not-writable",
      message: `The state in "${guest.address}" cannot be written: its role may not make the schema for it.`,
      help: expect.stringContaining(
        `\n  CREATE SCHEMA "${guest.schema}" AUTHORIZATION "guest";`,
      ) as string,
    });
    const { address, open, admin, schema } = await databasePlace();
    await writeOnce(open());
    const refused = openAt(address.replace("lintel@", "guest@"));
    const words = {
      code: "state-not-readable",
      message: expect.stringContaining('the role "guest" may not do that') as string,
    };
    await expect(refused.read()).rejects.toMatchObject(words);
    await admin(async (ask) => {
      await ask(`GRANT USAGE ON SCHEMA "${schema}" TO "guest"`);
      await ask(
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "guest"`,
      );
    });
    await writeOnce(refused, 2);
    expect((await open().read())?.serial).toBe(2);
  });

  test("of a newer version, or one that holds something else, is left alone", async () => {
    const newer = await databasePlace();
    await writeOnce(newer.open());
    await newer.admin(
      async (ask) => void (await ask(`UPDATE ${newer.schema}.version SET version = 99`)),
    );
    const code = "state-newer";
    await expect(newer.open().read()).rejects.toMatchObject({ code });
    await expect(locked(newer.open())).rejects.toMatchObject({ code });
    for (const columns of ["number integer", "product text, version integer"]) {
      const { admin, schema, open } = await databasePlace();
      await admin(async (ask) => {
        await ask(`CREATE SCHEMA ${schema} AUTHORIZATION lintel`);
        await ask(`CREATE TABLE ${schema}.version (${columns})`);
        await ask(`INSERT INTO ${schema}.version DEFAULT VALUES`);
        await ask(`ALTER TABLE ${schema}.version OWNER TO lintel`);
      });
      const message = expect.stringMatching(/is not Lintel's\.$/) as string;
      await expect(locked(open())).rejects.toMatchObject({ code: "state-not-writable", message });
    }
  });

  test("keeps every entry of the history with its values, and the document what the format keeps", async () => {
    const { open, admin, schema } = await databasePlace();
    const store = open();
    const holder = await locked(store);
    let state = stateAfter(1);
    await store.write(state, 0);
    for (let count = 1; count < 60; count++) {
      const next = settle(state, SETTLEMENT);
      await store.write(next, state.serial);
      state = next;
    }
    await store.write(withJournal(state, JOURNAL), state.serial);
    await store.unlock(holder);
    expect(state.history.filter(({ live }) => live)).toHaveLength(50);
    const rows = await admin((ask) =>
      ask(`SELECT serial::int, entry FROM ${schema}.history ORDER BY number`),
    );
    expect(rows.map((row) => row["serial"])).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    for (const { entry, serial: number } of rows) {
      expect(entry).toMatchObject({ ...(SETTLEMENT.live && { live: SETTLEMENT.live }), number });
    }
  });

  test("takes every text, whatever the encoding of the database", async () => {
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
    const holder = await locked(store);
    await store.write(state, 0);
    await store.unlock(holder);
    expect(await store.read()).toEqual(state);
  });
});

describe("a session that is ended", () => {
  test("has lost the lock: nothing is sent or written, and the next one is told", async () => {
    const place = await databasePlace();
    const store = place.open();
    const holder = await locked(store);
    await store.write(stateAfter(1), 0);
    await endSessions(place);
    await expect(store.write(stateAfter(2), 1)).rejects.toMatchObject({ code: "state-lock-lost" });
    await store.unlock(holder);
    expect((await store.read())?.serial).toBe(1);

    const notices: string[] = [];
    await writeOnce(place.open({ notices }), 2);
    expect(notices).toEqual([
      expect.stringMatching(/^Took over the lock of "ada" on .*: its session has ended\.$/),
    ]);
    expect((await store.read())?.serial).toBe(2);
  });

  test("by a signal that stops it, keeps the lock; killed, it loses it", async () => {
    const place = await databasePlace();
    await writeOnce(place.open());
    const errand = {
      address: place.address,
      portalUrl: PORTAL.url,
      rounds: 1,
      stays: true as const,
    };
    const child = await send(errand);
    await child.says("locked");
    child.process.kill("SIGSTOP");
    const locking = place.open().lock(holderFor(machine), { timeoutMs: 300 });
    await expect(locking).rejects.toMatchObject({
      code: "state-locked",
      message: expect.stringContaining('by "child" on') as string,
    });
    child.process.kill("SIGKILL");
    const notices: string[] = [];
    const store = place.open({ notices });
    await store.lock(holderFor(machine), { timeoutMs: 20_000 });
    expect(notices.at(-1)).toMatch(/^Took over the lock of "child" on /);
    expect(await place.open().holder()).toMatchObject({ who: "ada" });
  });
});

describe("a connection that is cut", () => {
  async function wired() {
    const place = await databasePlace();
    const wire = await openWire(place.server.port);
    const address = place.address.replace(`:${place.server.port}/`, `:${wire.port}/`);
    return { ...place, wire, store: openAt(address), again: openAt(address) };
  }

  test("after the server has a write: the store finds out that it arrived", async () => {
    const { store, wire, open, again } = await wired();
    const holder = await locked(store);
    await store.write(stateAfter(1), 0);
    wire.cutAt("UPDATE", "after");
    await store.write(stateAfter(2), 1);
    expect(await open().read()).toEqual(stateAfter(2));
    await expect(store.write(stateAfter(3), 2)).rejects.toMatchObject({ code: "state-lock-lost" });
    await store.unlock(holder);
    await expect(locked(again)).resolves.toBeDefined();
  });

  test("before the server has it: the store says that nothing was written", async () => {
    const { store, wire, open } = await wired();
    await locked(store);
    await store.write(stateAfter(1), 0);
    wire.cutAt("UPDATE", "before");
    await expect(store.write(stateAfter(2), 1)).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("was not written") as string,
    });
    expect(await open().read()).toEqual(stateAfter(1));
    await writeOnce(open(), 2);
  });

  test("for good: the store says that nobody knows", async () => {
    const { store, wire, open } = await wired();
    await locked(store);
    await store.write(stateAfter(1), 0);
    const write = store.write(stateAfter(2), 1);
    wire.close();
    await expect(write).rejects.toMatchObject({
      code: expect.stringMatching(/^state-(lock-lost|not-writable)$/) as string,
    });
    expect((await open().read())?.serial).toBeLessThanOrEqual(2);
  });

  test("while the lock is answered: no lock, and none is left", async () => {
    for (const text of ["pg_try_advisory_lock", "INSERT INTO"]) {
      const { store, wire, open } = await wired();
      await writeOnce(open());
      wire.cutAt(text, "after");
      await expect(locked(store)).rejects.toMatchObject({ code: "state-not-writable" });
      await expect(store.write(stateAfter(2), 1)).rejects.toMatchObject({
        code: "state-lock-lost",
      });
      const next = open();
      await next.lock(holderFor(machine), { timeoutMs: 20_000 });
    }
  });
});

describe("others", () => {
  test("who write the row without the lock are not overwritten", async () => {
    const { open, admin, schema } = await databasePlace();
    const store = open();
    await locked(store);
    await store.write(stateAfter(1), 0);
    await admin(async (ask) => void (await ask(`UPDATE ${schema}.state SET serial = 2`)));
    await expect(store.read()).rejects.toMatchObject({ code: "state-damaged" });
    await expect(store.write(stateAfter(2), 1)).rejects.toMatchObject({ code: "state-damaged" });
  });

  test("who hold the same advisory lock are no run of Lintel, and are not ended", async () => {
    const { open, schema, server } = await databasePlace();
    await writeOnce(open());
    const { port, folder } = server;
    const other = new Client({
      host: folder,
      port,
      user: ADMIN,
      database: "lintel",
      password: "",
      application_name: "reports",
    });
    onTestFinished(() => other.end());
    await other.connect();
    await other.query("SELECT pg_advisory_lock($1::bigint)", [advisoryKey(schema, PORTAL.key)]);
    const words = {
      code: "state-locked",
      message: expect.stringContaining('("reports"), which does not say') as string,
    };
    await expect(locked(open())).rejects.toMatchObject(words);
    await expect(open().forceUnlock(holderFor(machine))).rejects.toMatchObject(words);
    expect(await open().holder()).toMatchObject({ who: "unknown", run: "reports" });
    expect((await other.query("SELECT 1 AS alive")).rows).toEqual([{ alive: 1 }]);
  });

  test("whose session belongs to another role are ended by who may, and that is told", async () => {
    const { open, address, admin, schema } = await databasePlace();
    await writeOnce(open());
    await admin(async (ask) => void (await ask(`GRANT USAGE ON SCHEMA ${schema} TO guest`)));
    await admin(
      async (ask) => void (await ask(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO guest`)),
    );
    const store = open();
    await locked(store);
    const guest = openAt(address.replace("lintel@", "guest@"));
    expect(await guest.holder()).toMatchObject({ who: "ada" });
    await expect(guest.forceUnlock(holderFor(machine))).rejects.toMatchObject({
      code: "state-not-writable",
      help: expect.stringMatching(/\n {2}SELECT pg_terminate_backend\(\d+\);$/) as string,
    });
    await store.write(stateAfter(2), 1);
  });

  test("of the same run share one session, and never a lock", async () => {
    const { address, admin } = await databasePlace();
    const { states, close } = openLocking({ io: { ...io, machine }, address });
    onTestFinished(close);
    const held = Array.from({ length: 50 }, async (_, at) => {
      const portal = identityOf(`https://gis${at}.example.com/portal/sharing/rest`, "self");
      const store = states.storeOf({ file: "portal.yaml", portal });
      await locked(store);
      await store.write({ ...stateAfter(1), portal }, 0);
      return store;
    });
    await Promise.all(held);
    const [found] = await admin((ask) =>
      ask(
        "SELECT count(DISTINCT pid)::int AS pids, count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND pid IN (SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'lintel ada@%')",
      ),
    );
    expect(found?.["locks"]).toBeGreaterThanOrEqual(50);
    const portal = identityOf("https://gis7.example.com/portal/sharing/rest", "self");
    const second = states.storeOf({ file: "portal.yaml", portal });
    await expect(locked(second)).rejects.toMatchObject({ code: "state-locked" });
  });
});

describe("a state that is damaged", () => {
  test("is put aside by the very statement that the refusal names, and the next apply begins anew", async () => {
    const place = await databasePlace();
    const { open, admin, schema } = place;
    await writeOnce(open());
    await place.plant("{");
    const failure = (await open()
      .read()
      .catch((error: unknown) => error)) as { code: string; help: string };
    expect(failure.code).toBe("state-damaged");
    const [, statement = ""] = /^ {2}(UPDATE .+)$/m.exec(failure.help) ?? [];
    await admin((ask) => ask(statement));
    expect(await open().read()).toBeUndefined();
    await writeOnce(open());
    const rows = await admin((ask) => ask(`SELECT portal FROM ${schema}.state ORDER BY portal`));
    expect(rows.map(({ portal }) => portal)).toEqual([PORTAL.key, `${PORTAL.key} damaged`]);
  });
});

describe("a pooler", () => {
  test("that gives every transaction another session is refused, and holds no lock afterwards", async () => {
    const place = await databasePlace();
    await writeOnce(place.open());
    for (const sessions of [2, 5]) {
      const port = await openPooler(
        place.server.port,
        "user\0lintel\0database\0lintel\0",
        sessions,
      );
      const address = place.address.replace(`:${place.server.port}/`, `:${port}/`);
      await expect(locked(openAt(address))).rejects.toMatchObject({
        code: "state-not-writable",
        message: expect.stringContaining("a pooler stands in between") as string,
      });
      expect((await openAt(address).read())?.serial).toBe(1);
      expect(await place.open().holder()).toBeUndefined();
    }
  });
});

describe("a server", () => {
  const fails = async (address: string, words: RegExp, env = {}) => {
    for (const [code, ask] of [
      ["state-not-readable", (store: LockingStore) => store.read()],
      ["state-not-writable", (store: LockingStore) => locked(store)],
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

  test("that is away, unknown, or closes at once", async () => {
    await fails(
      "postgres://lintel@127.0.0.1:1/lintel",
      /its server cannot be reached \(ECONNREFUSED\)\.$/,
    );
    await fails(
      "postgres://lintel@nowhere.invalid/lintel?sslmode=verify-full",
      /its host is not known|cannot be reached/,
    );
    await fails("postgres:///lintel?host=/nowhere", /its folder holds no socket of a server\.$/, {
      PGUSER: "lintel",
    });
    const rude = createServer((socket) => void socket.destroy()).listen(0, "127.0.0.1");
    onTestFinished(() => void rude.close());
    await once(rude, "listening");
    const { port } = rude.address() as { port: number };
    await fails(
      `postgres://lintel@127.0.0.1:${port}/lintel`,
      /its server (closed the connection|cannot be reached \(ECONNRESET\))\.$/,
    );
  });

  test("that listens at a socket is found in the folder that the address names", async () => {
    const { folder, port } = await sharedPostgres(inject("postgres"));
    const own = newFolder();
    // The name by which every client looks for the usual port.
    symlinkSync(join(folder, `.s.PGSQL.${port}`), join(own, ".s.PGSQL.5432"));
    const address = `postgres:///lintel?host=${own}/x/..&schema=none`;
    expect(await openAt(address, { env: { PGUSER: "lintel" } }).read()).toBeUndefined();
  });

  test("that asks for a password gets it from where its users keep it, and says nothing of it", async () => {
    const address = await at("lintel?schema=none", "guarded");
    await fails(address, /the server asks for a password, and none was found\.$/);
    await fails(address, /the password of the role "guarded" is wrong\.$/, {
      PGPASSWORD: `not ${PASSWORD}`,
    });
    expect(await openAt(address, { env: { PGPASSWORD: PASSWORD } }).read()).toBeUndefined();
    await fails(await at("lintel", "stranger"), /does not let the role "stranger" in/);
    await fails(await at("nowhere"), /there is no such database\.$/);
  });

  test.each([
    ["XX000", `no entry for ${PASSWORD}`],
    ["42883", PASSWORD.toUpperCase()],
    [PASSWORD, "no"],
  ])("that repeats the password is not repeated (%#)", async (code, said) => {
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
    await fails(`postgres://lintel@127.0.0.1:${port}/lintel`, /the server says .*withheld/, {
      PGPASSWORD: PASSWORD,
    });
  });

  test("that speaks no TLS is told nothing by a run on another machine", async () => {
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
      await fails(other, /its server does not speak TLS\.$/, { PGPASSWORD: PASSWORD, ...env });
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
      const untrusted = /the certificate of its server is not trusted \([A-Z_]+\)\.$/;
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
        expect(await openAt(each, { env: { ...trusting, ...more } }).read()).toBeUndefined();
      }
      // What is wrong with the run's own is not told as the server's.
      const shown = { PGSSLCERT: file(client.cert), PGSSLKEY: file(client.key) };
      const [[whole]] = right;
      expect(await openAt(whole, { env: { ...trusting, ...shown } }).read()).toBeUndefined();
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

  test("that a run may not go to is not even called", async () => {
    const wire = await openWire(1);
    const { openHostAllowlist } = await import("../../src/http/host-allowlist.js");
    const env = { CI: "true", PGPASSWORD: PASSWORD, LINTEL_ALLOWED_HOSTS: "db.example.com" };
    const run = { ...io, env };
    const { assertAllowed } = openHostAllowlist(run);
    const address = `postgres://lintel@127.0.0.1:${wire.port}/lintel`;
    const { store, close } = openLocking({ io: run, address, assertAllowed });
    onTestFinished(close);
    for (const ask of [() => store.read(), () => store.holder(), () => locked(store)]) {
      await expect(ask()).rejects.toMatchObject({
        code: "host-not-allowed",
        help: expect.stringContaining(`,postgres://127.0.0.1:${wire.port}`) as string,
      });
    }
    await sleep(20);
    expect(wire.count()).toBe(0);
  });
});
