// Every switch for what no document shows, and bad luck that can be repeated.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import { postForm, postJson, sandbox, type Driven, type Json } from "./drive.js";

const BANNER = { text: "Read-only", bgColor: "red", fontColor: "white", enabled: true };

test.each([
  ["keep", { informationalBanner: BANNER, blockBetaApps: true }],
  ["reset", { blockBetaApps: true }],
] as const)("omittedParameters: %s", async (omittedParameters, expected) => {
  const s = await sandbox({ omittedParameters });
  await s.update({ informationalBanner: BANNER });
  await s.update({ blockBetaApps: true });
  expect(s.settings()).toEqual(expected);
});

test("omittedParameters: reset leaves alone what the reference does not list", async () => {
  const s = await sandbox({ omittedParameters: "reset" });
  s.change("self", { culture: "de", blockBetaApps: true });
  await s.update({ informationalBanner: BANNER });
  expect(s.settings()).toEqual({ culture: "de", informationalBanner: BANNER });
});

test.each([
  ["keep", { ...BANNER, text: "New" }],
  ["reset", { text: "New" }],
] as const)("omittedProperties: %s", async (omittedProperties, expected) => {
  const s = await sandbox({ omittedProperties });
  await s.update({ informationalBanner: BANNER });
  await s.update({ informationalBanner: { text: "New" } });
  expect(s.settings()).toEqual({ informationalBanner: expected });
});

describe.each([
  ["a parameter", {}, { somethingNew: { a: 1 } }, { somethingNew: { a: 1 } }],
  [
    "a property",
    {},
    { informationalBanner: { text: "x", somethingNew: 1 } },
    { informationalBanner: { text: "x", somethingNew: 1 } },
  ],
  [
    "advanced properties before 11.0",
    { version: "10.9.1" },
    { portalConfigProperties: { surveyUrl: "https://survey.example.com" } },
    { portalConfigProperties: { surveyUrl: "https://survey.example.com" } },
  ],
  [
    "advanced properties of a hosted organisation",
    { deployment: "hosted-online" },
    { portalConfigProperties: { surveyUrl: "https://survey.example.com" } },
    { portalConfigProperties: { surveyUrl: "https://survey.example.com" } },
  ],
  [
    "a property introduced later",
    { version: "11.4" },
    { portalConfigProperties: { tpsEnabled: true } },
    { portalConfigProperties: { tpsEnabled: true } },
  ],
] as const)("%s that the portal does not know", (_, options: SandboxOptions, fields, stored) => {
  test("is stored with unknown: store", async () => {
    const s = await sandbox({ ...options, unknown: "store" });
    expect(await s.update(fields)).toEqual({ success: true });
    expect(s.settings()).toEqual(stored);
  });

  test("has no effect with unknown: ignore, the default", async () => {
    const s = await sandbox(options);
    expect(await s.update(fields)).toEqual({ success: true });
    expect(JSON.stringify(s.settings())).not.toMatch(/somethingNew|surveyUrl|tpsEnabled/);
  });

  test("is an error with unknown: refuse", async () => {
    const s = await sandbox({ ...options, unknown: "refuse" });
    expect((await s.update(fields)).error.details[0]).toMatch(/is not a known/);
    expect(s.settings()).toEqual({});
  });
});

test("canRead: false refuses reading, to administrators too, and takes updates", async () => {
  const s = await sandbox({ canRead: false });
  expect((await s.read()).error.code).toBe(403);
  expect((await s.read({ headers: {} })).error.code).toBe(403);
  expect(await s.update({ blockBetaApps: true })).toEqual({ success: true });
});

async function selfOf(s: Driven): Promise<Json> {
  const headers = { authorization: `Bearer ${await s.token()}` };
  return (await fetch(`${s.portalUrl}/portals/self?f=json`, { headers })).json();
}

const HIDDEN = { portalConfigProperties: { tokenExpiration: 60 } };

test.each([
  ["administrator", "org_admin", true],
  ["security", "org_admin", true],
  ["publisher", "org_publisher", false],
  ["member", "org_user", false],
] as const)("role: %s", async (role, shown, mayUpdate) => {
  const s = await sandbox({ role });
  s.change("self", HIDDEN);
  const { user } = await selfOf(s);
  expect(user.role).toBe(shown);
  expect(user.roleId === shown).toBe(role !== "security");
  expect(user.privileges.includes("portal:admin:manageSecurity")).toBe(mayUpdate);
  expect("portalConfigProperties" in (await s.read())).toBe(mayUpdate);
  expect("error" in (await s.update({ blockBetaApps: true }))).toBe(!mayUpdate);
});

