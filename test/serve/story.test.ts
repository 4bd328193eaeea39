// `serve` in simulated time: changed files, drift, guards, outages and signals.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rule } from "../policy/rules.js";
import { openNight, storyOf, type LogLine } from "./night.js";

const START = Date.parse("2026-06-15T12:00:00Z");
const MINUTE_MS = 60_000;
const after = (minutes: number) => START + minutes * MINUTE_MS;

const WELCOME = "settings: { informationalBanner: { text: Welcome, enabled: true } }\n";
const HELLO = WELCOME.replace("Welcome", "Hello");

async function openDay(portals = 1, text = WELCOME) {
  const night = await openNight(START, { portals });
  const write = (number: number, rest: string) =>
    night.write(`portals/${number}.yaml`, `portal-${number}`, rest);
  for (let number = 1; number <= portals; number++) write(number, text);
  expect(await night.run("apply portals --yes -q")).toMatchObject({ exit: 0 });
  const { sandbox } = night;
  const textOf = (number = 1) =>
    (sandbox.settings(`portal-${number}`)["informationalBanner"] as { text?: string }).text;
  const byHand = (text: string, number = 1) =>
    sandbox.change(`portal-${number}`, { informationalBanner: { text, enabled: true } });
  const updates = () => sandbox.requests.filter(({ path }) => path.endsWith("/settings/update"));
  return { ...night, write, writeAs: night.write, textOf, byHand, updates };
}

const kinds = (told: readonly LogLine[]) => told.map(({ event }) => event).slice(1);

test("without --apply it sends nothing, and reports pending changes and drift once", async () => {
  const day = await openDay();
  const before = day.updates().length;
  const told = await day.serve(["portals"], after(120), [
    [after(10), () => day.byHand("Mine")],
    [after(50), () => day.byHand("Welcome")],
    [after(80), () => day.write(1, HELLO)],
  ]);
  expect(kinds(told)).toEqual(["drift", "drift", "pending"]);
  expect(told.slice(1)).toMatchObject([
    { drift: [{ path: "informationalBanner.text", proven: "Welcome", live: "Mine" }] },
    { drift: [] },
    { changes: [{ path: "informationalBanner.text", cause: "file", after: "Hello" }] },
  ]);
  expect(day.updates()).toHaveLength(before);
});

test("without --apply it reports what a policy blocks", async () => {
  const day = await openDay();
  const must = 'must: { settings.informationalBanner.text: { const: "Welcome" } }';
  writeFileSync(join(day.folder, "welcome.yml"), rule("welcome", must));
  const told = await day.serve(["portals"], after(60), [
    [after(10), () => day.write(1, `policy: ../welcome.yml\n${HELLO}`)],
  ]);
  expect(told.slice(1)).toMatchObject([
    { event: "blocked", exitCode: 7, failure: { code: "against-policy" } },
  ]);
});

test("--apply files applies a changed file at once, and leaves a portal alone while its file has errors", async () => {
  const day = await openDay(2);
  const told = await day.serve(["portals", "--apply", "files"], after(60), [
    [after(20), () => day.write(1, HELLO)],
    [after(25), () => day.write(2, "settings: [\n")],
    [after(30), () => day.write(1, WELCOME)],
    [after(35), () => day.write(2, HELLO)],
    [after(40), () => day.write(3, HELLO.replace("settings", "portal: {}\nsettings"))],
    [after(45), () => rmSync(join(day.folder, "portals/3.yaml"))],
  ]);
  expect(storyOf(told).slice(1)).toEqual([
    "12:20 1 applied",
    "12:25 2 failed",
    "12:30 1 applied",
    "12:35 2 recovered",
    "12:35 2 applied",
    "12:40 files",
    "12:40 portals/3.yaml failed",
    "12:45 files",
  ]);
  expect([day.textOf(1), day.textOf(2)]).toEqual(["Welcome", "Hello"]);
});

