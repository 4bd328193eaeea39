// A state that is moved: all of it arrives, the file says so, nobody goes on where it was, and what is in the way is refused.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOf } from "../support/run.js";
import { stateFileIn, writeStateIn } from "../support/state-files.js";
import { openPlace, type Place } from "./place.js";
import { parseState, printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import type { State } from "../../src/state/state.js";
import { JOURNAL } from "../state/samples.js";

const BANNER = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";
const LATER = "settings: { informationalBanner: { text: Later, enabled: true } }\n";

function stateIn(place: Place, folder: string, id = "self"): State | undefined {
  const portal = identityOf(place.sandbox.portalUrl, id);
  const path = stateFileIn(join(place.folder.path, folder), portal.key) ?? "";
  if (!existsSync(path)) return undefined;
  return parseState(readFileSync(path, "utf8"), { place: path, portal });
}

function plantIn(place: Place, folder: string, state: State): void {
  writeStateIn(join(place.folder.path, folder), state.portal.key, printState(state));
}

async function applied(rest = BANNER): Promise<Place> {
  const place = await openPlace();
  place.write(rest);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  return place;
}

const move = (place: Place, words: string) => place.run(`state move ${words} --yes`);

/** The file as it says where the state is. */
function at(address: string, rest = BANNER): string {
  return `state: "${address}"\n${rest}`;
}

test("moves the whole history, and updates the file", async () => {
  const place = await applied();
  const before = stateIn(place, ".lintel");
  const moved = await move(place, "file:states");
  expect(moved).toMatchObject({ exit: 0, stderr: "" });
  expect(moved.stdout).toMatch(/The state was moved: serial 4, 2 entries of history\./);
  expect(moved.stdout).toMatch(/\nChanged portal\.yaml\.\n$/);
  expect(place.read("portal.yaml")).toMatch(/\nstate: file:states\n$/);
  const after = stateIn(place, "states");
  expect(after).toMatchObject({ lineage: before?.lineage, leaves: before?.leaves, serial: 4 });
  expect(after?.history.slice(0, -1)).toEqual(before?.history);
  expect(after?.history.at(-1)).toMatchObject({
    kind: "move",
    why: "from file:.lintel to file:states",
  });
  expect(after).not.toHaveProperty("moved");
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  place.write(at("file:states", LATER));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(stateIn(place, "states")?.history).toHaveLength(3);
});

test("refuses a run with the old file, and names the new place", async () => {
  const place = await applied();
  await move(place, "file:states");
  place.write(LATER);
  for (const words of ["plan", "apply --yes", "rollback --yes", "state show", "unhold"]) {
    const { exit, stdout, stderr } = await place.run(words);
    expect([words, exit]).toEqual([words, 3]);
    expect(stdout + stderr).toMatch(/was moved to "file:states" by /);
    expect(stdout + stderr).toMatch(/\n +lintel state move portal\.yaml file:states\n/);
  }
  expect((await place.run("status")).stdout).toMatch(/was moved to "file:states" by /);
  expect(place.updates()).toHaveLength(1);
  const shown = await place.run("state show portal.yaml file:states");
  expect(shown).toMatchObject({ exit: 0 });
  expect(shown.stdout).toMatch(/\nserial +4\n/);
  // What the old place keeps is shown to whoever names it.
  const left = await place.run("state show portal.yaml file:.lintel");
  expect(left).toMatchObject({ exit: 0 });
  expect(left.stdout).toMatch(/\nmoved +to file:states by /);
});

test("repeats without effect, and updates the line in an old checkout", async () => {
  const place = await applied();
  const old = place.read("portal.yaml");
  await move(place, "file:states");
  const [arrived, file] = [stateIn(place, "states"), place.read("portal.yaml")];
  for (const text of [file, old]) {
    writeFileSync(join(place.folder.path, "portal.yaml"), text);
    const again = await move(place, "file:states");
    expect(again).toMatchObject({ exit: 0 });
    expect(again.stdout).toMatch(/The state is there already: serial 4/);
    expect(stateIn(place, "states")).toEqual(arrived);
    expect(place.read("portal.yaml")).toBe(file);
  }
});

test("moves back over its mark, and on to a third place", async () => {
  const place = await applied();
  await move(place, "file:states");
  await move(place, "file:.lintel");
  expect(place.read("portal.yaml")).toMatch(/\nstate: file:\.lintel\n/);
  expect(stateIn(place, ".lintel")?.history.map(({ kind }) => kind)).toEqual([
    "apply",
    "move",
    "move",
  ]);
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  expect(await move(place, "file:third")).toMatchObject({ exit: 0 });
  const third = stateIn(place, "third");
  for (const address of ["file:states", "file:.lintel"]) {
    place.write(at(address));
    const told = await move(place, "file:third");
    expect(told.stdout).toMatch(/The state is there already: serial 8/);
    place.write(at(address));
    // Neither goes it on from where it was, nor is a move given up that arrived and went on.
    for (const to of ["file:fourth", address]) {
      const refused = await move(place, to);
      expect([to, refused.exit]).toEqual([to, 3]);
    }
  }
  expect(stateIn(place, "third")).toEqual(third);
  expect(stateIn(place, "fourth")).toBeUndefined();
});

test("refuses an address edited by hand while the default folder has a state", async () => {
  const place = await applied();
  place.write(at("file:states", LATER));
  for (const command of ["plan", "apply --yes", "status"]) {
    const refused = await place.run(command);
    expect([command, refused.exit]).toEqual([command, 1]);
    expect(refused.stdout).toContain("[state-rewound]");
    expect(refused.stdout).toContain("  state: file:.lintel\n");
    expect(refused.stdout).toContain("  lintel state move portal.yaml file:states\n");
  }
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "Hello" } });
  const refused = await move(place, "file:states");
  expect(refused).toMatchObject({ exit: 64 });
  expect(refused.stdout).toContain("and there is no state");
  place.write(at("file:.lintel", LATER));
  expect(await move(place, "file:states")).toMatchObject({ exit: 0 });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(stateIn(place, "states")?.serial).toBeGreaterThan(2);
});

