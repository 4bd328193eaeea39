// Policies and windows: each state that a file's schedule brings is judged, and what a clock changes is no wish of the file.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { identityOf } from "../../src/state/key.js";
import { emptyState, settle, withJournal } from "../../src/state/steps.js";
import { openPlace, type Place } from "../run/place.js";
import { JOURNAL, LINEAGE, SETTLEMENT } from "../state/samples.js";
import { openStateAt } from "../state/stores.js";
import { folderOf, type Ran } from "../support/run.js";
import { rule } from "./rules.js";

interface Told {
  readonly exitCode: number;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly line: number;
  }[];
  readonly portals: readonly { readonly failure: { readonly code: string } | null }[];
}

function told({ stdout }: Ran): Told {
  const all = JSON.parse(stdout) as Told;
  return { ...all, diagnostics: all.diagnostics.filter(({ code }) => code.startsWith("policy/")) };
}
const at = (moment: string) => ({ startMs: Date.parse(moment) });

function outside(text: string): { readonly LINTEL_POLICY: string } {
  const folder = folderOf({ "a.yaml": text });
  onTestFinished(() => folder.remove());
  return { LINTEL_POLICY: folder.path };
}

const BANNER = `settings:
  informationalBanner: { text: Hello, bgColor: white, fontColor: black, enabled: true }
schedule:
`;
const windowOf = (name: string, day: number, hours: string, settings: string) => {
  const [from, until] = hours.split("-");
  return `  ${name}:
    from: 2026-12-0${day}T${from}
    until: 2026-12-0${day}T${until}
    settings:
      informationalBanner: ${settings}
`;
};
const CONTRAST = rule("contrast", "must: { contrast: { minimum: 4.5 } }");

test("validate reports a policy violation in a window at its line, with the window", async () => {
  const place = await openPlace();
  place.write(BANNER + windowOf("dark", 5, "18:00-22:00", "{ fontColor: yellow }"));
  const env = outside(CONTRAST);
  const before = told(
    await place.run("validate --output json", { env, ...at("2026-12-01T00:00:00Z") }),
  );
  expect(before.diagnostics).toMatchObject([
    {
      code: "policy/contrast",
      message: 'This is a rule. "contrast" is 1.07 and must be >= 4.5 while "dark" is open.',
      line: 11,
    },
  ]);
  expect(before.exitCode).toBe(3);
  const within = told(
    await place.run("validate --output json", { env, ...at("2026-12-05T20:00:00Z") }),
  );
  expect(within.diagnostics.length).toBe(1);
  // A window that is over brings nothing any more.
  const after = told(
    await place.run("validate --output json", { env, ...at("2026-12-05T22:00:00Z") }),
  );
  expect(after.diagnostics).toEqual([]);
});

test("finds violations that occur only while one of two windows is open", async () => {
  const place = await openPlace();
  place.write(
    BANNER +
      windowOf("front", 5, "10:00-20:00", "{ fontColor: white }") +
      windowOf("back", 5, "09:00-18:00", "{ bgColor: black }"),
  );
  const env = outside(CONTRAST);
  const found = told(
    await place.run("validate --output json", { env, ...at("2026-12-01T00:00:00Z") }),
  );
  // Black on black until ten, white on white from six; together they can be read.
  expect(found.diagnostics.map(({ message }) => /while .*/.exec(message)?.[0])).toEqual([
    'while "back" is open.',
    'while "front" is open.',
  ]);
});

test("an error outside windows is reported once, without a window", async () => {
  const place = await openPlace();
  const bad = BANNER.replace("fontColor: black", "fontColor: yellow");
  place.write(bad + windowOf("text", 5, "18:00-22:00", "{ text: Bye }"));
  const found = told(
    await place.run("validate --output json", {
      env: outside(CONTRAST),
      ...at("2026-12-01T00:00:00Z"),
    }),
  );
  expect(found.diagnostics.map(({ message }) => message)).toEqual([
    'This is a rule. "contrast" is 1.07 and must be >= 4.5.',
  ]);
});

