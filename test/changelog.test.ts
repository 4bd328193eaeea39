// A release moves the files of changes/ into CHANGELOG.md.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { releaseChanges } from "../build/changelog.js";

function project(version: string, changes: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "lintel-changelog-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "changes"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("package.json", JSON.stringify({ version }));
  write("CHANGELOG.md", "# Changelog\n\nIntroduction.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n");
  write("changes/README.md", "How to add one.\n");
  for (const [name, text] of Object.entries(changes)) write(`changes/${name}`, text);
  return { folder, log: () => readFileSync(join(folder, "CHANGELOG.md"), "utf8") };
}

test("adds a section above the last version, sorted by name, and deletes the files", () => {
  const { folder, log } = project("0.2.0", {
    "plan.md": "`plan` is faster.\nMuch.\n",
    "apply.md": "`apply` waits.\n",
  });
  expect(releaseChanges(folder, "2026-02-02")).toBe(2);
  expect(log()).toBe(
    "# Changelog\n\nIntroduction.\n\n## 0.2.0 (2026-02-02)\n\n- `apply` waits.\n- `plan` is faster.\n  Much.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n",
  );
  expect(existsSync(join(folder, "changes/plan.md"))).toBe(false);
  expect(existsSync(join(folder, "changes/README.md"))).toBe(true);
});

test("refuses a version that was released", () => {
  const { folder, log } = project("0.1.0", { "apply.md": "`apply` waits.\n" });
  expect(() => releaseChanges(folder, "2026-02-02")).toThrow("CHANGELOG.md has 0.1.0 already.");
  expect(log()).not.toContain("waits");
});

test("changes nothing without changes", () => {
  const { folder, log } = project("0.2.0", {});
  expect(releaseChanges(folder, "2026-02-02")).toBe(0);
  expect(log()).not.toContain("0.2.0");
});
