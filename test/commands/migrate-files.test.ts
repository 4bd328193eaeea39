// What lintel migrate does where files are many, large, there already or written in unusual ways.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderOf, lintel, type Ran } from "../support/run.js";

const OLD = "window.esriGeowConfig = { tokenExpiration: 30, sceneViewerEnabled: false };\n";

function folder(files: Record<string, string>) {
  const made = folderOf({ "config.js": OLD, ...files });
  onTestFinished(() => made.remove());
  const env = { SOURCE_DATE_EPOCH: "1767225600" };
  const run = (...words: string[]): Promise<Ran> => lintel(words, { cwd: made.path, env });
  const read = (name: string) => readFileSync(join(made.path, name), "utf8");
  return { run, read };
}

const configuration = (property: string) => `window.esriGeowConfig = { ${property} };\n`;
const list = (count: number, item: (at: number) => string) =>
  `[${Array.from({ length: count }, (_, at) => item(at)).join(",")}]`;

describe("large lists", () => {
  const host = (at: number) => `"h${at}.example"`;
  const link = (at: number) => `{title:"t${at}",url:"https://x.example/${at}"}`;
  test.each([
    ["httpsDomains", list(20_000, host), 3],
    ["footerLinks", list(20_000, link), 3],
    ["httpsDomains", list(7_900, host), 0],
    ["footerLinks", list(2_600, link), 0],
  ])("%s of %.20s…", async (name, value, status) => {
    const { run } = folder({ "large.js": configuration(`${name}: ${value}`) });
    const words = ["migrate", "large.js", "--target", "11.0", "--out", "portal.yaml"];
    const { exit, stdout } = await run(...words);
    expect(exit).toBe(status);
    if (status !== 0) expect(stdout).toContain("and a desired-state file takes 8,000");
    expect(await run("validate", "portal.yaml")).toMatchObject({ exit: 0 });
  });
});
