// lintel doctor --state: proves that a state can be written, and leaves nothing behind.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesIn } from "../state/places.js";
import { statePlace } from "./lane.js";
import { isUpdate, openPlace } from "./place.js";

const SETTINGS = "settings: { blockBetaApps: true }\n";

test("writes a probe before the first apply and after it, and removes it", async () => {
  const place = await openPlace();
  place.write(SETTINGS);
  const before = filesIn(place.folder.path);
  const first = await place.run("doctor --state");
  expect(first.stdout).toMatch(/^ok +writing +Lintel can write the state/m);
  expect(first.exit).toBe(0);
  expect(filesIn(place.folder.path)).toEqual(before);
  await place.run("apply --yes");
  const applied = filesIn(place.folder.path);
  expect(await place.run("doctor --state")).toMatchObject({ exit: 0 });
  expect(filesIn(place.folder.path)).toEqual(applied);
  expect(place.sandbox.requests.filter(isUpdate)).toHaveLength(1);
});

test("reports a folder that refuses files, which only a write can find", async () => {
  const place = await openPlace();
  // Its own checks pass there, because root may write everywhere.
  place.write(`state: file:/proc/lintel-states\n${SETTINGS}`);
  const { stdout, exit } = await place.run("doctor --state");
  expect(stdout).toMatch(/^failed +writing +The state "\/proc\/lintel-states" cannot be written/m);
  expect(exit).toBe(1);
});

test("is skipped if the state cannot be read", async () => {
  const place = await openPlace();
  place.write(SETTINGS);
  await place.run("apply --yes");
  const newest = statePlace(place) ?? "";
  writeFileSync(newest, "{");
  const { stdout } = await place.run("doctor --state");
  expect(stdout).toMatch(/^failed +state /m);
  expect(stdout).toMatch(/^skipped +writing +Needs "state"\.$/m);
});

test("writes nothing without the option", async () => {
  const place = await openPlace();
  place.write(`state: file:/proc/lintel-states\n${SETTINGS}`);
  const { stdout } = await place.run("doctor");
  expect(stdout).not.toContain("writing");
});
