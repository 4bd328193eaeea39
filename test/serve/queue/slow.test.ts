// A server that does not get to what it is asked in time: that is told once, and done when it can be; nobody ends for it.
import { expect, test } from "vitest";
import { asAdmin } from "../../support/postgres.js";
import { openMachines, until } from "./machines.js";
import { queuePlace } from "./queue-place.js";

test.each(["statement_timeout", "lock_timeout"])(
  "what the %s ends is told once and asked again; others are answered meanwhile",
  async (setting) => {
    const place = await queuePlace();
    const said: string[] = [];
    const { link, sessions } = await place.open("tables", (sentence) => void said.push(sentence));
    const session = await sessions.pinned("a test");
    for (const each of [link, session]) await each.ask(`SET ${setting} = '50ms'`);
    const counting = `SELECT count(*)::int AS count FROM ${place.schema}.known`;
    let tries = 0;
    const waiting = await place.admin(async (ask) => {
      await ask("BEGIN");
      await ask(`LOCK TABLE ${place.schema}.known`);
      const all = [
        link.ask(counting),
        link.beside(() => session.ask(counting)),
        link.together((own) => {
          tries++;
          return own(counting);
        }),
      ];
      await until(async () => {
        expect(await link.ask("SELECT 1 AS one")).toEqual([{ one: 1 }]);
        return tries > 2;
      });
      return all;
    });
    const counted = [{ count: 0 }];
    expect(await Promise.all(waiting)).toEqual([counted, counted, counted]);
    const about = `The queue at "${place.address}"`;
    expect(said).toEqual([
      expect.stringMatching(
        /cannot be used: canceling statement due to .* \((57014|55P03)\)\. Waiting until it can\.$/,
      ) as string,
      `${about} can be used again.`,
    ]);
  },
);

const CANCEL = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND application_name LIKE 'lintel %@%'`;

test("serve and worker wait for it, and go on; told to end meanwhile, they end well", async () => {
  const { begin, want, ids, shown, server } = await openMachines(2);
  want("text-1");
  const both = [begin("serve"), begin("worker", "--apply", "files")];
  await until(() => ids.every((id) => shown(id) === "text-1"));
  const isTold = (words: string) => () => both.every(({ said }) => said().includes(words));
  /** What waits for the tables is ended as the server does it when its time is over. */
  const whileSlow = (isSo: () => boolean) =>
    asAdmin(server, "lintel", async (ask) => {
      await ask("BEGIN");
      await ask("LOCK TABLE lintel.queue, lintel.portal");
      await until(async () => {
        await ask("SELECT pg_stat_clear_snapshot()");
        await ask(CANCEL);
        return isSo();
      });
    });
  await whileSlow(isTold("canceling statement due to user request (57014). Waiting until it can."));
  want("text-2");
  both[0]?.child.kill("SIGHUP");
  await until(() => ids.every((id) => shown(id) === "text-2"));
  await until(isTold("can be used again."));
  for (const { child } of both) child.kill("SIGTERM");
  await whileSlow(() => both.every(({ child }) => child.exitCode !== null));
  expect(await Promise.all(both.map((each) => each.ended()))).toEqual([0, 0]);
});
