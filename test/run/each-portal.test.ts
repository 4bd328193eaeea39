// Many files: what is held of each, and what is said of one that ends in a way that nobody expected.
import { UNWATCHED } from "../../src/progress.js";
import { expect, onTestFinished, test } from "vitest";
import { eachPortal } from "../../src/apply/each-portal.js";
import type { PortalContext } from "../../src/apply/portal-context.js";
import type { RunContext } from "../../src/apply/run-context.js";
import { openHostAllowlist } from "../../src/http/host-allowlist.js";
import { openStores } from "../../src/state/open.js";
import { openSignIns } from "../../src/session/sign-ins.js";
import { openHttp } from "../../src/http/http.js";
import { folderOf } from "../support/run.js";
import { sitDown } from "../support/terminal.js";

const fileFor = (name: string) =>
  `targetVersion: "12.1"\nportal: { url: "https://${name}.example.org/rest" }\nsignIn: { url: "https://accounts.example.org" }\n`;

function runFor(names: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = folderOf(Object.fromEntries(names.map((name) => [`${name}.yaml`, fileFor(name)])));
  const sitting = sitDown(folder.path, env, []);
  const { io } = sitting;
  const http = openHttp(io, {});
  onTestFinished(async () => {
    await http.close();
    folder.remove();
  });
  const run: RunContext = {
    io,
    http,
    signIns: openSignIns(io, http),
    allowlist: openHostAllowlist(io),
    isOnline: false,
    stores: openStores({ io, http, assertAllowed: () => {} }),
    toolVersion: "0",
    atMs: io.now(),
    progress: UNWATCHED,
    command: "lintel plan",
    concurrency: 2,
    notice: () => {},
  };
  return { run, shown: sitting.shown, files: names.map((name) => `${name}.yaml`) };
}

const odd = async ({ desired }: PortalContext) => {
  if (desired.file === "b.yaml") throw new TypeError("something odd");
  return desired.file;
};

test("reports an unexpected error of one portal, and continues with the others", async () => {
  const { run, files, shown } = runFor(["a", "b", "c"]);
  const members = await eachPortal(run, files, odd);
  expect(members.map(({ value, failure }) => value ?? failure?.code)).toEqual([
    "a.yaml",
    "a-bug-in-lintel",
    "c.yaml",
  ]);
  expect(shown).toEqual([]);
});

test("prints its trace once with LINTEL_DEBUG", async () => {
  const { run, files, shown } = runFor(["a", "b"], { LINTEL_DEBUG: "1" });
  await eachPortal({ ...run, concurrency: 1 }, files, odd);
  expect(shown).toHaveLength(1);
  expect(shown.join("")).toMatch(/^TypeError: something odd\n +at .*each-portal\.test\.ts/);
});

test("reads no more files at a time than --concurrency", async () => {
  const { run, files } = runFor(["a", "b", "c", "d", "e"]);
  let [under, most] = [0, 0];
  await eachPortal(run, files, async () => {
    most = Math.max(most, ++under);
    await new Promise((done) => setTimeout(done, 5));
    under--;
  });
  expect(most).toBe(2);
});