test("reads a file that changes during a check again before it applies anything", async () => {
  const day = await openDay();
  const sent = day.updates().length;
  let isArmed = false;
  let changedMs = NaN;
  const match = ({ path }: { readonly path: string }) => {
    if (isArmed && path.includes("/portal-1")) {
      isArmed = false;
      changedMs = day.clock.nowMs;
      day.write(1, HELLO.replace("Hello", "Later"));
    }
    return false;
  };
  day.sandbox.faults.push({ kind: "hang", match, isLasting: true });
  const told = await day.serve(["portals", "--apply", "files"], after(60), [
    [
      after(20),
      () => {
        isArmed = true;
        day.write(1, HELLO);
      },
    ],
  ]);
  expect(kinds(told)).toEqual(["applied"]);
  expect(Date.parse(told.at(-1)?.time ?? "")).toBeGreaterThanOrEqual(changedMs + 500);
  expect(day.updates()).toHaveLength(sent + 1);
  expect(day.textOf()).toBe("Later");
});

test("reports a pending change of a drifted setting beside the drift", async () => {
  const day = await openDay();
  const told = await day.serve(["portals"], after(60), [
    [after(10), () => day.byHand("Mine")],
    [after(40), () => day.write(1, HELLO)],
  ]);
  expect(kinds(told)).toEqual(["drift", "pending"]);
  expect(told.at(-1)).toMatchObject({
    changes: [{ path: "informationalBanner.text", before: "Mine", after: "Hello" }],
  });
});

test("--apply files leaves drift, and applies other changes of the file", async () => {
  const day = await openDay(1, `drift: restore\n${WELCOME}`);
  const told = await day.serve(["portals", "--apply", "files"], after(60), [
    [after(1), () => day.byHand("Mine")],
    [
      after(30),
      () =>
        day.write(1, `drift: restore\n${WELCOME}  \n`.replace("} }", "}, blockBetaApps: true }")),
    ],
  ]);
  expect(kinds(told)).toEqual(["drift", "applied"]);
  expect(day.sandbox.settings("portal-1")).toMatchObject({
    informationalBanner: { text: "Mine" },
    blockBetaApps: true,
  });
});

test("restores drift only under `drift: restore`, and reports a blocked change of a drifted setting once", async () => {
  const day = await openDay();
  const told = await day.serve(["portals", "--apply", "drift,files"], after(90), [
    [after(1), () => day.byHand("Mine")],
    [after(40), () => day.write(1, HELLO)],
  ]);
  expect(kinds(told)).toEqual(["drift", "blocked"]);
  expect(told.at(-1)).toMatchObject({ exitCode: 7, failure: { code: "guarded" } });
  expect(day.textOf()).toBe("Mine");
});

test("retries a refused sign-in a few times a day, counted over all portals", async () => {
  const day = await openDay(5);
  const signIns = () => day.sandbox.requests.filter(({ path }) => path.includes("/loginadmin"));
  day.sandbox.setActive(day.sandbox.beid, false);
  day.sandbox.revokeTokens();
  const before = signIns().length;
  const told = await day.serve(["portals", "--apply", "files"], after(10 * 60));
  expect(kinds(told)).toEqual(["failed", "failed", "failed", "failed", "failed"]);
  // After 15 minutes, 30, an hour, two and four.
  expect(signIns().length - before).toBeLessThanOrEqual(7);
});

test("a portal that hangs delays no other, with --concurrency 1", async () => {
  const day = await openDay(3);
  let hanging = 0;
  const told = await day.serve(
    ["portals", "--apply", "files", "--concurrency", "1", "--every", "1m"],
    after(30),
    [
      [
        after(5),
        () => {
          hanging = 1;
          const match = ({ path }: { readonly path: string }) => path.includes("/portal-1");
          day.sandbox.faults.push({ kind: "hang", match });
        },
      ],
      [after(10), () => [2, 3].forEach((number) => day.write(number, HELLO))],
    ],
    () => hanging,
  );
  expect(storyOf(told).slice(1).toSorted()).toEqual(["12:10 2 applied", "12:10 3 applied"]);
});

test("a clock that is put back delays no check", async () => {
  const day = await openDay(3);
  const ahead = (minutes: number) => after(180 + minutes);
  day.clock.nowMs = ahead(0);
  const told = await day.serve(["portals", "--apply", "files", "--every", "15m"], ahead(21), [
    [
      ahead(20),
      () => {
        day.clock.nowMs = after(0);
        day.byHand("Mine", 1);
        day.write(2, HELLO);
      },
    ],
  ]);
  const of = (name: string) => told.filter(({ portal }) => portal?.name === name);
  // Files are looked at every ten seconds, portals every 15 minutes.
  expect(of("2")).toMatchObject([{ event: "applied" }]);
  expect(of("2")[0]?.time.slice(0, 16)).toBe("2026-06-15T12:00");
  expect(of("1")).toMatchObject([{ event: "drift" }]);
  expect(Date.parse(of("1")[0]?.time ?? "")).toBeLessThanOrEqual(after(15));
});

