// Four workers and what publishes for them, as real processes: one is killed in the middle, PostgreSQL starts anew, and a portal hangs; each change is applied once, and nothing is left over.
import { expect, test } from "vitest";
import { restartPostgres, stopPostgres } from "../../support/postgres.js";
import { openMachines, until } from "./machines.js";

const PORTALS = 40;
const HANGS = "portal-7";

test("a worker is killed, PostgreSQL starts anew and a portal hangs: each change is applied once, and no job, lock or process is left", async () => {
  const machines = await openMachines(PORTALS);
  const { ids, updates, hanging, begin, want, shown } = machines;
  const others = ids.filter((id) => id !== HANGS);
  want("text-1");
  const publisher = begin("serve", "portals", "--every", "1d");
  const workers = [1, 2, 3, 4].map(() => begin("worker", "--apply", "files"));
  await until(() => ids.every((id) => shown(id) === "text-1"));

  // One hangs, a worker is killed in the middle of it all, and another one takes its place.
  hanging.add(HANGS);
  want("text-2");
  publisher.child.kill("SIGHUP");
  await until(() => updates.filter(({ text }) => text === "text-2").length >= 5);
  workers[0]?.child.kill("SIGKILL");
  workers.push(begin("worker", "--apply", "files"));
  await until(() => others.every((id) => shown(id) === "text-2"));

  want("text-3");
  publisher.child.kill("SIGHUP");
  await until(() => updates.filter(({ text }) => text === "text-3").length >= 5);
  await restartPostgres(machines.server);
  await until(() => others.every((id) => shown(id) === "text-3"));
  hanging.clear();
  // A look that is under way meanwhile fails after that.
  await until(async () => {
    expect(await begin("queue", "retry").ended()).toBe(0);
    return shown(HANGS) === "text-3";
  });
  const isIdle = async () => {
    // A worker whose state could not be written leaves its journal to a later turn.
    const [row] = await machines.rows(
      `SELECT (SELECT count(*)::int FROM lintel.portal WHERE worker IS NOT NULL OR queued IS NOT NULL) +
           (SELECT count(*)::int FROM lintel.state WHERE document LIKE '%"journal"%') AS count`,
    );
    return row?.["count"] === 0;
  };
  await until(isIdle);

  for (const { child } of [publisher, ...workers]) child.kill("SIGTERM");
  const ends = await Promise.all([publisher, ...workers].map((each) => each.ended()));
  expect(ends).toEqual([0, "SIGKILL", 0, 0, 0, 0]);
  const tables = await machines.rows(
    `SELECT (SELECT count(*)::int FROM lintel.process) AS processes,
         (SELECT count(*)::int FROM lintel_jobs.job WHERE state < 'completed' AND name LIKE 'portals%') AS jobs,
         (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory') AS locks,
         (SELECT count(*)::int FROM lintel.state WHERE document LIKE '%"journal"%') AS journals`,
  );
  expect(tables).toEqual([{ processes: 0, jobs: 0, locks: 0, journals: 0 }]);

  const own = [...(await machines.histories())].map(([, texts]) => texts.join(" "));
  const all = others.map(() => "text-1 text-2 text-3");
  // What was published while it hung is over.
  expect(own.toSorted()).toEqual([...all, "text-1 text-3"].toSorted());
  const twice = others.flatMap((id) => {
    const texts = updates.filter((each) => each.id === id).map(({ text }) => text);
    return texts.length === 3 ? [] : [[id, texts]];
  });
  expect(twice).toEqual([]);
});

test("who is asked to end while the database is away does not wait for it", async () => {
  const { server, begin, want, shown } = await openMachines(1);
  want("text-1");
  const publisher = begin("serve", "portals");
  const worker = begin("worker", "--apply", "files");
  await until(() => shown("portal-1") === "text-1");
  stopPostgres(server.folder);
  await until(() =>
    [publisher, worker].every(({ said }) => said().includes("Waiting until it can")),
  );
  for (const { child } of [publisher, worker]) child.kill("SIGTERM");
  expect(await Promise.all([publisher, worker].map((each) => each.ended()))).toEqual([0, 0]);
});
