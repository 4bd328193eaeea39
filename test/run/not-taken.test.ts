// A portal that says that it took a property and shows nothing of it: the other spelling is named, and never tried in silence.
import { expect, test } from "vitest";
import { stand } from "./middle.js";
import { headFor, openPlace } from "./place.js";

/** The name under which the portal drops what it is sent, and the other one, which it knows. */
const CASES = [
  ["searchPlatformOnlineEnabled", "searchArcGISOnlineEnabled", /Real portals are known to call it/],
  ["portalAGOConfigEnabled", "portalPlatformOnlineConfigEnabled", /The reference calls it/],
] as const;

test.each(CASES)("%s", async (dropped, taken, who) => {
  const place = await openPlace();
  const rewrite = (value: string) => value.replace(`"${dropped}"`, '"unheardOf"');
  const url = await stand(place.sandbox, { rewrite });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, url);
  const head = headFor(place).replace(place.sandbox.portalUrl, portalUrl);
  const write = (name: string) =>
    place.write(`settings: { portalConfigProperties: { ${name}: false } }\n`, { head });
  const apply = () => place.run("apply --yes --allow disconnect");

  write(dropped);
  const ran = await apply();
  expect(ran.exit).toBe(1);
  expect(ran.stdout).toContain("[not-shown]");
  expect(ran.stdout).toContain(`shows "${dropped}" in neither spelling`);
  expect(ran.stdout).toMatch(who);
  expect(ran.stdout).toMatch(
    new RegExp(`in portal\\.yaml, line 4 under "portalConfigProperties":\\n +${taken}: false\\n`),
  );
  expect(place.updates()).toHaveLength(1);
  expect(place.updates()[0]?.body).not.toContain(taken);
  expect(place.state(portalUrl)).toMatchObject({ history: [], journal: { kind: "apply" } });

  write(taken);
  expect(await apply()).toMatchObject({ exit: 0 });
  const change = { action: "set", cause: "file", before: null, after: false };
  expect(place.state(portalUrl)?.history.at(-1)?.changes).toMatchObject([change]);
});

test("suggests no spelling for a property with one, or with another value", async () => {
  const place = await openPlace(
    {},
    { portalConfigProperties: { searchArcGISOnlineEnabled: true } },
  );
  const rewrite = (value: string) =>
    value
      .replace('"searchArcGISOnlineEnabled":false', '"searchArcGISOnlineEnabled":true')
      .replace('"showCreateDashboard"', '"unheardOf"')
      .replace('"portalAGOConfigEnabled"', '"unheardOf"');
  const url = await stand(place.sandbox, { rewrite });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, url);
  place.write(
    "settings: { portalConfigProperties: { searchPlatformOnlineEnabled: false, portalPlatformOnlineConfigEnabled: false, showCreateDashboard: false } }\n",
    { head: headFor(place).replace(place.sandbox.portalUrl, portalUrl) },
  );
  const ran = await place.run("apply --yes --allow disconnect");
  expect(ran.stdout).toContain("[not-shown]");
  expect(ran.stdout).not.toContain("spelling");
});

test("the history shows both the sent and the live value", async () => {
  const place = await openPlace();
  const rewrite = (value: string) => value.replace('"searchPlatformOnlineEnabled"', '"unheardOf"');
  const url = await stand(place.sandbox, { rewrite });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, url);
  place.write(
    "settings: { blockBetaApps: true, portalConfigProperties: { searchPlatformOnlineEnabled: false } }\n",
    { head: headFor(place).replace(place.sandbox.portalUrl, portalUrl) },
  );
  const ran = await place.run("apply --yes --allow disconnect");
  expect(ran.exit).toBe(1);
  expect(ran.stdout).toContain("[not-taken]");
  const change = { action: "set", cause: "file", before: null, after: false, shown: null };
  expect(place.state(portalUrl)?.history.at(-1)?.changes).toContainEqual(
    expect.objectContaining(change),
  );
  expect((await place.run("history")).stdout).toContain("false  not taken");
});
