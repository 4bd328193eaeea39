// A queue's locks belong to a session: a pooler that hands sessions on is refused, and the server itself is not.
import { expect, inject, onTestFinished, test } from "vitest";
import { queueAt } from "../../../src/serve/queue/address.js";
import { openSessions } from "../../../src/serve/queue/session.js";
import { HAS_PGBOUNCER, NEEDS_PGBOUNCER, openPgBouncer } from "../../support/pgbouncer.js";
import { sharedPostgres } from "../../support/postgres.js";
import { io } from "../../state/places.js";

function sessionsAt(port: number) {
  const address = queueAt(`postgres://lintel@127.0.0.1:${port}/lintel`, io);
  const sessions = openSessions(address, { io, assertAllowed: () => {} });
  onTestFinished(() => sessions.close());
  return sessions;
}

test("the server itself gives one session, and another one after that was lost", async () => {
  const { port } = await sharedPostgres(inject("postgres"));
  const sessions = sessionsAt(port);
  const first = await sessions.pinned("a test");
  expect(await sessions.pinned("a test")).toBe(first);
  await first.ask("SELECT pg_terminate_backend(pg_backend_pid())").catch(() => undefined);
  await expect.poll(() => first.isOver()).toBe(true);
  const second = await sessions.pinned("a test");
  expect(await second.ask("SELECT current_setting('application_name') AS name")).toEqual([
    { name: "a test" },
  ]);
});

test.runIf(HAS_PGBOUNCER)(
  `a pooler that hands sessions on is refused${NEEDS_PGBOUNCER}`,
  async () => {
    const { port } = await sharedPostgres(inject("postgres"));
    const own = await openPgBouncer(port, "lintel");
    await expect(sessionsAt(own).pinned("a test")).rejects.toMatchObject({
      code: "queue-not-usable",
      message: expect.stringContaining("a pooler stands in between") as string,
    });
  },
);
