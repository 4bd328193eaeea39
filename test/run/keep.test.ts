// No leaf loses its value through an apply that did not name it, whatever the portal does with what an update omits.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findSetting } from "../../src/catalog/catalog.js";
import { isEqual, isJsonObject, type Json, type JsonObject } from "../../src/lib/json.js";
import { keyOf } from "../../src/catalog/spelling.js";
import { withLeaf, type Path } from "../../src/settings.js";
import { MANNERS, valuesOf, type Manners } from "../plan/model.js";
import { fc } from "../support/property.js";
import { headFor, openPlace, type Place } from "./place.js";

const text = ["", "a", "B c", "x\ny"];
const url = ["https://a.example.com", "https://b.example.com/x"];
const flag = [true, false];

/** Some of every parameter, and of every type of value. */
const SETTINGS: Readonly<Record<string, readonly Json[]>> = {
  "anonymousAccessNotice.title": text,
  "anonymousAccessNotice.text": text,
  "anonymousAccessNotice.buttons": ["acceptAndDecline", "okOnly"],
  "anonymousAccessNotice.enabled": flag,
  "informationalBanner.text": text,
  "informationalBanner.bgColor": ["black", "navy"],
  "informationalBanner.fontColor": ["white", "#fff"],
  "informationalBanner.enabled": flag,
  "portalConfigProperties.showCreateDashboard": flag,
  "portalConfigProperties.portalAGOConfigEnabled": flag,
  "portalConfigProperties.tokenExpiration": [30, 60, 120],
  "portalConfigProperties.surveyUrl": url,
  "portalConfigProperties.httpsDomains": [
    [],
    ["a.example.com"],
    ["a.example.com", "b.example.com"],
  ],
  blockBetaApps: flag,
  aiAssistantsEnabled: flag,
};

/** The portal holds them, and no file names them. */
const UNLISTED: Readonly<Record<string, readonly Json[]>> = {
  "portalConfigProperties.futureThing": [{ a: 1 }, [1, 2]],
  "informationalBanner.futureThing": [1, 2],
};

const DEFAULT = "the documented default";

type Wishes = ReadonlyMap<string, Json>;

const someOf = (all: Readonly<Record<string, readonly Json[]>>): fc.Arbitrary<Wishes> =>
  fc
    .subarray(Object.keys(all))
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.constantFrom(...(all[name] ?? [])).map((value) => [name, value] as const),
        ),
      ),
    )
    .map((entries) => new Map(entries));

const withDefault = { "portalConfigProperties.showCreateDashboard": [true, DEFAULT] };
const someWishes = someOf({ ...SETTINGS, ...withDefault });
const someLive = someOf({ ...SETTINGS, ...UNLISTED }).map(settingsOf);

function settingsOf(wishes: Wishes): JsonObject {
  return [...wishes].reduce<JsonObject>(
    (settings, [name, value]) => withLeaf(settings, { path: name.split("."), value }),
    {},
  );
}

