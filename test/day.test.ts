// A day of use: the commands that the README and the messages name, in the order in which people come to them, and the words that they need at each point.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { headFor, openPlace, type Place } from "./run/place.js";
import type { Ran } from "./support/run.js";

/** Runs it; `says` must stand in what was printed, in this order, whatever the lines. */
async function tell(
  place: Place,
  words: string,
  exit: number,
  says: readonly string[] = [],
): Promise<Ran> {
  const ran = await place.run(words);
  const said = `${ran.stderr} ${ran.stdout}`.replace(/\s+/g, " ");
  expect({ words, exit: ran.exit, said }).toEqual({ words, exit, said });
  let from = 0;
  for (const part of says) {
    const at = said.indexOf(part, from);
    expect(at >= 0 ? part : { words, missing: part, in: said }).toBe(part);
    from = at + part.length;
  }
  return ran;
}

const BANNER = (text: string) =>
  `  informationalBanner: { text: ${text}, bgColor: "#b30000", fontColor: white, enabled: true }\n`;
const textOf = (place: Place) =>
  (place.sandbox.settings()["informationalBanner"] as { text?: string } | undefined)?.text;

test("one portal: begun, applied, changed by hand, and rolled back", async () => {
  const place = await openPlace({}, { informationalBanner: { text: "Welcome", enabled: true } });
  const { portalUrl, signInUrl } = place.sandbox;

  await tell(place, `init --url ${portalUrl} --sign-in-url ${signInUrl} --target 12.1`, 0, [
    "Wrote portal.yaml and desired-state-12.1.schema.json.",
    "lintel doctor",
    "lintel pull --all",
    "lintel plan",
  ]);
  await tell(place, "pull portal.yaml --all", 0, ["informationalBanner.text", "Welcome"]);
  await tell(place, "validate portal.yaml", 0, ["no problems"]);
  await tell(place, "status", 2, [
    "last apply never",
    "2 to track",
    "next lintel apply portal.yaml",
  ]);
  await tell(place, "apply --yes", 0, [
    "2 tracked",
    "git add portal.yaml desired-state-12.1.schema.json .lintel",
  ]);
  expect(place.updates()).toEqual([]);

  place.write(`settings:\n${BANNER("Read-only on Saturday")}`);
  await tell(place, "plan", 0, [
    '~ text "Welcome" → "Read-only on Saturday" portal.yaml:',
    "1 portal: 3 to set.",
  ]);
  await tell(place, "apply", 64, ["Cannot prompt", "--yes"]);
  await tell(place, "apply --yes", 0, ["1 portal: 3 set."]);
  expect(textOf(place)).toBe("Read-only on Saturday");
  await tell(place, "plan", 0, ["No changes."]);
  await tell(place, "status", 0, ["changes none", "Nothing to do."]);

  // Somebody changes it by hand.
  const live = place.sandbox.settings();
  const byHand = (text: string) =>
    place.sandbox.change("self", {
      ...live,
      informationalBanner: { ...(live["informationalBanner"] as object), text },
    });
  byHand("By hand");
  await tell(place, "drift", 2, [
    '"Read-only on Saturday" → "By hand"',
    "1 setting changed since the last apply.",
  ]);
  await tell(place, "status", 7, [
    "The portal changed since the last apply, or this state is an older copy. Show the changes: lintel drift portal.yaml",
    "Keep them in the file: lintel pull portal.yaml --path informationalBanner.text",
    "To overwrite them, read first: lintel explain overwrite-drift",
  ]);
  await tell(place, "apply --yes", 7, [
    'is "By hand" on the portal',
    "lintel pull portal.yaml --path informationalBanner.text",
    "See: lintel explain overwrite-drift",
    "Nothing was sent. Stopped by overwrite-drift.",
  ]);
  await tell(place, "pull portal.yaml --path informationalBanner.text", 0, [
    '"Read-only on Saturday" → "By hand"',
  ]);
  await tell(place, "status", 2, ["1 to track", "next lintel apply portal.yaml"]);
  await tell(place, "apply --yes", 0, ["already in sync; now tracked"]);

  // A change that nobody should have made.
  place.write(`settings:\n${BANNER("Bad").replace("enabled: true", "enabled: false")}`);
  await tell(place, "plan", 0, [
    '"informationalBanner" would be switched off.',
    "See: lintel explain disable-notice",
    "Stopped by disable-notice.",
  ]);
  await tell(place, "apply --yes", 7, ["Nothing was sent. Stopped by disable-notice."]);
  await tell(place, "apply --yes --allow disable-notice", 0, ["2 set"]);
  await tell(place, "rollback --yes", 0, [
    "Apply is blocked until the file matches",
    "lintel unhold portal.yaml",
    "2 set",
  ]);
  expect(textOf(place)).toBe("By hand");
  await tell(place, "apply --yes --allow disable-notice", 7, [
    "The portal is on hold since",
    "lintel pull portal.yaml",
    "lintel unhold portal.yaml",
  ]);
  await tell(place, "status", 7, [
    "hold since",
    "Keep the values of the portal: lintel pull portal.yaml",
  ]);
  await tell(place, "rollback --yes", 0, ["already rolled back"]);
  await tell(place, "pull", 0, ["2 values changed"]);
  await tell(place, "status", 2, [
    "next The file matches the portal. End the hold: lintel apply portal.yaml",
  ]);
  await tell(place, "apply --yes", 0, [
    'The hold on "portal" has ended, because the file matches the portal.',
    "No changes.",
  ]);
  await tell(place, "history", 0, ["rollback", "disable-notice", "apply"]);
  await tell(place, "doctor", 0, ["ok"]);
  await tell(place, "doctor", 0, ["API User"]);
});

