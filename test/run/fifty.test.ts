// Fifty portals as easily as one: a bad base undone, portals that fail each in its own way, and an interrupt in the middle.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOf } from "../support/run.js";
import { keysOf, openSandbox } from "../support/sandbox.js";
import { call, type Calling } from "./call.js";
import { statuses, updatesOf, type Document } from "./fleet.js";

const COUNT = 50;
const NAMES = Array.from({ length: COUNT }, (_, at) => `portal-${at + 1}`);

/** Fifty files that say their portal alone, and one base. */
async function openFifty() {
  const sandbox = await openSandbox({ portals: COUNT });
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const { path } = folder;
  mkdirSync(join(path, "portals"));
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  const base = (text: string) =>
    write(
      "_base.yaml",
      `targetVersion: "12.1"\nsignIn: { url: "${sandbox.signInUrl}" }\nsettings: { informationalBanner: { text: ${text}, enabled: true } }\n`,
    );
  const portal = (name: string, id = name) =>
    write(
      `portals/${name}.yaml`,
      `extends: ../_base.yaml\nportal: { url: "${sandbox.portalUrl}", id: ${id} }\n`,
    );
  for (const name of NAMES) portal(name);
  const run = async (words: string, more: Partial<Calling> = {}) => {
    const from = updatesOf(sandbox).length;
    const ran = await call([...words.split(" "), "-o", "json"], {
      cwd: path,
      env: keysOf(sandbox),
      ...more,
    });
    const document = JSON.parse(ran.stdout) as Document;
    expect(ran.exit).toBe(document.exitCode);
    return { ...document, stderr: ran.stderr, updates: updatesOf(sandbox).slice(from) };
  };
  const told = (words: string) => call(words.split(" "), { cwd: path, env: keysOf(sandbox) });
  return { sandbox, write, base, portal, run, told };
}

const countsOf = (document: Document) => {
  const counts: Record<string, number> = {};
  for (const end of Object.values(statuses(document))) counts[end] = (counts[end] ?? 0) + 1;
  return counts;
};

const textsOf = ({ sandbox }: Awaited<ReturnType<typeof openFifty>>) => {
  const textOf = (name: string) =>
    (sandbox.settings(name)["informationalBanner"] as { text?: string } | undefined)?.text;
  return [...new Set(NAMES.map(textOf))];
};

test("undoes a bad base on fifty portals with one rollback, one correction and one unhold", async () => {
  const fifty = await openFifty();
  const { base, run, told } = fifty;
  base("Good");
  expect(countsOf(await run("apply portals --yes"))).toEqual({ applied: COUNT });
  base("Bad");
  const bad = await run("apply portals --yes");
  expect(bad.portals.map(({ name }) => name)).toEqual(NAMES);
  expect(textsOf(fifty)).toEqual(["Bad"]);

  const back = await run("rollback portals --yes");
  expect([back.exitCode, countsOf(back)]).toEqual([0, { applied: COUNT }]);
  expect(textsOf(fifty)).toEqual(["Good"]);
  base("Mended");
  // What many are told alike is told once.
  const held = await told("apply portals --yes");
  expect([held.exit, held.stdout.match(/✗ hold/g)]).toEqual([7, ["✗ hold"]]);
  expect(textsOf(fifty)).toEqual(["Good"]);
  expect((await run("unhold portals")).exitCode).toBe(0);
  const mended = await run("apply portals --yes");
  expect([mended.exitCode, countsOf(mended)]).toEqual([0, { applied: COUNT }]);
  expect(textsOf(fifty)).toEqual(["Mended"]);
});

test("applies the rest of fifty portals with failures, and the remaining ones in a second run", async () => {
  const fifty = await openFifty();
  const { sandbox, base, write, portal, run, told } = fifty;
  base("Hello");
  for (const at of [20, 40]) {
    sandbox.faults.push({
      kind: "error-json",
      match: new RegExp(`POST .*/portals/portal-${at}/settings/update`),
    });
  }
  sandbox.faults.push({ kind: "hang", match: /POST .*\/portals\/portal-7\/settings\/update/ });
  write("portals/portal-33.yaml", "extends: ../_base.yaml\nportl: {}\n");
  portal("twin", "portal-11");

  const found = await told("validate portals");
  expect(found.exit).toBe(3);
  expect(found.stdout).toContain('"portals/portal-11.yaml" and "portals/twin.yaml"');

  const first = await run("apply portals --yes --timeout 2 --keep-going");
  const { "portal-7": hung, ...others } = statuses(first);
  expect(hung).toBe("outcome-unknown");
  expect(Object.entries(others).filter(([, end]) => end !== "applied")).toEqual([
    ["portal-11", "same-portal-twice"],
    ["portal-20", "portal-refused"],
    ["portal-33", "file-invalid"],
    ["portal-40", "portal-refused"],
    ["twin", "same-portal-twice"],
  ]);
  expect(first.exitCode).toBe(8);
  expect(first.summary).toMatchObject({ portals: 51, failed: 6 });

  sandbox.faults.splice(0);
  portal("portal-33");
  portal("twin", "self");
  const second = await run("apply portals --yes");
  expect([second.exitCode, countsOf(second)]).toEqual([0, { unchanged: 45, applied: 6 }]);
  expect(second.updates.toSorted()).toEqual(
    ["portal-11", "portal-20", "portal-33", "portal-40", "portal-7", "self"].toSorted(),
  );
  expect(textsOf(fifty)).toEqual(["Hello"]);
});

test("reports what was done at an interrupt, and applies the rest in the next run", async () => {
  const fifty = await openFifty();
  const { sandbox, base, run } = fifty;
  base("Hello");
  const interrupt = new AbortController();
  sandbox.faults.push({
    kind: "html",
    match: ({ method, path }) => {
      if (method === "POST" && path.includes("/portal-25/")) interrupt.abort();
      return false;
    },
  });
  const cut = await run("apply portals --yes", { signal: interrupt.signal });
  expect(cut.exitCode).toBe(130);
  const applied = Object.entries(statuses(cut)).flatMap(([name, end]) =>
    end === "applied" ? [name] : [],
  );
  expect(applied).toContain("portal-25");
  expect(applied.length).toBeLessThan(COUNT);
  // Neither more nor less than what was sent.
  expect(cut.updates.toSorted()).toEqual(applied.toSorted());
  expect(cut.portals.filter(({ status }) => status === "skipped")).toHaveLength(
    COUNT - applied.length,
  );

  sandbox.faults.splice(0);
  const rest = await run("apply portals --yes");
  expect([rest.exitCode, countsOf(rest)]).toEqual([
    0,
    { unchanged: applied.length, applied: COUNT - applied.length },
  ]);
  expect(textsOf(fifty)).toEqual(["Hello"]);
});
