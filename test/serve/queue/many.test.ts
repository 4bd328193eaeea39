// A `serve` and four workers as real processes: one is killed, PostgreSQL restarts and a portal hangs. Each change is applied once.
import { expect, test } from "vitest";
import { restartPostgres, stopPostgres } from "../../support/postgres.js";
import { openMachines, until } from "./machines.js";

const PORTALS = 40;
const HANGS = "portal-7";

test("applies each change once though a worker is killed, PostgreSQL restarts and a portal hangs", async () => {
  const machines = await openMachines(PORTALS);
  const { ids, updates, hanging, begin, want, shown } = machines;
  const others = ids.filter((id) => id !== HANGS);
  want("text-1");
  const serve = begin("serve", "portals", "--every", "1d");
  const workers = [1, 2, 3, 4].map(() => begin("worker", "--apply", "files"));
  await until(() => ids.every((id) => shown(id) === "text-1"));

  // One portal hangs, a worker is killed in the middle, and another one takes its place.
  hanging.add(HANGS);
  want("text-2");
  serve.child.kill("SIGHUP");
  await until(() => updates.filter(({ text }) => text === "text-2").length >= 5);
  workers[0]?.child.kill("SIGKILL");
  workers.push(begin("worker", "--apply", "files"));
  await until(() => others.every((id) => shown(id) === "text-2"));

  want("text-3");
  serve.child.kill("SIGHUP");
  await until(() => updates.filter(({ text }) => text === "text-3").length >= 5);
  await restartPostgres(machines.server);
  await until(() => others.every((id) => shown(id) === "text-3"));
  hanging.clear();
  await until(async () => {
    expect(await begin("queue", "retry").ended()).toBe(0);
    return shown(HANGS) === "text-3";
  });
  const isIdle = async () => {
    const [row] = await machines.rows(
      `SELECT (SELECT count(*)::int FROM lintel_jobs.job WHERE state <= 'active' AND name LIKE 'portals%') +
           (SELECT count(*)::int FROM lintel.state WHERE document LIKE '%"journal"%') AS count`,
    );
    return row?.["count"] === 0;
  };
  await until(isIdle);

  for (const { child } of [serve, ...workers]) child.kill("SIGTERM");
  const ends = await Promise.all([serve, ...workers].map((each) => each.ended()));
  expect(ends).toEqual([0, "SIGKILL", 0, 0, 0, 0]);

  const own = [...(await machines.histories())].map(([, texts]) => texts.join(" "));
  const all = others.map(() => "text-1 text-2 text-3");
  expect(own.toSorted()).toEqual([...all, "text-1 text-3"].toSorted());
  const twice = others.flatMap((id) => {
    const texts = updates.filter((each) => each.id === id).map(({ text }) => text);
    return texts.length === 3 ? [] : [[id, texts]];
  });
  expect(twice).toEqual([]);
});

test("ends on SIGTERM while the database is away", async () => {
  const { server, begin, want, shown } = await openMachines(1);
  want("text-1");
  const serve = begin("serve", "portals");
  const worker = begin("worker", "--apply", "files");
  await until(() => shown("portal-1") === "text-1");
  stopPostgres(server.folder);
  await until(() => [serve, worker].every(({ said }) => said().includes("Waiting until it can")));
  for (const { child } of [serve, worker]) child.kill("SIGTERM");

  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
});
