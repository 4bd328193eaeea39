// Whether a plan changes what was reviewed: the proposal's plan is made without credentials, the one after the merge with them.
import { expect, test } from "vitest";
import { headFor, openPlace, type Place } from "./place.js";

const NOBODY = { LINTEL_BEID: undefined, LINTEL_WEB_SERVICES_KEY: undefined };
const OLD =
  "settings: { informationalBanner: { text: Old, enabled: true }, blockBetaApps: true }\n";
const NEW = OLD.replace("Old", "New");

async function applied(): Promise<Place> {
  const place = await openPlace({});
  place.write(OLD);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  return place;
}

/** As a proposal is told; a job of its own takes the line out of the comment. */
async function proposed(place: Place, words = "plan", env: object = NOBODY): Promise<string> {
  const { stdout } = await place.run(`${words} --output markdown`, { env: { ...env } });
  const [, digest] = /^Digest of the changes: `([0-9a-f]{12}-[0-9a-f]{12})`$/m.exec(stdout) ?? [];
  if (digest === undefined) throw new Error(`no digest in:\n${stdout}`);
  return digest;
}

async function told(place: Place, digest: string, words = "plan --save plan.json") {
  const reviewing = (format: string) =>
    place.run(`${words} --output ${format}`, { env: { LINTEL_REVIEWED: digest } });
  const document: unknown = JSON.parse((await reviewing("json")).stdout);
  const { reviewed } = document as { readonly reviewed: boolean | null };
  const texts = await Promise.all(["text", "markdown", "html"].map(reviewing));
  expect(texts.map(({ exit }) => exit)).toEqual([0, 0, 0]);
  const [text = "", ...others] = texts.map(({ stdout }) =>
    /Th[a-z]* are (not )?the changes that were reviewed\..*?(?=$|\*\*|<)/m
      .exec(stdout)?.[0]
      ?.trim(),
  );
  expect(others).toEqual([text, text]);
  return { reviewed, text };
}

const SAME = { reviewed: true, text: "These are the changes that were reviewed." };
const other = (why: string) => ({ reviewed: false, text: expect.stringContaining(why) as string });
const WANTED = other("The files are the same");
const ELSE = other("The files have changed");

test.each([
  ["without credentials", "plan", NOBODY],
  ["with what was applied last alone", "plan --offline", {}],
  ["signed in", "plan", {}],
])("a proposal that was planned %s is recognised after its merge", async (_, words, env) => {
  const place = await applied();
  place.write(NEW);
  const digest = await proposed(place, words, env);
  expect(await told(place, digest)).toEqual(SAME);
  // Where it stands, and what is said of it, is not what it changes.
  place.write(`# Agreed on Monday.\n${NEW}`);
  expect(await told(place, digest)).toEqual(SAME);
  const { stdout } = await place.run("plan --load plan.json --output markdown");
  expect(stdout).toContain(digest);
});

test("what somebody changed by hand meanwhile was not reviewed, though the file wants the same", async () => {
  const place = await applied();
  place.write(NEW);
  const digest = await proposed(place);
  place.sandbox.change("self", { ...place.sandbox.settings(), blockBetaApps: false });
  expect(await told(place, digest)).toEqual(WANTED);
});

test("what another proposal changes was not reviewed with this one", async () => {
  const place = await applied();
  place.write(NEW);
  const digest = await proposed(place);
  place.write(NEW.replace(" }\n", ", aiAssistantsEnabled: false }\n"));
  expect(await told(place, digest)).toEqual(ELSE);
});

test("another value of the same setting was not reviewed", async () => {
  const place = await applied();
  place.write(NEW);
  const digest = await proposed(place);
  place.write(OLD.replace("Old", "Newer"));
  expect(await told(place, digest)).toEqual(ELSE);
});

test("what has been merged and applied for another portal meanwhile does not matter", async () => {
  const place = await openPlace({ portals: 1 });
  const write = (id: string, text: string) =>
    place.write(text, { name: `portals/${id}.yaml`, head: headFor(place, `, id: ${id}`) });
  for (const id of ["self", "portal-1"]) write(id, OLD);
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  write("self", NEW);
  const digest = await proposed(place, "plan portals");
  write("portal-1", NEW);
  expect(await told(place, digest, "plan portals")).toEqual(ELSE);
  expect(await place.run("apply portals/portal-1.yaml --yes")).toMatchObject({ exit: 0 });
  expect(await told(place, digest, "plan portals")).toEqual(SAME);
  expect(await told(place, digest, "plan portals/self.yaml")).toEqual(SAME);
});

test("a claim that is no digest fails nothing, stands in no report, and is not taken for one", async () => {
  const place = await applied();
  place.write(NEW);
  for (const claim of ["<b>$(touch${IFS}pwned)</b>", "-", "0".repeat(9999)]) {
    const env = { LINTEL_REVIEWED: claim };
    const { exit, stdout, stderr } = await place.run("plan --output markdown", { env });
    expect(exit).toBe(0);
    expect(stdout).toContain("These are not the changes that were reviewed.");
    expect(stdout + stderr).not.toContain(claim === "-" ? "pwned" : claim);
  }
});

test("nothing is said where nobody says what was reviewed, or nothing is to be changed", async () => {
  const place = await applied();
  const quiet = { env: { LINTEL_REVIEWED: "" } };
  const none = await place.run("plan --output json", { env: { LINTEL_REVIEWED: "0123" } });
  expect(JSON.parse(none.stdout)).toMatchObject({ changesDigest: null, reviewed: null });
  expect((await place.run("plan", { env: { LINTEL_REVIEWED: "0123" } })).stdout).not.toContain(
    "reviewed",
  );
  place.write(NEW);
  expect((await place.run("plan", quiet)).stdout).not.toContain("reviewed");
  const { stdout } = await place.run("plan --output json", quiet);
  expect(JSON.parse(stdout)).toMatchObject({ changesDigest: expect.any(String), reviewed: null });
});

test("what one portal of several changes is not all, where another one failed", async () => {
  const place = await applied();
  place.write(NEW);
  place.write("settings: { nothing: known }\n", { name: "broken.yaml" });
  const { stdout } = await place.run("plan portal.yaml broken.yaml --output json", {
    env: { LINTEL_REVIEWED: "0" },
  });
  expect(JSON.parse(stdout)).toMatchObject({ changesDigest: null, reviewed: null });
});
