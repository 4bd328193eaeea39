// A rollback whose update may not have arrived: no command says that the portal was rolled back, nor that this was the last apply.
import { beforeEach, describe, expect, test } from "vitest";
import { isUpdate, openPlace, type Place } from "./place.js";

const wants = (text: string) => `settings: { informationalBanner: { text: ${text} } }\n`;
const flat = (text: string) => text.replace(/\s+/g, " ");
const HOUR_MS = 3_600_000;

/** Two applies, and a rollback whose update is lost on its way, or whose read-back fails. */
async function arrange(hasArrived: boolean): Promise<Place> {
  const place = await openPlace({}, { informationalBanner: { text: "Zero", enabled: true } });
  for (const text of ["One", "Two"]) {
    place.write(wants(text));
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  }
  let isSent = false;
  place.sandbox.faults.push(
    {
      kind: hasArrived ? "drop-after" : "drop-before",
      match: (received) => (isSent ||= isUpdate(received)),
    },
    {
      kind: "server-error",
      isLasting: true,
      match: ({ path }) => isSent && !path.includes("login"),
    },
  );
  expect(await place.run("rollback --yes")).toMatchObject({ exit: 8 });
  place.sandbox.faults.length = 0;
  expect(place.state()).toMatchObject({ journal: { kind: "rollback" }, hold: { wants: [{}] } });
  return place;
}

const LOOKING = [
  "status",
  "plan",
  "plan --output markdown",
  "drift",
  "doctor",
  "state show",
  "history",
  "apply --yes --wait 0",
];

/** What no command may say. */
const UNTRUE =
  /rolled (it |the portal )?back|interrupted|outcome of the last apply|last apply to settle/i;

describe("where it did not arrive", () => {
  let place: Place;
  beforeEach(async () => {
    place = await arrange(false);
  });

  test("no command reports the portal as rolled back", async () => {
    for (const later of [0, HOUR_MS]) {
      for (const words of LOOKING) {
        const { stdout, stderr } = await place.run(words, { startMs: Date.now() + later });
        expect([words, flat(stdout + stderr)]).not.toEqual([words, expect.stringMatching(UNTRUE)]);
      }
    }
  });

  test("its outcome is unknown while it may arrive, and then not arrived", async () => {
    const UNKNOWN = /The outcome of the last rollback is unknown for up to 90 s/;
    const NOTHING = /The portal shows nothing of the last rollback/;
    expect(flat((await place.run("plan")).stdout)).toMatch(UNKNOWN);
    expect(flat((await place.run("status")).stdout)).toMatch(
      /journal open since .*: the outcome of this rollback is unknown for up to 90 s/,
    );
    const late = { startMs: Date.now() + HOUR_MS };
    expect(flat((await place.run("plan", late)).stdout)).toMatch(NOTHING);
    expect(flat((await place.run("status", late)).stdout)).toMatch(
      /journal open since .*: the portal shows nothing of this rollback/,
    );
  });

  test("a plan and drift name both ways out", async () => {
    for (const words of ["plan", "drift"]) {
      const { stdout } = await place.run(words);
      expect(flat(stdout)).toMatch(
        /Held since .*: rollback to apply 1\. The rollback is not settled\./,
      );
      expect(flat(stdout)).toMatch(/lintel rollback portal.yaml .*lintel unhold portal.yaml/);
    }
    const { portals } = JSON.parse((await place.run("plan --output json")).stdout) as {
      portals: { hold: { isUnsettled: boolean } }[];
    };
    expect(portals[0]?.hold.isUnsettled).toBe(true);
  });

  test("the history shows it first, as not settled", async () => {
    const { stdout } = await place.run("history");
    expect(stdout).toMatch(
      /^rollback not settled .*\n +by .*\n +informationalBanner\n +~ text +"Two" → "One"/,
    );
    const { journal } = JSON.parse((await place.run("history --output json")).stdout) as {
      journal: unknown;
    };
    expect(journal).toMatchObject({ kind: "rollback", changes: [{ after: "One" }] });
    expect(journal).not.toHaveProperty("settings");
  });

  test("the same command completes it, and only then it is in the history", async () => {
    expect(await place.run("rollback --yes")).toMatchObject({ exit: 0 });
    expect(place.state()?.history.map(({ kind }) => kind)).toEqual([
      "apply",
      "apply",
      "rollback",
      "hold",
    ]);
    expect((await place.run("plan")).stdout).toContain("rollback to apply 1.");
    expect((await place.run("history")).stdout).not.toContain("not settled");
  });
});

describe("where it arrived", () => {
  test("plan and status report that the portal shows all of it", async () => {
    const place = await arrange(true);
    expect(flat((await place.run("plan")).stdout)).toContain(
      "The portal shows all of the last rollback; the same rollback settles it.",
    );
    expect(flat((await place.run("status")).stdout)).toMatch(
      /journal open since .*: the portal shows all of this rollback/,
    );
    expect(await place.run("rollback --yes")).toMatchObject({ exit: 0 });
    expect(place.updates()).toHaveLength(3);
  });
});
