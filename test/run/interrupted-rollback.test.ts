// A rollback that was killed: the same command finishes it, nothing else is begun meanwhile, and only what was rolled back is held.
import { describe, expect, test } from "vitest";
import { killWhen } from "./lane.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

const wants = (text: string) => `settings: { informationalBanner: { text: ${text} } }\n`;
const shows = (place: Place) =>
  (place.sandbox.settings()["informationalBanner"] as { text?: string }).text;
const kinds = (place: Place) => place.state()?.history.map(({ kind }) => kind);

interface Way {
  readonly words: string;
  readonly head?: string;
}

const WAYS: Readonly<Record<string, Way>> = {
  "a plain one": { words: "rollback --yes" },
  "one to an apply": { words: "rollback --to 1 --yes" },
  "one of a portal that is never read": { words: "rollback --yes", head: ", read: never" },
};

/** Three applies, and a rollback killed while its update was under way. */
async function arrange({ words, head = "" }: Way, isHandled: boolean): Promise<Place> {
  const place = await openPlace({}, { informationalBanner: { text: "Zero", enabled: true } });
  const above = headFor(place, head);
  for (const text of ["One", "Two"]) {
    place.write(wants(text), { head: above });
    expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  }
  place.sandbox.faults.push({ kind: "hang", match: isUpdate, isHandled });
  const before = place.updates().length;
  await killWhen(place, words, () => place.updates().length > before);
  const arrived = isHandled ? "One" : "Two";
  while (shows(place) !== arrived) await new Promise((done) => setTimeout(done, 2));
  return place;
}

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  test("that did not arrive: blocks applies, and the command in status completes it", async () => {
    const place = await arrange(way, false);
    expect(shows(place)).toBe("Two");
    expect(place.state()?.journal?.kind).toBe("rollback");
    const status = await place.run("status");
    expect(status.stdout).toMatch(/next\s+lintel rollback portal.yaml/);

    const held = await place.run("apply --yes");
    expect(held.exit).toBe(7);
    expect(held.stdout).toMatch(/The rollback that [^]* began at [^]* is not\s+settled/);
    expect(held.stdout).toContain("lintel rollback portal.yaml");
    expect(held.stderr).not.toContain("Waiting");

    expect(await place.run(way.words)).toMatchObject({ exit: 0 });
    expect(shows(place)).toBe("One");
    expect(kinds(place)).toEqual(["apply", "apply", "rollback", "hold"]);
    expect(place.state()?.journal).toBeUndefined();
    expect(place.state()?.hold?.wants).toHaveLength(1);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 7 });
    expect(shows(place)).toBe("One");
  });

  test("that arrived: the same command records it, and has no effect when repeated", async () => {
    const place = await arrange(way, true);
    const updates = place.updates().length;
    expect(await place.run(way.words)).toMatchObject({ exit: 0 });
    // A portal that nobody can see is sent it once more.
    expect(place.updates().length - updates).toBe(way.head ? 1 : 0);
    expect(kinds(place)).toEqual(["apply", "apply", "rollback", "hold"]);
    const state = place.state();
    expect(state?.hold).toBeDefined();
    const again = await place.run("rollback --yes");
    expect(again).toMatchObject({ exit: 0 });
    expect(again.stderr).toContain("already rolled back");
    expect(place.state()).toEqual(state);
  });
});

test("another rollback does not start", async () => {
  const place = await arrange({ words: "rollback --yes" }, false);
  const updates = place.updates().length;
  const ran = await place.run("rollback --to 0 --yes");
  expect(ran.exit).toBe(7);
  expect(ran.stderr).toContain("Another rollback is not settled");
  expect(place.updates()).toHaveLength(updates);
});

test("a person can cancel it, and apply the file", async () => {
  const place = await arrange({ words: "rollback --yes" }, false);
  expect(await place.run("unhold portal.yaml")).toMatchObject({ exit: 0 });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(shows(place)).toBe("Two");
  expect(place.state()?.journal).toBeUndefined();
});

test("an apply settles one that arrived, and is then blocked by it", async () => {
  const place = await arrange({ words: "rollback --yes" }, true);
  const ran = await place.run("apply --yes");
  expect(ran.exit).toBe(7);
  expect(ran.stdout).toContain("on hold since");
  expect(shows(place)).toBe("One");
});

test("one that the portal refuses places no hold", async () => {
  const place = await openPlace({}, { informationalBanner: { text: "Zero", enabled: true } });
  place.write(wants("One"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const error = { code: 403, message: "No.", details: [] };
  place.sandbox.faults.push({ kind: "error-json", error, match: isUpdate });
  expect(await place.run("rollback --yes")).toMatchObject({ exit: 4 });
  expect(place.state()).toMatchObject({ serial: 4 });
  expect(place.state()?.hold).toBeUndefined();
  expect(place.state()?.journal).toBeUndefined();
});

test("one with nothing to do places no hold", async () => {
  const place = await openPlace({}, { informationalBanner: { text: "Zero", enabled: true } });
  place.write(wants("Zero"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const state = place.state();
  const ran = await place.run("rollback --yes");
  expect(ran).toMatchObject({ exit: 0 });
  expect(ran.stderr).toContain("no hold was placed");
  expect(place.state()).toEqual(state);
});

test("a rollback undoes an interrupted apply that arrived", async () => {
  for (const head of ["", ", read: never"]) {
    const place = await openPlace({}, { informationalBanner: { text: "Zero", enabled: true } });
    const above = headFor(place, head);
    for (const text of ["One", "Two"]) {
      place.write(wants(text), { head: above });
      expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
    }
    place.write(wants("Three"), { head: above });
    place.sandbox.faults.push({ kind: "hang", match: isUpdate, isHandled: true });
    await killWhen(place, "apply --yes", () => shows(place) === "Three");
    expect(await place.run("rollback --yes")).toMatchObject({ exit: 0 });
    expect(shows(place)).toBe("Two");
  }
});
