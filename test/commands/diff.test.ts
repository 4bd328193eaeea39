// lintel diff: the settings in which two files, two live portals, or a file and a live portal differ.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Outputs } from "../../src/commands/documents.js";
import { call } from "../run/call.js";
import { openFleet, updatesOf, type Fleet } from "../run/fleet.js";

type Compared = Extract<Outputs["diff"], { readonly differences: unknown }>;

const STAGING = `
  informationalBanner: { text: "Test system", enabled: true }
  blockBetaApps: true
  portalConfigProperties: { tokenExpiration: 60 }`;
const PRODUCTION = `
  informationalBanner: { text: "Live since 2020", enabled: true }
  aiAssistantsEnabled: true
  portalConfigProperties: { tokenExpiration: 60 }`;

const [A, B] = ["portals/portal-1.yaml", "portals/portal-2.yaml"];

async function openTwo(): Promise<Fleet> {
  const fleet = await openFleet(2, "{}", call);
  fleet.write("portal-1", { settings: STAGING });
  fleet.write("portal-2", { settings: PRODUCTION });
  return fleet;
}

async function compared(fleet: Fleet, words: readonly string[]) {
  const { exit, stdout } = await fleet.run(["diff", ...words, "--json"]);
  const document = JSON.parse(stdout) as Compared;
  expect(document.exitCode).toBe(exit);
  return document;
}

/** "path: from → to", in which "-" is a side that does not set it. */
function linesOf({ differences }: Compared): string[] {
  const shown = (side: { value: unknown } | null) => (side ? JSON.stringify(side.value) : "-");
  return differences.map(({ path, from, to }) => `${path}: ${shown(from)} → ${shown(to)}`);
}

describe("of two files", () => {
  test("shows the settings in which they differ, and where each is set, without a network", async () => {
    const fleet = await openTwo();
    const { exit, stdout } = await fleet.run(["diff", A, B]);
    expect(stdout).toBe(`portal-1 → portal-2
  Compared: ${A} → ${B}.

  informationalBanner
    ~ text  "Test system" → "Live since 2020"  ${A}:5, ${B}:5
  - blockBetaApps        true  only in portal-1  ${A}:6
  + aiAssistantsEnabled  true  only in portal-2  ${B}:6

3 settings differ, 2 are equal.
`);
    expect(exit).toBe(2);
    expect(fleet.sandbox.requests).toEqual([]);
  });

  test("ends with 0 where they are equal, be it the file itself", async () => {
    const fleet = await openTwo();
    const { exit, stdout } = await fleet.run(["diff", A, A]);
    expect([exit, stdout]).toEqual([
      0,
      expect.stringContaining("No differences. 4 settings are equal."),
    ]);
  });

  test("compares an older copy of a file with the file", async () => {
    const fleet = await openTwo();
    const text = readFileSync(join(fleet.folder, A), "utf8");
    writeFileSync(
      join(fleet.folder, "older.yaml"),
      text.replace("tokenExpiration: 60", "tokenExpiration: 120"),
    );
    const document = await compared(fleet, ["older.yaml", A]);
    expect(linesOf(document)).toEqual(["portalConfigProperties.tokenExpiration: 120 → 60"]);
  });

  test("counts the portal's own name in a text as no difference", async () => {
    const fleet = await openTwo();
    const banner = 'informationalBanner: { text: "This is ${portal.name}.", enabled: true }';
    fleet.write("portal-1", { settings: `{ ${banner} }` });
    fleet.write("portal-2", { settings: `{ ${banner.replace("This", "Here")} }` });
    expect(linesOf(await compared(fleet, [A, B]))).toEqual([
      'informationalBanner.text: "This is portal-1." → "Here is portal-2."',
    ]);
    fleet.write("portal-2", { settings: `{ ${banner} }` });
    expect(await compared(fleet, [A, B])).toMatchObject({ exitCode: 0, differences: [] });
  });

  test("compares what windows give at a time", async () => {
    const fleet = await openTwo();
    const settings = "informationalBanner: { text: Closed. }";
    const window = `{ from: 2026-12-05T18:00, until: 2026-12-05T22:00, settings: { ${settings} } }`;
    fleet.write("portal-2", { settings: STAGING, more: `schedule: { move: ${window} }\n` });
    expect((await compared(fleet, [A, B, "--at", "2026-12-05T12:00"])).exitCode).toBe(0);
    expect(linesOf(await compared(fleet, [A, B, "--at", "2026-12-05T18:00"]))).toEqual([
      'informationalBanner.text: "Test system" → "Closed."',
    ]);
  });

  test("compares bases, and says what a base lacks", async () => {
    const fleet = await openTwo();
    const write = (name: string, text: string) => writeFileSync(join(fleet.folder, name), text);
    const target = 'targetVersion: "12.1"\n';
    write("_a.yaml", `${target}settings: { blockBetaApps: true }\n`);
    write("_b.yaml", `${target}settings: { blockBetaApps: false }\n`);
    write("_c.yaml", "settings: { blockBetaApps: false }\n");
    expect(linesOf(await compared(fleet, ["_a.yaml", "_b.yaml"]))).toEqual([
      "blockBetaApps: true → false",
    ]);
    const { exit, stderr } = await fleet.run(["diff", "_a.yaml", "_c.yaml"]);
    expect([exit, stderr]).toEqual([3, expect.stringContaining('"_c.yaml" has no targetVersion')]);
  });

  test("shows only what --path picks, and counts the rest", async () => {
    const fleet = await openTwo();
    const document = await compared(fleet, [A, B, "--path", "informationalBanner"]);
    expect(document.differences).toHaveLength(1);
    expect(document.summary).toMatchObject({ equal: 1, differencesLeftOut: 2 });
  });
});

