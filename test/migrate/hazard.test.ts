// Every hazard as a file, read once: what becomes of each property, and that no value differs from the one that a page has, in node's vm and in real Chromium.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/lib/json.js";
import { openEngine, type Engine } from "../../src/migrate/evaluate/runner.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { migrate } from "../../src/migrate/migrate.js";
import { describeInBrowser } from "../support/browser.js";
import { PROJECT } from "../support/run.js";
import { openVisitor, type Left, type Visit } from "./chromium.js";
import { inBarePage } from "./page.js";
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

/** A browser takes some tenths of a second; a busy machine is given time for each file that ends. */
const SHORT_MS = 4_000;
const LONG_MS = 60_000;

/** Where node's vm, which stands in for a browser in other tests, is no browser. */
const UNLIKE_VM: Readonly<Record<string, string>> = {
  "by-clock": "the browser's time runs ahead with every page",
  "table-by-month": "the browser's time runs ahead with every page",
  "sort-counts-calls": "each browser asks for the order as often as it likes",
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

/** What a frame shares with the page above it and with other frames, or has otherwise than a page. */
const LOOKS_ABOVE =
  /\b(?:top|parent|frames|frameElement|opener|history|localStorage|sessionStorage|cookie)\b/;

/** Their loops end by the engine's limit alone: they are begun first. */
const SLOWEST = ["loop-by-clock", "loop-without-end", "endless-loop", "slow-pattern-in-branch"];

interface Claims {
  readonly global: string;
  /** As they stand beside the file. */
  readonly outcomes: Record<string, Json>;
  readonly values: readonly (readonly [string, Json])[];
  /** Those of somebody who says where the portal is, where that may matter. */
  readonly atPortal: readonly (readonly [string, Json])[];
}

const claimed = new Map<string, Claims>();

function claimsOf(name: string): Claims {
  const claims = claimed.get(name);
  if (!claims) throw new Error(`${name} was not read`);
  return claims;
}

async function readHazard(name: string, engine: Engine): Promise<Claims> {
  const { evaluation, properties } = await migrated(name, engine);
  const { name: found = "esriGeowConfig", isModule } = evaluation?.look ?? {};
  const ours = properties.filter(({ outcome }) => outcome !== "no-counterpart");
  const outcomes = ours.map(({ name, outcome, value, cause }): [string, Json] => [
    name,
    cause ? `${outcome}: ${cause.why}` : { [outcome]: value ?? null },
  ]);
  // No name of the page leads to what a module gives back.
  const global = isModule ? "esriGeowConfig" : found;
  const claims = isModule ? [] : valuesIn(properties);
  const isElsewhere = LOOKS_OUTSIDE.test(textOf(name)) && !isModule;
  const atPortal = isElsewhere ? valuesIn((await migrated(name, engine, PORTAL)).properties) : [];
  return { global, outcomes: Object.fromEntries(outcomes), values: claims, atPortal };
}

function migrated(name: string, engine: Engine, url?: string) {
  const file = { file: `${name}.js`, bytes: readFileSync(join(FOLDER, `${name}.js`)) };
  const portal = url === undefined ? undefined : readPortalAddress(url);
  return migrate([file], { target: "11.5", takesAll: false, portal, engine });
}

function valuesIn(properties: Awaited<ReturnType<typeof migrate>>["properties"]) {
  return properties.flatMap(({ name, value, counterpart }): [string, Json][] =>
    counterpart && value !== undefined
      ? // There is no zero below zero in JSON.
        [[name, JSON.parse(JSON.stringify(value)) as Json]]
      : [],
  );
}

beforeAll(async () => {
  const rest = names.filter((name) => !SLOWEST.includes(name));
  const all = [...SLOWEST, ...rest].values();
  const lane = async () => {
    const engine = openEngine();
    for (const name of all) claimed.set(name, await readHazard(name, engine));
    await engine.close();
  };
  await Promise.all([lane(), lane(), lane()]);
}, 240_000);

test.each(names)("the outcomes are those that stand beside the file: %s", (name) => {
  const { outcomes } = claimsOf(name);
  const golden = join(FOLDER, `${name}.json`);
  if (process.env["UPDATE_GOLDEN"] || !existsSync(golden)) {
    writeFileSync(golden, `${JSON.stringify(outcomes, null, 2)}\n`);
  }
  expect(outcomes).toEqual(JSON.parse(readFileSync(golden, "utf8")));
});

const bare = new Map<string, Record<string, Json>>();

function inVm(name: string, url: string): Record<string, Json> {
  const key = `${name} ${url}`;
  const left = bare.get(key) ?? inBarePage(textOf(name), url, claimsOf(name).global);
  bare.set(key, left);
  return left;
}

/** Values that a page does not have. */
function wrongIn(name: string, url: string, read: () => Readonly<Record<string, Json>>) {
  const { values, atPortal } = claimsOf(name);
  const claims = [...values, ...(url.startsWith(`${PORTAL}/`) ? atPortal : [])];
  if (claims.length === 0) return [];
  const page = read();
  return claims
    .filter(([key, value]) => !isDeepStrictEqual(value, page[key] ?? null))
    .map(([key, value]) => ({ url, [key]: value, instead: page[key] }));
}

function expectRight(name: string, wrong: readonly object[]): void {
  if (Object.hasOwn(UNLIKE_ENGINE, name)) expect(wrong).not.toEqual([]);
  else expect(wrong).toEqual([]);
}

test.each(names)("no value differs from the one in node's vm: %s", (name) => {
  const pages = ["home/index.html", "home/webmap/viewer.html?a=1#b", "home/signin.html"];
  const wrong = pages.flatMap((page) => {
    const url = `${PORTAL}/${page}`;
    return wrongIn(name, url, () => inVm(name, url));
  });
  expectRight(name, wrong);
});

const MOST_FRAMES = 50;

/** Two for what everybody sees, one for each of the others. */
async function visitAll(): Promise<Map<string, Map<Visit, Left | undefined>>> {
  const found = new Map(names.map((name) => [name, new Map<Visit, Left | undefined>()]));
  const caseOf = (name: string) => ({ text: textOf(name), global: claimsOf(name).global });

  const work = async (visit: Visit, batches: Iterable<readonly string[]>) => {
    const visitor = await openVisitor(visit);
    for (const batch of batches) {
      const left = batch.length > 1 ? await visitor.visitFrames(batch.map(caseOf)) : undefined;
      for (const [at, name] of batch.entries()) {
        // Where one of them never ends, each shows alone which it is.
        const limitMs = Object.hasOwn(NEVER_READY, name) ? SHORT_MS : LONG_MS;
        const own = left?.[at] ?? (await visitor.visit(caseOf(name), limitMs));
        found.get(name)?.set(visit, own);
      }
    }
    await visitor.close();
  };
  const all = batchesOf(names).values();
  const rest = names.filter((name) => LOOKS_OUTSIDE.test(textOf(name)));
  await Promise.all([
    ...VISITS.map((visit) => work(visit, visit === FIRST ? all : batchesOf(rest))),
    work(FIRST, all),
  ]);
  return found;
}

/** What has to be alone comes first, because some of it is given up only after seconds. */
function batchesOf(all: readonly string[]): string[][] {
  const isAlone = (name: string) => SLOWEST.includes(name) || LOOKS_ABOVE.test(textOf(name));
  const shared = all.filter((name) => !isAlone(name));
  const batches = Array.from({ length: Math.ceil(shared.length / MOST_FRAMES) }, (_, at) =>
    shared.slice(at * MOST_FRAMES, (at + 1) * MOST_FRAMES),
  );
  return [...all.filter(isAlone).map((name) => [name]), ...batches];
}

/** A module loader makes it: until then there is the one that the page has from elsewhere. */
function isMadeLater({ atEnd, later }: Left): boolean {
  return isDeepStrictEqual(atEnd, { fromElsewhere: true }) && !("fromElsewhere" in later);
}

describeInBrowser(
  "in Chromium",
  () => {
    let found: Awaited<ReturnType<typeof visitAll>>;
    beforeAll(async () => {
      found = await visitAll();
    }, 240_000);

    test("a page is read at the end of the script, and when its timers are over", async () => {
      const visitor = await openVisitor(FIRST);
      const left = await visitor.visit(
        {
          text: `window.esriGeowConfig = { where: location.href, who: navigator.language, at: 0, get a() { for (;;) {} } };
      setTimeout("esriGeowConfig.at = 60", 60000);
      addEventListener("load", function () { esriGeowConfig.at = compute(); });`,
          global: "esriGeowConfig",
        },
        LONG_MS,
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
      test.each(names)("%s", (name) => {
        const wrong = [...(found.get(name) ?? [])].flatMap(([{ url }, left]) => {
          if (!left) return [];
          const pages = isMadeLater(left) ? [left.later] : [left.atEnd, left.later];
          return pages.flatMap((page) => wrongIn(name, url, () => page));
        });
        expectRight(name, wrong);
      });
    });

    test("node's vm leaves the same, but for the files that are named", () => {
      const alike = names.filter((name) => !Object.hasOwn(UNLIKE_VM, name));
      const unlike = alike.filter((name) => {
        const left = found.get(name)?.get(FIRST);
        if (!left) return false;
        return !isDeepStrictEqual(inVm(name, FIRST.url), left.later);
      });
      expect(unlike).toEqual([]);
    });
  },
  { tags: ["long"] },
);
