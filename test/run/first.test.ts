// The first apply of a portal: what is to be committed is said once.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { headFor, openPlace } from "./place.js";

const BANNER = "settings: { informationalBanner: { text: Back at noon, enabled: true } }\n";

describe("what to commit", () => {
  test("is shown after the first apply only", async () => {
    const place = await openPlace();
    place.write(BANNER);
    const first = await place.run("apply --yes");
    expect(first.exit).toBe(0);
    expect(first.stdout).toMatch(
      /\n\nCommit the state with the file[^]*\n {2}git init\n {2}git add portal\.yaml \.lintel\n$/,
    );
    place.write(BANNER.replace("noon", "one"));
    expect((await place.run("apply --yes")).stdout).not.toContain("git add");
  });

  test("is not shown for other places, or without an apply", async () => {
    const place = await openPlace();
    place.write(`state: file:${place.folder.path}/states\n${BANNER}`);
    expect(await place.run("apply --yes")).toMatchObject({
      exit: 0,
      stdout: expect.not.stringContaining("git add") as string,
    });
    place.write(`state: file:../states\n${BANNER}`, { head: headFor(place, ", id: other") });
    expect((await place.run("plan")).stdout).not.toContain("git add");
  });

  test("is not shown if git already has it, or in a pipeline", async () => {
    const place = await openPlace();
    const git = (...words: string[]) =>
      execFileSync("git", words, { cwd: place.folder.path, stdio: "ignore" });
    git("init");
    place.write(BANNER);
    const { stdout } = await place.run("apply --yes");
    expect(stdout).toContain("git add portal.yaml .lintel\n");
    expect(stdout).not.toContain("git init");
    git("add", ".lintel");
    rmSync(join(place.folder.path, ".lintel"), { recursive: true });
    const again = await place.run("apply --yes");
    expect(again).toMatchObject({ exit: 0 });
    expect(again.stdout).not.toContain("git add");

    rmSync(join(place.folder.path, ".lintel"), { recursive: true });
    const head = `state: file:.states\n${headFor(place)}`;
    place.write(BANNER, { head });
    const piped = await place.run("apply --yes", { env: { CI: "true" } });
    expect(piped).toMatchObject({ exit: 0 });
    expect(piped.stdout).not.toContain("git add");
    rmSync(join(place.folder.path, ".states"), { recursive: true });
    expect((await place.run("apply --yes")).stdout).toContain("git add portal.yaml .states\n");
  });

  test("is relative to the working directory", async () => {
    const place = await openPlace();
    place.write(BANNER, { name: "my portals/north.yaml" });
    const { stdout } = await place.run("apply */north.yaml --yes");
    expect(stdout).toContain("  git add 'my portals/north.yaml' 'my portals/.lintel'\n");
  });
});