describe("of live portals", () => {
  test("shows what both portals show, managed or not", async () => {
    const fleet = await openTwo();
    fleet.sandbox.change("portal-1", {
      ...fleet.sandbox.settings("portal-1"),
      blockBetaApps: true,
    });
    fleet.sandbox.change("portal-2", {
      ...fleet.sandbox.settings("portal-2"),
      blockBetaApps: false,
    });
    const document = await compared(fleet, [A, B, "--live"]);
    expect(linesOf(document)).toEqual(["blockBetaApps: true → false"]);
    expect(document).toMatchObject({ from: { isLive: true }, to: { isLive: true }, exitCode: 2 });
    expect(updatesOf(fleet.sandbox)).toEqual([]);
  });

  test("compares a file with a live portal, as far as the file goes", async () => {
    const fleet = await openTwo();
    const banner = { text: "By hand", bgColor: "#b30000", enabled: true };
    fleet.sandbox.change("portal-2", { informationalBanner: banner });
    const { exit, stdout } = await fleet.run(["diff", A, `live:${B}`]);
    expect(exit).toBe(2);
    expect(stdout).toContain("portal-1 → portal-2 (live)");
    expect(stdout).toContain(`Settings that "${A}" does not set are not compared.`);
    expect(stdout).toContain(`~ text  "Test system" → "By hand"  ${A}:5`);
    expect(stdout).not.toContain("bgColor");
  });

  test("fails where a portal cannot be read", async () => {
    const fleet = await openTwo();
    fleet.write("portal-2", { url: "http://127.0.0.1:9/rest", settings: PRODUCTION });
    const { exit, stdout } = await fleet.run(["diff", A, `live:${B}`, "--json"]);
    expect(exit).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ failure: { code: "not-reachable" } });
    const anonymous = await fleet.run(["diff", `live:${A}`, B], { LINTEL_BEID: "" });
    expect([anonymous.exit, anonymous.stderr]).toEqual([4, expect.stringContaining("LINTEL_BEID")]);
    fleet.write("portal-2", { settings: PRODUCTION, id: "portal-2, read: never" });
    expect((await fleet.run(["diff", A, B, "--live"])).exit).toBe(4);
  });
});

test.each([
  [A, `live:${A}`, `${A} → ${A} (live)`, /^- text: .*portal-1\.yaml:5\n\+ text: [^#]*$/m],
  [`live:${A}`, A, `${A} (live) → ${A}`, /^- text: [^#]*\n\+ text: .*portal-1\.yaml:5$/m],
])("names the line beside the value of the file: %s %s", async (from, to, sides, lines) => {
  const fleet = await openTwo();
  fleet.sandbox.change("portal-1", { informationalBanner: { text: "By hand" } });
  const { stdout } = await fleet.run(["diff", from, to, "-o", "markdown"]);
  expect(stdout).toContain(`\`${sides}\``);
  expect(stdout).toMatch(lines);
});

test("shows the problems of a file, and ends with 3", async () => {
  const fleet = await openTwo();
  fleet.write("portal-2", { settings: "{ blockBetaAps: true }" });
  const { exit, stdout } = await fleet.run(["diff", A, B]);
  expect([exit, stdout]).toEqual([3, expect.stringContaining("blockBetaAps")]);
});

test.each([
  [[], "Two files are needed."],
  [[A], `lintel plan ${A}`],
  [["portals", A], '"portals" names 2 files, not one.'],
  [["live:", A], '"live:" names no file'],
])("refuses other operands: %j", async (words, message) => {
  const fleet = await openTwo();
  const { exit, stderr } = await fleet.run(["diff", ...words]);
  expect([exit, stderr]).toEqual([64, expect.stringContaining(message)]);
});

test("the comment and the page name the same settings, and picture both banners", async () => {
  const fleet = await openTwo();
  await fleet.run(["diff", A, B, "-o", "markdown=d.md", "-o", "html=d.html"]);
  const [markdown, page] = ["d.md", "d.html"].map((name) =>
    readFileSync(join(fleet.folder, name), "utf8"),
  );
  for (const report of [markdown, page]) {
    expect(report).toContain("3 settings differ, 2 are equal.");
    for (const word of ["portal-1 → portal-2", "only in portal-2"]) expect(report).toContain(word);
  }
  expect(markdown).toContain(`- blockBetaApps: true  # only in portal-1, ${A}:6`);
  expect(markdown).toMatch(/^- text: .*# portals\/portal-1\.yaml:5\n\+ text: .*portal-2\.yaml:5$/m);
  expect(page).toContain("<figcaption>portal-1</figcaption>");
});