test("hasSignInService: without it, only the portal issues tokens", async () => {
  const s = await sandbox({ hasSignInService: false });
  const { beid: BEID, webServicesKey: WebServicesKey, username, password } = s;
  for (const [operation, body] of [
    ["loginadmin", { BEID, WebServicesKey }],
    ["login", { username, password }],
  ] as const) {
    expect((await postJson(`${s.signInUrl}/api/auth/${operation}`, body)).status).toBe(404);
  }
  const asked = { f: "json", username, password, client: "referer", referer: "lintel" };
  const { token }: Json = await (await postForm(`${s.portalUrl}/generateToken`, asked)).json();
  const headers = { authorization: `Bearer ${token}`, referer: "lintel" };
  expect(await s.update({ blockBetaApps: true }, { headers })).toEqual({ success: true });
});

test("anonymousReads: shows settings as to visitors, no user in portals/self, and accepts updates", async () => {
  const s = await sandbox({ anonymousReads: true });
  s.change("self", HIDDEN);
  expect(await selfOf(s)).not.toHaveProperty("user");
  expect(await s.read()).not.toHaveProperty("portalConfigProperties");
  expect(await s.update({ blockBetaApps: true })).toEqual({ success: true });
  expect(s.settings()).toEqual({ ...HIDDEN, blockBetaApps: true });
});

test("staleMs: each update is shown that much later than it was taken", async () => {
  let now = Date.UTC(2030, 0, 1);
  const s = await sandbox({ staleMs: 14_000, now: () => now });
  const shown = async () => (await s.read())["blockBetaApps"];
  await s.update({ blockBetaApps: true });
  now += 5_000;
  await s.update({ blockBetaApps: false });
  now += 8_999;
  expect([await shown(), s.settings()["blockBetaApps"]]).toEqual([undefined, false]);
  now += 1;
  expect(await shown()).toBe(true);
  now += 5_000;
  expect(await shown()).toBe(false);
});

test("latencyMs delays every answer", async () => {
  const s = await sandbox({ latencyMs: 60 });
  const start = performance.now();
  await fetch(s.portalUrl);
  expect(performance.now() - start).toBeGreaterThan(55);
});

async function luck(options: SandboxOptions): Promise<string> {
  const s = await sandbox(options);
  const outcomes: string[] = [];
  for (let at = 0; at < 40; at++) {
    outcomes.push(
      await fetch(`${s.portalUrl}?f=json`).then(
        (response) => String(response.status),
        () => "dropped",
      ),
    );
  }
  return outcomes.join(" ");
}

describe("bad luck", () => {
  test.each([
    ["failRate", "500"],
    ["dropRate", "dropped"],
  ])("%s: the same seed meets the same, another seed another", async (rate, outcome) => {
    const first = await luck({ [rate]: 0.3, seed: 7 });
    expect(first).toContain(outcome);
    expect(first).toContain("200");
    expect(await luck({ [rate]: 0.3, seed: 7 })).toBe(first);
    expect(await luck({ [rate]: 0.3, seed: 8 })).not.toBe(first);
  });

  test("at a rate of 1 affects every request but the pages for people", async () => {
    expect(new Set((await luck({ failRate: 1 })).split(" "))).toEqual(new Set(["500"]));
    const s = await sandbox({ dropRate: 1 });
    expect((await fetch(s.url)).status).toBe(200);
    await expect(fetch(s.signInUrl)).rejects.toThrow("fetch failed");
  });

  test("with drops loses updates before and after they took effect", async () => {
    const effects = new Set<boolean>();
    // Each meets one kind or the other; in this many, both occur.
    for (let seed = 0; seed < 12; seed++) {
      const dataDir = await mkdtemp(join(tmpdir(), "sandbox-"));
      const calm = await sandbox({ dataDir });
      const authorization = `Bearer ${await calm.token()}`;
      const s = await sandbox({ dataDir, dropRate: 1, seed });
      const update = s.update({ blockBetaApps: true }, { headers: { authorization } });
      await expect(update).rejects.toThrow("fetch failed");
      effects.add(s.settings()["blockBetaApps"] === true);
      await rm(dataDir, { recursive: true });
    }
    expect(effects).toEqual(new Set([true, false]));
  });
});
