// The leaves that a file wants, and the guards that it opens.
import { expect, onTestFinished, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { allowEntries, desiredLeaves } from "../../src/document/read/leaves.js";
import { readSource } from "../../src/document/read/bytes.js";
import { formatPath } from "../../src/settings.js";
import { folderOf } from "../support/run.js";

function rootOf(files: Readonly<Record<string, string>>) {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  const file = "portal.yaml";
  const around = { cwd: folder.path, env: {} };
  const reading = readSource({ file, cwd: folder.path });
  const { root, diagnostics } = check(file, reading, around, { mayLackPortal: true });
  expect(diagnostics).toEqual([]);
  if (!root) throw new Error("the file was not understood");
  return root;
}

test("a leaf is a scalar or a list, at the place of its value, spelled as written", () => {
  const root = rootOf({
    "_a.yaml": `settings:
  blockBetaApps: true
  informationalBanner: { text: base, enabled: true }
`,
    "portal.yaml": `targetVersion: "11.5"
extends: _a.yaml
allowUnknown: [newParameter]
settings:
  x-shared: &shared { text: "" }
  blockBetaApps: !unmanaged
  informationalBanner: { enabled: false }
  authenticatedAccessNotice: *shared
  newParameter: { x-note: 1, deep: { flag: true }, empty: {} }
  portalConfigProperties:
    portalAGOConfigEnabled: !default
    footerLinks: []
    tokenExpiration: !default
`,
  });
  const found = desiredLeaves(root).map(({ path, action, value, place }) => [
    formatPath(path),
    action,
    value,
    place && `${place.file}:${place.line}:${place.column}`,
  ]);
  expect(found).toEqual([
    ["informationalBanner.text", "set", "base", "_a.yaml:3:32"],
    ["informationalBanner.enabled", "set", false, "portal.yaml:7:35"],
    ["authenticatedAccessNotice.text", "set", "", "portal.yaml:5:29"],
    ["newParameter.deep.flag", "set", true, "portal.yaml:9:44"],
    ["portalConfigProperties.portalAGOConfigEnabled", "default", true, "portal.yaml:11:29"],
    ["portalConfigProperties.footerLinks", "set", [], "portal.yaml:12:18"],
    ["portalConfigProperties.tokenExpiration", "default", 120, "portal.yaml:13:22"],
  ]);
});

test("the guards that a file opens are read with their paths, days and reasons", () => {
  const root = rootOf({
    "portal.yaml": `targetVersion: "11.5"
allow:
  - { guard: disable-notice, path: informationalBanner.enabled, until: 2027-01-31, reason: Over }
  - { guard: wide-change, until: 2027-02-01, reason: New terms }
  - { guard: wide-change, until: 2027-02-01T18:00, reason: In Vienna }
timeZone: Europe/Vienna
`,
  });
  expect(allowEntries(root)).toEqual([
    {
      guard: "disable-notice",
      path: ["informationalBanner", "enabled"],
      until: "2027-01-31",
      reason: "Over",
    },
    { guard: "wide-change", until: "2027-02-01", reason: "New terms" },
    { guard: "wide-change", until: "2027-02-01T17:00:00Z", reason: "In Vienna" },
  ]);
});

test("a file without settings sets nothing and allows nothing", () => {
  const root = rootOf({ "portal.yaml": 'targetVersion: "11.5"\n' });
  expect(desiredLeaves(root)).toEqual([]);
  expect(allowEntries(root)).toEqual([]);
});
