// A portal that does not say that an administrator is signed in may hide values: a request built on that view would remove them.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import type { Fault } from "../../src/sandbox/faults.js";
import { stand } from "./middle.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

const PORTAL = {
  informationalBanner: { text: "Old", enabled: true },
  portalConfigProperties: { tokenExpiration: 60, surveyUrl: "https://survey.example.com" },
};
const WANTED = "settings: { informationalBanner: { text: New } }\n";
const SELF = /\/portals\/self(?:\?|$)/;

const flat = (text: string) => text.replace(/\s+/g, " ");
const user = (more: JsonObject): Fault => saying({ user: { username: "gis-bot", ...more } });

function saying(json: JsonObject): Fault {
  return { kind: "json", match: SELF, isLasting: true, json: { id: "0123456789ABCDEF", ...json } };
}

function failing(fault: Omit<Fault, "match" | "isLasting">): Fault {
  return { ...fault, match: SELF, isLasting: true };
}

/** A portal whose reads hide what an administrator alone sees, and which loses what an update leaves out. */
async function arrange(fault?: Fault, options: SandboxOptions = {}): Promise<Place> {
  const place = await openPlace({ omittedParameters: "reset", ...options }, PORTAL);
  if (fault) place.sandbox.faults.push(fault);
  place.write(WANTED);
  return place;
}

const HIDING = { anonymousReads: true } as const;
const NOBODY = /The portal does not say who is signed in/;
const LACKS = (role: string) =>
  new RegExp(`The account "gis-bot" has ${role} without the privilege for security`);

const UNPROVEN: Readonly<Record<string, readonly [fault: Fault | undefined, why: RegExp]>> = {
  "what anybody sees": [undefined, NOBODY],
  "an empty object": [failing({ kind: "json" }), NOBODY],
  "a user that is null": [saying({ user: null }), NOBODY],
  "a user that is a text": [saying({ user: "gis-bot" }), NOBODY],
  "a user without a role": [user({}), /does not show a role of the account "gis-bot"/],
  "a user without a name": [
    saying({ user: { role: "org_user" } }),
    /the account has the role "org_user"/i,
  ],
  "a role that is no text": [
    user({ role: ["org_admin"] }),
    /does not show a role of the account "gis-bot"/,
  ],
  "a member": [
    user({ role: "org_user", privileges: ["portal:user:createItem"] }),
    LACKS('the role "org_user"'),
  ],
  "a publisher": [user({ role: "org_publisher" }), LACKS('the role "org_publisher"')],
  "a role of its own, without the privilege": [
    user({ role: "org_admin", roleId: "Kq3vT8sWm1ZbYx5e", privileges: ["portal:admin:viewUsers"] }),
    LACKS("a custom role"),
  ],
  "a role of its own, without privileges": [
    user({ role: "org_admin", roleId: "Kq3vT8sWm1ZbYx5e" }),
    LACKS("a custom role"),
  ],
  "privileges that are no list": [
    user({ role: "org_user", privileges: "portal:admin:manageSecurity" }),
    LACKS('the role "org_user"'),
  ],
  "an error 404": [
    failing({ kind: "error-json", error: { code: 404, message: "Not found.", details: [] } }),
    /does not say who is signed in.*404: Not found/,
  ],
  "an error 500": [failing({ kind: "error-json" }), /does not say who is signed in.*500/],
  "a page with status 500": [failing({ kind: "server-error" }), /does not say who.*a web page/],
  "a web page": [failing({ kind: "html" }), /does not say who.*a web page/],
};

describe.each(Object.entries(UNPROVEN))("if portals/self answers with %s", (_, [fault, why]) => {
  test("shows the plan with the guard, and applies nothing", async () => {
    const place = await arrange(fault, HIDING);
    const planned = await place.run("plan");
    expect(planned.exit).toBe(0);
    expect(flat(planned.stdout)).toMatch(why);
    expect(planned.stdout).toContain("See: lintel explain unread-portal");
    const ran = await place.run("apply --yes");
    expect(ran.exit).toBe(7);
    expect(flat(ran.stdout)).toMatch(why);
    expect(place.updates()).toEqual([]);
    expect(place.state()).toBeUndefined();
    expect(place.sandbox.settings()).toEqual(PORTAL);
  });

  test("doctor reports the same", async () => {
    const place = await arrange(fault, HIDING);
    const ran = await place.run("doctor");
    const [, told = ""] = /^warning +privilege +(.*?)^\S/ms.exec(ran.stdout) ?? [];
    expect(flat(told)).toMatch(why);
    expect(told).toContain("unread-portal");
  });
});