/** Three portals that take the line from one base. */
async function fleet(state: string, folderOf = (_id: string) => "portals"): Promise<Place> {
  const place = await openPlace({ portals: 3 });
  writeFileSync(
    join(place.folder.path, "_base.yaml"),
    `# Kept by all.\nstate: "${state}" # here\n${BANNER}`,
  );
  const { portalUrl, signInUrl } = place.sandbox;
  for (const id of ["self", "portal-1", "portal-2"]) {
    const head = `extends: ../_base.yaml\ntargetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write("", { name: `${folderOf(id)}/${id}.yaml`, head });
  }
  return place;
}

test("moves many states by one changed line in a base", async () => {
  const place = await fleet("file:../old/${portal.key}");
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  const moved = await move(place, "portals file:../new --output json");
  expect(moved).toMatchObject({ exit: 0 });
  const { portals, written } = JSON.parse(moved.stdout) as { portals: object[]; written: string[] };
  expect(portals).toHaveLength(3);
  for (const each of portals) expect(each).toMatchObject({ status: "moved", serial: 4 });
  expect(written).toEqual(["_base.yaml"]);
  expect(place.read("_base.yaml")).toBe(`# Kept by all.\nstate: "file:../new" # here\n${BANNER}`);
  expect((await place.run("plan portals")).stdout).toMatch(/^No changes\./m);
});

test("names other files of a base before anything is done", async () => {
  const place = await fleet("file:../old", (id) => (id === "self" ? "main" : "others"));
  expect(await place.run("apply main others --yes")).toMatchObject({ exit: 0 });
  const base = place.read("_base.yaml");
  const refused = await move(place, "main file:../new");
  expect(refused).toMatchObject({ exit: 3 });
  expect(refused.stderr).toContain('"_base.yaml" also says where the state of 2 other files is');
  const all = "main/self.yaml others/portal-1.yaml others/portal-2.yaml";
  expect(refused.stderr).toContain(`\n          lintel state move ${all} file:../new\n`);
  expect(place.read("_base.yaml")).toBe(base);
  expect((await place.run("plan main")).stdout).toMatch(/^No changes\./m);

  expect(await move(place, `${all} file:../new`)).toMatchObject({ exit: 0 });
  expect((await place.run("plan main others")).stdout).toMatch(/^No changes\./m);
});

test("a base keeps its line until the last of its portals has moved", async () => {
  const place = await fleet("file:../old");
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  const state = stateIn(place, "old", "portal-1");
  if (!state) throw new Error("nothing was applied");
  plantIn(place, "old", { ...state, serial: state.serial + 1, journal: JOURNAL });
  const base = place.read("_base.yaml");
  const some = await move(place, "portals file:../new");
  expect(some.exit).not.toBe(0);
  expect(some.stdout).toContain("1 portal of 3 failed.");
  expect(place.read("_base.yaml")).toBe(base);
  plantIn(place, "old", { ...state, serial: state.serial + 2 });
  // To a third place none goes while some have arrived at the second.
  const elsewhere = await move(place, "portals file:../third");
  expect(elsewhere.exit).toBe(3);
  expect(elsewhere.stderr).toContain("\n          lintel state move portals/portal-2.yaml");
  expect(existsSync(join(place.folder.path, "third"))).toBe(false);
  expect(await move(place, "portals file:../new")).toMatchObject({ exit: 0 });
  expect((await place.run("plan portals")).stdout).toMatch(/^No changes\./m);
});

