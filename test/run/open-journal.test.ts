// Where the open journal is what keeps others out: a run that meets one leaves it to whoever opened it, as long as that run may be at work.
import { describe, expect, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { LEASE_MS } from "../../src/state/git/lease.js";
import { identityOf } from "../../src/state/key.js";
import { MARGIN_MS, processOf, PUSH_MS } from "../../src/state/recover.js";
import type { Journal, State } from "../../src/state/state.js";
import { emptyState, settle, withJournal } from "../../src/state/steps.js";
import { machine } from "../state/places.js";
import { makeServer, run as git } from "../state/repositories.js";
import { AUTHOR, JOURNAL, LINEAGE } from "../state/samples.js";
import { stand } from "./middle.js";
import { headFor, isUpdate, openPlace } from "./place.js";

const STATE = "state: git:lintel-state\n";
const wants = (text: string) => `${STATE}settings: { informationalBanner: { text: ${text} } }\n`;
/** As long as its call may take, and what writing the journal may. */
const TIMEOUT_MS = 60_000 + PUSH_MS;

/** A clone, where Ben's run on another machine has just begun to send "Two". */
async function arrange(isTaken = false, process?: Journal["process"]) {
  const place = await openPlace({}, { informationalBanner: { text: "One", enabled: true } });
  const server = makeServer();
  const { path } = place.folder;
  git(path, server.env, ["init", "--quiet"]);
  git(path, server.env, ["remote", "add", "origin", `file://${server.folder}`]);
  const portal = identityOf(place.sandbox.portalUrl, "self");
  const name = `${portal.key}.json`;
  const journal: Journal = {
    ...JOURNAL,
    time: new Date().toISOString(),
    by: { ...AUTHOR, actor: "ben", ...(process && { host: machine.host }) },
    ...(process && { process }),
    timeoutMs: TIMEOUT_MS,
    changes: JOURNAL.changes.map((change) => ({ ...change, before: "One", after: "Two" })),
    before: { informationalBanner: { text: "One", enabled: true } },
    settings: { informationalBanner: { text: "Two", enabled: true } },
    leaves: JOURNAL.leaves.map((leaf) => ({ ...leaf, sent: "Two" })),
  };
  const open = withJournal(emptyState(LINEAGE, portal), journal);
  const { settings, timeoutMs: _waited, before: _stood, leaves, ...entry } = journal;
  const settled = settle(open, {
    ...entry,
    leaves: leaves.map((leaf) => ({ ...leaf, shown: "Two" })),
  });
  const plant = (state: State) => server.plant(printState(state), name);
  const takes = () => place.sandbox.change("self", settings);
  plant(open);
  if (isTaken) takes();
  return {
    ...place,
    server,
    plant,
    open,
    settled,
    takes,
    run: (words: string, more: Parameters<typeof place.run>[1] = {}) =>
      place.run(words, { ...more, env: server.env }),
    state: () => JSON.parse(server.stored(name) ?? "null") as State,
  };
}

const textsOf = ({ history }: State) =>
  history.map(({ by, changes }) => [by.actor, changes[0]?.after]);

test("without waiting it is said who is at it and until when, and never that it is locked", async () => {
  const place = await arrange();
  place.write(wants("Three"));
  const { exit, stdout } = await place.run("apply --yes --no-wait");
  expect(exit).toBe(8);
  const told = stdout.replace(/\s+/g, " ");
  expect(told).toMatch(
    /The outcome of the apply that ben began on build-7 at .* is unknown for up to \d+ s from now \(until \d{4}-\d\d-\d\d \d\d:\d\d UTC at the latest/,
  );
  expect(told).not.toContain("locked");
  expect(place.state()).toMatchObject({ serial: 1 });
  expect(place.updates()).toEqual([]);
});

test("a run that is at work closes its journal itself, and the other goes on from there", async () => {
  const place = await arrange();
  place.write(wants("Three"));
  let isSettled = false;
  const waits: number[] = [];
  const { exit, stderr } = await place.run("apply --yes", {
    onSleep: (sleptMs) => {
      if (!isSettled) waits.push(sleptMs);
      if (isSettled || sleptMs < 20_000) return;
      isSettled = true;
      place.takes();
      place.plant(place.settled);
    },
  });
  expect(stderr).toMatch(
    /Waiting for up to \d+ s: the update that ben sent to .* may still arrive\./,
  );
  expect(stderr).toContain("is settled.");
  expect(exit).toBe(0);
  expect(waits.at(-1)).toBeLessThan(30_000);
  expect(textsOf(place.state())).toEqual([
    ["ben", "Two"],
    [expect.any(String), "Three"],
  ]);
});

test("also where all of it has arrived, it is left to settle that for as long as it may be at work", async () => {
  const place = await arrange(true);
  place.write(wants("Three"));
  const waits: number[] = [];
  const ran = await place.run("apply --yes", {
    onSleep: (sleptMs) => {
      if (place.state().serial === 1) waits.push(sleptMs);
    },
  });
  expect(ran).toMatchObject({ exit: 0 });
  const told = [...ran.stderr.matchAll(/waiting for an earlier update \((\d+) s\)/g)];
  const seconds = told.map(([, each]) => Number(each));
  expect(seconds.length).toBeGreaterThan(3);
  expect(seconds).toEqual([...new Set(seconds)].toSorted((one, other) => one - other));
  // The clock goes on beside the waits, too.
  expect(waits.at(-1)).toBeGreaterThan(TIMEOUT_MS + MARGIN_MS - 5_000);
  // Then it is written down in the name of whoever did it.
  expect(textsOf(place.state())).toEqual([
    ["ben", "Two"],
    [expect.any(String), "Three"],
  ]);
});

test("a run that is dead is waited for once, and what it never sent is no hindrance", async () => {
  const place = await arrange();
  place.write(wants("Three"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(textsOf(place.state())).toEqual([[expect.any(String), "Three"]]);
  expect(place.state().journal).toBeUndefined();
  expect(place.updates()).toHaveLength(1);
});

describe("a run of this machine that is surely dead", () => {
  // No process has ever begun so late.
  const dead = { ...processOf(machine), startTime: "99999999999999" } as Journal["process"];

  test("is not waited for where the portal shows all of it", async () => {
    const place = await arrange(true, dead);
    place.write(wants("Three"));
    const waits: number[] = [];
    const ran = await place.run("apply --yes", {
      onSleep: (sleptMs) => void (place.state().serial === 1 && waits.push(sleptMs)),
    });
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stderr).toContain("has arrived.");
    expect(waits).toEqual([]);
    expect(textsOf(place.state())).toEqual([
      ["ben", "Two"],
      [expect.any(String), "Three"],
    ]);
  });

  test("is waited for as long as its update may be on its way, and no longer", async () => {
    const place = await arrange(false, dead);
    place.write(wants("Three"));
    const refused = await place.run("apply --yes --no-wait");
    expect(refused).toMatchObject({ exit: 8 });
    expect(refused.stdout.replace(/\s+/g, " ")).toMatch(
      /that ben began at .* is unknown for up to \d+ s from now: its update may still reach/,
    );
    const waits: number[] = [];
    const ran = await place.run("apply --yes", {
      onSleep: (sleptMs) => void (place.state().serial === 1 && waits.push(sleptMs)),
    });
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stderr).toMatch(/Waiting for up to \d+ s: .*Nothing more of the earlier update/s);
    expect(waits.at(-1)).toBeGreaterThan(65_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(75_000);
  });

  test("is known by what a run writes of itself into its journal", async () => {
    const place = await arrange();
    place.plant({ ...place.settled, serial: 2 });
    place.takes();
    place.write(wants("Three"));
    place.sandbox.faults.push({ kind: "drop-after", match: isUpdate });
    for (let times = 0; times < 100; times++) {
      const match = (each: { method: string; path: string }) =>
        !isUpdate(each) && place.updates().length > 0;
      place.sandbox.faults.push({ kind: "drop-before", match });
    }
    expect(await place.run("apply --yes")).toMatchObject({ exit: 8 });
    expect(place.state().journal).toMatchObject({
      by: { host: machine.host },
      process: processOf(machine),
    });
  });
});

test("a rollback that is at work is waited for as well, before it holds anybody back", async () => {
  const place = await arrange();
  const { journal, ...rest } = place.open;
  const hold = {
    since: new Date().toISOString(),
    by: AUTHOR,
    why: "rolled back to serial 1",
    wants: [],
  };
  if (!journal) throw new Error("it is open");
  place.plant({ ...rest, serial: 1, journal: { ...journal, kind: "rollback" }, hold });
  place.write(wants("Two"));
  let isSettled = false;
  const { exit, stderr } = await place.run("apply --yes", {
    onSleep: () => {
      if (isSettled) return;
      isSettled = true;
      place.takes();
      place.plant(place.settled);
    },
  });
  expect(stderr).toContain("Waiting for up to");
  expect(exit).toBe(0);
});

test("nobody holds a lock; what is open, and for how long, is told", async () => {
  const place = await arrange();
  place.write(wants("Three"));
  expect((await place.run("state unlock --yes")).stdout).toBe("Nobody holds the lock.\n");
  expect((await place.run("status")).stdout).toMatch(/unknown/);
  expect((await place.run("state show")).stdout).toMatch(/journal +open/);
  expect(place.server.subjects()).toEqual(["by hand"]);
});

test("what is put off for too long is not sent, because others may have stopped waiting", async () => {
  const place = await arrange();
  place.plant({ ...place.settled, serial: 2 });
  place.takes();
  const url = await stand(place.sandbox, {
    isBusy: (path, times) => path.endsWith("/update") && times === 1,
    busySeconds: LEASE_MS / 1000 + 1,
  });
  const { sandbox } = place;
  const portal = identityOf(sandbox.portalUrl.replace(sandbox.url, url), "self");
  const head = headFor(place).replace(
    sandbox.portalUrl,
    sandbox.portalUrl.replace(sandbox.url, url),
  );
  place.write(wants("Three"), { head });
  const { exit, stdout } = await place.run("apply --yes");
  expect(stdout.replace(/\s+/g, " ")).toMatch(
    /has been open for \d+ s, and another run may have stopped waiting for its update: nothing was sent\./,
  );
  expect(exit).toBe(6);
  expect(place.sandbox.requests.filter(isUpdate)).toEqual([]);
  const text = place.server.stored(`${portal.key}.json`) ?? "{}";
  expect(JSON.parse(text)).toMatchObject({ serial: 2, history: [] });
  expect(JSON.parse(text)).not.toHaveProperty("journal");
  // Then nothing is in the way.
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
});
