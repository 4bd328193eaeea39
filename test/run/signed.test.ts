// A state that carries a signature: who has no key cannot change what a run believes, and what is older than was seen is not believed either.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestOf, parseState, printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { signedWith } from "../../src/state/signature.js";
import type { State } from "../../src/state/state.js";
import { stateFileIn, writeStateIn } from "../support/state-files.js";
import { headFor, openPlace, type Place } from "./place.js";

const KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
const NEXT_KEY = "ffee2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
const APPLY = "apply --yes --allow unread-portal";
const banner = (text: string) =>
  `settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;

const identity = ({ sandbox }: Place) => identityOf(sandbox.portalUrl, "self");
const pathOf = (place: Place) =>
  stateFileIn(join(place.folder.path, ".lintel"), identity(place).key) ?? "";
const textOf = (place: Place) => readFileSync(pathOf(place), "utf8");
const stateOf = (place: Place): State =>
  parseState(textOf(place), { place: "", portal: identity(place) });
const plant = (place: Place, text: string | undefined) =>
  writeStateIn(join(place.folder.path, ".lintel"), identity(place).key, text);

const cacheOf = (place: Place) => join(place.folder.path, "cache");

/** With a cache of its own, as each machine has one. */
function withKey(place: Place, key = KEY, old?: string) {
  return {
    env: {
      LINTEL_STATE_CACHE: cacheOf(place),
      LINTEL_STATE_KEY: key,
      ...(old !== undefined && { LINTEL_STATE_KEY_OLD: old }),
    },
  };
}

async function signedPlace(head?: string): Promise<Place> {
  const place = await openPlace({ canRead: head === undefined });
  place.write(banner("One"), { head: headFor(place, head) });
  expect(await place.run(APPLY, withKey(place))).toMatchObject({ exit: 0 });
  return place;
}

/** What somebody without the key can make of it: whole, and believed by whoever has no key either. */
function forge(place: Place, change: (state: State) => State): void {
  const forged = change(stateOf(place));
  const { signature } = forged;
  const over = digestOf(forged);
  plant(place, printState({ ...forged, ...(signature && { signature: { ...signature, over } }) }));
}

const withText = (text: string) => (state: State) => ({
  ...state,
  alsoSent: [{ path: ["informationalBanner", "bgColor"], sent: text }],
});

describe("a change to the state alone, of a portal that is never read", () => {
  test("is sent without a key", async () => {
    const place = await openPlace({ canRead: false });
    place.write(banner("One"), { head: headFor(place, ", read: never") });
    expect(await place.run(APPLY)).toMatchObject({ exit: 0 });
    forge(place, withText("#forged"));
    place.write(banner("Two"), { head: headFor(place, ", read: never") });
    expect(await place.run(APPLY)).toMatchObject({ exit: 0 });
    expect(place.updates().at(-1)?.body).toContain("forged");
  });

  test.each([
    ["plan", 1],
    [APPLY, 1],
    ["status", 1],
    ["rollback --yes", 1],
    ["state show", 1],
    ["history", 1],
    ["unhold", 1],
  ])("is refused with one: %s", async (words, exit) => {
    const place = await signedPlace(", read: never");
    const updates = place.updates().length;
    forge(place, withText("#forged"));
    place.write(banner("Two"), { head: headFor(place, ", read: never") });
    const ran = await place.run(words, withKey(place));
    expect(ran.exit).toBe(exit);
    expect(ran.stdout + ran.stderr).toContain("[state-not-trusted]");
    expect(ran.stdout + ran.stderr).toContain("lintel state sign portal.yaml");
    expect(place.updates()).toHaveLength(updates);
    expect(stateOf(place).alsoSent).toBeDefined();
  });
});

test.each<[string, (state: State) => State]>([
  [
    "the portal",
    (state) => ({ ...state, portal: { ...state.portal, url: "https://x.example.com" } }),
  ],
  ["the lineage", (state) => ({ ...state, lineage: "another" })],
  ["the serial", (state) => ({ ...state, serial: state.serial + 1 })],
  ["a hold that is gone", ({ hold: _ended, ...state }) => ({ ...state, leaves: [] })],
  ["an entry of the history", (state) => ({ ...state, history: state.history.slice(1) })],
  ["the signature itself, taken away", ({ signature: _none, ...state }) => state],
])("with another value there, it is refused: %s", async (_, change) => {
  const place = await signedPlace();
  forge(place, change);
  const ran = await place.run("plan", withKey(place));
  expect(ran.stdout).toContain("[state-not-trusted]");
});

test("refuses a state signed with another key, or for another portal", async () => {
  const place = await signedPlace();
  plant(place, printState(signedWith(NEXT_KEY, stateOf(place))));
  expect((await place.run("plan", withKey(place))).stdout).toContain("[state-not-trusted]");
  const portal = identityOf("https://other.example.com/portal/sharing/rest", "self");
  plant(place, printState(signedWith(KEY, { ...stateOf(place), portal })));
  expect((await place.run("plan", withKey(place))).stdout).toContain("[state-not-ours]");
});

test("verifies with an old key, and signs the next write with the new one", async () => {
  const place = await signedPlace();
  expect((await place.run("plan", withKey(place, NEXT_KEY))).exit).toBe(1);
  const both = withKey(place, NEXT_KEY, KEY);
  place.write(banner("Two"));
  expect(await place.run(APPLY, both)).toMatchObject({ exit: 0 });
  expect(await place.run("plan", withKey(place, NEXT_KEY))).toMatchObject({ exit: 0 });
  expect((await place.run("plan", withKey(place))).stdout).toContain("[state-not-trusted]");
});

describe("without the key", () => {
  test("reads it as not verified, and writes nothing", async () => {
    const place = await signedPlace();
    const before = textOf(place);
    expect(await place.run("plan")).toMatchObject({ exit: 0 });
    expect((await place.run("status")).stdout).toMatch(/signature +not verified/);
    expect((await place.run("doctor")).stdout).toMatch(
      /The state is signed, and LINTEL_STATE_KEY is not set/,
    );
    expect((await place.run("state show")).stdout).toMatch(/signature +not verified/);
    expect((await place.run("state show", withKey(place))).stdout).toMatch(/signature +verified/);
    place.write(banner("Two"));
    expect((await place.run("status")).stdout.replace(/\s+/g, " ")).toMatch(
      /next The state is signed\. Set LINTEL_STATE_KEY, .* lintel apply portal\.yaml/,
    );
    expect((await place.run("status", withKey(place))).stdout).not.toContain("LINTEL_STATE_KEY");
    const ran = await place.run(APPLY);
    expect(ran).toMatchObject({ exit: 1 });
    expect(ran.stdout).toContain("[state-not-trusted]");
    expect((await place.run("state rm portal.yaml informationalBanner")).stderr).toContain(
      "[state-not-trusted]",
    );
    expect(place.updates()).toHaveLength(1);
    expect(textOf(place)).toBe(before);
  });

  test.each(["", "  "])("treats %j as no key, as pipelines set missing secrets", async (empty) => {
    const place = await signedPlace();
    place.write(banner("Two"));
    expect(await place.run("plan", withKey(place, empty))).toMatchObject({ exit: 0 });
    const ran = await place.run(APPLY, withKey(place, empty));
    expect(ran).toMatchObject({ exit: 1 });
    expect(ran.stdout).toContain("[state-not-trusted]");
    expect(ran.stdout).toContain("LINTEL_STATE_KEY is empty");
    expect(place.updates()).toHaveLength(1);
    expect((await place.run("state sign --yes", withKey(place, empty))).stderr).toContain(
      "LINTEL_STATE_KEY is empty",
    );
  });

  test("writes an unsigned state with an empty key", async () => {
    const place = await openPlace({ canRead: true });
    place.write(banner("One"), { head: headFor(place, undefined) });
    expect(await place.run(APPLY, withKey(place, ""))).toMatchObject({ exit: 0 });
    expect(stateOf(place).signature).toBeUndefined();
  });

  test.each([
    ["a short key", { LINTEL_STATE_KEY: "short-and-secret" }],
    ["a short old key", { LINTEL_STATE_KEY: KEY, LINTEL_STATE_KEY_OLD: "short-and-secret" }],
    ["an old key alone", { LINTEL_STATE_KEY_OLD: KEY }],
  ])("%s is wrong usage, and is not shown", async (_, env) => {
    const place = await signedPlace();
    const ran = await place.run("plan", { env });
    expect(ran.exit).toBe(64);
    expect(ran.stdout + ran.stderr).toContain("[bad-variable]");
    expect(ran.stdout + ran.stderr).not.toMatch(/short-and-secret|0f1e2d/);
  });
});

describe("a state older than the last one seen", () => {
  async function rewound() {
    const place = await signedPlace();
    const old = textOf(place);
    place.write(banner("Two"));
    expect(await place.run(APPLY, withKey(place))).toMatchObject({ exit: 0 });
    return { place, old };
  }

  test("is refused, like a missing or new one", async () => {
    const { place, old } = await rewound();
    const newest = stateOf(place).serial;
    plant(place, old);
    const ran = await place.run("plan", withKey(place));
    expect(ran.exit).toBe(1);
    expect(ran.stdout).toContain("[state-rewound]");
    expect(ran.stdout.replace(/\s+/g, " ")).toContain(
      `the last one seen here has serial ${newest}`,
    );
    plant(place, undefined);
    expect((await place.run("plan", withKey(place))).stdout).toContain("is gone");
    const anew = { ...parseState(old, { place: "", portal: identity(place) }), lineage: "another" };
    plant(place, printState(signedWith(KEY, anew)));
    expect((await place.run(APPLY, withKey(place))).stdout).toContain("is a new one");
    expect(place.updates()).toHaveLength(2);
  });

  test("is used after acceptance, like a new one", async () => {
    const { place, old } = await rewound();
    plant(place, old);
    const refused = await place.run("state sign --yes", withKey(place));
    expect(refused.stdout).toContain("[state-rewound]");
    const accepted = await place.run("state accept --yes --output json", withKey(place));
    expect(accepted).toMatchObject({ exit: 0 });
    expect(JSON.parse(accepted.stdout)).toMatchObject({ portals: [{ signed: true, serial: 3 }] });
    expect(await place.run("plan", withKey(place))).toMatchObject({ exit: 0 });
    expect(stateOf(place).history.at(-1)).toMatchObject({
      kind: "accept",
      why: expect.stringMatching(/^older than serial 4 seen at 20[-\d]+T[:.\d]+Z$/) as string,
    });
    plant(place, undefined);
    expect(await place.run("state accept --yes", withKey(place))).toMatchObject({
      exit: 0,
    });
    expect(await place.run(APPLY, withKey(place))).toMatchObject({ exit: 0 });
  });

  test("is used by another machine, with a notice on its age", async () => {
    const { place, old } = await rewound();
    plant(place, old);
    const { env } = withKey(place);
    const elsewhere = { env: { ...env, LINTEL_STATE_CACHE: join(place.folder.path, "elsewhere") } };
    const first = await place.run("plan", elsewhere);
    expect(first.exit).toBe(0);
    expect(first.stderr.split(AGE_NOT_VERIFIED)).toHaveLength(2);
    expect(await place.run("plan", elsewhere)).toMatchObject({ exit: 0, stderr: "" });
  });
});

const AGE_NOT_VERIFIED = "State age not verified";

describe("the record of a state on this machine", () => {
  test.each(["{", "", "x", "[]", "null", '{"serial":0}', '{"serial":2}', '{"lineage":"x"}'])(
    "is ignored when damaged: %j",
    async (damage) => {
      const place = await signedPlace();
      const [name = ""] = readdirSync(cacheOf(place));
      const record = join(cacheOf(place), name);
      const { lineage, serial } = stateOf(place);
      writeFileSync(record, damage);
      const planned = await place.run("plan", withKey(place));
      expect(planned.exit).toBe(0);
      expect(planned.stderr.split(AGE_NOT_VERIFIED)).toHaveLength(2);
      expect(planned.stderr).not.toContain("warning");
      expect(JSON.parse(readFileSync(record, "utf8"))).toMatchObject({ lineage, serial });
      expect(await place.run("plan", withKey(place))).toMatchObject({ exit: 0, stderr: "" });
    },
  );

  test("is ignored when it cannot be written", async () => {
    const place = await openPlace();
    place.write(banner("One"));
    writeFileSync(cacheOf(place), "");
    expect(await place.run(APPLY, withKey(place))).toMatchObject({ exit: 0, stderr: "" });
    for (const words of ["plan", "plan"]) {
      const ran = await place.run(words, withKey(place));
      expect(ran.exit).toBe(0);
      expect(ran.stderr).toContain(AGE_NOT_VERIFIED);
    }
  });
});

describe("state sign", () => {
  test("shows each state, asks, and signs what was shown", async () => {
    const place = await openPlace();
    place.write(banner("One"));
    await place.run(APPLY);
    const unasked = await place.run("state sign", withKey(place));
    expect(unasked).toMatchObject({ exit: 64 });
    const { serial, lineage } = stateOf(place);
    expect(unasked.stderr).toContain(lineage);
    expect(unasked.stderr).toMatch(new RegExp(`serial +${serial}\\n`));
    expect(unasked.stderr).toMatch(/informationalBanner\.text +"One"/);
    expect(unasked.stderr).toContain("it is not signed");
    expect(stateOf(place).signature).toBeUndefined();

    const json = await place.run("state sign --yes --output json", withKey(place));
    expect(JSON.parse(json.stdout)).toMatchObject({
      exitCode: 0,
      portals: [{ file: "portal.yaml", signed: true, serial: serial + 1, failure: null }],
    });
    expect(await place.run("plan", withKey(place))).toMatchObject({ exit: 0 });
    const again = await place.run("state sign --yes", withKey(place));
    expect(again.stdout).toContain("already signed");
    expect(stateOf(place).serial).toBe(serial + 1);
  });

  test("needs a key", async () => {
    const place = await openPlace();
    place.write(banner("One"));
    expect((await place.run("state sign --yes")).stderr).toContain("LINTEL_STATE_KEY is not set");
  });
});
