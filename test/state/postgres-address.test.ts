// Addresses and variables of databases: server, role, encryption, and refusals before any connection.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { databaseAt, databaseServerOf, databases } from "../../src/state-address/database.js";
import type { Database } from "../../src/state-address/database.js";
import { isWrong, type Wrong } from "../../src/state-address/kind.js";
import { encryptionFor, userFor } from "../../src/state/postgres-connection.js";
import { newFolder } from "./programs.js";

const pattern = new RegExp(`^(?:${databases.pattern})`, "u");

function databaseOf(address: string, written?: string): Database {
  const found = databaseAt(address, written);
  if (isWrong(found)) throw new Error(found.why);
  return found;
}

function wrongIn(address: string, written?: string): Wrong {
  const found = databaseAt(address, written);
  if (!isWrong(found)) throw new Error(`"${address}" is right`);
  return found;
}

describe("an address", () => {
  test.each([
    ["postgres://lintel@db.example.com:6543/gis", "db.example.com", 6543, "gis", "lintel"],
    [
      "postgresql://db.example.com/gis?schema=Acme%20GIS",
      "db.example.com",
      5432,
      "gis",
      "Acme GIS",
    ],
    ["postgres://me%40example.com@DB.Example.com:443/gis", "db.example.com", 443, "gis", "lintel"],
    ["postgres://b%C3%BCcher.example/gis", "xn--bcher-kva.example", 5432, "gis", "lintel"],
    ["postgres://[2001:db8::1]/gis", "2001:db8::1", 5432, "gis", "lintel"],
    ["postgres:///gis?host=/var/run/postgresql", "/var/run/postgresql", 5432, "gis", "lintel"],
    ["postgres:///gis?host=/run/link/../50%25%20x/", "/run/50% x", 5432, "gis", "lintel"],
  ])("%s leads to %s", (address, host, port, name, schema) => {
    expect(address).toMatch(pattern);
    expect(databaseOf(address)).toMatchObject({ host, port, name, schema });
  });

  test.each([
    ["postgres://lintel@db.example.com", "names no database"],
    ["postgres://db.example.com/a/b", "names no database"],
    ["postgres:///gis", "names no host"],
    ["postgres:///gis?host=db.example.com", "names no host"],
    ["postgres://db.example.com/gis?host=evil.example.com", "names two hosts"],
    ["postgres://db.example.com/gis?host=/tmp", "names two hosts"],
    ["postgres://db.example.com/gis?hostaddr=192.0.2.1", 'cannot take "hostaddr"'],
    ["postgres://db.example.com/gis?schema=a&schema=b", 'says "schema" twice'],
    ["postgres://db.example.com/gis?sslmode=disable", "would weaken"],
    ["postgres://db.example.com/gis?sslmode=require", "would weaken"],
    ["postgres://127.0.0.1/gis?sslmode=no-verify", "would weaken"],
    ["postgres://db.example.com/gis?schema=", "names no schema"],
    ["postgres://one.example.com,two.example.com/gis", "names no host"],
    ["postgres://one.example.com,two.example.com/gis?host=/run", "names no host"],
    ["postgres:///gis?host=/run,/tmp", "names no host"],
    ["postgres:///gis?host=/run%0A", "names no host"],
    ["postgres:///gis?host=@run", "names no host"],
    ["postgres://%2Frun/gis", "names no host"],
    ["postgres://%2Frun/gis?host=/run", "names no host"],
    ["postgres://db.example.com/gis#x", 'goes on with "#"'],
    ["postgres:db.example.com/gis", "is no address of a database"],
  ])("%s %s", (address, why) => {
    const found = wrongIn(address);
    expect(found.why).toContain(why);
    expect(found.help).not.toBe("");
  });

  test("contains a password only as a reference, and never shows it", () => {
    const address = "postgres://lintel:hidden@db.example.com/gis";
    const { why, help } = wrongIn(address);
    expect(why).toBe("holds a password");
    expect(help).not.toContain("hidden");
    const half = "postgres://lintel:hidd${env:LINTEL_VAR_REST}@db.example.com/gis";
    expect(wrongIn(address, half)).toEqual({ why, help });
    const written = "postgres://lintel:${env:LINTEL_VAR_DB}@db.example.com/gis";
    expect(written).toMatch(pattern);
    for (const each of [address, half]) expect(each).not.toMatch(pattern);
    const database = databaseOf(address, written);
    expect(JSON.stringify(database)).not.toContain("hidden");
    expect(database.password?.reveal()).toBe("hidden");
  });

  test.each([
    ["postgres://lintel@DB.example.com/gis", "postgres://db.example.com:5432"],
    ["postgres://lintel@127.1:80/gis", "postgres://127.0.0.1:80"],
    ["postgres:///gis?host=/run", "unix:/run"],
    ["postgres:///gis?host=/run/./x/", "unix:/run/x"],
    ["postgres:///gis", undefined],
    ["postgres://a b/gis", undefined],
  ])("sends the credentials of %s to %s", (address, server) => {
    expect(databaseServerOf(address)?.href).toBe(server);
  });
});

