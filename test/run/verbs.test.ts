// Every verb on desired-state files takes many: one question, a part for each portal, one exit status; names in the order in which people count.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { closedPort } from "../support/network.js";
import { OWN_HOSTS } from "../support/run.js";
import { sitDown } from "../support/terminal.js";
import { call } from "./call.js";
import { openFleet, statuses, updatesOf, type Fleet } from "./fleet.js";

const GOOD = "{ informationalBanner: { text: Good, enabled: true } }";
const BAD = "{ informationalBanner: { text: Bad, enabled: true } }";

async function openApplied(portals: number): Promise<Fleet> {
  const fleet = await openFleet(portals, GOOD, call);
  expect((await fleet.run(["apply", "portals", "--yes"])).exit).toBe(0);
  return fleet;
}

function bannersOf({ sandbox }: Fleet, names: readonly string[]): unknown[] {
  const textOf = (name: string) =>
    (sandbox.settings(name)["informationalBanner"] as { text?: string }).text;
  return names.map(textOf);
}

/** What the commands tell of a portal, each a part of it. */
interface Part {
  readonly name: string;
  readonly exitCode: number;
  readonly written: readonly string[];
  readonly steps: readonly { readonly name: string; readonly status: string }[];
  readonly history: readonly { readonly kind: string; readonly why?: string }[];
  readonly state: object | null;
  readonly released: readonly string[];
  readonly serial: number | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

interface Document extends Partial<Part> {
  readonly exitCode: number;
  readonly portals: readonly Part[];
}

async function toldJson(fleet: Fleet, words: readonly string[]): Promise<Document> {
  const { exit, stdout } = await fleet.run([...words, "-o", "json"]);
  const document = JSON.parse(stdout) as Document;
  expect(document.exitCode).toBe(exit);
  return document;
}

const NAMES = Array.from({ length: 11 }, (_, at) => `portal-${at + 1}`);

describe("rollback", () => {
  async function openBad(portals = NAMES.length): Promise<Fleet> {
    const fleet = await openApplied(portals);
    for (const name of NAMES.slice(0, portals)) fleet.write(name, { settings: BAD });
    expect((await fleet.run(["apply", "portals", "--yes"])).exit).toBe(0);
    return fleet;
  }

  test("rolls back all portals, each by its own history", async () => {
    const fleet = await openBad();
    fleet.write("never", { id: "self" });
    const { portals, exitCode, text } = await fleet.told(["rollback", "portals", "--yes"]);
    expect(portals.map(({ name }) => name)).toEqual(["never", ...NAMES]);
    expect(statuses({ portals } as never)).toEqual({
      never: "nothing-applied",
      ...Object.fromEntries(NAMES.map((name) => [name, "applied"])),
    });
    expect(exitCode).toBe(1);
    expect(text).toContain("12 portals: 11 rolled back, 1 failed.");
    expect(bannersOf(fleet, NAMES)).toEqual(NAMES.map(() => "Good"));
    const held = await fleet.told([
      "apply",
      ...NAMES.map((name) => `portals/${name}.yaml`),
      "--yes",
    ]);
    expect(held.exitCode).toBe(7);
    expect(new Set(Object.values(statuses(held)))).toEqual(new Set(["held"]));
  });

  test("--since skips portals without an apply, and so does unhold", async () => {
    const fleet = await openBad(2);
    fleet.write("never", { id: "self" });
    const back = await fleet.told([
      "rollback",
      "portals",
      "--since",
      "1d",
      "--yes",
      "--allow",
      "disable-notice",
    ]);
    expect(back.exitCode).toBe(0);
    expect(statuses(back)["never"]).toBe("not-begun");
    expect(back.text).toContain("Nothing has been applied here yet.");
    const { exit, stdout } = await fleet.run(["unhold", "portals"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^never .*\n {2}The portal is not on hold\.\n/m);
  });

  test("of many is reported once by status, with their holds", async () => {
    const fleet = await openBad();
    // All in one minute, because those of another one stand alike only with each other.
    const startMs = Math.ceil(Date.now() / 60_000) * 60_000;
    const how = { cwd: fleet.folder, env: fleet.env, startMs };
    expect((await call(["rollback", "portals", "--yes"], how)).exit).toBe(0);
    const { stdout } = await fleet.run(["status", "portals"]);
    expect(stdout).toMatch(
      /\n11 portals: portal-1, .*\n.*\n {2}hold {2}since .*: rollback to apply 1\n\nnext\n/,
    );
    expect(stdout.match(/rollback to apply 1/g)).toHaveLength(1);
  });

  test("asks one question for all, with each target; a no sends nothing", async () => {
    const fleet = await openBad();
    const before = updatesOf(fleet.sandbox).length;
    const sitting = sitDown(fleet.folder, fleet.env, ["no"]);
    expect(await main(["rollback", "portals"], sitting.io)).toBe(1);
    expect(sitting.asked).toEqual(["Roll 11 portals back, and put them on hold? (yes or no) "]);
    const shown = sitting.shown.join("");
    expect(shown).toContain(" portal-11 to apply 1, of ");
    expect(shown).toContain("Nothing was rolled back.");
    expect(updatesOf(fleet.sandbox)).toHaveLength(before);
    const yes = sitDown(fleet.folder, fleet.env, ["yes"]);
    expect(await main(["rollback", "portals"], yes.io)).toBe(0);
    expect(bannersOf(fleet, NAMES)).toEqual(NAMES.map(() => "Good"));
    const [lift] = /lintel unhold .*/.exec(yes.shown.join("")) ?? [];
    const { exit, stdout } = await fleet.run((lift ?? "").split(" ").slice(1));
    expect({ exit, stdout }).toMatchObject({ exit: 0 });
    expect(stdout.match(/The hold has ended/g)).toHaveLength(1);
    expect((await fleet.run(["apply", "portals", "--yes"])).exit).toBe(0);
    expect(bannersOf(fleet, NAMES)).toEqual(NAMES.map(() => "Bad"));
  });

  test("undoes nothing on portals that the last run did not change", async () => {
    const fleet = await openApplied(3);
    const apply = async (...names: string[]) => {
      for (const name of names) fleet.write(name, { settings: BAD });
      expect((await fleet.run(["apply", "portals", "--yes"])).exit).toBe(0);
    };
    await apply("portal-1", "portal-3");
    const before = updatesOf(fleet.sandbox).length;
    const mixed = await fleet.run(["rollback", "portals", "--yes"]);
    expect(mixed.exit).toBe(64);
    expect(mixed.stderr).toContain('not applied together: to "portal-1", "portal-3" at');
    expect(mixed.stderr).toContain('before that to "portal-2".');
    expect(updatesOf(fleet.sandbox)).toHaveLength(before);

    const [call = ""] = /lintel rollback .*/.exec(mixed.stderr) ?? [];
    const since = await fleet.told([...call.split(" ").slice(1), "--yes"]);
    expect(statuses(since)).toEqual({
      "portal-1": "applied",
      "portal-2": "not-begun",
      "portal-3": "applied",
    });
    expect(since.exitCode).toBe(0);
    expect(since.text).toContain("skipped: Nothing was applied here since");
    expect(bannersOf(fleet, ["portal-1", "portal-2", "portal-3"])).toEqual([
      "Good",
      "Good",
      "Good",
    ]);
    // The call that was refused is so again, though one portal alone has anything left to undo.
    const updates = updatesOf(fleet.sandbox).length;
    expect((await fleet.run(["rollback", "portals", "--yes"])).exit).toBe(64);
    expect(updatesOf(fleet.sandbox)).toHaveLength(updates);
    const both = await fleet.run(["rollback", "portals", "--to", "0", "--since", "1h", "--yes"]);
    expect(both.exit).toBe(64);
  });

  test("undoes several runs since a moment", async () => {
    const fleet = await openApplied(2);
    const since = new Date().toISOString();
    for (const [name, text] of [
      ["portal-1", "Bad"],
      ["portal-2", "Bad"],
      ["portal-1", "Worse"],
    ] as const) {
      fleet.write(name, { settings: BAD.replace("Bad", text) });
      expect((await fleet.run(["apply", "portals", "--yes"])).exit).toBe(0);
    }
    const { exit } = await fleet.run(["rollback", "portals", "--since", since, "--yes"]);
    expect(exit).toBe(0);
    expect(bannersOf(fleet, ["portal-1", "portal-2"])).toEqual(["Good", "Good"]);
    const one = await fleet.run(["rollback", "portals/portal-1.yaml", "--since", "0m", "--yes"]);
    expect([one.exit, one.stdout]).toEqual([0, expect.stringContaining("skipped: ")]);
  });

  test("accepts a number for one portal only, and 0 for many", async () => {
    const fleet = await openBad(2);
    const ran = await fleet.run(["rollback", "portals", "--to", "2", "--yes"]);
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain("--to 2 names an apply of one portal, and 2 files are given.");
    expect(ran.stderr).toContain("lintel rollback portals/portal-1.yaml --to 2");
    fleet.sandbox.change("portal-1", { informationalBanner: { text: "By hand", enabled: true } });
    expect((await fleet.run(["rollback", "portals", "--to", "0", "--yes"])).exit).not.toBe(64);
  });
});

describe("pull", () => {
  test("writes each file from its own portal, and keeps files that agree", async () => {
    const fleet = await openApplied(3);
    const change = (name: string) =>
      fleet.sandbox.change(name, { informationalBanner: { text: `Of ${name}`, enabled: true } });
    change("portal-1");
    change("portal-3");
    const read = (name: string) => readFileSync(join(fleet.folder, `portals/${name}.yaml`), "utf8");
    const before = read("portal-2");
    const { portals } = await toldJson(fleet, ["pull", "portals"]);
    expect(portals.map(({ written }) => written)).toEqual([
      ["portals/portal-1.yaml"],
      [],
      ["portals/portal-3.yaml"],
    ]);
    expect([read("portal-1"), read("portal-3")].join()).toMatch(/Of portal-1[^]*Of portal-3/);
    expect(read("portal-2")).toBe(before);
    expect((await fleet.run(["drift", "portals"])).exit).toBe(2);
    expect((await fleet.run(["plan", "portals"])).stdout).not.toMatch(/to set/);
    const ran = await fleet.run(["pull", "portals", "--into", "one.yaml"]);
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain("3 files are meant");
  });

  test("reports the same changes of many files once", async () => {
    const fleet = await openApplied(6);
    for (const name of ["portal-4", "portal-6"])
      fleet.sandbox.change(name, { informationalBanner: { text: "By hand", enabled: true } });
    const { stdout } = await fleet.run(["pull", "portals"]);
    const titleOf = (at: number) =>
      `portal-${at}  ${fleet.sandbox.portalUrl} · portal portal-${at}\n`;
    expect(stdout)
      .toBe(`${[4, 6].map(titleOf).join("")}    ~ informationalBanner.text  "Good" → "By hand"

  portals/portal-4.yaml and 1 more: 1 value changed.

${[1, 2, 3, 5].map(titleOf).join("")}  No differences.
`);
    const none = await fleet.run(["pull", "portals", "--path", "blockBetaApps"]);
    expect(none.stdout).toMatch(/^6 portals: .*\n {2}Not compared: the file manages nothing of /);
  });
});

describe("doctor", () => {
  test("checks each portal, and a broken one hides none", async () => {
    const fleet = await openFleet(2, GOOD, call);
    fleet.write("broken", { settings: "{ blockBetaApp: true }" });
    fleet.write("unknown", {});
    const { portals, exitCode } = await toldJson(fleet, ["doctor", "portals"]);
    expect(exitCode).toBe(4);
    expect(portals.map((each) => each.exitCode)).toEqual([3, 0, 0, 4]);
    const [broken, first, , unknown] = portals;
    expect(broken?.steps).toMatchObject([{ name: "file", status: "failed" }]);
    const stepsOf = (each: Part | undefined) =>
      each?.steps.filter(({ status }) => status === "failed").map(({ name }) => name);
    expect([stepsOf(first), stepsOf(unknown)]).toEqual([[], ["reading"]]);
    const { stdout } = await fleet.run(["doctor", "portals"]);
    expect(stdout).toContain('The key "blockBetaApp" is not known');
  });

  test.each([
    ["other.invalid", "gis.invalid resolves to an address that the proxy looks up"],
    ["gis.invalid", 'Cannot resolve the name "gis.invalid"'],
    ["*", 'Cannot resolve the name "gis.invalid"'],
    ["", "127.0.0.1 resolves to 127.0.0.1"],
  ])("leaves name resolution to the proxy, with NO_PROXY=%s", async (NO_PROXY, told) => {
    const fleet = await openFleet(1, GOOD, call);
    fleet.write("far", { url: "https://gis.invalid/portal/sharing/rest", id: "self" });
    const env = {
      LINTEL_ALLOWED_HOSTS: `${OWN_HOSTS},gis.invalid`,
      HTTPS_PROXY: `http://${await closedPort()}`,
      NO_PROXY,
    };
    expect((await fleet.run(["doctor", "portals"], env)).stdout).toContain(told);
  });

  test("reports common results once, and successes briefly", async () => {
    const fleet = await openApplied(7);
    fleet.write("down", { url: "http://127.0.0.1:9/portal/sharing/rest", id: "self" });
    const { stdout, exit } = await fleet.run(["doctor", "portals"]);
    expect(exit).toBe(4);
    expect(stdout).toMatch(/^down {2}[^]*\n {2}failed {3}connection [^]*\n7 portals: portal-1, /);
    expect(stdout).toMatch(/\n {2}ok {7}file, credentials, address, name, .*state\n$/);
    expect(stdout.match(/warning {2}connection/g)).toHaveLength(1);
  });
});

test("status escapes the file name in the next command", async () => {
  const fleet = await openFleet(1, GOOD, call);
  fleet.write("red\u001B[31m", { id: "self" });
  const files = ["portals/portal-1.yaml", "portals/red\u001B[31m.yaml"];
  const { stdout } = await fleet.run(["status", ...files]);
  expect(stdout).toContain(
    "next\n  lintel apply portals/portal-1.yaml 'portals/red<U+001B>[31m.yaml'\n",
  );
  expect(stdout).not.toContain("\u001B");
});

describe("state", () => {
  test("history and show print each portal's", async () => {
    const fleet = await openApplied(2);
    const history = await toldJson(fleet, ["history", "portals"]);
    expect(history.portals.map((each) => each.history.length)).toEqual([1, 1]);
    const { stdout } = await fleet.run(["history", "portals"]);
    expect(stdout).toMatch(/^apply {2}\S+ \S+ UTC {2}2 portals: portal-1, portal-2\n/);
    const since = await toldJson(fleet, ["history", "portals", "--since", "2020-01-01T00:00Z"]);
    expect(since.portals.map((each) => each.history.length)).toEqual([1, 1]);
    const other = await fleet.run(["history", "portals", "--path", "blockBetaApps"]);
    expect(other.stdout).toBe("No entries.\n");
    fleet.write("never", { id: "self" });
    const mixed = await toldJson(fleet, ["history", "portals"]);
    // One that was never applied to has none, and hinders nobody.
    expect(mixed.exitCode).toBe(0);
    expect(mixed.portals.map((each) => each.history.length)).toEqual([0, 1, 1]);
    const shown = await toldJson(fleet, ["state", "show", "portals"]);
    expect(shown.portals.map(({ state }) => state !== null)).toEqual([false, true, true]);
  });

  test("for one file, has its keys at the top, and fails with it", async () => {
    const fleet = await openApplied(1);
    const one = await toldJson(fleet, ["history", "portals"]);
    expect(one.history).toEqual(one.portals[0]?.history);
    fleet.write("never", { id: "self" });
    const words = ["state", "rm", "portals/never.yaml", "blockBetaApps", "-o", "json"];
    const failed = await fleet.run(words);
    expect(JSON.parse(failed.stdout)).toMatchObject({ failure: { code: "nothing-applied" } });
  });

  test("releases a setting wherever it is managed, and refuses an unmanaged one", async () => {
    const fleet = await openApplied(2);
    fleet.write("portal-2", { settings: "{ blockBetaApps: true }" });
    expect((await fleet.run(["apply", "portals", "--yes"])).exit).toBe(0);
    const words = ["state", "rm", "portals/*.yaml", "informationalBanner"];
    const { portals, exitCode } = await toldJson(fleet, words);
    expect(exitCode).toBe(0);
    expect(portals.map(({ released }) => released)).toEqual([
      ["informationalBanner.enabled", "informationalBanner.text"],
      [],
    ]);
    const serials = async () =>
      (await toldJson(fleet, ["status", "portals"])).portals.map(({ serial }) => serial);
    const before = await serials();
    const slip = await fleet.run(["state", "rm", "portals", "blockBetaApp"]);
    expect(slip.exit).toBe(64);
    expect(slip.stderr).toContain('Did you mean "blockBetaApps"?');
    expect(await serials()).toEqual(before);
    const bare = await fleet.run(["state", "rm", "informationalBanner"]);
    expect(bare.exit).toBe(64);
    expect(bare.stderr).toContain("Name the files before the settings");
  });
});
