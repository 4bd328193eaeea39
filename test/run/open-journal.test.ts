// Where the open journal is what keeps others out: a run that meets one leaves it to whoever opened it, as long as that run may be at work.
import { describe, expect, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { BEGIN_MS, MARGIN_MS, processOf } from "../../src/state/recover.js";
import type { Journal, State } from "../../src/state/state.js";
import { emptyState, settle, withJournal } from "../../src/state/steps.js";
import { machine } from "../state/places.js";
import { makeServer, run as git } from "../state/repositories.js";
import { AUTHOR, JOURNAL, LINEAGE, SETTLEMENT } from "../state/samples.js";
import { stand } from "./middle.js";
import { headFor, isUpdate, openPlace } from "./place.js";

const STATE = "state: git:lintel-state\n";
const wants = (text: string) => `${STATE}settings: { informationalBanner: { text: ${text} } }\n`;
/** As long as its call may take, and until it must have begun. */
const TIMEOUT_MS = 60_000 + BEGIN_MS;

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

test("without waiting, names the other run, its host and the remaining time", async () => {
  const place = await arrange();
  place.write(wants("Three"));
  const { exit, stdout } = await place.run("apply --yes --wait 0");
  expect(exit).toBe(6);
  expect(stdout.replace(/\s+/g, " ")).toMatch(
    /The apply that ben began on build-7 at .* is not settled: another run is at work on "portal", for up to \d+ s more\./,
  );
  expect(place.state()).toMatchObject({ serial: 1 });
  expect(place.updates()).toEqual([]);
});

test("a running run closes its own journal, and the waiting one continues", async () => {
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
    /Waiting for up to \d+ s for the apply to "portal" that ben began on build-7 at .*: its update may still arrive\./,
  );
  expect(stderr).toContain("is settled.");
  expect(exit).toBe(0);
  expect(waits.at(-1)).toBeLessThan(30_000);
  expect(textsOf(place.state())).toEqual([
    ["ben", "Two"],
    [expect.any(String), "Three"],
  ]);
});

test("a running run may settle its journal even if the update has arrived", async () => {
  const place = await arrange(true);
  place.write(wants("Three"));
  const waits: number[] = [];
  const begunMs = machine.elapsedMs();
  const ran = await place.run("apply --yes", {
    onSleep: (sleptMs) => {
      if (place.state().serial === 1) waits.push(sleptMs);
    },
  });
  const besideMs = machine.elapsedMs() - begunMs;
  expect(ran).toMatchObject({ exit: 0 });
  const told = [...ran.stderr.matchAll(/waiting for an earlier update \((\d+) s\)/g)];
  const seconds = told.map(([, each]) => Number(each));
  expect(seconds.length).toBeGreaterThan(3);
  expect(seconds).toEqual([...new Set(seconds)].toSorted((one, other) => one - other));
  // The clock goes on beside the waits, too.
  expect((waits.at(-1) ?? 0) + besideMs).toBeGreaterThanOrEqual(TIMEOUT_MS + MARGIN_MS);
  // Then it is written down in the name of whoever did it.
  expect(textsOf(place.state())).toEqual([
    ["ben", "Two"],
    [expect.any(String), "Three"],
  ]);
});

