// --quiet: nothing but what is wrong, in the commands that talk to portals.
import { expect, onTestFinished, test } from "vitest";
import { folderOf, lintel } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";

async function place() {
  const sandbox = await openSandbox();
  const down =
    'targetVersion: "12.1"\nportal: { url: "http://127.0.0.1:1/portal" }\nsignIn: { url: "http://127.0.0.1:1" }\n';
  const folder = folderOf({
    "up.yaml": fileFor(sandbox, "settings: { blockBetaApps: true }\n"),
    "down.yaml": down,
  });
  onTestFinished(() => folder.remove());
  return (...words: string[]) => lintel(words, { cwd: folder.path, env: keysOf(sandbox) });
}

test.each(["plan", "status", "apply --yes", "drift"])(
  "%s says nothing where all is well",
  async (words) => {
    const run = await place();
    const { exit, stdout } = await run(...words.split(" "), "up.yaml", "-q");
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: "" });
  },
);

test.each(["plan", "status"])("%s says of two portals what is wrong with one", async (name) => {
  const run = await place();
  const { exit, stdout } = await run(name, "up.yaml", "down.yaml", "-q", "--connect-timeout", "1");
  expect(exit).toBe(4);
  expect(stdout).toContain("[not-reachable]");
  expect(stdout).toContain("down");
  expect(stdout).not.toContain("blockBetaApps");
  expect(stdout).not.toContain("next");
});
