// Whom the history names: the account as the portal knows it, or else the sign-in service, in words alone; and whom git calls so, which is asked in time.
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stand } from "./middle.js";
import { headFor, openPlace } from "./place.js";

test.each<[portal: string, service: string, account: string | undefined]>([
  ['{"username":"gis-bot","fullName":"GIS Bot","role":"org_admin"}', "", "gis-bot"],
  ['{"username":null,"fullName":"GIS Bot","role":"org_admin"}', "", "GIS Bot"],
  [
    '{"username":" ","fullName":7,"role":"org_admin"}',
    '"UserName":null,"FullName":"API User",',
    "API User",
  ],
  ["{}", '"UserName":"","FullName":" ","PrimaryEmail":"gis@example.org",', "gis@example.org"],
  ["{}", '"UserName":7,"FullName":{"a":1},"PrimaryEmail":null,', undefined],
  ['"gis-bot"', '"UserName":"api","FullName":"API User",', "api"],
])("who is %s to the portal, and %s to the service, is %s", async (portal, service, account) => {
  const place = await openPlace();
  const middle = await stand(place.sandbox, {
    retell: (answer) =>
      answer
        .replace(/"user":\{[^}]*\}/, `"user":${portal}`)
        .replace(/"FullName":"[^"]*",("PrimaryEmail":)null/, `${service}"x":1,"y":null`),
  });
  place.write("settings: { blockBetaApps: true }\n", {
    head: headFor(place).replaceAll(place.sandbox.url, middle),
  });
  expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, middle);
  expect(place.state(portalUrl)?.history[0]?.by.account).toBe(account);
  const isAsked = place.sandbox.requests.some(({ path }) => path.includes("getuser"));
  expect(isAsked).toBe(service !== "");
});

test("calls git while the portal answers, and not without changes", async () => {
  const place = await openPlace();
  const programs = join(place.folder.path, "programs");
  const called = join(programs, "called");
  mkdirSync(programs);
  writeFileSync(
    join(programs, "git"),
    `#!/bin/sh\n: > "${called}"\nprintf 'file:x\\0user.name\\nAda\\0'\n`,
    { mode: 0o755 },
  );
  const watcher = watch(programs);
  onTestFinished(() => watcher.close());
  const begun = once(watcher, "change");
  // A portal that does not answer before git was started.
  const middle = await stand(place.sandbox, { delay: async () => void (await begun) });
  const apply = async (text: string) => {
    const head = headFor(place).replaceAll(place.sandbox.url, middle);
    place.write(`settings: { informationalBanner: { text: ${text}, enabled: true } }\n`, { head });
    return await place.run("apply --yes", { env: { PATH: programs } });
  };
  expect(await apply("One")).toMatchObject({ exit: 0 });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, middle);
  expect(place.state(portalUrl)?.history[0]?.by.actor).toBe("Ada");

  rmSync(called);
  expect(await apply("One")).toMatchObject({ exit: 0 });
  expect(existsSync(called)).toBe(false);
  expect(await apply("Two")).toMatchObject({ exit: 0 });
  expect(existsSync(called)).toBe(true);
});
