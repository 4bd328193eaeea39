// States that move to a branch, between branches and back: with few pushes, and as whole as between folders.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { parseState, printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import type { State } from "../../src/state/state.js";
import { makeServer, run as git, type Server } from "../state/repositories.js";
import { OWN_HOSTS } from "../support/run.js";
import { sitDown } from "../support/terminal.js";
import { stateFileIn } from "../support/state-files.js";
import { call } from "./call.js";
import { openPlace, type Place } from "./place.js";

const BANNER = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";

interface Shared extends Place {
  readonly server: Server;
  /** Undefined where there is none. */
  onBranch(branch: string, id?: string): State | undefined;
  inFolder(id?: string): State;
  pushes(branch: string): number;
}

/** A folder that is a clone of a server's repository. */
async function openShared(portals = 0): Promise<Shared> {
  const place = await openPlace({ portals });
  const server = makeServer();
  const { path } = place.folder;
  git(path, server.env, ["init", "--quiet", "--initial-branch=main"]);
  git(path, server.env, ["remote", "add", "origin", `file://${server.folder}`]);
  git(path, server.env, ["pull", "--quiet", "origin", "main"]);
  const identity = (id: string) => identityOf(place.sandbox.portalUrl, id);
  const branchText = (branch: string, name: string) => {
    try {
      return server.git("cat-file", "blob", `refs/heads/${branch}:${name}`);
    } catch {
      return undefined;
    }
  };
  return {
    ...place,
    server,
    run: (words, more = {}) => place.run(words, { ...more, env: { ...server.env, ...more.env } }),
    onBranch(branch, id = "self") {
      const portal = identity(id);
      const text = branchText(branch, `${portal.key}.json`);
      return text === undefined ? undefined : parseState(text, { place: branch, portal });
    },
    inFolder(id = "self") {
      const portal = identity(id);
      const file = stateFileIn(join(path, ".lintel"), portal.key) ?? "";
      return parseState(readFileSync(file, "utf8"), { place: file, portal });
    },
    pushes: (branch) => Number(server.git("rev-list", "--count", `refs/heads/${branch}`)),
  };
}

test("from the folder to a branch, to another, and back to the folder", async () => {
  const place = await openShared();
  place.write(BANNER);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const begun = place.inFolder();

  const there = await place.run("state move git:lintel-state --yes");
  expect(there).toMatchObject({ exit: 0 });
  expect(there.stdout).toMatch(/The state was moved: serial 4, 2 entries of history\./);
  expect(place.onBranch("lintel-state")?.history.slice(0, -1)).toEqual(begun.history);
  expect(place.inFolder().moved?.to).toBe("git:lintel-state");
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  expect(await place.run("state move git:states --yes")).toMatchObject({ exit: 0 });
  expect(place.onBranch("lintel-state")?.moved?.to).toBe("git:states");
  const own = place.read("portal.yaml");
  place.write(`state: git:lintel-state\n${BANNER}`);
  const moved = await place.run("plan");
  expect(moved).toMatchObject({ exit: 3 });
  expect(moved.stdout).toMatch(/was moved to "git:states"/);

  writeFileSync(join(place.folder.path, "portal.yaml"), own);
  const home = await place.run("state move file:.lintel --yes");
  expect(home).toMatchObject({ exit: 0 });
  expect(home.stdout).toContain("\n  git add portal.yaml .lintel\n");
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  const back = place.inFolder();
  expect(back.history.map(({ kind }) => kind)).toEqual(["apply", "move", "move", "move"]);
  expect(back.lineage).toBe(begun.lineage);
});

test("moves many states in one push", async () => {
  const place = await openShared(12);
  const { portalUrl, signInUrl } = place.sandbox;
  const ids = Array.from({ length: 12 }, (_, at) => `portal-${at + 1}`);
  for (const id of ids) {
    const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write(`state: file:../.lintel\n${BANNER}`, { name: `portals/${id}.yaml`, head });
  }
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  expect(await place.run("state move portals git:lintel-state --yes")).toMatchObject({ exit: 0 });
  for (const id of ids) expect(place.onBranch("lintel-state", id)).toMatchObject({ serial: 4 });
  // A slow machine gathers fewer at a time.
  expect(place.pushes("lintel-state")).toBeLessThanOrEqual(8);

  const between = await place.run("state move portals git:states --yes");
  expect(between).toMatchObject({ exit: 0 });
  for (const id of ids) expect(place.onBranch("states", id)).toMatchObject({ serial: 6 });
  expect(place.pushes("states")).toBeLessThanOrEqual(8);
});

test("keeps the state usable at the old place if the server refuses the branch", async () => {
  const place = await openShared();
  place.write(BANNER);
  await place.run("apply --yes");
  place.server.hook("pre-receive", "echo 'Protected branch.' >&2; exit 1");
  const refused = await place.run("state move git:lintel-state --yes");
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.stdout).toMatch(/Protected branch/);
  expect(place.onBranch("lintel-state")).toBeUndefined();
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  place.server.hook("pre-receive", "exit 0");
  expect(await place.run("state move git:lintel-state --yes")).toMatchObject({ exit: 0 });
  expect(place.onBranch("lintel-state")?.history.map(({ kind }) => kind)).toEqual([
    "apply",
    "move",
  ]);
});

