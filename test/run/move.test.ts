// A state that is moved: all of it arrives, nobody goes on where it was, and what is in the way is refused.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

/** The file as it says where the state is. */
function at(address: string, rest = BANNER): string {
  return `state: "${address}"\n${rest}`;
}

test("a new address without a move is refused while a state is left beside the file", async () => {
  const place = await applied();
  place.write(at("file:states", LATER));
  for (const command of ["plan", "apply --yes", "status"]) {
    const refused = await place.run(command);
    expect([command, refused.exit]).toEqual([command, 1]);
    expect(refused.stdout).toContain("[state-rewound]");
    expect(refused.stdout).toContain("lintel state move portal.yaml file:.lintel file:states");
  }
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "Hello" } });
  expect(await place.run("state move portal.yaml file:.lintel file:states")).toMatchObject({
    exit: 0,
  });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(stateIn(place, "states")?.serial).toBeGreaterThan(2);
});

test("the whole history goes along, and the file is all that is left to change", async () => {
  const place = await applied();
  const before = stateIn(place, ".lintel");
  const moved = await place.run("state move file:states");
  expect(moved).toMatchObject({ exit: 0, stderr: "" });
  expect(moved.stdout).toMatch(/The state was moved: serial 4, 2 entries of history\./);
  expect(moved.stdout).toMatch(/\n {2}portal\.yaml, to add: {2}state: file:states\n/);
  const after = stateIn(place, "states");
  expect(after).toMatchObject({ lineage: before?.lineage, leaves: before?.leaves, serial: 4 });
  expect(after?.history.slice(0, -1)).toEqual(before?.history);
  expect(after?.history.at(-1)).toMatchObject({
    kind: "move",
    why: "from file:.lintel to file:states",
  });
  expect(after).not.toHaveProperty("moved");

  place.write(at("file:states"));
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./);
  place.write(at("file:states", LATER));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(stateIn(place, "states")?.history).toHaveLength(3);
});

test("whoever has the old file is told, and can do nothing there", async () => {
  const place = await applied();
  await place.run("state move portal.yaml file:states");
  place.write(LATER);
  for (const words of ["plan", "apply --yes", "rollback --yes", "state show", "unhold"]) {
    const { exit, stdout, stderr } = await place.run(words);
    expect([words, exit]).toEqual([words, 3]);
    expect(stdout + stderr).toMatch(/was moved to "file:states" by /);
    expect(stdout + stderr).toMatch(/\n +state: file:states\n/);
  }
  expect((await place.run("status")).stdout).toMatch(/was moved to "file:states" by /);
  expect(place.updates()).toHaveLength(1);
  const shown = await place.run("state show portal.yaml file:states");
  expect(shown).toMatchObject({ exit: 0 });
  expect(shown.stdout).toMatch(/\nserial +4\n/);
});

test("the same again finds that it is done; from the other place, it comes back with what was added", async () => {
  const place = await applied();
  await place.run("state move file:states");
  const arrived = stateIn(place, "states");
  const again = await place.run("state move portal.yaml file:.lintel file:states");
  expect(again).toMatchObject({ exit: 0 });
  expect(again.stdout).toMatch(/The state is there already: serial 4/);
  expect(stateIn(place, "states")).toEqual(arrived);

  place.write(at("file:states", LATER));
  await place.run("apply --yes");
  const back = await place.run("state move file:.lintel");
  expect(back.stdout).toMatch(/\n {2}portal\.yaml, line 4: {2}state: file:\.lintel\n/);
  expect(stateIn(place, ".lintel")?.history.map(({ kind }) => kind)).toEqual([
    "apply",
    "move",
    "apply",
    "move",
  ]);
  place.write(LATER);
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./);
  place.write(at("file:states", LATER));
  expect((await place.run("plan")).exit).toBe(3);
});