test("leaves a line with an alias to a person", async () => {
  const place = await openPlace();
  place.write(`x-kept: &kept file:old\nstate: *kept\n${BANNER}`);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const moved = await move(place, "file:states --quiet");
  expect(moved).toMatchObject({ exit: 1 });
  expect(moved.stdout).toBe("Write into portal.yaml by hand:\n  state: file:states\n");
  expect((await place.run("plan")).exit).toBe(3);
});

test("reports wrong arguments and addresses before anything is done", async () => {
  const place = await applied();
  const before = stateIn(place, ".lintel");
  const said = async (words: string) => {
    const { exit, stdout, stderr } = await move(place, words);
    return `${exit} ${stdout}${stderr}`;
  };
  expect(await said("portal.yaml")).toMatch(/^64 .*No address to move the state to is named/s);
  expect(await said("portal.yaml states")).toMatch(/^64 .*"states" is no address of a state/s);
  expect(await said("file:a file:b")).toMatch(/^64 .*More than one address/s);
  expect(await said("file:${env:PASSWORD}")).toMatch(/^64 .*"PASSWORD" may not be referred to/s);
  expect(await said("- file:states")).toMatch(/^64 .*standard input cannot be changed/s);
  expect(await said("file:.lintel")).toMatch(/^0 .*The state is there already: serial 2/s);
  expect(await said("none.yaml file:states")).toMatch(/^3 /);
  const asked = await place.run("state move file:states");
  expect(asked.exit).toBe(64);
  expect(asked.stderr).toContain('Move the state to "file:states"? Cannot prompt');
  place.write(BANNER);
  expect(stateIn(place, ".lintel")).toEqual(before);
  expect(existsSync(join(place.folder.path, "states"))).toBe(false);
});

test("requires a settled journal, and moves a hold", async () => {
  const place = await applied();
  const state = stateIn(place, ".lintel");
  if (!state) throw new Error("nothing was applied");
  place.plant({ ...state, journal: JOURNAL });
  const refused = await move(place, "file:states");
  expect(refused).toMatchObject({ exit: 8 });
  expect(refused.stdout).toMatch(/Settle it, then move the state:\n +lintel apply portal\.yaml\n/);
  expect(stateIn(place, "states")).toBeUndefined();

  place.plant(state);
  place.write(LATER);
  await place.run("apply --yes");
  await place.run("rollback --yes");
  const { hold } = stateIn(place, ".lintel") ?? {};
  expect(hold).toBeDefined();
  expect(await move(place, "file:states")).toMatchObject({ exit: 0 });
  expect(stateIn(place, "states")?.hold).toEqual(hold);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 7 });
});

test("waits for a run at work, and no longer than --wait", async () => {
  const place = await applied();
  const state = stateIn(place, ".lintel");
  if (!state) throw new Error("nothing was applied");
  place.plant({ ...state, serial: state.serial + 1, journal: JOURNAL });
  const refused = await place.run("state move file:states --yes --wait 0");
  expect([refused.exit, stateIn(place, "states")]).toEqual([6, undefined]);
  expect(refused.stdout.replace(/\s+/g, " ")).toContain("another run is at work");
  const settle = { ...state, serial: state.serial + 2 };
  let waited = 0;
  const moved = await place.run("state move file:states --yes", {
    onSleep: () => {
      if (waited++ === 0) place.plant(settle);
    },
  });
  expect([moved.exit, waited]).toEqual([0, 1]);
  expect(moved.stderr).toContain("Waiting for up to 70 s");
  expect(stateIn(place, "states")?.serial).toBe(settle.serial + 2);
});

test("updates the file even if nothing was applied", async () => {
  const place = await openPlace();
  place.write(BANNER);
  const moved = await move(place, "file:states");
  expect(moved).toMatchObject({ exit: 0 });
  expect(moved.stdout).toMatch(/Nothing has been applied yet/);
  expect(place.read("portal.yaml")).toMatch(/\nstate: file:states\n/);
  expect(stateIn(place, "states")).toBeUndefined();
});

