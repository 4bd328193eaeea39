// A state that was taken away or set back, without any key: refused by whoever has seen the newer one, until a person accepts what stands there.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { printState } from "../../src/state/format.js";
import { makeServer, run as git } from "../state/repositories.js";
import { writeStateIn } from "../support/state-files.js";
import { sitDown } from "../support/terminal.js";
import { call } from "./call.js";
import { headFor, openPlace } from "./place.js";

const STATE = "state: git:lintel-state\n";
const banner = (text: string) =>
  `${STATE}settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;

/** Two applies from a file in a subfolder of a clone. */
async function openBranch() {
  const place = await openPlace();
  const server = makeServer();
  const { path } = place.folder;
  git(path, server.env, ["init", "--quiet", "--initial-branch=main"]);
  git(path, server.env, ["remote", "add", "origin", `file://${server.folder}`]);
  git(path, server.env, ["pull", "--quiet", "origin", "main"]);
  const write = (text: string) => place.write(banner(text), { name: "portals/portal.yaml" });
  const run = (words: string, env = {}) =>
    place.run(`${words} portals/portal.yaml`, { env: { ...server.env, ...env } });
  const fetch = () => void git(path, server.env, ["fetch", "--quiet", "--prune", "origin"]);
  for (const text of ["One", "Two"]) {
    write(text);
    expect(await run("apply --yes")).toMatchObject({ exit: 0 });
  }
  return { ...place, server, write, run, fetch };
}

test("refuses a removed branch after git fetch, and creates it again after acceptance", async () => {
  const { server, run, fetch, ...place } = await openBranch();
  expect(await run("hold --why Moving")).toMatchObject({ exit: 0 });
  fetch();
  server.git("branch", "-D", "lintel-state");
  // Known to the clone, then to the machine alone.
  expect((await run("apply --yes")).stdout).toContain("[state-rewound]");
  fetch();
  const sent = place.updates().length;
  for (const words of ["plan", "apply --yes", "status", "state show"]) {
    const { exit, stdout, stderr } = await run(words);
    expect([words, exit]).toEqual([words, 1]);
    expect(stdout + stderr).toContain("[state-rewound]");
    expect((stdout + stderr).replace(/\s+/g, " ")).toContain(
      "lintel state accept portals/portal.yaml",
    );
  }
  expect(place.updates()).toHaveLength(sent);
  expect(await run("state accept")).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining("it is gone; the last one seen here has serial 5") as string,
  });
  expect((await run("state sign --yes")).stderr).toContain("LINTEL_STATE_KEY is not set");
  const accepted = await run("state accept --yes --output json");
  expect(JSON.parse(accepted.stdout)).toMatchObject({ portals: [{ signed: false, serial: null }] });
  expect(await run("plan")).toMatchObject({ exit: 0 });
  const again = await run("state accept --yes");
  expect([again.exit, again.stdout]).toEqual([0, expect.stringContaining("there is none")]);
});

test("refuses a reset branch after git fetch, and continues it after acceptance", async () => {
  const { server, write, run, fetch } = await openBranch();
  server.git("branch", "-f", "lintel-state", "lintel-state~2");
  fetch();
  expect((await run("plan")).stdout).toContain("[state-rewound]");
  // On another machine nobody has seen the newer one.
  const elsewhere = { LINTEL_STATE_CACHE: join(server.home, "elsewhere") };
  expect(await run("plan", elsewhere)).toMatchObject({ exit: 0 });
  const accepted = await run("state accept --yes");
  expect([accepted.exit, accepted.stdout]).toEqual([
    0,
    expect.stringContaining("accepted, with serial 3"),
  ]);
  expect(server.subjects()).toHaveLength(3);
  expect((await run("history")).stdout).toMatch(
    /^accept {2}.*\n {2}by .*\n {2}older than serial 4 seen at 20/,
  );
  write("Three");
  expect(await run("apply --yes --allow overwrite-drift")).toMatchObject({ exit: 0 });
  expect((await run("state accept --yes")).stdout).toContain("nothing to accept");
});

test("works without warnings if no record of states can be kept", async () => {
  const place = await openPlace();
  const server = makeServer();
  const clone = server.clone("clone");
  writeFileSync(join(clone, "portal.yaml"), headFor(place) + banner("One"));
  writeFileSync(join(server.home, "no-folder"), "");
  const env = { ...server.env, LINTEL_STATE_CACHE: join(server.home, "no-folder") };
  const ran = await call(["apply", "--yes"], { cwd: clone, env: { ...place.env, ...env } });
  expect([ran.exit, ran.stderr]).toEqual([0, ""]);
});

test("shows both serials of a restored folder, and accepts it with one entry in the history", async () => {
  const place = await openPlace();
  const env = { ...place.env, LINTEL_STATE_CACHE: join(place.folder.path, "cache") };
  const write = (text: string) =>
    place.write(`settings: { informationalBanner: { text: ${text}, enabled: true } }\n`);
  write("One");
  expect(await place.run("apply --yes", { env })).toMatchObject({ exit: 0 });
  const older = place.state();
  write("Two");
  expect(await place.run("apply --yes", { env })).toMatchObject({ exit: 0 });
  if (!older) throw new Error("nothing was applied");
  const states = join(place.folder.path, ".lintel");
  writeStateIn(states, older.portal.key, printState(older));

  const declined = sitDown(place.folder.path, env, ["no"]);
  expect(await main(["state", "accept"], declined.io)).toBe(1);
  const shown = declined.shown.join("").replace(/\s+/g, " ");
  expect(shown).toMatch(/serial 2 /);
  expect(shown).toMatch(/it has serial 2; the last one seen here has serial 4 \(at 20.+?\)\./);
  expect(declined.asked).toEqual([
    "What was applied since shows as drift. Accept 1 state? (yes or no) ",
  ]);
  expect(place.state()).toEqual(older);

  expect(await main(["state", "accept"], sitDown(place.folder.path, env, ["yes"]).io)).toBe(0);
  const { history: [...earlier] = [], ...rest } = place.state() ?? {};
  expect(earlier.pop()).toMatchObject({ kind: "accept" });
  expect({ ...rest, history: earlier }).toEqual({ ...older, serial: 3 });
  expect((await place.run("plan", { env })).stdout).toContain(
    "Changed on the portal since the last apply",
  );
});

test("a lost folder is started again after confirmation, and the portal decides", async () => {
  const place = await openPlace();
  const env = { ...place.env, LINTEL_STATE_CACHE: join(place.folder.path, "cache") };
  place.write("settings: { informationalBanner: { text: One, enabled: true } }\n");
  expect(await place.run("apply --yes", { env })).toMatchObject({ exit: 0 });
  rmSync(join(place.folder.path, ".lintel"), { recursive: true });
  const refused = await place.run("plan", { env });
  expect(refused.exit).toBe(1);
  expect(refused.stdout).toContain("lintel help recover");

  const agreed = sitDown(place.folder.path, env, ["yes"]);
  expect(await main(["state", "accept"], agreed.io)).toBe(0);
  expect(agreed.asked).toEqual([
    "A new state does not know what was changed by hand: the next apply overwrites it. Accept 1 state? (yes or no) ",
  ]);
  expect((await place.run("plan", { env })).stdout).toContain(
    "2 settings are already in sync and will be tracked.",
  );
});
