// 400 portals, four workers killed again and again, PostgreSQL restarted twice, a new commit in the middle, six portals that hang.
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { restartPostgres } from "../../support/postgres.js";
import { openMachines, until, type Machine } from "./machines.js";

const PORTALS = 400;
const KILLS = 40;
const EACH_MS = 4_500;
const HANGING = [3, 77, 151, 222, 303, 399].map((nth) => `portal-${nth}`);

test("applies each change once under kills, restarts of the database and portals that hang", async () => {
  const machines = await openMachines(PORTALS);
  const { ids, updates, hanging, begin, want, shown, rows } = machines;
  for (const id of HANGING) hanging.add(id);
  const others = ids.filter((id) => !hanging.has(id));
  want("text-1");
  const serve = begin("serve", "portals", "--every", "1d");
  const start = () => begin("worker", "--apply", "files");
  const workers: Machine[] = [1, 2, 3, 4].map(start);
  for (let kill = 1; kill <= KILLS; kill++) {
    await pause(EACH_MS);
    const nth = kill % workers.length;
    workers[nth]?.child.kill("SIGKILL");
    workers[nth] = start();
    if (kill === KILLS / 4 || kill === (3 * KILLS) / 4) await restartPostgres(machines.server);
    if (kill === KILLS / 2) {
      await until(() => others.every((id) => shown(id) === "text-1"));
      want("text-2");
      serve.child.kill("SIGHUP");
    }
  }
  // What the last worker left is over when its jobs have expired.
  await until(() => others.every((id) => shown(id) === "text-2"));
  expect(HANGING.filter((id) => shown(id) === "text-2")).toEqual([]);
  hanging.clear();
  expect(await begin("queue", "retry").ended()).toBe(0);
  await until(() => ids.every((id) => shown(id) === "text-2"));
  const isIdle = async () => {
    const [row] = await rows(
      `SELECT (SELECT count(*)::int FROM lintel_jobs.job WHERE state <= 'active' AND name LIKE 'portals%') +
         (SELECT count(*)::int FROM lintel.portal WHERE dead IS NOT NULL) +
         (SELECT count(*)::int FROM lintel.state WHERE document LIKE '%"journal"%') AS count`,
    );
    return row?.["count"] === 0;
  };
  await until(isIdle);
  for (const { child } of [serve, ...workers]) child.kill("SIGTERM");
  const ends = await Promise.all([serve, ...workers].map((each) => each.ended()));
  expect(ends).toEqual([0, 0, 0, 0, 0]);

  const own = [...(await machines.histories())].map(([key, texts]) => [key, texts.join(" ")]);
  const wrong = own.filter(([, texts]) => texts !== "text-1 text-2" && texts !== "text-2");
  expect(wrong).toEqual([]);
  expect(own.filter(([, texts]) => texts === "text-2")).toHaveLength(HANGING.length);
  const twice = others.filter((id) => updates.filter((each) => each.id === id).length !== 2);
  expect(twice).toEqual([]);
});