const FREEZE = rule(
  "freeze",
  `timeZone: Europe/Vienna
when: { time.weekday: { const: saturday } }
must: { changes: { items: { properties: { cause: { not: { const: file } } } } } }`,
);

test("a freeze lets a window open and close, and nothing else", async () => {
  const place = await openPlace();
  const words = "apply --yes --output json";
  const env = outside(FREEZE);
  const file = BANNER + windowOf("night", 5, "18:00-22:00", "{ text: Read-only }");
  const shown = () => place.sandbox.settings()["informationalBanner"];
  place.write(file);
  expect(told(await place.run(words, { env, ...at("2026-12-04T12:00:00Z") })).exitCode).toBe(0);
  expect(told(await place.run(words, { env, ...at("2026-12-05T18:00:00Z") })).exitCode).toBe(0);
  expect(shown()).toMatchObject({ text: "Read-only" });
  place.write(file.replace("bgColor: white", "bgColor: silver"));
  const changed = told(await place.run(words, { env, ...at("2026-12-05T22:00:00Z") }));
  expect(changed).toMatchObject({
    exitCode: 7,
    portals: [{ failure: { code: "against-policy" } }],
  });
  expect(changed.diagnostics[0]?.message).toBe(
    'This is a rule. The change of "informationalBanner.bgColor" is against it.',
  );
  place.write(file);
  expect(told(await place.run(words, { env, ...at("2026-12-05T22:00:00Z") })).exitCode).toBe(0);
  expect(shown()).toMatchObject({ text: "Hello" });
});

test("policies can test the windows, and which are open", async () => {
  const place = await openPlace();
  place.write(BANNER + windowOf("night", 5, "18:00-22:00", "{ text: Read-only }"));
  const isOpen = "contains: { properties: { isOpen: { const: true } }, required: [isOpen] }";
  const env = outside(rule("closed", `must: { schedule: { not: { ${isOpen} } } }`));
  const [before, within] = ["2026-12-05T17:59:00Z", "2026-12-05T18:00:00Z"];
  expect(told(await place.run("plan --output json", { env, ...at(before) })).diagnostics).toEqual(
    [],
  );
  const found = told(await place.run("plan --output json", { env, ...at(within) })).diagnostics;
  expect(found).toMatchObject([{ code: "policy/closed", line: 6 }]);
});

test("a plan for another time is judged by that time", async () => {
  const place = await openPlace();
  place.write("settings: { blockBetaApps: true }\n");
  const env = outside(FREEZE);
  const plan = "plan --output json --at 2026-12-05T10:00Z";
  const found = told(await place.run(plan, { env, ...at("2026-12-01T10:00:00Z") }));
  expect(found.diagnostics.map(({ code }) => code)).toEqual(["policy/freeze"]);
});

test("applies a policy window that opens while an apply waits for another run", async () => {
  const place = await openPlace();
  place.write("settings: { blockBetaApps: true }\n");
  const { settled } = await openJournal(place);
  // In Vienna it is half a minute before Saturday.
  const startMs = Date.parse("2026-12-04T22:59:30Z");
  const onSleep = async (sleptMs: number) => {
    if (sleptMs > 45_000) await settled();
  };
  const env = outside(FREEZE);
  const ran = await place.run("apply --yes --output json", { env, startMs, onSleep });
  expect(told(ran)).toMatchObject({
    exitCode: 7,
    portals: [{ failure: { code: "against-policy" } }],
  });
  expect(place.updates()).toEqual([]);
});

/** Of another run, on a machine that cannot be seen from here. */
async function openJournal({ sandbox, folder }: Place) {
  const portal = identityOf(sandbox.portalUrl, "self");
  const opened = openStateAt(`file:${join(folder.path, ".lintel")}`, { portal });
  onTestFinished(() => opened.close());
  const { store } = opened;
  const state = withJournal(emptyState(LINEAGE, portal), JOURNAL);
  const version = await store.write(state, undefined);
  let isOpen = true;
  const settled = async () => {
    if (isOpen) await store.write(settle(state, { ...SETTLEMENT, leaves: [] }), version);
    isOpen = false;
  };
  return { settled };
}
