// Whom the history names: the account as the sign-in service knows it, in words alone.
import { expect, test } from "vitest";
import { stand } from "./middle.js";
import { headFor, openPlace } from "./place.js";

test.each([
  ['"UserName":null,"FullName":"API User",', "API User"],
  ['"UserName":"","FullName":" ","PrimaryEmail":"gis@example.org",', "gis@example.org"],
  ['"UserName":7,"FullName":{"a":1},"PrimaryEmail":null,', undefined],
  ['"UserName":"api","FullName":"API User",', "api"],
])("a user of %s is %s", async (shown, account) => {
  const place = await openPlace();
  const middle = await stand(place.sandbox, {
    retell: (answer) =>
      answer.replace(/"FullName":"[^"]*",("PrimaryEmail":)null/, `${shown}"x":1,"y":null`),
  });
  place.write("settings: { blockBetaApps: true }\n", {
    head: headFor(place).replaceAll(place.sandbox.url, middle),
  });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, middle);
  expect(place.state(portalUrl)?.history[0]?.by.account).toBe(account);
});
