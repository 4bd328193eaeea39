// One portal under two names in one run: found before anything is sent; and a portal that became another one.
import { describe, expect, test } from "vitest";
import { ownKeyOf } from "../../src/apply/own-portal.js";
import { stand } from "./middle.js";
import { headFor, openPlace, type Place } from "./place.js";

const SETTINGS = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";
const flat = (text: string) => text.replace(/\s+/g, " ");

/** The sandbox at another address, and what `portals/self` says there. */
async function elsewhere(place: Place, retell: (answer: string) => string): Promise<string> {
  const url = await stand(place.sandbox, { retell });
  return place.sandbox.portalUrl.replace(place.sandbox.url, url);
}

const hosted = (hostname: string) => (answer: string) =>
  answer.replace(/("isPortal": ?true)/, `$1,"portalHostname":"${hostname}"`);

function write(place: Place, name: string, url: string, more = ""): void {
  const head = headFor(place, more).replace(place.sandbox.portalUrl, url);
  place.write(SETTINGS, { name, head });
}

describe("self, and the portal's own id", () => {
  test("are one portal: one run applies neither", async () => {
    const place = await openPlace();
    write(place, "a.yaml", place.sandbox.portalUrl);
    write(place, "b.yaml", place.sandbox.portalUrl, ", id: 0123456789ABCDEF");
    for (const words of [
      "plan a.yaml b.yaml",
      "apply a.yaml b.yaml --yes",
      "status a.yaml b.yaml",
    ]) {
      const { exit, stdout } = await place.run(words);
      expect([words, exit]).toEqual([words, 3]);
      expect(flat(stdout)).toContain('"a.yaml" and "b.yaml" configure the same portal');
      expect(flat(stdout)).toContain(', "0123456789ABCDEF"');
    }
    expect(place.updates()).toHaveLength(0);
  });
});

describe("two addresses", () => {
  test("of a portal that names its host are one portal", async () => {
    const place = await openPlace();
    const tell = hosted("GIS.example.com/portal");
    const [one, other] = [await elsewhere(place, tell), await elsewhere(place, tell)];
    write(place, "a.yaml", one);
    write(place, "b.yaml", other);
    const both = await place.run("apply a.yaml b.yaml --yes");
    expect(both.exit).toBe(3);
    expect(place.updates()).toHaveLength(0);
    expect(flat(both.stdout)).toContain('"0123456789ABCDEF" at "gis.example.com/portal"');
    expect(await place.run("apply a.yaml --yes")).toMatchObject({ exit: 0 });
    expect(place.updates()).toHaveLength(1);
  });

  test("of portals with the common id only are two", async () => {
    const place = await openPlace();
    const same = (answer: string) => answer;
    write(place, "a.yaml", await elsewhere(place, same));
    write(place, "b.yaml", await elsewhere(place, hosted("other.example.com/portal")));
    expect(await place.run("apply a.yaml b.yaml --yes")).toMatchObject({ exit: 0 });
  });

  test("of an organisation with a unique id are one", () => {
    const url = "https://gis.example.com/portal/sharing/rest";
    const id = "nzS0F0zdNLvs7nc8";
    expect(ownKeyOf({ id }, url)).toBe(ownKeyOf({ id, hostname: "x.example.com" }, `${url}/2`));
    expect(ownKeyOf({ id: "0123456789ABCDEF" }, url)).not.toBe(
      ownKeyOf({ id: "0123456789ABCDEF" }, `${url}/2`),
    );
  });
});

test("sends nothing if another portal answers than the state's", async () => {
  const place = await openPlace();
  let id = "nzS0F0zdNLvs7nc8";
  const url = await elsewhere(place, (answer) => answer.replace("0123456789ABCDEF", id));
  write(place, "portal.yaml", url);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  id = "Xk2Tq9LwPz7Rb4Mv";
  place.sandbox.change("self", {});
  for (const words of ["plan", "apply --yes", "rollback --yes"]) {
    const { exit, stdout, stderr } = await place.run(words);
    expect([words, exit]).toEqual([words, 1]);
    expect(stdout + stderr).toContain("[state-not-ours]");
    expect(flat(stdout + stderr)).toContain('"nzS0F0zdNLvs7nc8"');
    expect(flat(stdout + stderr)).toContain('"Xk2Tq9LwPz7Rb4Mv"');
  }
  expect(place.updates()).toHaveLength(1);
});

test("an unreadable portal has no identity yet", async () => {
  const place = await openPlace({ canRead: false });
  write(place, "portal.yaml", place.sandbox.portalUrl, ", read: never");
  expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  expect(place.state()?.portal).not.toHaveProperty("own");
});