test("many at once, by a base that says where they are, and each line to change is told once", async () => {
  const place = await openPlace({ portals: 3 });
  const base = (state: string) =>
    writeFileSync(join(place.folder.path, "_base.yaml"), `state: "${state}"\n${BANNER}`);
  base("file:../old/${portal.key}");
  const { portalUrl, signInUrl } = place.sandbox;
  for (const id of ["self", "portal-1", "portal-2"]) {
    const head = `extends: ../_base.yaml\ntargetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write("", { name: `portals/${id}.yaml`, head });
  }
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  const moved = await place.run("state move portals file:../new --output json");
  expect(moved).toMatchObject({ exit: 0 });
  const { portals } = JSON.parse(moved.stdout) as { portals: object[] };
  expect(portals).toHaveLength(3);
  for (const each of portals) expect(each).toMatchObject({ status: "moved", serial: 4 });
  base("file:../new");
  expect((await place.run("plan portals")).stdout).toMatch(/^No changes\./);

  const back = await place.run("state move portals file:../old/${portal.key}");
  expect(back.stdout.match(/line 1: {2}state: file:\.\.\/old\/\$\{portal\.key\}\n/g)).toHaveLength(
    1,
  );
  const onlySome = await place.run("state move portals file:../new file:../newest");
  expect(onlySome).toMatchObject({ exit: 3 });
});

test("a base that says it for others too stays as it is, until they are moved as well", async () => {
  const place = await openPlace({ portals: 3 });
  writeFileSync(join(place.folder.path, "_base.yaml"), `state: "file:../old"\n${BANNER}`);
  const { portalUrl, signInUrl } = place.sandbox;
  for (const id of ["self", "portal-1", "portal-2"]) {
    const head = `extends: ../_base.yaml\ntargetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write("", { name: `${id === "self" ? "main" : "others"}/${id}.yaml`, head });
  }
  expect(await place.run("apply main others --yes")).toMatchObject({ exit: 0 });
  const one = await place.run("state move main file:../new");
  expect(one).toMatchObject({ exit: 0 });
  expect(one.stdout).toContain("\n  main/self.yaml, to add:  state: file:../new\n");
  expect(one.stdout).not.toContain("_base.yaml, line 1:  state:");
  const rest = "state move others/portal-1.yaml others/portal-2.yaml file:../new";
  expect(one.stdout).toContain(
    "Line 1 of _base.yaml also says it for 2 files that were not moved, and would begin anew\n",
  );
  expect(one.stdout).toContain(`\n  lintel ${rest}\n`);
  expect((await place.run("plan main")).stdout).toContain(
    'Get the newest version of "_base.yaml", where line 1 says it for "main/self.yaml", or write',
  );

  writeFileSync(
    join(place.folder.path, "main/self.yaml"),
    `${place.read("main/self.yaml")}state: "file:../new"\n`,
  );
  const all = await place.run(rest);
  expect(all).toMatchObject({ exit: 0 });
  expect(all.stdout).toContain("\n  _base.yaml, line 1:  state: file:../new\n");
  expect((await place.run("plan main")).stdout).toMatch(/^No changes\./);
});

test("what is wrong with the words or the addresses is told before anything is done", async () => {
  const place = await applied();
  const before = stateIn(place, ".lintel");
  const said = async (words: string) => {
    const { exit, stdout, stderr } = await place.run(`state move ${words}`.trimEnd());
    return `${exit} ${stdout}${stderr}`;
  };
  expect(await said("")).toMatch(/^64 .*No address to move the state to is named/s);
  expect(await said("portal.yaml states")).toMatch(/^64 .*"states" is no address of a state/s);
  expect(await said("file:a file:b file:c")).toMatch(/^64 .*More than two addresses/s);
  expect(await said("file:${env:PASSWORD}")).toMatch(/^64 .*"PASSWORD" may not be referred to/s);
  expect(await said("file:.lintel")).toMatch(/^0 .*The state is there already: serial 2/s);
  place.write(at("file:nothing"));
  expect(await said("file:nothing")).toMatch(
    /^64 .*"portal\.yaml" says already .*nothing is there/s,
  );
  place.write(BANNER);
  expect(await said("file:./.lintel")).toMatch(/are one and the same place/);
  expect(await said("none.yaml file:states")).toMatch(/^3 /);
  expect(stateIn(place, ".lintel")).toEqual(before);
  expect(existsSync(join(place.folder.path, "states"))).toBe(false);
});

test("an open journal is settled first; a hold goes along", async () => {
  const place = await applied();
  const state = stateIn(place, ".lintel");
  if (!state) throw new Error("nothing was applied");
  place.plant({ ...state, journal: JOURNAL });
  const refused = await place.run("state move file:states");
  expect(refused).toMatchObject({ exit: 8 });
  expect(refused.stdout).toMatch(/Settle it, then move the state:\n +lintel apply portal\.yaml\n/);
  expect(stateIn(place, "states")).toBeUndefined();

  place.plant(state);
  place.write(LATER);
  await place.run("apply --yes");
  await place.run("rollback --yes");
  const { hold } = stateIn(place, ".lintel") ?? {};
  expect(hold).toBeDefined();
  expect(await place.run("state move file:states")).toMatchObject({ exit: 0 });
  expect(stateIn(place, "states")?.hold).toEqual(hold);
  place.write(at("file:states", LATER));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 7 });
});