test("keeps both states if the new place has one of its own", async () => {
  const place = await applied();
  const folder = join(place.folder.path, ".lintel");
  renameSync(folder, `${folder}.aside`);
  place.write(at("file:states"));
  await place.run("apply --yes");
  place.write(BANNER);
  renameSync(`${folder}.aside`, folder);
  const both = [stateIn(place, ".lintel"), stateIn(place, "states")];
  const refused = await move(place, "file:states");
  expect(refused).toMatchObject({ exit: 5 });
  expect(refused.stdout).toMatch(/already contains a state of .*: serial \d, last by .* at/);
  expect(refused.stdout).toContain("  lintel history portal.yaml file:states\n");
  expect([stateIn(place, ".lintel"), stateIn(place, "states")]).toEqual(both);
  expect(place.read("portal.yaml")).not.toContain("state:");
});

test.each(["older", "newer", "apart"])(
  "keeps both if the new place has a copy that is %s",
  async (how) => {
    const place = await applied();
    const folder = (name: string) => join(place.folder.path, name);
    cpSync(folder(".lintel"), folder("copy"), { recursive: true });
    if (how !== "newer") {
      place.write(LATER);
      await place.run("apply --yes");
    }
    if (how !== "older") {
      place.write(at("file:copy", LATER));
      await place.run("apply --yes --allow overwrite-drift");
    }
    place.write(LATER);
    const both = [stateIn(place, ".lintel"), stateIn(place, "copy")];
    expect(await move(place, "file:copy")).toMatchObject({ exit: 5 });
    expect([stateIn(place, ".lintel"), stateIn(place, "copy")]).toEqual(both);
  },
);

test("keeps another portal's state at the new place", async () => {
  const place = await applied();
  await move(place, "file:states");
  const own = identityOf(place.sandbox.portalUrl, "self");
  const other = identityOf("https://gis.example.com/portal/sharing/rest", "self");
  const state = stateIn(place, "states");
  if (!state) throw new Error("nothing arrived");
  rmSync(join(place.folder.path, ".lintel"), { recursive: true });
  const text = printState({ ...state, portal: other });
  writeStateIn(join(place.folder.path, ".lintel"), own.key, text);
  const back = await move(place, "file:.lintel");
  expect(back).toMatchObject({ exit: 1 });
  expect(back.stdout).toMatch(/state-not-ours/);
  expect(stateIn(place, "states")).toEqual(state);
});

test("keeps the state usable if the new place refuses the move", async () => {
  const place = await applied();
  // What is no folder takes no state.
  const before = stateIn(place, ".lintel");
  place.write("", { name: "states", head: "" });
  const refused = await move(place, "file:states");
  expect(refused).toMatchObject({ exit: 1 });
  expect(stateIn(place, ".lintel")?.history).toEqual(before?.history);
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
});

/** As if it had been killed between its two writes. */
async function interrupted(): Promise<Place> {
  const place = await applied();
  const file = place.read("portal.yaml");
  await move(place, "file:states");
  writeFileSync(join(place.folder.path, "portal.yaml"), file);
  rmSync(join(place.folder.path, "states"), { recursive: true });
  return place;
}

test("the same command completes an interrupted move", async () => {
  const place = await interrupted();
  expect((await place.run("plan")).exit).toBe(3);
  const finished = await move(place, "file:states");
  expect(finished.stdout).toMatch(/The state was moved: serial 4/);
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
});

test("an interrupted move can be cancelled, after confirmation", async () => {
  const place = await interrupted();
  const { stdout } = await place.run("plan");
  expect(stdout).toMatch(/lintel state move portal\.yaml file:states\n/);
  const back = "state move portal.yaml file:.lintel";
  expect(stdout).toContain(`lintel ${back}\n`);
  expect(await place.run(back)).toMatchObject({ exit: 64 });
  expect(await place.run(`${back} --yes`)).toMatchObject({ exit: 0 });
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  expect(stateIn(place, ".lintel")?.history.at(-1)).toMatchObject({
    kind: "move",
    why: "given up: from file:.lintel to file:states",
  });
  expect(existsSync(join(place.folder.path, "states"))).toBe(false);
});

test("does not cancel a move that arrived", async () => {
  const place = await applied();
  const file = place.read("portal.yaml");
  await move(place, "file:states");
  const both = [stateIn(place, ".lintel"), stateIn(place, "states")];
  writeFileSync(join(place.folder.path, "portal.yaml"), file);
  const refused = await move(place, "file:.lintel");
  expect(refused).toMatchObject({ exit: 3 });
  expect(refused.stdout).toContain("and it arrived.");
  expect([stateIn(place, ".lintel"), stateIn(place, "states")]).toEqual(both);
});

test("starts no new state at an address where a move did not arrive", async () => {
  const place = await interrupted();
  place.write(at("file:states", LATER));
  const refused = await place.run("apply --yes");
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.stdout).toContain("[state-rewound]");
  expect(place.updates()).toHaveLength(1);
});

