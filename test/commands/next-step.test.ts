// What status and doctor say comes next: whoever follows it gets further, whatever happened before.
import { rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { statePlace } from "../run/lane.js";
import { headFor, openPlace, type Place } from "../run/place.js";

const OLD = { informationalBanner: { text: "Old", enabled: true } };

const WANTED = "settings: { informationalBanner: { text: New, enabled: true } }\n";

async function applied(): Promise<Place> {
  const place = await openPlace({}, OLD);
  place.write(WANTED);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  return place;
}

async function rolledBack(): Promise<Place> {
  const place = await applied();
  expect(await place.run("rollback --yes")).toMatchObject({ exit: 0 });
  return place;
}

async function next(place: Place, words = ""): Promise<string> {
  const { stdout } = await place.run(`status${words} --output json`);
  const { portals } = JSON.parse(stdout) as { portals: { next: string }[] };
  return portals[0]?.next ?? "";
}

async function doctor(place: Place) {
  const { stdout, exit } = await place.run("doctor --output json");
  const { steps } = JSON.parse(stdout) as {
    steps: { name: string; status: string; message: string; help: string | null }[];
  };
  return { exit, state: steps.find(({ name }) => name === "state") };
}

function damage(place: Place): void {
  writeFileSync(statePlace(place) ?? "", "{ half");
}

test("held by hand: wait for its end or lift it, also where an outcome is unknown", async () => {
  const place = await applied();
  place.write(WANTED.replace("New", "Newer"));
  const sent = place.updates().length;
  const isAfter = ({ method }: { readonly method: string }) =>
    method === "GET" && place.updates().length > sent;
  place.sandbox.faults.push({ kind: "drop-after", match: /POST .*update/ });
  for (let at = 0; at < 60; at++) place.sandbox.faults.push({ kind: "html", match: isAfter });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 8 });
  expect(place.state()?.journal).toBeDefined();
  place.sandbox.faults.splice(0);
  expect(await place.run("hold --why Move --until 1h")).toMatchObject({ exit: 0 });
  expect(await next(place)).toBe(
    "Wait until the hold ends, or end it now:\n  lintel unhold portal.yaml",
  );
  const { state } = await doctor(place);
  expect(state?.message).toContain("Move.");
  expect(await place.run("hold --why Move")).toMatchObject({ exit: 0 });
  expect(await next(place)).toMatch(/^End the hold .*:\n {2}lintel unhold portal\.yaml$/);
});

describe("after a rollback", () => {
  test("the file sets another value: keep what the portal has, or lift the hold", async () => {
    const place = await rolledBack();
    expect(await next(place)).toMatch(
      /^Keep .*:\n {2}lintel pull portal\.yaml\nOr .*:\n {2}lintel unhold portal\.yaml\n/,
    );
    const { state } = await doctor(place);
    expect(state).toMatchObject({
      status: "warning",
      help: expect.stringContaining("lintel status"),
    });
  });

  test("and a pull the file agrees: the next apply ends the hold, and then nothing is left", async () => {
    const place = await rolledBack();
    expect(await place.run("pull")).toMatchObject({ exit: 0 });
    const said = await next(place);
    expect(said).toMatch(/End the hold:\n {2}lintel apply portal\.yaml$/);
    expect(said).not.toContain("unhold");
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.state()?.hold).toBeUndefined();
    expect(await next(place)).toBe("nothing to do");
  });
});

describe("after a change by hand", () => {
  test("the file would undo that: review it, then keep it or undo it", async () => {
    const place = await applied();
    place.sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
    expect(await next(place)).toMatch(
      /lintel drift [^]* lintel pull [^]* lintel explain overwrite-drift/,
    );
  });

  test("and a pull the file agrees: apply takes note", async () => {
    const place = await applied();
    place.sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
    expect(await place.run("pull")).toMatchObject({ exit: 0 });
    expect(await next(place)).toBe("lintel apply portal.yaml");
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(await next(place)).toBe("nothing to do");
  });
});

test("after a lost state: read the plan, because the portal may hold changes by hand", async () => {
  const place = await applied();
  place.sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
  rmSync(dirname(statePlace(place) ?? ""), { recursive: true });
  expect(await next(place)).toMatch(
    /^No apply is recorded, .*:\n  lintel plan portal\.yaml\n.*\n  lintel pull portal\.yaml\n.*\n  lintel apply portal\.yaml$/,
  );
  expect(await place.run("pull")).toMatchObject({ exit: 0 });
  expect(await next(place)).toBe("lintel apply portal.yaml");
});

test("where a guard blocks the apply, see the plan, which names it", async () => {
  const place = await applied();
  place.write("settings: { informationalBanner: { text: New, enabled: false } }\n");
  expect(await next(place)).toBe("lintel plan portal.yaml");
});

test("where the file has no settings, status says how to begin", async () => {
  const place = await openPlace({}, OLD);
  place.write("");
  expect(await next(place)).toBe(
    "Add settings to portal.yaml, or start from the live values:\n  lintel pull portal.yaml --all",
  );
});

test("without a sign-in, doctor explains why", async () => {
  const place = await applied();
  const { stdout } = await place.run("status --output json", { env: { LINTEL_BEID: undefined } });
  expect(stdout).toContain("Not signed in. Find out why:\\n  lintel doctor portal.yaml");
});

describe("where the state is damaged", () => {
  test("status does not say that nothing was ever applied", async () => {
    const place = await applied();
    damage(place);
    const { stdout, exit } = await place.run("status");
    expect(exit).toBe(1);
    expect(stdout).toMatch(/last apply +not known/);
    expect(stdout).toMatch(/next\s+see the error/);
    expect(stdout).toContain("[state-damaged]");
  });

  test("doctor finds it, and says what to do", async () => {
    const place = await applied();
    damage(place);
    const { exit, state } = await doctor(place);
    expect(exit).toBe(1);
    expect(state).toMatchObject({ status: "failed", message: expect.stringContaining("damaged") });
    expect(state?.help).toContain("git checkout COMMIT -- ");
  });
});

test("where the portal is down, status still knows what was applied last", async () => {
  const place = await applied();
  await place.sandbox.close();
  const { stdout } = await place.run("status");
  expect(stdout).toMatch(/last apply .*apply 1/);
  expect(stdout).toMatch(/next\s+lintel doctor portal\.yaml/);
});

test("doctor says when it was applied last, or that it never was", async () => {
  const place = await openPlace({}, OLD);
  place.write(WANTED);
  expect((await doctor(place)).state?.message).toContain("Nothing has been applied yet.");
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect((await doctor(place)).state?.message).toMatch(/Last apply: .*apply 1\./);
});

test("in a pipeline that would lose the state, say first where it is kept: apply refuses until then", async () => {
  const place = await openPlace({}, OLD);
  const head = headFor(place);
  place.write(WANTED, { head });
  const pipeline = { env: { CI: "true" } };
  const told = await place.run("status", pipeline);
  expect(told.stdout).toMatch(
    /next\s+Local state is lost when this job ends\. Set "state:" in portal\.yaml/,
  );
  expect(await place.run("apply --yes", pipeline)).toMatchObject({ exit: 3 });
  place.write(WANTED, { head: `${head}state: file:.lintel\n` });
  expect((await place.run("status", pipeline)).stdout).toMatch(/next\s+No apply is recorded/);
});