function yamlOf(value: Json): string {
  if (value === DEFAULT) return "!default ";
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, held]) => `${JSON.stringify(key)}: ${yamlOf(held)}`)
    .join(", ")} }`;
}

const fileOf = (wishes: Wishes): string => `settings: ${yamlOf(settingsOf(wishes))}\n`;

const ALLOW = [
  "disable-notice",
  "disconnect",
  "shrink-list",
  "wide-change",
  "token-lifetime",
  "unread-portal",
];
/** Passes every guard but the one that keeps what somebody changed by hand. */
const CAREFUL = `apply --yes --output json ${ALLOW.map((name) => `--allow ${name}`).join(" ")}`;
const APPLY = `${CAREFUL} --allow overwrite-drift`;

interface Applied {
  /** The leaves that the plan named, and sent. */
  readonly named: ReadonlySet<string>;
  readonly changed: readonly string[];
  readonly isSent: boolean;
}

async function apply(place: Place): Promise<Applied> {
  const before = place.sandbox.settings();
  const { exit, stdout } = await place.run(APPLY);
  expect({ exit, stdout }).toMatchObject({ exit: 0 });
  const { portals } = JSON.parse(stdout) as {
    portals: { changes: { path: string; action: string }[]; request: object | null }[];
  };
  const sent = (portals[0]?.changes ?? []).filter(({ action }) => /^(set|default)$/.test(action));
  return {
    named: new Set(sent.map(({ path }) => keyOf(path.split(".")))),
    changed: changedBetween(before, place.sandbox.settings()),
    isSent: (portals[0]?.request ?? null) !== null,
  };
}

/** Stops, or leaves alone what is managed and somebody changed by hand. */
async function keepsWhatIs(place: Place, byHand: readonly string[]): Promise<void> {
  const managed = place.state()?.leaves.map(({ path }) => keyOf(path)) ?? [];
  const before = place.sandbox.settings();
  const { exit, stdout } = await place.run(CAREFUL);
  const changed = changedBetween(before, place.sandbox.settings());
  expect({ exit, stdout }).toMatchObject({ exit: exit === 7 ? 7 : 0 });
  if (exit === 7) expect(stdout).toContain('"overwrite-drift"');
  const isTheirs = (key: string) => byHand.includes(key) && managed.includes(key);
  expect(exit === 7 ? changed : changed.filter(isTheirs)).toEqual([]);
}

/** For the documented default, a portal that shows nothing and one that shows it are the same. */
function changedBetween(before: JsonObject, after: JsonObject): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const held = (values: ReadonlyMap<string, Json>, key: string) =>
    values.get(key) ?? findSetting(JSON.parse(key) as Path)?.property?.default ?? null;
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (key) => !isEqual(held(was, key), held(is, key)),
  );
}

function begin(place: Place, live: JsonObject): void {
  rmSync(join(place.folder.path, ".lintel"), { recursive: true, force: true });
  place.sandbox.change("self", live);
}

function openWith({ parameters, properties }: Manners, canRead: boolean): Promise<Place> {
  return openPlace({
    omittedParameters: parameters,
    omittedProperties: properties,
    unknown: "store",
    canRead,
  });
}

const RUNS = { numRuns: 12 };

describe.each(MANNERS)(
  "if the portal would $parameters parameters and $properties properties",
  (manners) => {
    test("only planned settings change, even after changes by hand", async () => {
      const place = await openWith(manners, true);
      await fc.assert(
        fc.asyncProperty(
          someLive,
          someWishes,
          someLive,
          someWishes,
          async (live, first, later, second) => {
            begin(place, live);
            place.write(fileOf(first));
            const one = await apply(place);
            const applied = place.sandbox.settings();
            place.sandbox.change("self", { ...applied, ...later });
            const byHand = changedBetween(applied, place.sandbox.settings());
            place.write(fileOf(second));
            await keepsWhatIs(place, byHand);
            const two = await apply(place);
            for (const { named, changed } of [one, two])
              expect(changed.filter((key) => !named.has(key))).toEqual([]);
          },
        ),
        RUNS,
      );
    });

    test("only planned settings change if the portal is never read", async () => {
      const place = await openWith(manners, false);
      const head = headFor(place, ", read: never");
      await fc.assert(
        fc.asyncProperty(someLive, someWishes, someWishes, someWishes, async (live, ...files) => {
          begin(place, live);
          for (const wishes of files) {
            place.write(fileOf(wishes), { head });
            // What a portal does with a parameter that is left out is its own affair, and the plan says so.
            const touched = new Set([...wishes.keys()].map((name) => name.split(".")[0]));
            const { leaves = [], alsoSent = [] } = place.state() ?? {};
            const managed = [...leaves, ...alsoSent]
              .filter(({ path }) => touched.has(String(path[0])))
              .map(({ path }) => keyOf(path));
            const { named, changed } = await apply(place);
            expect(changed.filter((key) => managed.includes(key) && !named.has(key))).toEqual([]);
          }
        }),
        RUNS,
      );
    });

    test.each([true, false])("deleted lines change nothing (read: %s)", async (canRead) => {
      const place = await openWith(manners, canRead);
      const head = headFor(place, canRead ? "" : ", read: never");
      await fc.assert(
        fc.asyncProperty(
          someLive,
          someWishes,
          someWishes,
          fc.nat(),
          async (live, base, own, at) => {
            begin(place, live);
            place.write(fileOf(base), { name: "_base.yaml", head: "" });
            place.write(`extends: ./_base.yaml\n${fileOf(own)}`, { head });
            await apply(place);
            const portal = place.sandbox.settings();
            const line = [...own.keys()][at % Math.max(1, own.size)];
            // Where the base says it too, a line that is deleted uncovers another value.
            const isAlone = line === undefined || !base.has(line);
            if (isAlone) {
              own = new Map([...own].filter(([name]) => name !== line));
              place.write(`extends: ./_base.yaml\n${fileOf(own)}`, { head });
              expect(await apply(place)).toMatchObject({ isSent: false });
            }
            place.write(fileOf(own), { head });
            expect(await apply(place)).toMatchObject({ isSent: false });
            expect(place.sandbox.settings()).toEqual(portal);
          },
        ),
        RUNS,
      );
    });
  },
);