test("keeps one state at the old place if a waiting move is cancelled", async () => {
  const place = await openShared();
  place.write(BANNER);
  await place.run("apply --yes");
  const folder = join(place.folder.path, ".lintel", place.inFolder().portal.key);
  const state = place.inFolder();
  // As another run would give it up, while the push is under way.
  const later = join(place.folder.path, "later.json");
  writeFileSync(later, printState({ ...state, serial: state.serial + 2 }));
  place.server.hook("pre-receive", `cat > /dev/null; cp ${later} ${folder}/999999.json`);
  const moved = await place.run("state move git:lintel-state --yes");
  expect(moved).toMatchObject({ exit: 5 });
  expect(moved.stdout).toContain("was cancelled meanwhile");
  expect(place.inFolder()).not.toHaveProperty("moved");
  expect(place.onBranch("lintel-state")?.moved?.to).toBe("file:.lintel");
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
});

test("treats two names of one branch as one place", async () => {
  const place = await openShared();
  place.write(`state: git:lintel-state\n${BANNER}`);
  await place.run("apply --yes");
  const before = place.onBranch("lintel-state");
  const same = await place.run("state move git:lintel-state@origin --yes");
  expect(same).toMatchObject({ exit: 0 });
  expect(same.stdout).toContain("The state is there already");
  const after = place.onBranch("lintel-state");
  expect({ ...after, serial: before?.serial }).toEqual(before);
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
});

test("completes the move after a push without an answer", async () => {
  const place = await openShared();
  place.write(BANNER);
  await place.run("apply --yes");
  // The server takes it and then says that it failed, as one does whose answer is cut off.
  place.server.hook("post-receive", "kill -9 $PPID");
  const moved = await place.run("state move git:lintel-state --yes");
  place.server.hook("post-receive", "exit 0");
  const again = await place.run("state move portal.yaml git:lintel-state --yes");
  expect(again).toMatchObject({ exit: 0 });
  expect([0, 1]).toContain(moved.exit);
  expect(place.onBranch("lintel-state")?.history.map(({ kind }) => kind)).toEqual([
    "apply",
    "move",
  ]);
  expect(place.inFolder().moved?.to).toBe("git:lintel-state");
});

test("moves shared states of all files after confirmation", async () => {
  const place = await openShared(2);
  const { portalUrl, signInUrl } = place.sandbox;
  for (const id of ["portal-1", "portal-2"]) {
    const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write(`state: git:lintel-state\n${BANNER}`, { name: `portals/${id}.yaml`, head });
  }
  await place.run("apply portals --yes");
  const refused = await place.run("state move portals file:../.lintel");
  expect(refused).toMatchObject({ exit: 64, stdout: "" });
  expect(refused.stderr).toContain('Move the states of 2 portals to "file:../.lintel"?');
  expect(refused.stderr).toContain("--yes");
  const env = { ...place.env, ...place.server.env, LINTEL_ALLOWED_HOSTS: OWN_HOSTS };
  const answering = async (answer: string) => {
    const { io, asked } = sitDown(place.folder.path, env, [answer]);
    // Who waits lets the others go on.
    const sleep = () => new Promise<void>((done) => setImmediate(done));
    const exit = await main("state move portals file:../.lintel".split(" "), { ...io, sleep });
    return { exit, asked: asked.length };
  };
  expect(await answering("no")).toEqual({ exit: 1, asked: 1 });
  expect(existsSync(join(place.folder.path, ".lintel"))).toBe(false);
  expect(place.onBranch("lintel-state", "portal-1")).not.toHaveProperty("moved");
  expect(await answering("yes")).toEqual({ exit: 0, asked: 1 });
  expect(place.inFolder("portal-2").history).toHaveLength(2);
});

test("does not complete a move to a folder of another clone", async () => {
  const place = await openShared();
  const file = `state: git:lintel-state\n${BANNER}`;
  place.write(file);
  await place.run("apply --yes");
  await place.run("state move file:.lintel --yes");
  const mark = place.onBranch("lintel-state")?.moved;
  expect(mark?.folder).toEqual({ host: hostname(), path: join(place.folder.path, ".lintel") });
  // As if it had been interrupted before anything arrived.
  const arrived = join(place.folder.path, ".lintel");
  rmSync(arrived, { recursive: true });
  place.write(file);

  const clone = place.server.clone("other");
  writeFileSync(join(clone, "portal.yaml"), place.read("portal.yaml"));
  const other = (words: string) =>
    call(words.split(" "), { cwd: clone, env: { ...place.env, ...place.server.env } });
  const told = await other("plan");
  expect(told).toMatchObject({ exit: 3 });
  expect(told.stdout).toContain(`, in "${arrived}" on "${hostname()}".`);
  expect(told.stdout).toContain("and of that folder, for example with git pull");
  const finished = await other("state move portal.yaml file:.lintel --yes");
  expect(finished).toMatchObject({ exit: 3 });
  expect(finished.stdout).toContain(`, in "${arrived}" on "${hostname()}".`);
  const back = "state move portal.yaml git:lintel-state";
  expect(finished.stdout).toContain(`\n          lintel ${back}\n`);
  const env = { ...place.env, ...place.server.env, LINTEL_ALLOWED_HOSTS: OWN_HOSTS };
  const { io, asked } = sitDown(clone, env, ["yes", "no"]);
  expect(await main(back.split(" "), io)).toBe(1);
  expect(asked.at(-1)).toContain("If it did, both states could be used");
  expect(existsSync(join(clone, ".lintel"))).toBe(false);

  expect(await place.run("state move portal.yaml file:.lintel --yes")).toMatchObject({ exit: 0 });
  expect(place.inFolder().history.map(({ kind }) => kind)).toEqual(["apply", "move"]);
  // Whoever gets the folder by git goes on with it.
  cpSync(arrived, join(clone, ".lintel"), { recursive: true });
  writeFileSync(
    join(clone, "portal.yaml"),
    place.read("portal.yaml").replace("git:lintel-state", "file:.lintel"),
  );
  expect((await other("plan")).stdout).toMatch(/^No changes\./m);
});
