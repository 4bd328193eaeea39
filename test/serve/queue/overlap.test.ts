// Two jobs of one portal at once, as after the expiry of a job whose worker only stood still.
import { expect, test } from "vitest";
import { openMachines, until } from "./machines.js";

test("of two workers that check one portal at once, one applies", async () => {
  const machines = await openMachines(1);
  const { sandbox, begin, want, shown, rows } = machines;
  const portal = "portal-1";
  want("text-1");
  const serve = begin("serve", "portals", "--every", "1d");
  const first = begin("worker", "--apply", "files");
  const { child } = first;
  let isStopped = false;
  // Stopped before it gets the answer to its first question about the portal.
  sandbox.faults.push({
    kind: "hang",
    isLasting: true,
    match: ({ method, path }) => {
      if (!isStopped && method === "GET" && path.includes(`/portals/${portal}`)) {
        child.kill("SIGSTOP");
        isStopped = true;
      }
      return false;
    },
  });
  await until(() => isStopped);
  const active = "name LIKE 'portals-%' AND state = 'active'";
  expect(await rows(`SELECT id FROM lintel_jobs.job WHERE ${active}`)).toHaveLength(1);
  // As pg-boss does it when the job expires.
  await rows(`UPDATE lintel_jobs.job SET state = 'retry', start_after = now() WHERE ${active}`);
  const second = begin("worker", "--apply", "files");
  await until(() => shown(portal) === "text-1");
  child.kill("SIGCONT");
  const isIdle = async () => {
    const facts = (await rows("SELECT facts FROM lintel.process")).map((row) =>
      String(row["facts"]),
    );
    const own = facts.find((each) => each.includes(`"pid":${child.pid},`));
    return own?.includes('"doing":[]') === true;
  };
  await until(isIdle);
  want("text-2");
  serve.child.kill("SIGHUP");
  await until(() => shown(portal) === "text-2");
  for (const each of [serve, first, second]) each.child.kill("SIGTERM");
  expect(await Promise.all([serve, first, second].map((each) => each.ended()))).toEqual([0, 0, 0]);
  expect(machines.updates.map(({ text }) => text)).toEqual(["text-1", "text-2"]);
  expect([...(await machines.histories()).values()]).toEqual([["text-1", "text-2"]]);
});
