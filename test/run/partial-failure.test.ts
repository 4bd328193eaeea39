// Portals that fail, each in its own way: none hides or stops another, in any report, and the exit status sums them up.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closedPort } from "../support/network.js";
import { openFleet, signInsOf, statuses, updatesOf, type Fleet } from "./fleet.js";

const SETTINGS = "{ blockBetaApps: true }";
const OFF = "{ informationalBanner: { enabled: false } }";
const WRONG = { LINTEL_WRONG_KEY: "not-the-key" };
const WITH_WRONG_KEY = 'webServicesKey: "${env:LINTEL_WRONG_KEY}"';

/** portal-4 is on hold, and its file wants what was rolled back. */
async function hold({ sandbox, run }: Fleet): Promise<void> {
  sandbox.change("portal-4", { blockBetaApps: false });
  expect((await run(["apply", "portals/portal-4.yaml", "--yes"])).exit).toBe(0);
  const back = ["rollback", "portals/portal-4.yaml", "--yes"];
  expect((await run(back)).exit).toBe(0);
}

async function openMiserable(): Promise<Fleet> {
  const fleet = await openFleet(4, SETTINGS);
  const { sandbox, write } = fleet;
  await hold(fleet);
  write("broken", { id: "self", settings: "{ blockBetaApp: true }" });
  write("dead", { url: `http://${await closedPort()}/rest`, id: "self" });
  write("refused", { id: "self", signIn: WITH_WRONG_KEY });
  write("portal-3", { settings: OFF });
  sandbox.change("portal-3", { informationalBanner: { text: "Maintenance", enabled: true } });
  return fleet;
}

const APPLIED = {
  broken: "file-invalid",
  dead: "not-reachable",
  "portal-1": "applied",
  "portal-2": "applied",
  "portal-3": "guarded",
  "portal-4": "held",
  refused: "sign-in-refused",
};

/** What a report shows in place of the code of a failure. */
const REASONS: Readonly<Record<string, string>> = {
  "file-invalid": "unknown-key",
  guarded: "disable-notice",
  held: "hold",
};

test("applies the good portals, and reports each one in text, JSON and Markdown", async () => {
  const { sandbox, folder, told } = await openMiserable();
  const before = updatesOf(sandbox).length;
  const applied = await told(["apply", "portals", "--yes", "-o", "markdown=told.md"], WRONG);
  expect(statuses(applied)).toEqual(APPLIED);
  expect(applied.exitCode).toBe(7);
  expect(applied.summary).toMatchObject({ portals: 7, failed: 5 });
  expect(updatesOf(sandbox).slice(before).toSorted()).toEqual(["portal-1", "portal-2"]);
  const markdown = readFileSync(join(folder, "told.md"), "utf8");
  for (const [name, end] of Object.entries(APPLIED)) {
    expect(applied.text).toContain(name);
    expect(markdown).toContain(name);
    if (end === "applied") continue;
    const reason = REASONS[end] ?? end;
    expect(applied.text).toContain(reason);
    expect(markdown).toContain(reason);
  }
});

test("plans readable portals, and shows why others fail", async () => {
  const { sandbox, told } = await openMiserable();
  const before = updatesOf(sandbox).length;
  const planned = await told(["plan", "portals", "--detailed-exitcode"], WRONG);
  expect(statuses(planned)).toEqual({
    ...APPLIED,
    "portal-1": "changes",
    "portal-2": "changes",
    "portal-3": "changes",
    "portal-4": "changes",
  });
  expect(planned.exitCode).toBe(4);
  expect(updatesOf(sandbox)).toHaveLength(before);
});

test.each([
  ["drift", { "portal-1": "unchanged", "portal-4": "unchanged" }, 4],
  // One is on hold.
  ["status", { "portal-1": "changes", "portal-4": "changes" }, 7],
])("%s reports the good ones too", async (command, good, exit) => {
  const { told } = await openMiserable();
  const document = await told([command, "portals"], WRONG);
  const { broken, dead, refused } = APPLIED;
  expect(statuses(document)).toMatchObject({ broken, dead, refused, ...good });
  expect(document.exitCode).toBe(exit);
});