describe("does not trigger for an administrator", () => {
  test.each<[string, Fault | undefined, SandboxOptions?]>([
    ["the default role", undefined],
    ["the default role, without privileges", user({ role: "org_admin" })],
    ["the default role by its id", user({ role: "org_admin", roleId: "org_admin" })],
    ["a role with the privilege", undefined, { role: "security" }],
    [
      "another role with the privilege",
      user({ role: "org_publisher", privileges: ["portal:admin:manageSecurity"] }),
    ],
  ])("%s", async (_, fault, options) => {
    const place = await arrange(fault, options);
    expect((await place.run("plan")).stdout).not.toContain("unread-portal");
    expect((await place.run("doctor")).stdout).toMatch(/^ok +privilege/m);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    const { portalConfigProperties } = PORTAL;
    expect(place.sandbox.settings()).toMatchObject({ portalConfigProperties });
  });
});

describe("a portal with an id", () => {
  const ID = "0123456789ABCDEF";
  const elsewhere = (id: string) =>
    saying({ id, user: { username: "gis-bot", role: "org_admin" } });

  test("is not administered by an administrator of another portal", async () => {
    const place = await arrange(elsewhere("nzS0F0zdNLvs7nc8"), HIDING);
    place.write(WANTED, { head: headFor(place, `, id: ${ID}`) });
    const ran = await place.run("apply --yes");
    expect(ran.exit).toBe(7);
    expect(flat(ran.stdout)).toMatch(
      /unread-portal.*"gis-bot" belongs to another portal than "0123456789ABCDEF"/,
    );
    expect(place.updates()).toEqual([]);
  });

  test("is administered by its own account", async () => {
    const place = await arrange(undefined, { portals: 1 });
    place.sandbox.change("portal-1", PORTAL);
    for (const id of [ID, "portal-1"]) {
      place.write(WANTED, { name: `${id}.yaml`, head: headFor(place, `, id: ${id}`) });
      expect(await place.run(`apply ${id}.yaml --yes`)).toMatchObject({ exit: 0 });
    }
  });
});

test("fails the plan if portals/self refuses the token", async () => {
  const error = { code: 499, message: "Token Required", details: ["Token Required"] };
  const place = await arrange(failing({ kind: "error-json", error }));
  for (const words of ["plan", "apply --yes"]) {
    const ran = await place.run(words);
    expect([words, ran.exit]).toEqual([words, 4]);
    expect(ran.stdout).toContain("[sign-in-refused]");
  }
  expect(place.updates()).toEqual([]);
});

describe("allowing the guard", () => {
  test("sends the shown values, and records the guard in the history", async () => {
    const place = await arrange(failing({ kind: "json" }));
    expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
    expect(place.state()?.history[0]?.guards).toEqual([{ guard: "unread-portal", how: "--allow" }]);
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
    expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  });

  test("does not record hidden values as absent", async () => {
    const place = await arrange(undefined, { ...HIDING, omittedParameters: "keep" });
    expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
    expect(place.state()?.history[0]?.live).toEqual({});
    expect(place.state()?.portal.own).toBeUndefined();
  });
});

describe("hidden settings", () => {
  async function hiding(): Promise<Place> {
    const place = await openPlace({}, PORTAL);
    place.write(
      "settings: { portalConfigProperties: { tokenExpiration: 60 }, informationalBanner: { text: Old } }\n",
    );
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    const { informationalBanner } = PORTAL;
    place.sandbox.faults.push(failing({ kind: "json" }), {
      kind: "json",
      match: "/settings?",
      isLasting: true,
      json: { informationalBanner },
    });
    return place;
  }

  test("are no changes, and a note says why", async () => {
    const place = await hiding();
    const planned = await place.run("plan");
    expect(planned.stdout).toMatch(/^No changes\./m);
    expect(flat(planned.stdout)).toMatch(NOBODY);
  });

  test("are reported neither as drift nor as its absence", async () => {
    const place = await hiding();
    for (const words of ["drift", "drift --all", "drift --all --path informationalBanner"]) {
      const ran = await place.run(words);
      expect([words, ran.exit]).toEqual([words, 4]);
      expect(flat(ran.stdout)).toMatch(NOBODY);
    }
    expect((await place.run("drift")).stdout).toContain("portalConfigProperties.tokenExpiration");
    expect(await place.run("drift --path informationalBanner")).toMatchObject({ exit: 0 });
  });

  test("are not pulled, with a notice", async () => {
    const place = await hiding();
    const file = place.read("portal.yaml");
    const ran = await place.run("pull");
    expect(flat(ran.stderr)).toMatch(NOBODY);
    expect(place.read("portal.yaml")).toBe(file);
  });
});

