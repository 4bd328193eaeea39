// The library: what it takes, returns and refuses; and two tenants in one process.
import { describe, expect, test } from "vitest";
import * as library from "../src/index.js";
import { apply, check, drift, plan, render, rollback, status, type Format } from "../src/index.js";
import { assertOutput } from "./support/output-schema.js";
import { openPlace, headFor, type Place } from "./run/place.js";
import { OWN_HOSTS } from "./support/run.js";

const banner = (text: string) =>
  `settings: { informationalBanner: { text: "${text}", enabled: true } }\n`;

function tenantOf(place: Place) {
  return {
    cwd: place.folder.path,
    env: { LINTEL_ALLOWED_HOSTS: OWN_HOSTS, ...place.env },
  };
}

test("returns the document that the command prints", async () => {
  const place = await openPlace();
  place.write(banner("Hello"));
  const tenant = tenantOf(place);
  const files = ["portal.yaml"];
  const documents = {
    validate: await check(files, tenant),
    plan: await plan(files, tenant),
    status: await status(files, tenant),
    drift: await drift(files, tenant),
  };
  for (const [command, document] of Object.entries(documents)) {
    assertOutput([command, "--json"], JSON.stringify(document));
    const { stdout } = await place.run(`${command} --json`);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(document)));
  }
  const applied = await apply(files, tenant);
  expect(applied).toMatchObject({ exitCode: 0, portals: [{ status: "applied" }] });
  const rolled = await rollback(files, { ...tenant, allow: ["disable-notice"] });
  expect(rolled).toMatchObject({ exitCode: 0, summary: { changes: 2 } });
  expect(await status(files, tenant)).toMatchObject({
    exitCode: 7,
    portals: [{ hold: { isByHand: false } }],
  });
});

test("serves two tenants at the same time", async () => {
  const places = await Promise.all([openPlace(), openPlace()]);
  const texts = ["For the north", "For the south"];
  const applied = await Promise.all(
    places.map((place, at) => {
      const file = headFor(place) + banner(texts[at] ?? "");
      return apply(["portal.yaml"], { ...tenantOf(place), files: { "portal.yaml": file } });
    }),
  );
  for (const [at, place] of places.entries()) {
    expect(applied[at]).toMatchObject({
      exitCode: 0,
      portals: [{ url: place.sandbox.portalUrl, status: "applied" }],
    });
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: texts[at] } });
    expect(place.updates()).toHaveLength(1);
    // Neither wrote where the other keeps its state.
    expect(place.state()?.leaves).toHaveLength(2);
  }
});

test("takes no credential of the process or of another tenant", async () => {
  const place = await openPlace();
  place.write(banner("Hello"));
  process.env["LINTEL_BEID"] = place.env["LINTEL_BEID"];
  try {
    const { cwd } = tenantOf(place);
    const planned = await plan(["portal.yaml"], { cwd, env: { LINTEL_ALLOWED_HOSTS: OWN_HOSTS } });
    expect(planned).toMatchObject({
      portals: [{ applicable: false, reason: { code: "anonymous-view" } }],
    });
  } finally {
    delete process.env["LINTEL_BEID"];
  }
});

test("reads files and their bases from memory", async () => {
  const place = await openPlace();
  const files = {
    "portals/north.yaml": `${headFor(place)}extends: ../_base.yaml\n`,
    "_base.yaml": banner("From memory"),
  };
  const tenant = { ...tenantOf(place), files };
  expect(await check(["portals/north.yaml"], tenant)).toMatchObject({ diagnostics: [] });
  const planned = await plan(["portals/north.yaml"], tenant);
  expect(planned.portals[0]?.changes).toMatchObject([
    { path: "informationalBanner.text", after: "From memory", file: "_base.yaml", line: 1 },
    { path: "informationalBanner.enabled" },
  ]);
  const wrong = { ...tenant, files: { ...files, "_base.yaml": "setings: {}\n" } };
  expect(await check(["portals/north.yaml"], wrong)).toMatchObject({
    exitCode: 3,
    diagnostics: [{ code: "unknown-key", file: "_base.yaml", line: 1 }],
  });
});

