// What was not read as the signed-in administrator never becomes the base of a request.
import { describe, expect, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { stand, type Middle } from "./middle.js";
import type { Fault } from "../../src/sandbox/faults.js";
import { headFor, openPlace, type Place } from "./place.js";

const PORTAL = {
  informationalBanner: { text: "Old", bgColor: "black", fontColor: "white", enabled: true },
  blockBetaApps: true,
  portalConfigProperties: { tokenExpiration: 60, surveyUrl: "https://survey.example.com" },
};

async function applied(): Promise<Place> {
  const place = await openPlace({ omittedParameters: "reset", omittedProperties: "reset" }, PORTAL);
  place.write("settings: { informationalBanner: { enabled: true } }\n");
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  place.write("settings: { informationalBanner: { text: New, enabled: true } }\n");
  return place;
}

const RIGHT = /GET .*\/portals\/self\/settings/;
const SELF = /GET .*\/portals\/self\?/;
const always = (fault: Fault): Fault[] => Array.from({ length: 40 }, () => fault);

const FAILING: Readonly<Record<string, readonly [faults: Fault[], exit: number]>> = {
  "a web page": [always({ kind: "html", match: RIGHT }), 4],
  "an error with status 200": [always({ kind: "error-json", match: RIGHT }), 4],
  "a page with status 500": [always({ kind: "server-error", match: RIGHT }), 4],
  "half an answer": [always({ kind: "cut", match: RIGHT }), 4],
  "a closed connection": [always({ kind: "drop-before", match: RIGHT }), 4],
  "a redirect": [always({ kind: "redirect", match: RIGHT }), 4],
  "no success of the sign-in": [always({ kind: "error-json", match: /loginadmin/ }), 4],
  "a token that the portal refuses": [
    always({
      kind: "error-json",
      match: RIGHT,
      error: { code: 498, message: "Invalid token.", details: [] },
    }),
    4,
  ],
  "a user that the portal does not see": [
    always({ kind: "redirect", match: SELF, location: "/portal/sharing/rest/portals/self" }),
    4,
  ],
};

describe("an apply sends nothing if the portal answers with", () => {
  test.each(Object.entries(FAILING))("%s", async (_, [faults, exit]) => {
    const place = await applied();
    const [portal, state, updates] = [place.sandbox.settings(), place.state(), place.updates()];
    place.sandbox.faults.push(...faults);
    const ran = await place.run("apply --yes");
    expect(ran.exit).toBe(exit);
    expect(place.updates()).toEqual(updates);
    expect(place.sandbox.settings()).toEqual(portal);
    expect(place.state()).toEqual(state);
  });
});

const isSettings = (path: string): boolean => path.includes("/settings");

const CACHES: Readonly<
  Record<string, readonly [isBare: NonNullable<Middle["isBare"]>, exit: number, says: RegExp]>
> = {
  "all reads": [() => true, 7, /unread-portal.*does not say who is signed in/s],
  "the settings, after an apply that saw more": [isSettings, 7, /unread-portal/],
  "all reads but those of the first look": [
    (_, times) => times > 1,
    7,
    /unread-portal.*does not say who is signed in/s,
  ],
};

describe("an apply sends nothing if a cache answers without the token", () => {
  test.each(Object.entries(CACHES))("%s", async (_, [isBare, exit, says]) => {
    const place = await applied();
    const middle = await stand(place.sandbox, { isBare });
    const [portal, state, updates] = [place.sandbox.settings(), place.state(), place.updates()];
    // The same portal under another address has a state of its own.
    place.write("settings: { informationalBanner: { text: New } }\n", {
      head: headFor(place).replace(place.sandbox.url, middle),
    });
    if (state && exit === 7) {
      const { portalUrl } = place.sandbox;
      const portal = identityOf(portalUrl.replace(place.sandbox.url, middle), "self");
      const text = printState({ ...state, portal });
      place.write(text, { name: `.lintel/${portal.key}/000001.json`, head: "" });
    }
    const ran = await place.run("apply --yes");
    expect(ran.stdout + ran.stderr).toMatch(says);
    expect(ran.exit).toBe(exit);
    expect(place.updates()).toEqual(updates);
    expect(place.sandbox.settings()).toEqual(portal);
  });
});

test("a public view does not verify an apply", async () => {
  const place = await openPlace({}, PORTAL);
  let isCached = true;
  const middle = await stand(place.sandbox, {
    isBare: (_, times) => isCached && times > 2,
  });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, middle);
  place.write("settings: { informationalBanner: { text: New }, blockBetaApps: true }\n", {
    head: headFor(place).replace(place.sandbox.portalUrl, portalUrl),
  });
  const ran = await place.run("apply --yes");
  expect(place.updates()).toHaveLength(1);
  expect(ran.exit).toBe(8);
  expect(place.state(portalUrl)?.journal).toBeDefined();
  isCached = false;
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.updates()).toHaveLength(1);
  expect(place.state(portalUrl)?.history[0]?.live?.after).toHaveProperty("blockBetaApps", true);
});

test("a plan without credentials reads the public settings, and is never applied", async () => {
  const place = await applied();
  const updates = place.updates();
  const none = { LINTEL_BEID: undefined, LINTEL_WEB_SERVICES_KEY: undefined };
  const seen = await place.run("plan --save plan.json", { env: none });
  expect(seen.exit).toBe(1);
  expect(seen.stdout).toMatch(/did not sign in/);
  expect(seen.stdout).not.toMatch(/^No changes/m);
  expect((await place.run("plan", { env: none })).exit).toBe(0);
  expect((await place.run("plan --detailed-exitcode", { env: none })).exit).toBe(4);
  const offline = await place.run("plan --detailed-exitcode --offline", { env: none });
  expect(offline.exit).not.toBe(4);
  for (const env of [none, {}]) {
    const ran = await place.run("apply plan.json", { env });
    expect(ran.exit).toBeGreaterThan(0);
  }
  expect((await place.run("apply --yes", { env: none })).exit).toBeGreaterThan(0);
  expect(place.updates()).toEqual(updates);
});

test.each(["8.2", "9.2", "10.1", "2023.3"])(
  "a plan for release %s notes in every report that it may be older",
  async (release) => {
    const place = await openPlace({}, PORTAL);
    const middle = await stand(place.sandbox, {
      retell: (answer) =>
        answer
          .replace(/"currentVersion":"[^"]*",?/, "")
          .replace(/"enterpriseVersion":"[^"]*"/, `"currentVersion":"${release}"`),
    });
    place.write("settings: { blockBetaApps: false }\n", {
      head: headFor(place).replace(place.sandbox.url, middle),
    });
    for (const format of ["text", "json", "markdown", "html"]) {
      const ran = await place.run(`plan --output ${format}`);
      expect(ran.exit).toBe(0);
      expect(ran.stdout.replaceAll("&quot;", '"').replace(/\s+/g, " ")).toMatch(
        new RegExp(`release .{1,6}${release}.{1,4} which the reference does not list`),
      );
    }
    const examined = await place.run("doctor");
    expect(examined.stdout).toContain(`release "${release}", which the reference does not list`);
  },
);