test("blocks a rollback until the guard is allowed", async () => {
  const place = await arrange();
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const updates = place.updates();
  place.sandbox.faults.push(user({ role: "org_publisher" }));
  const ran = await place.run("rollback --yes");
  expect(ran.exit).toBe(7);
  expect(flat(ran.stdout)).toMatch(LACKS('the role "org_publisher"'));
  expect(place.updates()).toEqual(updates);
  expect(await place.run("rollback --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "Old" } });
});

test("notices an administrator who is signed out between plan and apply", async () => {
  const place = await arrange();
  expect(await place.run("plan --save plan.json")).toMatchObject({ exit: 0 });
  place.sandbox.faults.push(user({ role: "org_publisher" }));
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 5 });
  expect(place.updates()).toEqual([]);
});

test("notices an administrator who is signed out between two reads of an apply", async () => {
  const place = await arrange();
  let looks = 0;
  const fault = user({ role: "org_publisher" });
  place.sandbox.faults.push({
    ...fault,
    match: ({ path }) => SELF.test(path) && ++looks > 1,
  });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 7 });
  expect(place.updates()).toEqual([]);
});

test("does not settle an unknown outcome by the view of another account", async () => {
  const place = await openPlace({}, PORTAL);
  let isHiding = false;
  const middle = await stand(place.sandbox, { isBare: () => isHiding });
  const portalUrl = place.sandbox.portalUrl.replace(place.sandbox.url, middle);
  const head = headFor(place).replace(place.sandbox.portalUrl, portalUrl);
  const hidden = "settings: { portalConfigProperties: { tokenExpiration: 30 } }\n";
  place.write(hidden, { head });
  place.sandbox.faults.push({
    kind: "drop-after",
    match: (received) => (isHiding ||= isUpdate(received)),
  });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 8 });
  expect(place.sandbox.settings()).toMatchObject({
    portalConfigProperties: { tokenExpiration: 30 },
  });
  const journal = place.state(portalUrl)?.journal;
  expect(journal).toBeDefined();

  expect(await place.run("apply --yes")).toMatchObject({ exit: 7 });
  place.write("settings: { blockBetaApps: true }\n", { head });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 7 });
  place.write("settings: {}\n", { head });
  const ran = await place.run("apply --yes");
  expect(ran.exit).toBe(8);
  expect(flat(ran.stdout)).toMatch(
    /this account may not see all settings. The portal does not say who/,
  );
  expect(place.state(portalUrl)?.journal).toEqual(journal);

  isHiding = false;
  place.write(hidden, { head });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.state(portalUrl)?.journal).toBeUndefined();
  expect(place.updates()).toHaveLength(1);
});

test("settles an unknown outcome if another account sees the whole update", async () => {
  const place = await arrange();
  place.sandbox.faults.push({ kind: "drop-after", match: isUpdate }, user({ role: "org_user" }));
  expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  expect(place.state()?.journal).toBeUndefined();
  expect(place.state()?.history).toMatchObject([{ kind: "apply", changes: [{ action: "set" }] }]);
});

test("asks a portal that is never read for no account", async () => {
  const place = await arrange(failing({ kind: "server-error" }));
  place.write(WANTED, { head: headFor(place, ", read: never") });
  const ran = await place.run("apply --yes");
  expect(ran.exit).toBe(7);
  expect(ran.stdout).toContain("Lintel could not read what else");
  expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  expect(place.sandbox.requests.some(({ path }) => SELF.test(path))).toBe(false);
});

test.each([
  ["a form", "{ url: URL, carry: form-token }"],
  [
    "a token that is bound to a referer",
    '{ method: generate-token, username: admin, password: "${env:LINTEL_PASSWORD}" }',
  ],
  [
    "such a token in a form",
    '{ method: generate-token, username: admin, password: "${env:LINTEL_PASSWORD}", carry: form-token }',
  ],
])("sees the account through %s", async (_, signIn) => {
  const place = await arrange();
  const { portalUrl, signInUrl, password } = place.sandbox;
  const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}" }\nsignIn: ${signIn.replace("URL", `"${signInUrl}"`)}\n`;
  place.write(WANTED, { head });
  const env = { LINTEL_PASSWORD: password };
  expect((await place.run("doctor", { env })).stdout).toMatch(/^ok +privilege/m);
  expect(await place.run("apply --yes", { env })).toMatchObject({ exit: 0 });
});
