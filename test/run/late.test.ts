// An update that is still on its way when its sender is gone: it is waited for, never sent twice, and never wins over a later one.
import { describe, expect, test } from "vitest";
import { killWhen } from "./lane.js";
import { stand, type Middle } from "./middle.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

const PORTAL = { informationalBanner: { text: "One", enabled: true } };
const wants = (text: string) => `settings: { informationalBanner: { text: ${text} } }\n`;
const NEVER_READ = "apply --yes --allow unread-portal";

interface Late extends Place {
  /** Lets the held update arrive, and returns once the portal has taken it. */
  release(): Promise<void>;
  /** What the portal took, in order. */
  readonly taken: string[];
}

/** A portal that takes its time: the update of an apply that was killed right after the send is held back. */
async function arrange(portal = ""): Promise<Late> {
  const place = await openPlace({}, PORTAL);
  const [taken, held]: [string[], (() => void)[]] = [[], []];
  let isHeld = false;
  const url = await stand(place.sandbox, {
    delay: (path) =>
      isHeld && path.endsWith("/update")
        ? new Promise((done) => held.push(done))
        : Promise.resolve(),
    rewrite: (value) => {
      const [, text] = /"text":"(\w+)"/.exec(value) ?? [];
      if (text !== undefined) taken.push(text);
      return value;
    },
  });
  const head = headFor(place, portal).replace(
    place.sandbox.portalUrl,
    place.sandbox.portalUrl.replace(place.sandbox.url, url),
  );
  place.write(wants("One"), { head });
  expect(await place.run(NEVER_READ)).toMatchObject({ exit: 0 });
  place.write(wants("Two"), { head });
  isHeld = true;
  await killWhen(place, "apply --yes", () => held.length > 0);
  isHeld = false;
  taken.length = 0;
  return {
    ...place,
    taken,
    write: (rest) => place.write(rest, { head }),
    state: () => place.state(place.sandbox.portalUrl.replace(place.sandbox.url, url)),
    async release() {
      held.shift()?.();
      while (place.sandbox.settings()["informationalBanner"] === undefined || taken.length === 0)
        await new Promise((done) => setTimeout(done, 2));
      while (!JSON.stringify(place.sandbox.settings()).includes("Two"))
        await new Promise((done) => setTimeout(done, 2));
    },
  };
}

const historyOf = (place: Place) =>
  place.state()?.history.flatMap(({ changes }) => changes[0]?.after ?? []);

describe("an apply after an update without an answer", () => {
  test("settles it if it arrives within the wait, then sends its own", async () => {
    const place = await arrange();
    place.write(wants("Three"));
    let isReleased = false;
    const ran = await place.run("apply --yes", {
      onSleep: async (sleptMs) => {
        if (isReleased || sleptMs < 30_000) return;
        isReleased = true;
        await place.release();
      },
    });
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stderr).toMatch(
      /Waiting for up to 70 s for the apply to .*: its update may still arrive/,
    );
    expect(place.taken).toEqual(["Two", "Three"]);
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "Three" } });
    expect(historyOf(place)).toEqual(["One", "Two", "Three"]);
    expect(place.state()?.journal).toBeUndefined();
  });

  test("sends nothing twice if it arrives late", async () => {
    const place = await arrange();
    const ran = await place.run("apply --yes", {
      onSleep: () => (place.taken.length === 0 ? place.release() : undefined),
    });
    expect(ran).toMatchObject({ exit: 0 });
    expect(place.taken).toEqual(["Two"]);
    expect(historyOf(place)).toEqual(["One", "Two"]);
  });

  test("sends nothing before the wait is over", async () => {
    const place = await arrange();
    const waits: number[] = [];
    place.write(wants("Three"));
    const ran = await place.run("apply --yes", {
      onSleep: (sleptMs) => {
        if (place.taken.length === 0) waits.push(sleptMs);
      },
    });
    expect(ran).toMatchObject({ exit: 0 });
    expect(waits.at(-1)).toBeGreaterThanOrEqual(69_000);
    expect(place.taken).toEqual(["Three"]);
    expect(historyOf(place)).toEqual(["One", "Three"]);
  });

  test.each([-3_600_000, -300_000, 600_000])(
    "waits as long if the clocks differ by %i ms",
    async (skewMs) => {
      const place = await arrange();
      const ran = await place.run("apply --yes --wait 0", { startMs: Date.now() + skewMs });
      expect(ran).toMatchObject({ exit: 8 });
      expect(ran.stdout + ran.stderr).toContain("for up to 70 s");
      expect(place.taken).toEqual([]);
    },
  );

  test("waits as long a day later, because the journal's time is not compared with a clock", async () => {
    const place = await arrange();
    const startMs = Date.now() + 86_400_000;
    expect(await place.run("apply --yes --wait 0", { startMs })).toMatchObject({ exit: 8 });
    expect(await place.run("apply --yes", { startMs })).toMatchObject({ exit: 0 });
    expect(place.taken).toEqual(["Two"]);
  });

  test("waits for the whole time if the portal is never read", async () => {
    const place = await arrange(", read: never");
    const waits: number[] = [];
    const ran = await place.run(NEVER_READ, { onSleep: (sleptMs) => void waits.push(sleptMs) });
    expect(ran).toMatchObject({ exit: 0 });
    expect(waits.at(-1)).toBeGreaterThanOrEqual(69_000);
    expect(place.taken).toEqual(["Two"]);
  });

  test("ends at an interrupt during the wait, with nothing sent or locked", async () => {
    const place = await arrange();
    const interruption = new AbortController();
    const onSleep = () => interruption.abort();
    const ran = await place.run("apply --yes", { signal: interruption.signal, onSleep });
    expect(ran.exit).toBe(130);
    expect(place.taken).toEqual([]);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  });
});