test("where nothing was ever applied there is nothing to move", async () => {
  const place = await openPlace();
  place.write(BANNER);
  const moved = await place.run("state move file:states");
  expect(moved).toMatchObject({ exit: 0 });
  expect(moved.stdout).toMatch(/Nothing was ever applied/);
  expect(stateIn(place, "states")).toBeUndefined();
});

test("a state that was begun on its own at the other place is left alone, and so is this one", async () => {
  const place = await applied();
  const folder = join(place.folder.path, ".lintel");
  renameSync(folder, `${folder}.aside`);
  place.write(at("file:states"));
  await place.run("apply --yes");
  place.write(BANNER);
  renameSync(`${folder}.aside`, folder);
  const both = [stateIn(place, ".lintel"), stateIn(place, "states")];
  const refused = await place.run("state move file:states");
  expect(refused).toMatchObject({ exit: 5 });
  expect(refused.stdout).toMatch(/state-of-another-lineage/);
  expect([stateIn(place, ".lintel"), stateIn(place, "states")]).toEqual(both);
});

test("another portal's state at the other place is left alone", async () => {
  const place = await applied();
  await place.run("state move file:states");
  const own = identityOf(place.sandbox.portalUrl, "self");
  const other = identityOf("https://gis.example.com/portal/sharing/rest", "self");
  const state = stateIn(place, "states");
  if (!state) throw new Error("nothing arrived");
  rmSync(join(place.folder.path, ".lintel"), { recursive: true });
  const text = printState({ ...state, portal: other });
  writeStateIn(join(place.folder.path, "states"), own.key, text);
  const back = await place.run("state move portal.yaml file:states file:.lintel");
  expect(back).toMatchObject({ exit: 1 });
  expect(back.stdout).toMatch(/state-of-another-portal/);
  expect(stateIn(place, ".lintel")).toBeUndefined();
});

test("an old copy is marked, and never takes the place of the newer state", async () => {
  const place = await applied();
  const folder = (name: string) => join(place.folder.path, name);
  cpSync(folder(".lintel"), folder("copy"), { recursive: true });
  place.write(LATER);
  await place.run("apply --yes");
  const newer = stateIn(place, ".lintel");

  const wrong = await place.run("state move portal.yaml file:.lintel file:copy");
  expect(wrong).toMatchObject({ exit: 5 });
  expect(wrong.stdout).toMatch(/stands an older copy of the state/);
  expect(stateIn(place, ".lintel")).toEqual(newer);

  const right = await place.run("state move portal.yaml file:copy file:.lintel");
  expect(right).toMatchObject({ exit: 0 });
  expect(right.stdout).toMatch(/The state is there already: serial 4, 2 entries/);
  expect(stateIn(place, ".lintel")).toEqual(newer);
  expect(stateIn(place, "copy")?.moved?.to).toBe("file:.lintel");
  // Now the way is free.
  expect(await place.run("state move file:copy")).toMatchObject({ exit: 0 });
  expect(stateIn(place, "copy")?.history).toHaveLength(3);
});

test("copies that went separate ways are for a person to tell apart", async () => {
  const place = await applied();
  const folder = (name: string) => join(place.folder.path, name);
  cpSync(folder(".lintel"), folder("copy"), { recursive: true });
  place.write(LATER);
  await place.run("apply --yes");
  place.write(at("file:copy", BANNER));
  // What the one copy knows nothing of looks to it as if somebody had changed it by hand.
  const { stdout } = await place.run("apply --yes --allow overwrite-drift");
  expect(stdout).toMatch(/\n1 portal: 1 set\./);
  const both = [stateIn(place, ".lintel"), stateIn(place, "copy")];
  for (const way of ["file:.lintel file:copy", "file:copy file:.lintel"]) {
    const refused = await place.run(`state move portal.yaml ${way}`);
    expect(refused).toMatchObject({ exit: 5 });
    expect(refused.stdout).toMatch(/went separate ways at two places/);
  }
  expect([stateIn(place, ".lintel"), stateIn(place, "copy")]).toEqual(both);
});

test("a move that the other place refuses leaves the state where it was, and usable", async () => {
  const place = await applied();
  // A folder where the state would be takes no rename, though its lock can be had.
  const { key } = identityOf(place.sandbox.portalUrl, "self");
  const before = stateIn(place, ".lintel");
  place.write("", { name: `states/${key}.json/in-the-way`, head: "" });
  const refused = await place.run("state move file:states");
  expect(refused).toMatchObject({ exit: 1 });
  expect(stateIn(place, ".lintel")?.history).toEqual(before?.history);
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./);
});