test("takes the role from the address, else PGUSER, else the system", () => {
  const database = databaseOf("postgres://db.example.com:5433/gis");
  expect(userFor(database, { env: { PGUSER: "ada", USER: "bob" } })).toBe("ada");
  expect(userFor(database, { env: { USER: "bob" } })).toBe("bob");
  const named = databaseOf("postgres://eve@db.example.com/gis");
  expect(userFor(named, { env: { PGUSER: "ada" } })).toBe("eve");
});

describe("encryption", () => {
  const away = "postgres://db.example.com/gis";
  const own = "postgres://127.0.0.1/gis";
  const full = { rejectUnauthorized: true };
  const loose = { rejectUnauthorized: false, checkServerIdentity: expect.any(Function) as unknown };
  const anyName = {
    rejectUnauthorized: true,
    checkServerIdentity: expect.any(Function) as unknown,
  };
  test.each([
    [away, undefined, full],
    [away, "prefer", full],
    [away, "allow", full],
    [away, "require", loose],
    [away, "verify-ca", anyName],
    [away, "verify-full", full],
    [`${away}?sslmode=verify-full`, "require", full],
    [own, undefined, false],
    [own, "prefer", false],
    [own, "disable", false],
    [own, "require", loose],
    [own, "verify-full", full],
    [`${own}?sslmode=disable`, "verify-full", false],
    ["postgres:///gis?host=/run", "verify-full", false],
  ])("of %s under PGSSLMODE=%s", async (address, mode, wanted) => {
    const env = mode === undefined ? {} : { PGSSLMODE: mode };
    const encryption = await encryptionFor(databaseOf(address), { env }, undefined);
    if (wanted === false) expect(encryption).toBe(false);
    else expect(encryption).toEqual(wanted);
  });

  test("is never disabled for another machine", async () => {
    const database = databaseOf(away);
    const env = { PGSSLMODE: "disable" };
    await expect(encryptionFor(database, { env }, undefined)).rejects.toMatchObject({
      code: "host-not-allowed",
    });
    await expect(
      encryptionFor(database, { env: { PGSSLMODE: "none" } }, undefined),
    ).rejects.toMatchObject({ code: "credential-not-usable" });
  });

  test("trusts the authority of libpq's variable, or an additional one", async () => {
    const database = databaseOf(away);
    const path = join(newFolder(), "ca.pem");
    writeFileSync(path, "PEM");
    const named = await encryptionFor(database, { env: { PGSSLROOTCERT: path } }, "other");
    expect(named).toEqual({ ca: ["PEM"], rejectUnauthorized: true });
    const strict = { PGSSLROOTCERT: path, PGSSLMODE: "require" };
    expect(await encryptionFor(database, { env: strict }, undefined)).toMatchObject(anyName);
    const beside = await encryptionFor(database, { env: {} }, "own");
    expect(beside && beside.ca?.at(-1)).toBe("own");
    expect(beside && beside.ca?.length).toBeGreaterThan(50);
    const missing = { env: { PGSSLROOTCERT: "/nowhere" } };
    await expect(encryptionFor(database, missing, undefined)).rejects.toMatchObject({
      code: "bad-certificate",
      message: '"/nowhere" cannot be read: there is no such file.',
      help: "Check PGSSLROOTCERT, which names a file in PEM.",
    });
  });
});