describe("confirm", () => {
  test("sees the plans, and what it refuses is not sent", async () => {
    const place = await openPlace();
    place.write(banner("Hello"));
    const seen: unknown[] = [];
    const refused = await apply(["portal.yaml"], {
      ...tenantOf(place),
      confirm: (portals) => seen.push(...portals) < 0,
    });
    expect(seen).toMatchObject([{ status: "changes", changes: [{ after: "Hello" }, {}] }]);
    expect(refused).toMatchObject({ exitCode: 1, portals: [{ failure: { code: "declined" } }] });
    expect(place.updates()).toEqual([]);
  });

  test("must return true itself", async () => {
    const place = await openPlace();
    place.write(banner("Hello"));
    const yes = (() => "no") as unknown as () => boolean;
    await apply(["portal.yaml"], { ...tenantOf(place), confirm: yes });
    expect(place.updates()).toEqual([]);
  });

  test("is not overruled by another option", async () => {
    const place = await openPlace();
    place.write(banner("Hello"));
    const options = { ...tenantOf(place), yes: true, confirm: () => false };
    await expect(apply(["portal.yaml"], options)).rejects.toThrow('"yes" is no option');
    expect(place.updates()).toEqual([]);
  });

  test("throws through, and sends nothing", async () => {
    const place = await openPlace();
    place.write(banner("Hello"));
    const own = new Error("no database");
    const options = { ...tenantOf(place), confirm: () => Promise.reject(own) };
    await expect(apply(["portal.yaml"], options)).rejects.toBe(own);
    expect(place.updates()).toEqual([]);
  });

  test("ends with the signal", async () => {
    const place = await openPlace();
    place.write(banner("Hello"));
    const abort = new AbortController();
    const confirm = () => {
      abort.abort();
      return new Promise<boolean>(() => {});
    };
    const applied = apply(["portal.yaml"], { ...tenantOf(place), signal: abort.signal, confirm });
    await expect(applied).rejects.toMatchObject({ code: "interrupted" });
    expect(place.updates()).toEqual([]);
  });

  test("lets a rollback through, and opens no guard", async () => {
    const place = await openPlace();
    const tenant = { ...tenantOf(place), confirm: async () => true };
    place.write(banner("Hello"));
    await apply(["portal.yaml"], tenant);
    const stopped = await rollback(["portal.yaml"], tenant);
    expect(stopped).toMatchObject({ exitCode: 7, portals: [{ stoppedBy: ["disable-notice"] }] });
    const rolled = await rollback(["portal.yaml"], { ...tenant, allow: ["disable-notice"] });
    expect(rolled).toMatchObject({ exitCode: 0, portals: [{ status: "applied" }] });
  });
});

test("renders a document in the formats of its command", async () => {
  const place = await openPlace();
  place.write(banner("Hello"));
  const planned = await plan(["portal.yaml"], tenantOf(place));
  expect(await render(planned, "text")).toContain("1 portal: 2 to set.");
  expect(JSON.parse(await render(planned, "json"))).toEqual(JSON.parse(JSON.stringify(planned)));
  expect(await render(planned, "markdown")).toContain('+ text: "Hello"');
  expect(await render(planned, "html")).toContain("<!doctype html>");
  for (const format of ["sarif", "text=out.txt", ""]) {
    const rendered = render(planned, format as Format);
    await expect(rendered).rejects.toMatchObject({ code: "wrong-usage" });
  }
  await expect(render({ ...planned }, "text")).rejects.toThrow("render takes a document");
});

test("ends like a command that is interrupted", async () => {
  const place = await openPlace({ latencyMs: 60_000 });
  place.write(banner("Hello"));
  const signal = AbortSignal.timeout(100);
  const planned = plan(["portal.yaml"], { ...tenantOf(place), signal });
  await expect(planned).resolves.toMatchObject({ exitCode: 130 });
});

test("exports the names of guards and exit statuses, and the class of what it throws", async () => {
  expect(library.GUARDS).toContain("disable-notice");
  expect(library.EXIT).toMatchObject({ stopped: 7, unknown: 8 });
  await expect(plan(["a.yaml"], { concurrency: 0 })).rejects.toBeInstanceOf(library.Failure);
});

test.each<[given: readonly unknown[], message: string]>([
  [["portal.yaml"], "The first argument must be a list of paths."],
  [[[1]], "The first argument must be a list of paths."],
  [[[]], "The list of paths is empty."],
  [[["a.yaml"], { cwd: "/no/such/folder" }], '"cwd" must be an existing folder.'],
  [[["a.yaml"], { env: { LINTEL_BEID: 5 } }], '"env" must be an object of texts.'],
  [[["a.yaml"], { files: new Map() }], '"files" must be an object of texts.'],
  [[["a.yaml"], { signal: {} }], '"signal" must be an AbortSignal.'],
  [[["a.yaml"], { notice: 1 }], '"notice" must be a function.'],
  [[["a.yaml"], { confirm: () => true }], '"confirm" is no option of plan.'],
  [[["a.yaml"], { save: "plan.json" }], '"save" is no option of the library.'],
  [[["a.yaml"], { concurrency: 0 }], 'Invalid value "0" for "--concurrency".'],
  [[["a.yaml"], { allow: ["nonsense"] }], 'Invalid value "nonsense" for "--allow".'],
  [[["a.yaml"], { offlin: true }], 'Unknown option "--offlin" for "lintel plan".'],
  [[["a.yaml"], { offlin: false }], 'Unknown option "--offlin" for "lintel plan".'],
  [[["a.yaml"], { alow: [] }], 'Unknown option "--alow" for "lintel plan".'],
  [[["a.yaml"], { concurrency: false }], 'Option "--concurrency" requires a value.'],
  [[["a.yaml"], { only: "" }], 'Option "--only" requires a value.'],
])("refuses %j before anything is read", async (given, message) => {
  const call = plan as (...words: readonly unknown[]) => Promise<unknown>;
  await expect(call(...given)).rejects.toThrow(message);
});
