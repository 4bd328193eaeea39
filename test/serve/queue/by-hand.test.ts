// Ten times over 400 portals: a merge, and at once an apply by hand, while workers run. No visitor sees an older text.
import { expect, test } from "vitest";
import { openMachines, until } from "./machines.js";

const PORTALS = 400;
const ROUNDS = 10;
const HOUR_MS = 3_600_000;
/** A busy machine answers late, and a person would try again. */
const CALLS_S = 60;

test("an apply by hand right after each merge is never undone", { timeout: HOUR_MS }, async () => {
  const machines = await openMachines(PORTALS, CALLS_S);
  const { begin, want, ids, shown, updates } = machines;
  want("text-1");
  const serve = begin("serve", "portals", "--every", "1m");
  const workers = [1, 2].map(() => begin("worker", "--apply", "schedule,drift,files"));
  await until(() => ids.every((id) => shown(id) === "text-1"));
  for (let round = 1; round <= ROUNDS; round++) {
    const text = `text-${round + 1}`;
    // `serve` lists the commit before the apply, meanwhile, or after it.
    want(text, round % 3 === 0 ? "pulled" : "pushed");
    if (round % 3 === 0) serve.child.kill("SIGHUP");
    const applied = begin("apply", "portals", "--yes", "--concurrency", "8");
    await machines.ask("UPDATE portal SET due = now()");
    if (round % 3 === 1) {
      await until(() => updates.filter((each) => each.text === text).length >= PORTALS / 4);
      machines.pull();
      serve.child.kill("SIGHUP");
    }
    expect([round, await applied.ended()]).toEqual([round, 0]);
    machines.pull();
    serve.child.kill("SIGHUP");
    await until(() => ids.every((id) => shown(id) === text));
    console.log(`Round ${round} of ${ROUNDS}: ${PORTALS} portals show ${text}.`);
  }
  for (const { child } of [serve, ...workers]) child.kill("SIGTERM");
  await Promise.all([serve, ...workers].map((each) => each.ended()));
  const older = ids.filter((id) => {
    const own = updates.filter((each) => each.id === id).map(({ text }) => Number(text.slice(5)));
    return own.length !== ROUNDS + 1 || own.some((each, at) => each !== at + 1);
  });
  expect(older).toEqual([]);
});
