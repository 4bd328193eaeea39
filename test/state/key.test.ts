// The keys of states, made from a portal's address and id.
import { fc } from "../support/property.js";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { identityOf } from "../../src/state/key.js";

const keyOf = (url: string, id: string) => identityOf(url, id).key;

describe("a readable key", () => {
  test.each([
    ["https://gis.example.com/portal/sharing/rest", "self", "gis.example.com-portal-self"],
    ["https://gis.example.com/portal/sharing/rest/", "self", "gis.example.com-portal-self"],
    ["https://GIS.Example.COM/portal/sharing/rest", "self", "gis.example.com-portal-self"],
    ["https://gis.example.com:443/portal/sharing/rest", "self", "gis.example.com-portal-self"],
    [
      "https://gis.example.com:7443/arcgis/sharing/rest",
      "self",
      "gis.example.com_7443-arcgis-self",
    ],
    ["http://localhost:8080/sharing/rest", "portal-1", "localhost_8080-portal--1"],
    ["https://www.example.com/sharing/rest", "self", "www.example.com-self"],
    ["https://gis-dev.example.com/a/b/sharing/rest", "Ab1", "gis--dev.example.com-a-b-~41b1"],
    ["http://gis.example.com/portal/sharing/rest", "self", "gis.example.com_80-portal-self"],
  ])("%s %s has the key %s", (url, id, key) => {
    expect(keyOf(url, id)).toBe(key);
  });
});

test("gives similar portals different keys", () => {
  const alike: [string, string][] = [
    ["https://gis-portal/sharing/rest", "self"],
    ["https://gis/portal/sharing/rest", "self"],
    ["https://gis/portal-self/sharing/rest", "x"],
    ["https://gis/portal/sharing/rest", "self-x"],
    ["https://gis/portal/self/sharing/rest", "x"],
    ["https://gis/portal/sharing/rest", "Self"],
    ["https://gis/Portal/sharing/rest", "self"],
    ["https://gis:7443/portal/sharing/rest", "self"],
    ["https://gis_7443/portal/sharing/rest", "self"],
    ["https://gis//portal/sharing/rest", "self"],
    ["https://gis/portal/sharing/rest", ""],
    ["https://gis/portal/sharing/rest", "~"],
    ["https://gis/portal/sharing/rest", "../../etc/passwd"],
  ];
  const keys = alike.map(([url, id]) => keyOf(url, id));
  expect(new Set(keys).size).toBe(alike.length);
});

test("makes keys that are unique and valid file names", () => {
  const part = fc.oneof(
    fc.string({ unit: fc.constantFrom("-", "a", "B", "_", "~", "."), maxLength: 5 }),
    fc.string({ unit: "grapheme", maxLength: 100 }),
  );
  const portal = fc.record({
    host: fc.stringMatching(/^[a-z]([a-z0-9-]{0,9}[a-z0-9])?(\.[a-z]{1,5})?$/),
    port: fc.constantFrom("", ":7443", ":80"),
    path: fc.array(part.map(encodeURIComponent), { maxLength: 3 }),
    id: part,
  });
  fc.assert(
    fc.property(portal, portal, (one, other) => {
      const [first, second] = [one, other].map(({ host, port, path, id }) => {
        const { url, key } = identityOf(
          `https://${host}${port}/${path.map((each) => `${each}/`).join("")}sharing/rest`,
          id,
        );
        expect(key).toMatch(/^[a-z0-9~_][a-z0-9.~_-]*$/);
        expect(key.length).toBeLessThanOrEqual(200);
        return { key, whole: JSON.stringify([url, id]) };
      });
      expect(first?.key === second?.key).toBe(first?.whole === second?.whole);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  "gis.example.com",
  "ftp://gis.example.com/x",
  "https://me:secret@gis.example.com/x",
  "",
])("refuses %s as an address, and shows no password", (url) => {
  const refuse = () => identityOf(url, "self");
  expect(refuse).toThrow(Failure);
  expect(refuse).toThrow(expect.objectContaining({ code: "wrong-usage" }));
  expect(refuse).not.toThrow(/secret/);
});
