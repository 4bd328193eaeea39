// Whatever becomes of the update: the exit status says it, the journal stays open only where nobody knows, and the next apply settles it.
import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/sandbox/faults.js";
import { stand } from "./middle.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

const PORTAL = { informationalBanner: { text: "Old", enabled: true }, blockBetaApps: false };
const WANTED = "settings: { informationalBanner: { text: New }, aiAssistantsEnabled: true }\n";
const RIGHT = { informationalBanner: { text: "New", enabled: true }, aiAssistantsEnabled: true };

interface Case {
  readonly fault: Omit<Fault, "match">;
  /** The exit status where the portal took nothing, and where it took the update all the same. */
  readonly lost?: number;
  readonly taken?: number;
  readonly code: string;
}

const refused = { code: 400, message: "Unable to update the portal settings.", details: [] };

/** What is answered instead, and then what a read of the portal tells. */
const CASES: Readonly<Record<string, Case>> = {
  "a web page": { fault: { kind: "html" }, lost: 4, taken: 0, code: "answer-not-understood" },
  "an error of the portal, with status 200": {
    fault: { kind: "error-json" },
    lost: 4,
    taken: 0,
    code: "portal-refused",
  },
  // So do gateways and portals say that they have waited for long enough, while the work goes on.
  "a time-out, with status 200": {
    fault: { kind: "error-json", error: { code: 504, message: "Gateway Timeout" } },
    lost: 8,
    taken: 0,
    code: "outcome-unknown",
  },
  // A refusal is believed; should it be wrong, the next apply finds everything as it wants it.
  "a refusal, with status 200": {
    fault: { kind: "error-json", error: refused },
    lost: 4,
    taken: 4,
    code: "portal-refused",
  },
  "a page with status 500": {
    fault: { kind: "server-error" },
    lost: 8,
    taken: 0,
    code: "outcome-unknown",
  },
  "a redirect": { fault: { kind: "redirect" }, lost: 4, taken: 4, code: "redirected" },
  "a closed connection, before the effect": {
    fault: { kind: "drop-before" },
    lost: 8,
    code: "outcome-unknown",
  },
  "a closed connection, after the effect": { fault: { kind: "drop-after" }, taken: 0, code: "" },
  "half an answer": { fault: { kind: "cut" }, taken: 0, code: "" },
  "more than anybody would read": {
    fault: { kind: "huge" },
    lost: 8,
    taken: 0,
    code: "outcome-unknown",
  },
  "nothing at all": { fault: { kind: "hang" }, lost: 8, taken: 0, code: "outcome-unknown" },
};

const ONES = Object.entries(CASES).flatMap(([name, { fault, lost, taken, code }]) => [
  ...(lost === undefined ? [] : [{ name, fault, exit: lost, code, isTaken: false }]),
  ...(taken === undefined ? [] : [{ name, fault, exit: taken, code, isTaken: true }]),
]);

async function arrange(): Promise<Place> {
  const place = await openPlace({}, PORTAL);
  place.write(WANTED);
  return place;
}

/** The next apply ends as if nothing had happened, and the history knows of one apply. */
async function expectSettled(place: Place): Promise<void> {
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject(RIGHT);
  const { journal, history = [], leaves = [] } = place.state() ?? {};
  expect(journal).toBeUndefined();
  expect(history).toHaveLength(1);
  expect(history[0]?.changes.map(({ after }) => after)).toEqual(["New", true]);
  expect(leaves.map(({ shown }) => shown)).toEqual([true, "New"]);
  const [updates, { serial } = { serial: 0 }] = [place.updates().length, place.state()];
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.updates()).toHaveLength(updates);
  expect(place.state()?.serial).toBe(serial);
}

describe.each(ONES)("an update that meets $name ($isTaken)", ({ fault, exit, code, isTaken }) => {
  test(`exits with ${exit}, and the next apply settles it`, async () => {
    const place = await arrange();
    place.sandbox.faults.push({
      ...fault,
      match: isUpdate,
      ...(isTaken && { isHandled: true }),
    });
    const { exit: ended, stdout } = await place.run(
      `apply --yes --output json${fault.kind === "hang" ? " --timeout 2" : ""}`,
    );
    expect(ended).toBe(exit);
    if (exit > 0) expect(stdout).toContain(`"code": "${code}"`);
    // Never sent a second time by the same run.
    expect(place.updates()).toHaveLength(1);
    expect(place.state()?.journal !== undefined).toBe(exit === 8);
    expect(place.sandbox.settings()).toMatchObject(isTaken ? RIGHT : PORTAL);
    const plan = await place.run("plan");
    if (exit > 0) expect(plan.stdout).not.toMatch(/^No changes\./m);
    await expectSettled(place);
  });
});

describe("if the portal cannot be read afterwards", () => {
  test.each<Fault["kind"] | "none">(["none", "drop-before", "drop-after", "html", "server-error"])(
    "the outcome is unknown, and the journal remains for the next run (%s)",
    async (kind) => {
      const place = await arrange();
      if (kind !== "none") place.sandbox.faults.push({ kind, match: isUpdate });
      const isLater: Fault["match"] = (each) => !isUpdate(each) && place.updates().length > 0;
      for (let times = 0; times < 100; times++) {
        place.sandbox.faults.push({ kind: "drop-before", match: isLater });
      }
      expect(await place.run("apply --yes")).toMatchObject({ exit: 8 });
      expect(place.state()?.journal?.settings).toMatchObject(RIGHT);
      place.sandbox.faults.length = 0;
      const status = await place.run("status");
      const hasArrived = kind === "none" || kind === "drop-after";
      const told = status.stdout.replace(/\s+/g, " ");
      expect(told).toMatch(hasArrived ? /shows all of this apply/ : /is unknown for up to/);
      await expectSettled(place);
    },
  );
});

describe("a portal that rewrites a text", () => {
  test("is reported once, and is not drift later", async () => {
    const place = await openPlace({}, PORTAL);
    const url = await stand(place.sandbox, { rewrite: (value) => value.replace("New", "NEW") });
    const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, url);
    place.write(WANTED, { head: headFor(place).replace(place.sandbox.portalUrl, portalUrl) });
    const first = await place.run("apply --yes");
    expect(first.exit).toBe(1);
    expect(first.stdout + first.stderr).toMatch(/not-taken/);
    const state = place.state(portalUrl);
    expect(state?.leaves).toContainEqual({
      path: ["informationalBanner", "text"],
      sent: "New",
      shown: "NEW",
    });
    expect(state?.journal).toBeUndefined();
    expect(state?.history).toHaveLength(1);

    const plan = await place.run("plan --detailed-exitcode");
    expect(plan.exit).toBe(0);
    expect(plan.stdout).toMatch(/^No changes\./m);
    expect(plan.stdout).toMatch(/another value/);
    expect(await place.run("drift")).toMatchObject({ exit: 0 });
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.updates()).toHaveLength(1);
    expect(place.state(portalUrl)).toEqual(state);
  });
});

test("sends values again that a portal accepted but does not show", async () => {
  const place = await openPlace({ unknown: "ignore" });
  place.write(
    "allowUnknown: [newThing]\nsettings: { portalConfigProperties: { newThing: true } }\n",
  );
  for (const updates of [1, 2]) {
    const ran = await place.run("apply --yes");
    expect(ran.exit).toBe(1);
    expect(ran.stdout).toContain("not-shown");
    expect(place.updates()).toHaveLength(updates);
  }
  expect(await place.run("plan --detailed-exitcode")).toMatchObject({ exit: 2 });
});
