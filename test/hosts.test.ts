// The list of hosts: what an entry lets in, what it keeps out, and which entries are none.
import { describe, expect, test } from "vitest";
import { Failure } from "../src/failure.js";
import { bareNameHint, entryFor, isListed, isSecure, parseHosts } from "../src/hosts.js";
import { isPipeline } from "../src/io.js";

test.each([
  ["https://gis.example.com/x", "gis.example.com", true],
  ["https://gis.example.com/x", "a.example.com, GIS.example.com", true],
  ["https://gis.example.com/x", "a.example.com,,gis.example.com,", true],
  ["https://gis.example.com:443/x", "gis.example.com", true],
  ["https://gis.example.com:7443/x", "gis.example.com", false],
  ["https://gis.example.com:7443/x", "https://gis.example.com:7443", true],
  ["https://gis.example.com:7444/x", "https://gis.example.com:7443", false],
  ["https://gis.example.com/x", "https://gis.example.com:7443", false],
  ["https://gis.example.com/x", "https://gis.example.com:443", true],
  ["https://gis.example.com/x", "https://gis.example.com", true],
  ["http://gis.example.com/x", "gis.example.com", false],
  ["http://gis.example.com:443/x", "gis.example.com", false],
  ["https://gis.example.com/x", "*.example.com", true],
  ["https://a.b.example.com/x", "*.example.com", true],
  ["https://gis.example.com:7443/x", "*.example.com", false],
  ["https://example.com/x", "*.example.com", false],
  ["https://evilexample.com/x", "*.example.com", false],
  ["https://gis.example.com.evil.example/x", "gis.example.com", false],
  ["https://gis.example.com@evil.example/x", "gis.example.com", false],
  ["https://gis.example.com./x", "gis.example.com", false],
  ["https://bücher.example/x", "xn--bcher-kva.example", true],
  ["https://xn--bcher-kva.example/x", "bücher.example", true],
  ["https://[2001:db8::1]:8443/x", "https://[2001:DB8:0::1]:8443", true],
  ["http://127.0.0.1:8080/x", "http://127.0.0.1:*", true],
  ["http://127.0.0.1/x", "http://127.0.0.1:*", true],
  ["http://127.0.0.1/x", "http://127.0.0.1:80", true],
  ["http://127.0.0.1:8080/x", "http://127.0.0.1:8081", false],
  ["http://2130706433:8080/x", "http://127.0.0.1:8080", true],
  ["http://localhost:8080/x", "http://127.0.0.1:*", false],
  ["https://127.0.0.1:8080/x", "http://127.0.0.1:*", false],
  ["http://[::1]:8080/x", "http://[::1]:*", true],
  ["https://gis.example.com/x", "", false],
  ["postgres://db.example.com:5432", "postgres://db.example.com:5432", true],
  ["postgres://db.example.com:5432", "postgresql://DB.example.com", true],
  ["postgres://db.example.com:5432", "db.example.com", false],
  ["postgres://db.example.com:5432", "*.example.com", false],
  ["postgres://db.example.com:5432", "https://db.example.com:5432", false],
  ["https://db.example.com:5432/x", "postgres://db.example.com:5432", false],
  ["postgres://db.example.com:5433", "postgres://db.example.com", false],
  ["postgres://db.example.com:443", "postgres://db.example.com:443", true],
  ["postgres://db.example.com:80", "postgres://db.example.com:80", true],
  ["postgres://127.0.0.1:6543", "postgres://127.0.0.1:*", true],
  ["postgres://127.0.0.1:6543", "http://127.0.0.1:*", false],
  ["unix:/run/postgresql", "gis.example.com, unix:/run/postgresql", true],
  ["unix:/run/postgresql", "UNIX:/run/postgresql/", true],
  ["unix:/run/postgresql", "unix:/run//x/../postgresql", true],
  ["unix:/run/my%20folder", "unix:/run/my folder", true],
  ["unix:/run/postgresql", "unix:/run", false],
  ["unix:/run/postgresql", "unix:/", false],
  ["unix:/run/postgresql", "unix:/run/postgresql/x", false],
  ["unix:/run/postgresql", "unix:/run/PostgreSQL", false],
  ["unix:/run/postgresql", "http://127.0.0.1:*,postgres://127.0.0.1:*", false],
])("%s with %j: %s", (url, list, isMet) => {
  expect(isListed(new URL(url), parseHosts(list))).toBe(isMet);
});