test("moves a state with values that are nowhere else", async () => {
  const place = await applied();
  const before = stateIn(place, ".lintel");
  if (!before) throw new Error("nothing was applied");
  const more: State = {
    ...before,
    alsoSent: [{ path: ["portalConfigProperties", "tokenExpiration"], sent: 30 }],
    earlier: { entries: 3 },
    history: [],
  };
  plantIn(place, ".lintel", more);
  expect(await move(place, "file:states")).toMatchObject({ exit: 0 });
  const { history: _note, serial: _later, ...kept } = stateIn(place, "states") ?? {};
  const { history: _none, serial: _first, ...all } = more;
  expect(kept).toEqual(all);
});

test("finds a base's portals in the whole repository", async () => {
  const place = await fleet("file:/tmp/never", (id) => `portals/${id}`);
  const at = (name: string) => join(place.folder.path, name);
  mkdirSync(at("bases"));
  renameSync(at("_base.yaml"), at("bases/common.yaml"));
  const old = folderOf();
  const other = folderOf();
  onTestFinished(() => [old, other].forEach((each) => each.remove()));
  writeFileSync(at("bases/common.yaml"), `state: "file:${old.path}"\n${BANNER}`);
  for (const id of ["self", "portal-1", "portal-2"]) {
    const name = `portals/${id}/${id}.yaml`;
    const text = place.read(name).replace("../_base.yaml", "../../bases/common.yaml");
    writeFileSync(at(name), text);
  }
  execFileSync("git", ["init", "--quiet"], { cwd: place.folder.path });
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  const refused = await move(place, `portals/self file:${other.path}`);
  expect(refused).toMatchObject({ exit: 3 });
  expect(refused.stderr).toContain("also says where the state of 2 other files is");
  expect(await move(place, `portals file:${other.path}`)).toMatchObject({ exit: 0 });
  expect(place.read("bases/common.yaml")).toContain(`state: "file:${other.path}"`);
  expect((await place.run("plan portals")).stdout).toMatch(/^No changes\./m);
});

test("changes a base in a folder of bases", async () => {
  const place = await fleet("file:../old");
  const at = (name: string) => join(place.folder.path, name);
  mkdirSync(at("parts"));
  renameSync(at("_base.yaml"), at("parts/_base.yaml"));
  for (const id of ["self", "portal-1", "portal-2"]) {
    const text = place.read(`portals/${id}.yaml`).replace("../_base.yaml", "../parts/_base.yaml");
    writeFileSync(at(`portals/${id}.yaml`), text);
  }
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  expect(await move(place, "portals file:../new")).toMatchObject({ exit: 0 });
  expect(place.read("parts/_base.yaml")).toContain('state: "file:../new"');
});

test("treats an address with another value of a variable as another place", async () => {
  const place = await applied();
  const file = place.read("portal.yaml");
  const words = "state move portal.yaml file:${env:LINTEL_VAR_PLACE} --yes";
  const withPlace = (name: string) => ({ env: { LINTEL_VAR_PLACE: name } });
  expect(await place.run(words, withPlace("a"))).toMatchObject({ exit: 0 });
  writeFileSync(join(place.folder.path, "portal.yaml"), file);
  expect(await place.run(words, withPlace("b"))).toMatchObject({ exit: 3 });
  expect(stateIn(place, "a")).toBeDefined();
  expect(stateIn(place, "b")).toBeUndefined();
});

test("reports an unwritable file before anything is moved", async () => {
  const place = await applied();
  const other = folderOf({ "portal.yaml": place.read("portal.yaml") });
  onTestFinished(() => other.remove());
  const path = join(place.folder.path, "portal.yaml");
  rmSync(path);
  symlinkSync(join(other.path, "portal.yaml"), path);
  const before = stateIn(place, ".lintel");
  const refused = await move(place, "file:states");
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.stderr).toContain("[not-writable]");
  expect(stateIn(place, ".lintel")).toEqual(before);
});

test("refuses an empty place in the file while another place has the state", async () => {
  const place = await applied();
  place.write(at("file:empty"));
  const left = await move(place, "file:other");
  expect(left).toMatchObject({ exit: 1 });
  expect(left.stdout).toContain("[state-rewound]");
  place.write(at("file:.lintel"));
  await move(place, "file:b");
  await move(place, "file:c");
  place.write(at("file:empty"));
  const gone = await move(place, "file:b");
  expect(gone).toMatchObject({ exit: 3 });
  expect(gone.stdout).toContain('was moved to "file:c"');
});