test("a rollback waits too, and undoes what arrived meanwhile", async () => {
  const place = await arrange();
  expect(await place.run("rollback --yes --wait 0")).toMatchObject({ exit: 8 });
  const ran = await place.run("rollback --yes", {
    onSleep: () => (place.taken.length === 0 ? place.release() : undefined),
  });
  expect(ran).toMatchObject({ exit: 0 });
  expect(place.taken).toEqual(["Two", "One"]);
  expect(historyOf(place)).toEqual(["One", "Two", "One"]);
  expect(place.state()?.hold).toBeDefined();
});

test("commands that only read do not wait, and show for how long the outcome is unknown", async () => {
  const place = await arrange();
  for (const words of ["plan", "status"]) {
    const ran = await place.run(words, {
      onSleep: () => {
        throw new Error("a reader waited");
      },
    });
    expect(ran.exit).toBe(words === "status" ? 8 : 0);
    expect(ran.stdout.replace(/\s+/g, " ")).toContain("unknown for up to 70 s");
  }
  const later = Date.now() + 3_600_000;
  expect((await place.run("plan", { startMs: later })).stdout).toContain(
    "The portal shows nothing of the last apply; ",
  );
});

describe("an update that the portal delays", () => {
  async function busy(middle: Middle): Promise<Place> {
    const place = await openPlace({}, PORTAL);
    const head = headFor(place).replaceAll(place.sandbox.url, await stand(place.sandbox, middle));
    place.write(wants("Two"), { head });
    const portalUrl = /url: "([^"]+)"/.exec(head)?.[1] ?? "";
    return {
      ...place,
      write: (rest) => place.write(rest, { head }),
      state: () => place.state(portalUrl),
    };
  }

  test("is planned again if another run applied meanwhile", async () => {
    const place = await busy({ isBusy: (path, times) => path.endsWith("/update") && times === 1 });
    let hasAsked = false;
    const ran = await place.run("apply --yes", {
      onSleep: async () => {
        if (hasAsked) return;
        hasAsked = true;
        place.write(wants("Three"));
        expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
      },
    });
    expect(hasAsked).toBe(true);
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stdout).toContain('"Three" → "Two"');
    expect(place.updates()).toHaveLength(2);
    expect(historyOf(place)).toEqual(["Three", "Two"]);
  });

  test("is sent after the delay, with a renewed journal", async () => {
    const place = await busy({
      isBusy: (path, times) =>
        (path.endsWith("/update") && times <= 3) ||
        (path.endsWith("/loginadmin") && times >= 2 && times <= 4),
      busySeconds: 115,
    });
    const error = { code: 498, message: "Invalid token." };
    place.sandbox.faults.push({ kind: "error-json", error, match: isUpdate });
    const ran = await place.run("apply --yes -o json");
    expect(ran).toMatchObject({ exit: 0 });
    // The one that was refused, and the one that was sent again.
    expect(place.updates()).toHaveLength(2);
    expect(historyOf(place)).toEqual(["Two"]);
    expect(place.state()?.serial).toBeGreaterThan(2);
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "Two" } });
  });
});