test.each([
  ["http://127.0.0.1:8080/x", "127.0.0.1", ': "127.0.0.1" alone means https at port 443'],
  [
    "https://gis.example.com:7443/x",
    "GIS.example.com",
    ': "gis.example.com" alone means https at port 443',
  ],
  ["http://127.0.0.1:8080/x", "http://127.0.0.1:8081", ""],
  ["https://gis.example.com:7443/x", "*.example.com", ""],
  ["https://gis.example.com/x", "other.example.com", ""],
])("what a bare name leaves out of %s with %j is told", (url, list, hint) => {
  expect(bareNameHint(new URL(url), parseHosts(list))).toBe(hint);
});

test.each([
  "*",
  "*.*",
  "gis.example.com:443",
  "gis.example.com/portal",
  "https://gis.example.com/portal",
  "https://gis.example.com/",
  "https://gis.example.com:*",
  "https://*.example.com:7443",
  "http://gis.example.com",
  "http://gis.example.com:*",
  "http://127.0.0.1.evil.example:*",
  "https://me@gis.example.com:443",
  "https://gis.example.com:99999",
  "ftp://gis.example.com:21",
  "postgres://db.example.com:*",
  "postgres://lintel@db.example.com:5432",
  "postgres://db.example.com/lintel",
  "postgres://*.example.com",
  "gis.example.com other.example.com",
  "https://",
  "gis.*.com",
  "unix:",
  "unix:run/postgresql",
  "unix:/run?x",
  "unix:/run/%zz",
])("%s is no entry, and named", (entry) => {
  let failure: unknown;
  try {
    parseHosts(`a.example.com, ${entry}`);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ code: "bad-variable", exit: 64 });
  expect((failure as Failure).message).toContain(`"${entry}"`);
});

test.each([
  ["https://gis.example.com/portal", "gis.example.com"],
  ["https://gis.example.com:7443/portal", "https://gis.example.com:7443"],
  ["http://127.0.0.1:8080/portal", "http://127.0.0.1:8080"],
  ["http://[::1]/portal", "http://[::1]"],
  ["postgres://db.example.com:5432", "postgres://db.example.com:5432"],
  ["unix:/run/postgresql", "unix:/run/postgresql"],
  ["unix:/run/my%20folder", "unix:/run/my%20folder"],
  ["unix:/run/50%25", "unix:/run/50%25"],
])("%s is listed by %s", (url, entry) => {
  expect(entryFor(new URL(url))).toBe(entry);
  expect(isListed(new URL(url), parseHosts(entry))).toBe(true);
});

test.each([
  ["https://gis.example.com", true],
  ["http://127.0.0.1:1", true],
  ["http://127.1.2.3:1", true],
  ["http://localhost:1", true],
  ["http://[::1]:1", true],
  ["postgres://db.example.com:5432", true],
  ["unix:/run/postgresql", true],
  ["http://gis.example.com", false],
  ["http://10.0.0.1", false],
  ["http://0.0.0.0:1", false],
  ["http://127.0.0.1.evil.example", false],
  ["http://localhost.evil.example", false],
])("what goes to %s cannot be read on the way: %s", (url, isSo) => {
  expect(isSecure(new URL(url))).toBe(isSo);
});

describe("a pipeline", () => {
  test.each(["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION"])("is known by %s", (name) => {
    expect(isPipeline({ [name]: "true" })).toBe(true);
    expect(isPipeline({ [name]: "https://ci.example.com/" })).toBe(true);
    for (const none of ["", " ", "0", "false", "FALSE"])
      expect(isPipeline({ [name]: none })).toBe(false);
  });

  test("is undefined without a statement", () => {
    expect(isPipeline({ HOME: "/root" })).toBe(false);
  });
});
