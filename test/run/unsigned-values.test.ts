// A history that nobody has signed: what it says of the past is checked like a file before a rollback sends it.
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/lib/json.js";
import type { Entry, SettledChange, State } from "../../src/state/state.js";
import { headFor, openPlace, type Place } from "./place.js";

const KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
const flat = (text: string) => text.replace(/\s+/g, " ");

const PORTAL = {
  informationalBanner: { text: "Zero", enabled: true },
  portalConfigProperties: { surveyUrl: "https://survey.example.com" },
};

async function arrange(portal: JsonObject = PORTAL, head = ""): Promise<Place> {
  const place = await openPlace({ unknown: "store" }, portal);
  place.write(
    "settings: { informationalBanner: { text: One, enabled: false }, portalConfigProperties: { surveyUrl: https://one.example.com } }\n",
    { head: headFor(place, head) },
  );
  const ran = await place.run("apply --yes --allow disable-notice,unread-portal");
  expect(ran).toMatchObject({ exit: 0 });
  return place;
}

function stateOf(place: Place): State {
  const state = place.state();
  if (!state) throw new Error("nothing was applied");
  return state;
}

/** The history as somebody writes it who may write where the state is. */
function forge(place: Place, change: (entry: Entry) => Entry): void {
  const state = stateOf(place);
  place.plant({ ...state, history: state.history.map(change) });
}

const isOf = ({ path }: SettledChange, name: string) => path.join(".") === name;

/** What stood at a setting before the apply; added where the apply did not change it. */
const saying = (path: readonly string[], before: Json) => (entry: Entry) => {
  const others = entry.changes.filter((each) => !isOf(each, path.join(".")));
  const change = { path, action: "set", cause: "file", before, after: "x" } as const;
  return { ...entry, changes: [...others, change] };
};

const FORGED: Readonly<
  Record<string, readonly [path: readonly string[], before: Json, at?: string]>
> = {
  "a number for a text": [["informationalBanner", "text"], 7],
  "an object for a text": [["informationalBanner", "text"], { a: 1 }],
  "a text for a switch": [["informationalBanner", "enabled"], "perhaps"],
  "a list for a parameter": [["blockBetaApps"], [true]],
  "a number of minutes that is none": [["portalConfigProperties", "tokenExpiration"], 1.5],
  "an address of another kind": [["portalConfigProperties", "surveyUrl"], "javascript:alert(1)"],
  "buttons that the reference does not have": [
    ["anonymousAccessNotice", "buttons"],
    "acceptAndDecilne",
  ],
  "an entry of a list that is wrong": [
    ["portalConfigProperties", "footerLinks"],
    [
      { title: "Contact", url: "https://a.example.com" },
      { title: 7, url: "/a" },
    ],
    "portalConfigProperties.footerLinks[1].title",
  ],
  "a parameter that nobody knows": [["somethingNew"], true],
  "a property that nobody knows": [["informationalBanner", "textt"], "Zero"],
  "a name that a file keeps for anchors": [["informationalBanner", "x-text"], "Zero"],
  "a whole object as one setting": [["informationalBanner"], { text: "Zero" }],
  "something below a setting": [["informationalBanner", "text", "a"], "Zero"],
};

describe.each(Object.entries(FORGED))("%s", (_, [path, before, at = path.join(".")]) => {
  test("is not sent by a rollback, which names the setting", async () => {
    const place = await arrange();
    forge(place, saying(path, before));
    const [state, updates] = [place.state(), place.updates().length];
    for (const words of ["rollback --yes", "rollback --to 0 --yes", "rollback --since 1h --yes"]) {
      const ran = await place.run(words);
      expect([words, ran.exit]).toEqual([words, 1]);
      expect(ran.stderr).toContain("[state-not-trusted]");
      expect(flat(ran.stderr)).toContain(`"${at}"`);
      expect(ran.stderr).toContain("lintel history portal.yaml");
    }
    expect(place.updates()).toHaveLength(updates);
    expect(place.state()).toEqual(state);
  });
});