test("SIGHUP reads all files again and checks all portals within a minute", async () => {
  const day = await openDay(3);
  const told = await day.serve(["portals", "--every", "1d"], after(100), [
    // Right before, so that nobody's own turn comes in between.
    [after(60) - 1, () => [1, 2, 3].forEach((number) => day.byHand("Mine", number))],
    [after(60), () => day.hangup()],
    // At once, before anybody would have seen by themselves that it was changed.
    [after(70), () => day.write(2, HELLO)],
    [after(70), () => day.hangup()],
    [after(80), () => [1, 2, 3].forEach((at) => rmSync(join(day.folder, `portals/${at}.yaml`)))],
    [after(90), () => day.hangup()],
  ]);
  const files = told.filter(({ event }) => event === "files");
  expect(files.map(({ time, message }) => `${time.slice(11, 16)} ${message}`)).toEqual([
    "13:00 All files were read again. None has changed.",
    "13:10 All files were read again. Changed: portals/2.yaml.",
    expect.stringMatching(/^13:20 The files cannot be found: /),
    expect.stringMatching(/^13:30 The files cannot be found: /),
  ]);
  expect(files.map(({ changed }) => changed)).toEqual([
    [],
    ["portals/2.yaml"],
    undefined,
    undefined,
  ]);
  const drift = told.filter(({ event }) => event === "drift");
  expect(storyOf(drift).toSorted()).toEqual(["13:00 1 drift", "13:00 2 drift", "13:00 3 drift"]);
});

test("reports a missing file and what to do", async () => {
  const day = await openDay(1);
  const [, failed] = await day.serve(["portals", "nothere"], after(1));
  expect(failed).toMatchObject({
    event: "failed",
    message: 'There is no file "nothere".',
    help: "Create it, or correct its name on the command line or in lintel.yaml.",
  });
});

test("names the portal of a file with errors, and the likely cause first", async () => {
  const day = await openDay();
  const write = (name: string, text: string) => writeFileSync(join(day.folder, name), text);
  mkdirSync(join(day.folder, "more"));
  write("_base.yaml", 'targetVersion: "12.1"\nvars: { banner: !required }\n');
  write("more/1.yaml", "extends: ../_base.yaml\nportal: { name: north }\nvrs: { banner: Hi }\n");
  write("more/2.yaml", 'portal:\n  url: [\n  name: "south" # of the river\nsettings: ]\n');
  write("more/3.yaml", "settings: [\n");
  const told = (await day.serve(["more"], after(1))).slice(1);
  expect(told.map(({ portal }) => portal?.name)).toEqual(["north", "south", "more/3.yaml"]);
  expect(told[0]?.message).toMatch(
    /^more\/1\.yaml:3:1: The key "vrs" is not known.* \(and \d more\)$/,
  );
});

test("checks neither of two files that configure one portal", async () => {
  const day = await openDay(2);
  const told = await day.serve(["portals", "--apply", "files"], after(30), [
    [after(5), () => day.writeAs("portals/3.yaml", "portal-1", HELLO)],
    [after(20), () => rmSync(join(day.folder, "portals/3.yaml"))],
  ]);
  expect(storyOf(told).slice(1)).toEqual([
    "12:05 files",
    "12:05 1 failed",
    "12:05 3 failed",
    "12:20 files",
    "12:20 1 recovered",
  ]);
  expect(day.textOf()).toBe("Welcome");
});

test("--quiet prints only problems and their ends", async () => {
  const day = await openDay();
  const told = await day.serve(["portals", "--quiet", "--apply", "files"], after(60), [
    [after(5), () => day.write(1, HELLO)],
    [after(20), () => day.byHand("Mine")],
  ]);
  expect(told.map(({ event }) => event)).toEqual(["drift"]);
});