test("an interrupted move can be given up, by somebody who says so", async () => {
  const place = await applied();
  await place.run("state move file:states");
  // As if it had been killed between its two writes.
  rmSync(join(place.folder.path, "states"), { recursive: true });
  const back = "state move portal.yaml file:states file:.lintel";
  const { stdout } = await place.run("plan");
  expect(stdout).toContain("nothing of it stands there");
  expect(stdout).toMatch(/lintel state move portal\.yaml file:\.lintel file:states\n/);
  expect(stdout).toContain(`lintel ${back}\n`);
  expect(stdout).not.toContain("state: file:states");
  const asked = await place.run(back);
  expect(asked).toMatchObject({ exit: 64 });
  expect(asked.stdout).toMatch(/--yes/);
  expect(await place.run(`${back} --yes`)).toMatchObject({ exit: 0 });
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./);
  expect(stateIn(place, ".lintel")?.history.at(-1)).toMatchObject({
    kind: "move",
    why: "given up: from file:.lintel to file:states",
  });
  expect(existsSync(join(place.folder.path, "states"))).toBe(false);
});

test("a state that was begun anew where another never arrived: both are told, and the one that was to come can go on", async () => {
  const place = await applied();
  await place.run("state move file:states");
  rmSync(join(place.folder.path, "states"), { recursive: true });
  // Somebody writes the new address all the same.
  place.write(at("file:states", LATER));
  const refused = await place.run("apply --yes");
  expect(refused).toMatchObject({ exit: 3 });
  expect(refused.stdout).toContain("it did not arrive, or was taken away");
  const mark = stateIn(place, ".lintel");
  if (!mark) throw new Error("the mark is gone");
  rmSync(join(place.folder.path, ".lintel"), { recursive: true });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  mkdirSync(join(place.folder.path, ".lintel"));
  plantIn(place, ".lintel", mark);
  const other = stateIn(place, "states");

  place.write(LATER);
  const met = (await place.run("plan")).stdout;
  expect(met).toContain("and another one, which was begun on its own, stands there");
  expect(met).toContain("\n          lintel history portal.yaml file:states\n");
  expect(met).toContain("\n          lintel state move portal.yaml file:states file:.lintel\n");
  const told = await place.run("state move file:states");
  expect(told).toMatchObject({ exit: 5 });
  expect(told.stdout).toMatch(/serial 3 at "file:\.lintel", .*; serial 2 at "file:states", /);
  const back = "state move portal.yaml file:states file:.lintel";
  expect(told.stdout).toContain(`\n          lintel ${back}\n`);
  place.write(at("file:states", LATER));
  expect((await place.run(back)).stdout).toContain(
    "(serial 2) and stays there. Give that move up?",
  );
  const returned = await place.run(`${back} --yes`);
  expect(returned).toMatchObject({ exit: 0 });
  expect(returned.stdout).toContain("portal.yaml, line 4:  state: file:.lintel\n");
  place.write(BANNER);
  expect((await place.run("status")).stdout).toContain("drift");
  expect(stateIn(place, ".lintel")?.history.map(({ kind }) => kind)).toEqual(["apply", "move"]);
  expect(stateIn(place, "states")).toEqual(other);
});

test("what went on to a third place is not taken for lost", async () => {
  const place = await applied();
  await place.run("state move file:second");
  await place.run("state move portal.yaml file:second file:third");
  const third = stateIn(place, "third");
  for (const way of ["file:.lintel file:third", "file:second file:third"]) {
    const moved = await place.run(`state move portal.yaml ${way}`);
    expect(moved).toMatchObject({ exit: 0 });
    expect(moved.stdout).toMatch(/The state is there already: serial 6, 3 entries/);
  }
  const lost = await place.run("state move portal.yaml file:.lintel file:fourth");
  expect(lost).toMatchObject({ exit: 3 });
  expect(lost.stdout).toMatch(/was moved to "file:second"/);
  expect(stateIn(place, "third")).toEqual(third);
  expect(stateIn(place, "fourth")).toBeUndefined();
});

test("a state whose values stand nowhere else arrives with all of them", async () => {
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
  expect(await place.run("state move file:states")).toMatchObject({ exit: 0 });
  const { history: _note, serial: _later, ...kept } = stateIn(place, "states") ?? {};
  const { history: _none, serial: _first, ...all } = more;
  expect(kept).toEqual(all);
});
