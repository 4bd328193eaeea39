// lintel validate --strict: warnings fail the check, and are still warnings.
import { expect, onTestFinished, test } from "vitest";
import { call } from "../run/call.js";
import { folderOf } from "../support/run.js";

const HEAD =
  'targetVersion: "11.5"\nportal: { url: "https://gis.example.com/portal/sharing/rest" }\n';
const PALE = `${HEAD}settings: { informationalBanner: { text: Hello, bgColor: white, fontColor: yellow } }\n`;

function openFolder() {
  const folder = folderOf({
    "pale.yaml": PALE,
    "fine.yaml": PALE.replace("yellow", "black").replace("gis.", "fine.gis."),
    "wrong.yaml": `${HEAD}settings: { nope: 1 }\n`,
  });
  onTestFinished(() => folder.remove());
  return (words: string) => call(["validate", ...words.split(" ")], { cwd: folder.path });
}

test("ends with 3 where there are warnings, and names the option", async () => {
  const validate = openFolder();
  expect(await validate("pale.yaml")).toMatchObject({ exit: 0 });
  const strict = await validate("pale.yaml --strict");
  expect(strict.exit).toBe(3);
  expect(strict.stdout).toContain("1 warning");
  expect(strict.stdout).toContain("Failed, because --strict fails on warnings.");
  const { stdout } = await validate("pale.yaml --strict --json");
  expect(JSON.parse(stdout)).toMatchObject({
    exitCode: 3,
    failure: null,
    diagnostics: [{ code: "low-contrast", severity: "warning" }],
  });
  const github = (await validate("pale.yaml --strict -o github")).stdout.split("\n");
  expect(github[1]).toBe(
    "::error title=lintel validate::Failed, because --strict fails on warnings.",
  );
  expect((await validate("pale.yaml --strict --quiet")).stdout).toContain("low-contrast");
});

test("changes nothing for files without warnings, and for files with errors", async () => {
  const validate = openFolder();
  expect(await validate("fine.yaml --strict")).toMatchObject({ exit: 0 });
  const wrong = await validate("wrong.yaml --strict");
  expect([wrong.exit, wrong.stdout]).toEqual([3, expect.not.stringContaining("--strict")]);
});