const ROLL_UPS: [name: string, wanted: (fleet: Fleet) => void, exit: number][] = [
  ["two broken files", ({ write }) => ["a", "b"].forEach((id) => write(id, BROKEN)), 3],
  [
    "two portals that nobody knows",
    ({ write }) => ["unknown-1", "unknown-2"].forEach((id) => write(id, {})),
    4,
  ],
  [
    "a broken file and a portal that nobody knows",
    ({ write }) => {
      write("a", BROKEN);
      write("unknown-1", {});
    },
    4,
  ],
  ["none that failed", () => {}, 2],
];
const BROKEN = { settings: "{ blockBetaApp: true }" };

test.each(ROLL_UPS)("%s and one with changes have one status", async (_, change, exit) => {
  const fleet = await openFleet(1, SETTINGS);
  change(fleet);
  const planned = await fleet.told(["plan", "portals", "--detailed-exitcode"]);
  expect(planned.exitCode).toBe(exit);
  expect(statuses(planned)).toMatchObject({ "portal-1": "changes" });
});

test("guards and holds both exit with 7", async () => {
  const fleet = await openFleet(4, SETTINGS);
  await hold(fleet);
  fleet.write("portal-3", { settings: OFF });
  fleet.sandbox.change("portal-3", { informationalBanner: { text: "x", enabled: true } });
  const applied = await fleet.told(["apply", "portals", "--yes"]);
  expect(statuses(applied)).toMatchObject({ "portal-3": "guarded", "portal-4": "held" });
  expect(applied.exitCode).toBe(7);
});

test.each(["plan", "apply", "drift", "status"])(
  "%s tries a refused sign-in once for all portals that share it",
  async (command) => {
    const { sandbox, write, told } = await openFleet(6, SETTINGS);
    for (let at = 1; at <= 6; at++) write(`portal-${at}`, { signIn: WITH_WRONG_KEY });
    const document = await told(
      [command, "portals", ...(command === "apply" ? ["--yes"] : [])],
      WRONG,
    );
    expect(document.exitCode).toBe(4);
    expect(new Set(Object.values(statuses(document)))).toEqual(new Set(["sign-in-refused"]));
    expect(document.portals).toHaveLength(6);
    expect(signInsOf(sandbox)).toBe(1);
  },
);

test.each(["plan", "apply", "drift", "status"])(
  "%s fails two files for one portal, and continues with the others",
  async (command) => {
    const { sandbox, write, told } = await openFleet(3, SETTINGS);
    write("twin", { id: "portal-2", url: `${sandbox.portalUrl}/` });
    const words = [command, "portals", ...(command === "apply" ? ["--yes"] : [])];
    const document = await told(words);
    expect(document.exitCode).toBe(3);
    expect(statuses(document)).toMatchObject({
      "portal-2": "same-portal-twice",
      twin: "same-portal-twice",
    });
    const { text } = document;
    expect(text).toContain('"portals/portal-2.yaml" and "portals/twin.yaml" configure the same');
    expect(text).toContain('"portals/twin.yaml" and "portals/portal-2.yaml" configure the same');
    expect(updatesOf(sandbox).toSorted()).toEqual(
      command === "apply" ? ["portal-1", "portal-3"] : [],
    );
  },
);

test("the same file named twice is one portal", async () => {
  const { told } = await openFleet(1, SETTINGS);
  const { portals } = await told(["plan", "portals", "portals/portal-1.yaml", "./portals"]);
  expect(portals).toHaveLength(1);
});

test("a broken file keeps the name of its portal, else of the file", async () => {
  const { folder, run, write } = await openFleet(1, SETTINGS);
  write("nameless", BROKEN);
  const path = join(folder, "portals/portal-1.yaml");
  const broken = readFileSync(path, "utf8").replace("portal: {", "portal: { name: North,");
  writeFileSync(path, broken.replace("blockBetaApps", "blockBetaApp"));
  const { stdout } = await run(["status", "portals", "--output", "json"]);
  const { portals } = JSON.parse(stdout) as { portals: { name: string }[] };
  expect(portals.map(({ name }) => name)).toEqual(["nameless", "North"]);
});
