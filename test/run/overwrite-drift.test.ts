// What somebody changed by hand on the portal: an apply stops before it goes over that, and each way on that it names leads on.
import { expect, test } from "vitest";
import type { Json } from "../../src/lib/json.js";
import type { Ran } from "../support/run.js";
import type { State } from "../../src/state/state.js";
import { headFor, openPlace, type Place } from "./place.js";

const banner = (text: string, more = "") =>
  `${more}settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;

async function changedByHand(file = banner("Planned"), more: Json = {}): Promise<Place> {
  const place = await openPlace();
  place.write(banner("Planned"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  place.sandbox.change("self", {
    informationalBanner: { text: "By hand", enabled: true, ...(more as object) },
  });
  place.write(file);
  return place;
}

const shown = ({ sandbox }: Place) => sandbox.settings()["informationalBanner"];
const flat = ({ stdout, stderr }: Ran) => (stdout + stderr).replace(/\s+/g, " ");

test("is shown with both values and the last apply, and the suggested commands work", async () => {
  const place = await changedByHand();
  const stopped = await place.run("apply --yes");
  expect(stopped.exit).toBe(7);
  expect(flat(stopped)).toMatch(
    /"informationalBanner\.text" is "By hand" on the portal\. After the last apply \(\d{4}-.* UTC, by .* as api-user\), it was "Planned"\. Someone changed the portal by hand, or applied with another copy of the state/,
  );
  expect(shown(place)).toMatchObject({ text: "By hand" });
  const [pull = ""] = /lintel pull portal\.yaml --path \S+/.exec(flat(stopped)) ?? [];
  expect(await place.run(pull.replace("lintel ", ""))).toMatchObject({ exit: 0 });
  const updates = place.updates().length;
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.updates()).toHaveLength(updates);
  expect(await place.run("drift")).toMatchObject({ exit: 0 });
});

test("is shown by a quiet plan and apply, without the changes", async () => {
  const place = await changedByHand();
  for (const command of ["plan --quiet", "apply --yes --quiet"]) {
    const { stdout } = await place.run(command);
    expect(stdout).toMatch(/✗ overwrite-drift .*\n/);
    expect(stdout).toContain("lintel explain overwrite-drift");
    expect(stdout).not.toMatch(/~ text|--allow/);
  }
});

test("keeps a file change if the suggested pull is run", async () => {
  const place = await changedByHand(`${banner("Planned").slice(0, -3)}, blockBetaApps: true }\n`);
  const stopped = await place.run("apply --yes");
  expect(stopped.exit).toBe(7);
  expect(flat(stopped)).toContain("lintel pull portal.yaml --path informationalBanner.text ");
  await place.run("pull portal.yaml --path informationalBanner.text");
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({
    informationalBanner: { text: "By hand" },
    blockBetaApps: true,
  });
});

test("is overwritten once with --allow, and always with drift: restore", async () => {
  const once = await changedByHand();
  expect(await once.run("apply --yes --allow overwrite-drift")).toMatchObject({ exit: 0 });
  expect(shown(once)).toMatchObject({ text: "Planned" });

  const always = await changedByHand();
  always.write("drift: restore\n", { name: "_base.yaml", head: "" });
  always.write(banner("Planned", "extends: ./_base.yaml\n"));
  const planned = await always.run("plan");
  expect(flat(planned)).toContain('Allowed by "drift: restore" in the file.');
  expect(flat(planned)).not.toContain("Stopped by");
  expect(flat(await always.run("status"))).toContain("Or overwrite them: lintel apply portal.yaml");
  expect(await always.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(shown(always)).toMatchObject({ text: "Planned" });
  expect(always.state()?.history.at(-1)?.guards).toEqual([
    { guard: "overwrite-drift", path: ["informationalBanner", "text"], how: "drift: restore" },
  ]);
  // The file's own word goes before that of its base.
  always.sandbox.change("self", { informationalBanner: { text: "Again", enabled: true } });
  always.write(banner("Planned", "extends: ./_base.yaml\ndrift: stop\n"));
  expect(await always.run("apply --yes")).toMatchObject({ exit: 7 });
});

test("is not overwritten by a new value in the file, or with --path", async () => {
  const place = await changedByHand(banner("New"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 7 });
  expect(await place.run("apply --yes --path informationalBanner")).toMatchObject({ exit: 7 });
  expect(await place.run("apply --yes --path informationalBanner.enabled")).toMatchObject({
    exit: 0,
  });
  expect(shown(place)).toMatchObject({ text: "By hand" });
});

test("blocks a rollback too, without suggesting a pull", async () => {
  const place = await openPlace();
  for (const text of ["One", "Two"]) {
    place.write(banner(text));
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  }
  place.sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
  const stopped = await place.run("rollback --yes");
  expect(stopped.exit).toBe(7);
  expect(flat(stopped)).toContain("See: lintel explain overwrite-drift");
  expect(flat(stopped)).not.toContain("lintel pull");
  expect(place.state()?.hold).toBeUndefined();
  expect(await place.run("rollback --yes --allow overwrite-drift")).toMatchObject({ exit: 0 });
  expect(shown(place)).toMatchObject({ text: "One" });
});

test("differs from rewritten and missing values", async () => {
  const place = await changedByHand(banner("Planned"), { text: "Planned" });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  // Taken away by hand: there is nothing that a file could take over.
  place.sandbox.change("self", { informationalBanner: { enabled: true } });
  const stopped = await place.run("apply --yes");
  expect(stopped.exit).toBe(7);
  expect(flat(stopped)).toContain("is nothing on the portal");
  expect(flat(stopped)).not.toContain("lintel pull");
});

test("is not reported for a portal that is never read", async () => {
  const place = await openPlace();
  const head = headFor(place, ", read: never");
  place.write(banner("Planned"), { head });
  expect(await place.run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  place.sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
  place.write(banner("New"), { head });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(shown(place)).toMatchObject({ text: "New" });
});

test("does not report an apply of another run between two reads as drift", async () => {
  const place = await openPlace();
  const applied = async (text: string) => {
    place.write(banner(text));
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    return { state: place.state() as State, settings: place.sandbox.settings() };
  };
  const one = await applied("One");
  const two = await applied("Two");
  const goTo = ({ state, settings }: typeof one) => {
    place.plant(state);
    place.sandbox.change("self", settings);
  };
  goTo(one);
  place.write(banner("Three"));
  let isOver = false;
  place.sandbox.faults.push({
    kind: "html",
    match({ method, path }) {
      if (method === "GET" && path.includes("/portals/self") && !isOver) {
        isOver = true;
        goTo(two);
      }
      return false;
    },
  });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(isOver).toBe(true);
  expect(place.state()?.history.map(({ changes }) => changes[0]?.after)).toEqual([
    "One",
    "Two",
    "Three",
  ]);
});
