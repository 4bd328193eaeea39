// pull --into-base: what was changed by hand on all portals of a base goes into the base, and no other byte of it changes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Outputs } from "../../src/commands/documents.js";
import { call } from "./call.js";
import { openFleet, updatesOf, type Fleet } from "./fleet.js";

const BASE = `# What all share.
settings:
  informationalBanner:   # the banner
    text: 'Closed on Monday.'
    enabled: true
  blockBetaApps:   true
  aiAssistantsEnabled: false
`;

interface Based extends Fleet {
  read(): string;
  hand(names: readonly string[], banner: string, more?: object): void;
  pull(words?: readonly string[]): Promise<{ exit: number | null; text: string } & Outputs["pull"]>;
}

/** Three portals that extend a base with LF or CRLF, applied. */
async function openBased(newline = "\n"): Promise<Based> {
  const fleet = await openFleet(3, "{}", call);
  for (const name of ["portal-1", "portal-2", "portal-3"]) {
    fleet.write(name, { more: "extends: ../_base.yaml\n" });
  }
  const path = join(fleet.folder, "_base.yaml");
  writeFileSync(path, BASE.replaceAll("\n", newline));
  expect(await fleet.run(["apply", "portals", "--yes"])).toMatchObject({ exit: 0 });
  return {
    ...fleet,
    read: () => readFileSync(path, "utf8"),
    hand(names, text, more = {}) {
      for (const name of names) {
        const settings = fleet.sandbox.settings(name);
        const banner = { ...(settings["informationalBanner"] as object), text };
        fleet.sandbox.change(name, { ...settings, informationalBanner: banner, ...more });
      }
    },
    async pull(words = []) {
      const outputs = ["-o", "text", "-o", "json=pull.json"];
      const ran = await fleet.run(["pull", "portals", "--into-base", ...words, ...outputs]);
      const json = readFileSync(join(fleet.folder, "pull.json"), "utf8");
      const text = ran.stdout + ran.stderr;
      return { text, exit: ran.exit, ...(JSON.parse(json) as Outputs["pull"]) };
    },
  };
}

const ALL = ["portal-1", "portal-2", "portal-3"];

test.each(["\n", "\r\n"])(
  "writes what all portals show, and keeps every other byte: %j",
  async (newline) => {
    const fleet = await openBased(newline);
    const updates = updatesOf(fleet.sandbox).length;
    fleet.hand(ALL, "Closed on Tuesday.");
    const { exit, text, bases } = await fleet.pull();
    expect(exit).toBe(0);
    expect(fleet.read()).toBe(BASE.replace("Monday", "Tuesday").replaceAll("\n", newline));
    expect(text).toContain("_base.yaml: 1 value changed.");
    expect(text).toContain("3 portals read: portal-1, portal-2, portal-3.");
    expect(bases).toMatchObject([
      { file: "_base.yaml", isWritten: true, pulled: [{ portals: ALL }] },
    ]);
    expect(updatesOf(fleet.sandbox)).toHaveLength(updates);
    expect((await fleet.run(["plan", "portals", "--detailed-exitcode"])).exit).toBe(2);
    expect((await fleet.pull()).text).toContain("No differences in _base.yaml.");
  },
);

describe("leaves the base as it is", () => {
  test("where the portals show different values, and reports it", async () => {
    const fleet = await openBased();
    fleet.hand(["portal-1"], "Closed on Tuesday.", { blockBetaApps: false });
    fleet.hand(["portal-2", "portal-3"], "Closed on Friday.", { blockBetaApps: false });
    const { exit, text, bases } = await fleet.pull();
    expect(exit).toBe(0);
    expect(text).toContain("the portals show 2 different values");
    expect(fleet.read()).toBe(BASE.replace("  true", "  false"));
    const outcomes = bases?.[0]?.pulled.map(({ path, outcome }) => [path, outcome]);
    expect(outcomes).toEqual([
      ["informationalBanner.text", "left"],
      ["blockBetaApps", "changed"],
    ]);
  });

  test("where one portal cannot be read", async () => {
    const fleet = await openBased();
    fleet.hand(ALL, "Closed on Tuesday.");
    fleet.write("portal-2", { url: "http://127.0.0.1:9/rest", more: "extends: ../_base.yaml\n" });
    const { exit, text } = await fleet.pull();
    expect([exit, text]).toEqual([4, expect.stringContaining("Nothing was written")]);
    expect(fleet.read()).toBe(BASE);
  });

  test("where another file takes the value and was not named", async () => {
    const fleet = await openBased();
    fleet.hand(ALL, "Closed on Tuesday.");
    const { text } = await fleet.pull(["--only", "portal-[12]"]);
    expect(text).toContain("portals/portal-3.yaml takes it from this base");
    expect(fleet.read()).toBe(BASE);
  });

  test("where --path does not name the setting", async () => {
    const fleet = await openBased();
    fleet.hand(ALL, "Closed on Tuesday.");
    expect((await fleet.pull(["--path", "blockBetaApps"])).text).toContain("No differences");
    expect(fleet.read()).toBe(BASE);
  });
});

test("leaves variables as they are, wherever their values stand", async () => {
  const fleet = await openBased();
  const base = `vars: { day: !required, open: true }
settings:
  informationalBanner: { text: "\${vars.day}", enabled: "\${vars.open}" }
  anonymousAccessNotice: { text: "Closed on \${vars.day}." }
`;
  writeFileSync(join(fleet.folder, "_base.yaml"), base);
  for (const name of ALL) {
    fleet.write(name, { more: `extends: ../_base.yaml\nvars: { day: ${name} }\n` });
  }
  expect(await fleet.run(["apply", "portals", "--yes"])).toMatchObject({ exit: 0 });
  fleet.hand(ALL, "By hand.", { anonymousAccessNotice: { text: "By hand." } });
  const { text, bases } = await fleet.pull();
  const { pulled = [] } = bases?.[0] ?? {};
  expect(pulled.map(({ path, outcome }) => [path, outcome])).toEqual([
    ["informationalBanner.text", "left"],
    ["anonymousAccessNotice.text", "left"],
  ]);
  expect(text.match(/it is written as a reference/g)).toHaveLength(2);
  expect(text).not.toContain("other values");
  expect(fleet.read()).toBe(base);
});

test("asks only those portals that take the value, and names files with values of their own", async () => {
  const fleet = await openBased();
  const own = "{ informationalBanner: { text: Own. } }";
  fleet.write("portal-3", { settings: own, more: "extends: ../_base.yaml\n" });
  fleet.hand(["portal-1", "portal-2"], "Closed on Tuesday.");
  const { text, bases } = await fleet.pull();
  expect(bases?.[0]?.pulled).toMatchObject([{ portals: ["portal-1", "portal-2"] }]);
  expect(text).toContain("lintel pull portals/portal-3.yaml");
  expect(fleet.read()).toBe(BASE.replace("Monday", "Tuesday"));
});

test.each([["--all"], ["--into", "new.yaml"]])("cannot be combined with %s", async (...words) => {
  const fleet = await openBased();
  const { exit, stderr } = await fleet.run(["pull", "portals", "--into-base", ...words]);
  expect([exit, stderr]).toEqual([64, expect.stringContaining("cannot be combined")]);
});
