// A portal behind a cache, which shows an update only after a while: nothing is called settled before a look has seen it.
import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import type { Calling } from "./call.js";
import { openPlace, type Place } from "./place.js";

const PORTAL = { informationalBanner: { text: "Old", enabled: true }, blockBetaApps: false };
const NEW = "settings: { informationalBanner: { text: New } }\n";
const NOT_YET =
  /The portal "portal" accepted the update, but does not show it yet: "informationalBanner.text"/;

const flat = (text: string) => text.replace(/\s+/g, " ");
const textOf = ({ sandbox }: Place) => sandbox.settings()["informationalBanner"];

interface Cached extends Place {
  /** Lets time go by. */
  readonly pass: (ms: number) => void;
}

/** Runs and the portal have one clock, which goes on while runs wait. */
async function arrange(staleMs: number, options: SandboxOptions = {}): Promise<Cached> {
  let nowMs = Date.UTC(2030, 0, 1);
  const place = await openPlace({ staleMs, now: () => nowMs, ...options }, PORTAL);
  place.write(NEW);
  return {
    ...place,
    pass: (ms) => (nowMs += ms),
    run: (words, more: Omit<Calling, "cwd"> = {}) => {
      const startMs = nowMs;
      const onSleep = (sleptMs: number) => void (nowMs = Math.max(nowMs, startMs + sleptMs));
      return place.run(words, { ...more, startMs, onSleep });
    },
  };
}

test("settles an update that shows within ten seconds", async () => {
  const place = await arrange(9_000);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.state()?.journal).toBeUndefined();
});

test("fails and leaves the journal open if it shows later; the next apply settles it", async () => {
  const place = await arrange(14_000);
  const ran = await place.run("apply --yes");
  expect(ran.exit).toBe(1);
  expect(ran.stdout).toContain("[not-shown]");
  expect(flat(ran.stdout)).toMatch(NOT_YET);
  expect(place.state()).toMatchObject({ history: [], journal: { kind: "apply" } });

  for (const words of ["status", "plan", "state show"]) {
    expect(flat((await place.run(words)).stdout)).toMatch(/outcome.* is unknown/);
  }
  expect(await place.run("apply --yes --wait 0")).toMatchObject({ exit: 8 });
  const again = await place.run("apply --yes");
  expect(again).toMatchObject({ exit: 0 });
  expect(again.stderr).toContain("has arrived");
  expect(place.updates()).toHaveLength(1);
  expect(place.state()?.journal).toBeUndefined();
  expect(place.state()?.history).toMatchObject([{ kind: "apply", changes: [{ after: "New" }] }]);
});

test("a rollback right after it undoes it", async () => {
  const place = await arrange(14_000);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 1 });
  expect(await place.run("rollback --yes --wait 0")).toMatchObject({ exit: 8 });

  const back = await place.run("rollback --yes");
  expect(back.exit).toBe(1);
  expect(back.stderr).not.toContain("already");
  expect(flat(back.stdout + back.stderr)).toMatch(NOT_YET);
  expect(textOf(place)).toEqual(PORTAL.informationalBanner);
  expect(place.state()).toMatchObject({
    history: [{ kind: "apply" }],
    journal: { kind: "rollback" },
  });

  const held = await place.run("apply --yes");
  expect(held.exit).toBe(7);
  const again = await place.run("rollback --yes");
  expect(again).toMatchObject({ exit: 0 });
  expect(place.updates()).toHaveLength(2);
  expect(place.state()?.journal).toBeUndefined();
  expect(place.state()?.history.map(({ kind }) => kind)).toEqual(["apply", "rollback", "hold"]);
});

test("sends the old value if the file returns to it", async () => {
  const place = await arrange(14_000);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 1 });
  place.write(NEW.replace("New", "Old"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 1 });
  expect(textOf(place)).toEqual(PORTAL.informationalBanner);
  place.pass(14_000);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.state()?.leaves).toMatchObject([{ sent: "Old", shown: "Old" }]);
});

test("reports the rest as not taken if a part shows", async () => {
  const place = await arrange(0, { unknown: "ignore" });
  place.write(
    "allowUnknown: [newThing]\nsettings: { informationalBanner: { text: New }, portalConfigProperties: { newThing: true } }\n",
  );
  const ran = await place.run("apply --yes");
  expect(ran.exit).toBe(1);
  expect(ran.stdout).toContain("[not-taken]");
  expect(place.state()?.journal).toBeUndefined();
  expect((await place.run("history")).stdout).toContain("true  not taken");
});

test("sends an update again that never shows, once it can no longer arrive", async () => {
  const place = await arrange(3_600_000);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 1 });
  const again = await place.run("apply --yes");
  expect(again.exit).toBe(1);
  expect(again.stderr).toContain("Nothing more of the earlier update");
  expect(place.updates()).toHaveLength(2);
  expect(place.state()).toMatchObject({ history: [], journal: { kind: "apply" } });
});