test("two people: a saved plan is not carried out on anything but what it was made for", async () => {
  const place = await openPlace();
  place.write(`settings:\n${BANNER("Ada's")}`);
  await tell(place, "plan --save plan.json", 0);
  await tell(place, "plan --load plan.json", 0, ["Ada's"]);
  place.write(`settings:\n${BANNER("Grace's")}`);
  await tell(place, "apply --yes", 0, ["4 set"]);
  place.write(`settings:\n${BANNER("Ada's")}`);
  await tell(place, "apply plan.json", 5, [
    "is stale: changes were applied by",
    'The plans differ in "informationalBanner.text"',
    "lintel plan --save plan.json",
  ]);
  expect(textOf(place)).toBe("Grace's");
});

test("ten portals: one base, one error reported once, one portal that is down", async () => {
  const place = await openPlace({ portals: 9 });
  const base = headFor(place).replace(/portal: .*\n/, "");
  const { portalUrl } = place.sandbox;
  place.write(`settings:\n${BANNER("Read-only")}  nonsense: true\n`, {
    name: "portals/_base.yaml",
    head: base,
  });
  for (let at = 1; at <= 9; at++) {
    place.write("", {
      name: `portals/city-${at}.yaml`,
      head: `extends: ./_base.yaml\nportal: { url: "${portalUrl}", id: portal-${at} }\n`,
    });
  }
  place.write("", {
    name: "portals/city-10.yaml",
    head: `extends: ./_base.yaml\nportal: { url: "${portalUrl}", id: portal-10 }\n`,
  });
  const wrong = await tell(place, "validate portals", 3, ['"nonsense"', "10 files"]);
  expect(wrong.stdout.match(/"nonsense"/g)).toHaveLength(1);
  place.write(`settings:\n${BANNER("Read-only")}`, { name: "portals/_base.yaml", head: base });
  await tell(place, "validate portals", 0);
  // There are nine; the tenth is not there.
  await tell(place, "plan portals", 4, ["city-10", "10 portals"]);
  await tell(place, "apply portals --yes", 4, ["9 portals"]);
  rmSync(join(place.folder.path, "portals/city-10.yaml"));
  await tell(place, "status portals", 0, ["Nothing to do."]);
  await tell(place, "plan portals --detailed-exitcode", 0, ["No changes."]);
});

test("from an old configuration file: what is certain is taken over, the rest is named", async () => {
  const place = await openPlace();
  place.write(
    "window.esriGeowConfig = { tokenExpiration: 30, bingMapsKey: 'x', surveyUrl: choose() };\n",
    { name: "config.js", head: "" },
  );
  const { portalUrl, signInUrl } = place.sandbox;
  await tell(place, "migrate config.js --target 12.1 --out portal.yaml", 3, [
    "migrated",
    "tokenExpiration",
    "not-understood",
    "surveyUrl",
  ]);
  await tell(place, "migrate config.js --target 12.1 --out portal.yaml", 1, [
    "already exists",
    "--into portal.yaml",
  ]);
  await tell(place, "validate portal.yaml", 3, ["portal"]);
  const rest = place.read("portal.yaml").replace(/^targetVersion:.*\n/m, "");
  place.write(rest, {
    head: `targetVersion: "12.1"\nportal: { url: "${portalUrl}" }\nsignIn: { url: "${signInUrl}" }\n`,
  });
  await tell(place, "apply portal.yaml --yes", 0, ["tokenExpiration", "1 set"]);
  expect(place.sandbox.settings()["portalConfigProperties"]).toMatchObject({ tokenExpiration: 30 });
});
