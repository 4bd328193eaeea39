// Every hazard, loaded by a page in real Chromium: no value that we read off an old file differs from the one that the page has.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/json.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { migrate } from "../../src/migrate/migrate.js";
import { describeInBrowser } from "../support/browser.js";
import { PROJECT } from "../support/run.js";
import { inBrowser } from "./browser.js";
import { openVisitor, type Left, type Visit } from "./chromium.js";
import { UNLIKE_ENGINE } from "./unlike.js";

const FOLDER = join(PROJECT, "test/migrate/hazards");
const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.slice(0, -3));
const textOf = (name: string) => readFileSync(join(FOLDER, `${name}.js`), "utf8");

/** No page with them is ever ready. */
const NEVER_READY: Readonly<Record<string, string>> = {
  "loop-by-clock": "it waits for a clock that stands still while a script runs",
  "loop-without-end": "the loop has no end",
};

/** Where node's vm, which stands in for a browser in other tests, is no browser. */
const UNLIKE_VM: Readonly<Record<string, string>> = {
  "depth-of-calls": "how deep calls may go is for every browser to say",
};

const PORTAL = "https://portal.example.org/portal";
const PHONE =
  "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36";

/** As unlike each other as visitors are. The last one is at another portal. */
const VISITS: readonly [Visit, ...Visit[]] = [
  { url: `${PORTAL}/home/index.html`, language: "en" },
  {
    url: `${PORTAL}/home/webmap/viewer.html?a=1#b`,
    language: "de",
    // Old files evaluate it, as a whole or behind its name.
    cookie: { name: "esri_auth", value: "{culture:'ar'}" },
  },
  {
    url: "https://gis.example.com:7443/home/signin.html?minutes=5",
    language: "ar",
    userAgent: PHONE,
  },
];
const [FIRST] = VISITS;

/** What could tell one visit from another. */
const LOOKS_OUTSIDE = /\b(?:location|document|navigator|screen|toLocale\w+|localeCompare)\b/;

interface Claims {
  readonly global: string;
  readonly values: readonly (readonly [string, Json])[];
}

const engine = openEngine();
afterAll(() => engine.close());

const claimed = new Map<string, Promise<Claims>>();

function claims(name: string, url?: string): Promise<Claims> {
  const key = `${name} ${url ?? ""}`;
  const known = claimed.get(key) ?? read(name, url);
  claimed.set(key, known);
  return known;
}

async function read(name: string, url?: string): Promise<Claims> {
  const file = { file: `${name}.js`, bytes: readFileSync(join(FOLDER, `${name}.js`)) };
  const portal = url === undefined ? undefined : readPortalAddress(url);
  const { evaluation, properties } = await migrate([file], {
    target: "11.5",
    takesAll: true,
    portal,
    engine,
  });
  // No name of the page leads to what a module gives back.
  if (evaluation?.look.isModule) return { global: "esriGeowConfig", values: [] };
  const values = properties.flatMap(({ name, value, counterpart }): [string, Json][] =>
    counterpart && value !== undefined
      ? // There is no zero below zero in JSON.
        [[name, JSON.parse(JSON.stringify(value)) as Json]]
      : [],
  );
  return { global: evaluation?.look.name ?? "esriGeowConfig", values };
}

/** Two for what everybody sees, one for each of the others. */
async function visitAll(): Promise<Map<string, Map<Visit, Left | undefined>>> {
  const found = new Map(names.map((name) => [name, new Map<Visit, Left | undefined>()]));
  const work = async (visit: Visit, each: Iterator<string>) => {
    const visitor = await openVisitor(visit);
    try {
      for (let next = each.next(); !next.done; next = each.next()) {
        const { global } = await claims(next.value);
        found.get(next.value)?.set(visit, await visitor.visit(textOf(next.value), global));
      }
    } finally {
      await visitor.close();
    }
  };
  const rest = names.filter((name) => LOOKS_OUTSIDE.test(textOf(name)));
  const all = names.values();
  await Promise.all([
    ...VISITS.map((visit) => work(visit, visit === FIRST ? all : rest.values())),
    work(FIRST, all),
  ]);
  return found;
}

/** A module loader makes it: until then there is the one that the page has from elsewhere. */
function isMadeLater({ atEnd, later }: Left): boolean {
  return isDeepStrictEqual(atEnd, { fromElsewhere: true }) && !("fromElsewhere" in later);
}

describeInBrowser("in Chromium", () => {
  let found: Awaited<ReturnType<typeof visitAll>>;
  beforeAll(async () => {
    found = await visitAll();
  }, 240_000);

  test("a page is read at the end of the script, and when its timers are over", async () => {
    const visitor = await openVisitor(FIRST);
    const left = await visitor.visit(
      `window.esriGeowConfig = { where: location.href, who: navigator.language, at: 0, get a() { for (;;) {} } };
      setTimeout("esriGeowConfig.at = 60", 60000);
      addEventListener("load", function () { esriGeowConfig.at = compute(); });`,
      "esriGeowConfig",
    );
    await visitor.close();
    const told = { where: FIRST.url, who: "en", a: "(accessor)" };
    expect(left).toEqual({ atEnd: { ...told, at: 0 }, later: { ...told, at: 60 } });
  });

  test("every page is ready, but for those that are named", () => {
    const never = names.filter((name) => found.get(name)?.get(FIRST) === undefined);
    expect(never).toEqual(Object.keys(NEVER_READY));
  });

  describe("no value differs from the one that a page has", () => {
    test.each(names)("%s", async (name) => {
      const wrong = [];
      for (const url of [undefined, PORTAL]) {
        const { values } = await claims(name, url);
        for (const [visit, left] of found.get(name) ?? []) {
          if (!left || !visit.url.startsWith(url ?? "")) continue;
          for (const each of isMadeLater(left) ? [left.later] : [left.atEnd, left.later]) {
            for (const [key, value] of values) {
              if (isDeepStrictEqual(value, each[key])) continue;
              wrong.push({ visit: visit.url, [key]: value, instead: each[key] });
            }
          }
        }
      }
      if (Object.hasOwn(UNLIKE_ENGINE, name)) expect(wrong).not.toEqual([]);
      else expect(wrong).toEqual([]);
    });
  });

  test("node's vm leaves the same, but for the files that are named", async () => {
    const unlike: string[] = [];
    for (const name of names) {
      const left = found.get(name)?.get(FIRST);
      if (!left) continue;
      const { global } = await claims(name);
      const other = inBrowser(textOf(name), FIRST.url, global);
      if (!isDeepStrictEqual(other, left.later)) unlike.push(name);
    }
    expect(unlike).toEqual(Object.keys(UNLIKE_VM));
  });
});
