// lintel explain: names, keys of the file, entries of lists, and words out of the meaning.
import { describe, expect, test } from "vitest";
import { lintel } from "../run/call.js";
import { folderOf } from "../support/run.js";

async function explained(...words: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await lintel(["explain", ...words]);
  expect(stderr).toBe("");
  expect(exit).toBe(0);
  return stdout;
}

describe("words find every entry that mentions them", () => {
  test.each([
    [["banner"], "informationalBanner.bgColor", "low-contrast"],
    [["footer"], "portalConfigProperties.footerLinks", "footer-link"],
    [["ACCESS", "notice"], "authenticatedAccessNotice.text", "anonymousAccessNotice.title"],
    [["sign", "in"], "signIn.method", "signIn.carry"],
    [["shrink"], "shrink-list", "shrink-list"],
  ])("%j", async (words, ...names) => {
    const lines = (await explained(...words)).split("\n");
    for (const name of names) expect(lines.some((line) => line.startsWith(name))).toBe(true);
  });

  test("as data, too", async () => {
    const { stdout } = await lintel(["explain", "footer", "--output", "json"]);
    const { settings, others } = JSON.parse(stdout) as Record<string, Record<string, unknown>[]>;
    expect(settings?.map(({ path }) => path)).toEqual(["portalConfigProperties.footerLinks"]);
    expect(others?.map(({ name }) => name)).toEqual(["footer-link"]);
  });

  test("what nothing speaks of is refused, with the nearest name", async () => {
    const { exit, stderr } = await lintel(["explain", "shrink-lst"]);
    expect(exit).toBe(64);
    expect(stderr).toContain('Did you mean "shrink-list"?');
  });
});

describe("a key of the file", () => {
  test.each([
    ["targetVersion", "as text in quotes"],
    ["signIn", "signIn.webServicesKey"],
    ["signIn.beid", 'Administrators with the permission "Add BE Administrators" see it'],
    ["signIn.webServicesKey", 'Administrators with the permission "Add BE Administrators" see it'],
    ["signIn.method", "generate-token, client-credentials"],
    ["portal.read", "default  auto"],
    ["allow", "allow.until"],
    ["state", "file:.lintel"],
  ])("%s", async (key, words) => {
    expect(await explained(key)).toContain(words);
  });

  test("in a file, with its line and what that overrode", async () => {
    const folder = folderOf({
      "_base.yaml": 'targetVersion: "11.5"\nportal: { read: never }\n',
      "portal.yaml": "extends: _base.yaml\nportal: { read: auto }\n",
    });
    const cwd = folder.path;
    const { stdout } = await lintel(["explain", "portal.read", "--file", "portal.yaml"], { cwd });
    expect(stdout).toContain("portal.yaml:2:17  auto");
    expect(stdout).toContain("_base.yaml:2:17  never");
    const { exit, stderr } = await lintel(["explain", "bannr", "--file", "portal.yaml"], { cwd });
    folder.remove();
    expect([exit, stderr]).toEqual([64, expect.stringContaining("is nothing that a file sets")]);
  });
});

test("an object without keys of its own has a type of its own", async () => {
  expect(await explained("portal")).toMatch(/^ {2}type +keys below$/m);
  expect(await explained("vars")).toMatch(/^ {2}type +names, each with a value$/m);
});

test("a list describes its entries", async () => {
  const text = await explained("footerLinks");
  expect(text).toMatch(/Each entry\n +title +The text of the link\./);
  const { stdout } = await lintel(["explain", "footerLinks", "--output", "json"]);
  const { settings } = JSON.parse(stdout) as { settings: { fields: { name: string }[] }[] };
  expect(settings[0]?.fields.map(({ name }) => name)).toEqual(["title", "url", "email", "type"]);
});

test("what differs between versions stands with the setting", async () => {
  expect(await explained("searchPlatformOnlineEnabled")).toMatch(/from 11\.2, in\s+the map viewer/);
  expect(await explained("showInAppLauncher")).toMatch(/default .*differs by version/);
});

test("what the reference leaves open is called not documented", async () => {
  const shown = await explained("blockBetaApps");
  expect(shown).toMatch(/default +not documented/);
  expect(shown).not.toContain("not shown");
});
