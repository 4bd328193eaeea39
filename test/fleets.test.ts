// The story of the page on fleets is what happens in the example: its commands are run, and its outputs compared.
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compareNames } from "../src/lib/text.js";
import { blocks } from "./support/manual.js";
import { BIN, folderOf, PROJECT, runProgram } from "./support/run.js";
import { keysOf, openSandbox } from "./support/sandbox.js";

interface Told {
  readonly command: string;
  readonly exit: number;
  readonly output: string;
}

/** "$ command   # ends with 7", and what follows it. */
function storyOf(page: string): Told[] {
  return blocks("console", [page])
    .flatMap(([, text]) => text.split(/^\$ /m).slice(1))
    .map((each) => {
      const [line = "", ...output] = each.split("\n");
      const [command = "", status] = line.split(/ +# ends with /);
      return { command, exit: Number(status ?? 0), output: output.join("\n") };
    });
}

/** "…" on a line of its own stands for any lines, elsewhere for any letters of a line. */
function patternOf(output: string): RegExp {
  const lines = output.split("\n").filter((_, at, all) => at < all.length - 1);
  const escaped = lines.map((line) =>
    line === "…"
      ? "(?:.*\\n)*?"
      : `${line
          .split("…")
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
          .join(".*")}\\n`,
  );
  return new RegExp(`^${escaped.join("")}$`);
}

test("the fleets page shows what happens", async () => {
  const names = readdirSync(join(PROJECT, "examples/fleet/portals")).toSorted(compareNames);
  const sandbox = await openSandbox({ portals: names.length, version: "11.5" });
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const at = (...path: string[]) => join(folder.path, ...path);
  cpSync(join(PROJECT, "examples/fleet"), folder.path, { recursive: true });
  mkdirSync(at("bin"));
  writeFileSync(at("bin/lintel"), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(at("bin/lintel"), 0o755);
  const own = { GITLAB_USER_LOGIN: "Ada", TZ: "UTC" };
  const places = { PORTAL: sandbox.portalUrl, SIGN_IN: sandbox.signInUrl };
  const env = {
    ...keysOf(sandbox),
    ...places,
    ...own,
    PATH: `${at("bin")}:${process.env["PATH"]}`,
  };
  const run = (command: string) =>
    runProgram("sh", ["-c", `${command} 2>&1`], { cwd: folder.path, env });

  const [prepare] = blocks("sh", ["docs/fleets.md"]).filter(([, text]) => text.includes("sed -i"));
  expect((await run(prepare?.[1] ?? "exit 1")).stdout).toContain("12 portals: 12 applied.");
  const story = storyOf("docs/fleets.md");
  expect(story.length).toBeGreaterThan(10);
  for (const { command, exit, output } of story) {
    const ran = await run(command);
    expect([command, ran.exit, ran.stdout]).toEqual([command, exit, ran.stdout]);
    // A slow run shows its progress.
    const shown = ran.stdout.replaceAll(/^\d+ of \d+ portals done.*\n/gm, "");
    expect(patternOf(output).test(shown) ? output : shown).toBe(output);
  }
});