test("waits once for a dead run, and ignores what it never sent", async () => {
  const place = await arrange();
  place.write(wants("Three"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(textsOf(place.state())).toEqual([[expect.any(String), "Three"]]);
  expect(place.state().journal).toBeUndefined();
  expect(place.updates()).toHaveLength(1);
});

describe("a dead run on this machine", () => {
  // No process has ever begun so late.
  const dead = { ...processOf(machine), startTime: "99999999999999" } as Journal["process"];

  test("is not waited for if the portal shows the whole update", async () => {
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

  test("is waited for as long as its update may arrive", async () => {
    const place = await arrange(false, dead);
    place.write(wants("Three"));
    const refused = await place.run("apply --yes --wait 0");
    expect(refused).toMatchObject({ exit: 8 });
    expect(refused.stdout.replace(/\s+/g, " ")).toMatch(
      /that ben began on \S+ at .* is not settled\. Its update may still reach "portal" for up to \d+ s\./,
    );
    const waits: number[] = [];
    const begunMs = machine.elapsedMs();
    const ran = await place.run("apply --yes", {
      onSleep: (sleptMs) => void (place.state().serial === 1 && waits.push(sleptMs)),
    });
    const besideMs = machine.elapsedMs() - begunMs;
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stderr).toMatch(/Waiting for up to \d+ s .*Nothing more of the earlier update/s);
    expect((waits.at(-1) ?? 0) + besideMs).toBeGreaterThanOrEqual(70_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(75_000);
  });

  test("is recognised by the process in its journal", async () => {
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

test("waits for a running rollback before its hold blocks", async () => {
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

test("shows an open journal, and how long it may last", async () => {
  const place = await arrange();
  place.write(wants("Three"));
  expect((await place.run("status")).stdout).toMatch(/unknown/);
  expect((await place.run("state show")).stdout).toMatch(/journal +open/);
  expect(place.server.subjects()).toEqual(["by hand"]);
});

test("state unlock waits until nothing can arrive, then closes the journal by what the portal shows", async () => {
  for (const isTaken of [false, true]) {
    const place = await arrange();
    if (isTaken) place.takes();
    place.write(wants("Three"));
    const refused = await place.run("state unlock --wait 0");
    expect(refused).toMatchObject({ exit: 6 });
    const { exit, stdout } = await place.run("state unlock");
    expect(stdout).toMatch(
      isTaken
        ? /is settled: the portal shows its update\.\n$/
        : /is settled: the portal shows nothing of its update\.\n$/,
    );
    expect(exit).toBe(0);
    expect((await place.run("state show")).stdout).toMatch(/journal +closed/);
    expect((await place.run("state unlock")).stdout).toBe("There is nothing to unlock.\n");
  }
});

test("a delayed update writes its journal again, which restarts the wait of others", async () => {
  const place = await arrange();
  place.plant({ ...place.settled, serial: 2 });
  place.takes();
  const url = await stand(place.sandbox, {
    isBusy: (path, times) => path.endsWith("/update") && times === 1,
    busySeconds: BEGIN_MS / 1000 + 1,
  });
  const { sandbox } = place;
  const portalUrl = sandbox.portalUrl.replace(sandbox.url, url);
  const head = headFor(place).replace(sandbox.portalUrl, portalUrl);
  place.write(wants("Three"), { head });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.sandbox.requests.filter(isUpdate)).toHaveLength(1);
  const { key } = identityOf(portalUrl, "self");
  expect(place.server.subjects().slice(0, 3)).toEqual([
    `apply: ${key} serial 3 (1 change)`,
    expect.stringContaining(`${key} serial 2`),
    `apply begins: ${key} serial 1 (1 change)`,
  ]);
});

test("a delayed update is not sent if another run continued meanwhile", async () => {
  const place = await arrange();
  place.plant({ ...place.settled, serial: 2 });
  place.takes();
  const { sandbox } = place;
  let portalUrl = "";
  let isRobbed = false;
  const url = await stand(sandbox, {
    isBusy: (path, times) => path.endsWith("/update") && times === 1,
    busySeconds: BEGIN_MS / 1000 + 1,
  });
  portalUrl = sandbox.portalUrl.replace(sandbox.url, url);
  const portal = identityOf(portalUrl, "self");
  place.write(wants("Three"), { head: headFor(place).replace(sandbox.portalUrl, portalUrl) });
  const ran = await place.run("apply --yes", {
    onSleep: () => {
      const text = place.server.stored(`${portal.key}.json`);
      if (isRobbed || text === undefined) return;
      const state = JSON.parse(text) as State;
      if (!state.journal) return;
      isRobbed = true;
      // Another run waited for the journal, found nothing at the portal, and applied its own file.
      const {
        format: _format,
        digest: _digest,
        ...open
      } = state as State & Record<string, unknown>;
      const own = settle(emptyState(state.lineage, portal), {
        ...SETTLEMENT,
        by: { actor: "ben", host: "build-7" },
        live: {},
        leaves: [{ path: ["informationalBanner", "text"], sent: "Four", shown: "Four" }],
      });
      sandbox.change("self", { informationalBanner: { text: "Four", enabled: true } });
      place.server.plant(printState({ ...own, serial: open.serial + 1 }), `${portal.key}.json`);
    },
  });
  expect(isRobbed).toBe(true);
  // It reads and plans again, and applies over what the other run has applied.
  expect(ran).toMatchObject({ exit: 0 });
  expect(place.sandbox.requests.filter(isUpdate)).toHaveLength(1);
  const { history } = JSON.parse(place.server.stored(`${portal.key}.json`) ?? "{}") as State;
  expect(history).toHaveLength(2);
});