test("is checked for every value of a portal that is never read", async () => {
  const place = await arrange(PORTAL, ", read: never");
  const state = stateOf(place);
  const leaves = state.leaves.map((leaf) =>
    leaf.path[1] === "enabled" ? { ...leaf, sent: "perhaps" } : leaf,
  );
  const history = state.history.map((entry) => ({
    ...entry,
    changes: entry.changes
      .filter(({ path }) => path[1] === "text")
      .map((change) => ({ ...change, before: "Zero" })),
  }));
  place.plant({ ...state, leaves, history });
  const updates = place.updates().length;
  const ran = await place.run("rollback --yes --allow unread-portal");
  expect([ran.exit, flat(ran.stderr)]).toEqual([
    1,
    expect.stringContaining('"informationalBanner.enabled"'),
  ]);
  expect(place.updates()).toHaveLength(updates);
});

test("is checked in an unsettled rollback too", async () => {
  const place = await arrange();
  place.sandbox.faults.push({ kind: "drop-before", match: /\/update$/ });
  expect(await place.run("rollback --yes")).toMatchObject({ exit: 8 });
  const state = stateOf(place);
  const wrong = (path: readonly (string | number)[]) => path[1] === "text";
  const { journal, hold } = state;
  if (!journal || !hold?.wants) throw new Error("the rollback left nothing open");
  place.plant({
    ...state,
    hold: {
      ...hold,
      wants: hold.wants.map((each) => (wrong(each.path) ? { ...each, value: 7 } : each)),
    },
    journal: {
      ...journal,
      leaves: journal.leaves.map((each) => (wrong(each.path) ? { ...each, sent: 7 } : each)),
    },
  });
  const updates = place.updates().length;
  const ran = await place.run("rollback --yes");
  expect([ran.exit, flat(ran.stderr)]).toEqual([
    1,
    expect.stringContaining('"informationalBanner.text"'),
  ]);
  expect(place.updates()).toHaveLength(updates);
});

test("other settings are rolled back by --path", async () => {
  const place = await arrange();
  forge(place, saying(["informationalBanner", "text"], 7));
  const ran = await place.run(
    "rollback --yes --path portalConfigProperties --allow disable-notice",
  );
  expect(ran).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({
    informationalBanner: { text: "One" },
    portalConfigProperties: PORTAL.portalConfigProperties,
  });
});

describe("restores values that a portal may have shown", () => {
  test.each<[string, JsonObject]>([
    ["an empty address", { portalConfigProperties: { surveyUrl: "" } }],
    ["a relative address", { portalConfigProperties: { surveyUrl: "/survey" } }],
    ["the other spelling", { portalConfigProperties: { portalAGOConfigEnabled: true } }],
  ])("%s", async (_, shown) => {
    const place = await arrange({ ...PORTAL, ...shown });
    expect(await place.run("rollback --yes")).toMatchObject({ exit: 0 });
    expect(place.sandbox.settings()).toMatchObject(shown);
  });

  test("texts in place of other values", async () => {
    const place = await arrange({ informationalBanner: { text: "true", enabled: "true" } });
    // The sandbox itself takes no such values.
    expect(await place.run("rollback --yes")).toMatchObject({ exit: 4 });
    const sent = new URLSearchParams(place.updates().at(-1)?.body).get("informationalBanner");
    expect(JSON.parse(sent ?? "")).toEqual({ text: "true", enabled: "true" });
  });
});

test("restores names that the file allows, with any value", async () => {
  const place = await openPlace({ unknown: "store" }, { newThing: { size: 1 } });
  place.write("allowUnknown: [newThing]\nsettings: { newThing: { size: 2 } }\n");
  expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  expect(await place.run("rollback --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toEqual({ newThing: { size: 1 } });
});

test("trusts a signed history", async () => {
  const place = await openPlace({ unknown: "store" }, { informationalBanner: { text: 7 } });
  const env = { LINTEL_STATE_KEY: KEY, XDG_CONFIG_HOME: `${place.folder.path}/config` };
  place.write("settings: { informationalBanner: { text: One } }\n");
  expect(await place.run("apply --yes", { env })).toMatchObject({ exit: 0 });
  place.sandbox.change("self", { informationalBanner: { text: "One" } });
  const ran = await place.run("rollback --yes", { env });
  // The sandbox has an opinion of its own.
  expect(ran.exit).toBe(4);
  expect(place.updates().at(-1)?.body).toContain(encodeURIComponent('{"text":7}'));
});
