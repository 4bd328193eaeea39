// A portal that is never read, and resets whatever a request leaves out: lines go from the file, and nothing goes from the portal.
import { describe, expect, test } from "vitest";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

const UNREAD = { canRead: false, omittedProperties: "reset", omittedParameters: "keep" } as const;
const APPLY = "apply --yes --allow unread-portal";

async function openUnread(): Promise<Place> {
  return openPlace(UNREAD);
}

function write(place: Place, settings: string): void {
  place.write(`settings:\n${settings}`, { head: headFor(place, ", read: never") });
}

async function applied(place: Place, settings: string): Promise<string> {
  write(place, settings);
  const { exit, stdout, stderr } = await place.run(APPLY);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  return stdout.replace(/\s+/g, " ");
}

const banner = (rest: string) => `  informationalBanner: { ${rest} }\n`;

describe("a removed line", () => {
  test("is still sent with every later request, but not managed", async () => {
    const place = await openUnread();
    await applied(place, banner("text: One, bgColor: navy, enabled: true"));
    const told = await applied(place, banner("text: Two, enabled: true"));
    expect(told).toContain("Lintel still sends its last applied value");
    for (const text of ["Three", "Four"]) {
      const again = await applied(place, banner(`text: ${text}, enabled: true`));
      expect(again).toContain(
        "Lintel still sends its last applied value, because it never reads the portal",
      );
      expect(place.sandbox.settings()).toEqual({
        informationalBanner: { text, bgColor: "navy", enabled: true },
      });
    }
    const { leaves, alsoSent } = place.state() ?? {};
    expect(leaves?.map(({ path }) => path.join("."))).toEqual([
      "informationalBanner.enabled",
      "informationalBanner.text",
    ]);
    expect(alsoSent).toEqual([{ path: ["informationalBanner", "bgColor"], sent: "navy" }]);
    expect((await place.run("plan --detailed-exitcode")).exit).toBe(0);

    const history = await place.run("history portal.yaml");
    expect(history.stdout.match(/still sent informationalBanner\.bgColor +"navy"/g)).toHaveLength(
      3,
    );
    const shown = await place.run("state show portal.yaml");
    expect(shown.stdout).toMatch(/2 settings managed/);
    expect(shown.stdout).toMatch(
      /1 setting sent without being managed\n +informationalBanner\.bgColor/,
    );
  });

  test("until it is released", async () => {
    const place = await openUnread();
    await applied(place, banner("text: One, bgColor: navy, enabled: true"));
    await applied(place, banner("text: One, enabled: true"));
    const released = await place.run("state rm portal.yaml informationalBanner.bgColor");
    expect(released).toMatchObject({ exit: 0 });
    expect(released.stdout).toContain("informationalBanner.bgColor is no longer managed, nor part");
    expect(place.state()).not.toHaveProperty("alsoSent");
    await applied(place, banner("text: Two, enabled: true"));
    expect(place.sandbox.settings()).toEqual({
      informationalBanner: { text: "Two", enabled: true },
    });
  });

  test("until it is in the file again, with any value", async () => {
    const place = await openUnread();
    await applied(place, banner("text: One, bgColor: navy, enabled: true"));
    await applied(place, banner("text: One, enabled: true"));
    const told = await applied(place, banner("text: One, bgColor: navy, enabled: true"));
    expect(told).toContain("now it is managed again");
    expect(place.updates()).toHaveLength(1);
    expect(place.state()?.leaves).toHaveLength(3);
    expect(place.state()).not.toHaveProperty("alsoSent");
  });

  test("of a switch triggers the guard when the file switches it off later", async () => {
    const place = await openUnread();
    await applied(place, banner("text: One, enabled: true"));
    await applied(place, banner("text: One"));
    write(place, banner("text: One, enabled: false"));
    expect(await place.run(APPLY)).toMatchObject({ exit: 7 });
  });
});

test("leaves out a parameter without settings in the file, and guards its next use", async () => {
  const place = await openUnread();
  const notice = "  authenticatedAccessNotice: { text: For members., buttons: okOnly }\n";
  await applied(place, banner("text: One, enabled: true") + notice);
  const told = await applied(place, banner("text: Two, enabled: true"));
  expect(told).toContain(
    'The file no longer sets anything in "authenticatedAccessNotice", and Lintel never reads the portal. So requests leave it out',
  );
  expect([...new URLSearchParams(place.updates().at(-1)?.body).keys()]).toEqual([
    "informationalBanner",
    "f",
  ]);
  write(place, `${banner("text: Two, enabled: true")}  authenticatedAccessNotice: { text: New }\n`);
  const guarded = await place.run("apply --yes");
  expect(guarded).toMatchObject({ exit: 7 });
  expect(guarded.stdout).toContain("unread-portal");
});

test("sends only managed settings once the portal is read again", async () => {
  const place = await openPlace({ ...UNREAD, canRead: true });
  await applied(place, banner("text: One, bgColor: navy, enabled: true"));
  await applied(place, banner("text: Two, enabled: true"));
  expect(place.state()).toHaveProperty("alsoSent");
  place.write(`settings:\n${banner("text: Three, enabled: true")}`);
  expect(await place.run(APPLY)).toMatchObject({ exit: 0 });
  expect(place.state()).not.toHaveProperty("alsoSent");
  expect(place.sandbox.settings()).toEqual({
    informationalBanner: { text: "Three", bgColor: "navy", enabled: true },
  });
});

describe("what was sent in between without a verification", () => {
  async function openBetween(): Promise<Place> {
    const place = await openUnread();
    await applied(place, banner("text: One, enabled: true"));
    place.sandbox.faults.push({ match: isUpdate, kind: "drop-after" });
    write(place, banner("text: Between, enabled: true"));
    expect(await place.run(APPLY)).toMatchObject({ exit: 8 });
    return place;
  }

  test("stands in the history with its unknown outcome", async () => {
    const place = await openBetween();
    await applied(place, banner("text: Two, enabled: true"));
    const told = (place.state()?.history ?? []).map(({ outcome, changes }) => [
      outcome,
      changes.find(({ path }) => path[1] === "text")?.after,
    ]);
    expect(told).toEqual([
      [undefined, "One"],
      ["unknown", "Between"],
      [undefined, "Two"],
    ]);
    const { stdout } = await place.run("history portal.yaml");
    expect(stdout).toMatch(/apply \d+ {2}.+ UTC {2}outcome unknown\n/);
  });

  test("stands there once where the same is sent again", async () => {
    const place = await openBetween();
    await applied(place, banner("text: Between, enabled: true"));
    expect(place.state()?.history.map(({ outcome }) => outcome)).toEqual([undefined, undefined]);
  });

  test("stays unknown where what is sent next is refused", async () => {
    const place = await openBetween();
    const journal = place.state()?.journal;
    const error = { code: 400, message: "Unable to update the portal settings.", details: [] };
    place.sandbox.faults.push({ match: isUpdate, kind: "error-json", error });
    write(place, banner("text: Two, enabled: true"));
    expect(await place.run(APPLY)).toMatchObject({ exit: 4 });
    expect(place.state()?.journal).toEqual(journal);
    await applied(place, banner("text: One, enabled: true"));
    expect(place.sandbox.settings()).toEqual({
      informationalBanner: { text: "One", enabled: true },
    });
  });
});
