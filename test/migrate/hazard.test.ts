// What old files may hold, one hazard a file: the outcome of each property, and the value of each in Chromium.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/lib/json.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { migrate } from "../../src/migrate/migrate.js";
import { describeInBrowser } from "../support/browser.js";
import { PROJECT } from "../support/run.js";
import { openVisitor, type Visit, type Visitor } from "./chromium.js";

const FOLDER = join(PROJECT, "test/migrate/hazards");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.slice(0, -3));
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");

const PORTAL = "https://portal.example.org/portal";
const PHONE =
  "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36";

/** Different in all that a file may depend on. The last one is at another portal. */
const VISITS: readonly Visit[] = [
  { url: `${PORTAL}/home/index.html`, language: "en" },
  {
    url: `${PORTAL}/home/webmap/viewer.html?a=1#b`,
    language: "de",
    cookie: { name: "esri_auth", value: "{culture:'ar'}" },
  },
  {
    url: "https://gis.example.com:7443/home/signin.html?minutes=5",
    language: "ar",
    userAgent: PHONE,
  },
];

/** What may tell one visit from another. */
const ASKS_OUTSIDE = /\b(?:location|document|navigator|localeCompare)\b/;

const engine = openEngine();
afterAll(() => engine.close());

async function settingsOf(name: string, url?: string) {
  const portal = url === undefined ? undefined : readPortalAddress(url);
  const files = [{ file: `${name}.js`, bytes: Buffer.from(read(`${name}.js`)) }];
  const options = { target: "11.5", takesAll: false, portal, engine } as const;
  const { properties } = await migrate(files, options);
  return properties.filter(({ outcome }) => outcome !== "no-counterpart");
}

async function valuesOf(name: string, url?: string): Promise<Record<string, Json>> {
  const settings = await settingsOf(name, url);
  return Object.fromEntries(
    settings.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
}

test.each(NAMES)("has the outcomes beside the file: %s", async (name) => {
  const outcomes = Object.fromEntries(
    (await settingsOf(name)).map(({ name, outcome, value, cause }): [string, Json] => [
      name,
      cause ? `${outcome}: ${cause.why}` : { [outcome]: value ?? null },
    ]),
  );
  if (process.env["UPDATE_GOLDEN"]) {
    writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(outcomes, null, 2)}\n`);
  }
  expect(outcomes).toEqual(JSON.parse(read(`${name}.json`)));
});

describeInBrowser("in Chromium", () => {
  let visitors: readonly (readonly [Visit, Visitor])[];
  beforeAll(async () => {
    visitors = await Promise.all(
      VISITS.map(async (visit) => [visit, await openVisitor(visit)] as const),
    );
  });
  afterAll(() => Promise.all(visitors.map(([, visitor]) => visitor.close())));

  test("a page is read when its script ends, and when its timers have run", async () => {
    const text = `window.esriGeowConfig = { where: location.href, who: navigator.language, get a() { for (;;) {} } };
      setTimeout("esriGeowConfig.timer = true", 20);
      addEventListener("load", function () { esriGeowConfig.load = true; });`;
    for (const [{ url, language }, visitor] of visitors) {
      const atEnd = { where: url, who: language, a: "(accessor)" };
      const later = { ...atEnd, timer: true, load: true };
      expect(await visitor.visit(text, "esriGeowConfig")).toEqual({ atEnd, later });
    }
  });

  describe("each value equals the one in the page", () => {
    test.each(NAMES)("%s", async (name) => {
      const values = await valuesOf(name);
      const atPortal = await valuesOf(name, PORTAL);
      const text = read(`${name}.js`);
      const [global = "esriGeowConfig"] = /esriGeowConfig\w*/.exec(text) ?? [];
      const count = ASKS_OUTSIDE.test(text) ? visitors.length : 1;
      const visits = visitors.slice(0, count).map(async ([{ url }, visitor]) => {
        const claimed = { ...values, ...(url.startsWith(`${PORTAL}/`) && atPortal) };
        const left = await visitor.visit(text, global);
        for (const page of [left.atEnd, left.later]) {
          const found = Object.keys(claimed).map((key) => [key, page[key] ?? null]);
          expect({ url, ...Object.fromEntries(found) }).toEqual({ url, ...claimed });
        }
      });
      await Promise.all(visits);
    });
  });
});
