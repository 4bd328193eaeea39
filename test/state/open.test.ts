// State addresses: the store for each, and the addresses that are refused.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { openHttp } from "../../src/http/http.js";
import type { Io } from "../../src/io.js";
import { notKept, openStores } from "../../src/state/open.js";
import { readerOf } from "../../src/state/state-store.js";
import { io } from "./places.js";
import { newFolder } from "./programs.js";
import { PORTAL } from "./samples.js";

const storesOf = (own: Io) => openStores({ io: own, http: openHttp(own), assertAllowed: () => {} });

const open = (address: string, file = "portals/staging.yaml", cwd = "/srv/gis") =>
  storesOf({ ...io, cwd }).open({
    address,
    file,
    portal: PORTAL,
  });

describe("a folder", () => {
  test.each([
    ["file:.lintel", "portals/staging.yaml", "/srv/gis/portals/.lintel"],
    ["file:../state", "portals/staging.yaml", "/srv/gis/state"],
    ["file:./a b", "/etc/gis/portal.yaml", "/etc/gis/a b"],
    ["file:/var/lib/lintel", "portal.yaml", "/var/lib/lintel"],
    ["file:.lintel", "-", "/srv/gis/.lintel"],
    [pathToFileURL("/var/lib/a b").href, "portal.yaml", "/var/lib/a b"],
  ])("%s beside %s is %s", (address, file, folder) => {
    expect(open(address, file).place).toBe(join(folder, PORTAL.key));
  });

  test("is not created by a read", async () => {
    const folder = join(newFolder(), "state");
    const reader = readerOf(open(`file:${folder}`));
    expect(await reader.read()).toEqual({ state: undefined, version: undefined });
    expect(existsSync(folder)).toBe(false);
    expect(Object.keys(reader).toSorted()).toEqual(["memoryName", "place", "read", "recovery"]);
  });
});

test.each([
  "https://me:hidden@gitlab.example.com/api/v4/projects/1/terraform/state/hidden",
  "https://gitlab.example.com",
  "https://gitlab.example.com/x#hidden",
  "s3://bucket/x?key=hidden",
  "S3://x/hidden",
  "file://host/hidden",
  "file:",
  "file://",
  "file:a\0hidden",
  "git:a..hidden",
  "postgres://db.example.com/gis?schema=hidden&schema=hidden",
  ".lintel/hidden",
  "",
])("refuses %s, suggests a valid address, and shows no part of it", (address) => {
  let failure: unknown;
  try {
    open(address);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ code: "bad-state-address", exit: 3 });
  const { message, help } = failure as Failure;
  expect(help).toMatch(/\n {2}(state: [a-z]|export )/);
  expect(message + help).not.toContain("hidden");
});

test("does not show the values of references", () => {
  const written = "s3://${env:LINTEL_VAR_BUCKET}/gis";
  const stores = storesOf({ ...io, cwd: "/srv/gis" });
  const own = { file: "portal.yaml", portal: PORTAL };
  const open = () => stores.open({ ...own, address: "s3://hidden_/gis", written });
  expect(open).toThrow(
    expect.objectContaining({
      code: "bad-state-address",
      message: "With ${env:LINTEL_VAR_BUCKET} replaced, the address of the state is not valid.",
      help: expect.not.stringContaining("hidden") as string,
    }) as Error,
  );
});

describe("in a pipeline the default folder must be named", () => {
  test.each([
    [undefined, "true", false],
    [undefined, "1", false],
    [undefined, "", true],
    [undefined, "false", true],
    [undefined, undefined, true],
    ["file:.lintel", "true", true],
    ["https://gitlab.example.com/x", "true", true],
  ])("state: %s with CI=%s", (written, CI, isKept) => {
    const failure = notKept(written, { CI });
    expect(failure === undefined).toBe(isKept);
    if (failure)
      expect(failure).toMatchObject({
        code: "bad-state-address",
        exit: 3,
        help: expect.stringContaining("state: file:.lintel") as string,
      });
  });
});
