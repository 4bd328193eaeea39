// --quiet: nothing but what is wrong, in the commands that talk to portals.
import { expect, onTestFinished, test } from "vitest";
import { lintel } from "../run/call.js";
import { folderOf } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";

async function place() {
  const sandbox = await openSandbox();
  const down =
    'targetVersion: "12.1"\nportal: { url: "http://127.0.0.1:1/portal/sharing/rest" }\nsignIn: { url: "http://127.0.0.1:1" }\n';
  const folder = folderOf({
    "up.yaml": fileFor(sandbox, "settings: { blockBetaApps: true }\n"),
    "down.yaml": down,
  });
  onTestFinished(() => folder.remove());
  return (...words: string[]) => lintel(words, { cwd: folder.path, env: keysOf(sandbox) });
}

test.each<[string, number]>([
  ["plan", 0],
  ["status", 2],
  ["apply --yes", 0],
  ["drift", 0],
])("%s says nothing where all is well, and ends with %i", async (words, status) => {
  const run = await place();
  const { exit, stdout } = await run(...words.split(" "), "up.yaml", "-q");
  expect({ exit, stdout }).toEqual({ exit: status, stdout: "" });
});

test.each(["plan", "status"])("%s says of two portals what is wrong with one", async (name) => {
  const run = await place();
  const { exit, stdout } = await run(name, "up.yaml", "down.yaml", "-q", "--timeout", "1");
  expect(exit).toBe(4);
  expect(stdout).toContain("[not-reachable]");
  expect(stdout).toContain("down");
  expect(stdout).not.toContain("blockBetaApps");
  expect(stdout).not.toContain("next");
});

/** Two portals that work, and a call without credentials. */
async function pair() {
  const sandboxes = [await openSandbox(), await openSandbox()];
  const files = sandboxes.map((each) => fileFor(each, "settings: { blockBetaApps: true }\n"));
  const folder = folderOf({ "one.yaml": files[0] ?? "", "two.yaml": files[1] ?? "" });
  onTestFinished(() => folder.remove());
  return (words: string) => lintel([...words.split(" "), "-q"], { cwd: folder.path });
}

test.each(["one.yaml", "one.yaml two.yaml"])(
  "plan says once why nothing of %s can be applied",
  async (files) => {
    const run = await pair();
    const { exit, stdout } = await run(`plan ${files}`);
    expect(exit).toBe(0);
    expect(stdout.match(/This plan cannot be applied/g)).toHaveLength(1);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "This plan cannot be applied. Lintel did not sign in, and saw only a part of the settings.",
    );
    expect(stdout.replace(/\s+/g, " ")).toContain('"LINTEL_BEID" is not set');
    expect(stdout).toContain("export LINTEL_BEID=");
    expect(stdout).not.toContain("blockBetaApps");
  },
);

test("plan says nothing of a plan that cannot be applied", async () => {
  const run = await pair();
  const { exit, stdout, stderr } = await run("plan one.yaml --offline");
  expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: "", stderr: "" });
});

test.each([
  ["plan", 0, "stderr"],
  ["apply --yes", 4, "stdout"],
] as const)("%s says once that no hosts are allowed", async (words, exit, stream) => {
  const fileAt = (url: string) =>
    `targetVersion: "12.1"\nportal: { url: "${url}/portal/sharing/rest" }\nsignIn: { url: "${url}" }\nsettings: { blockBetaApps: true }\n`;
  const folder = folderOf({
    "one.yaml": fileAt("https://one.example.com"),
    "two.yaml": fileAt("https://two.example.com"),
  });
  onTestFinished(() => folder.remove());
  const env = { LINTEL_BEID: "b", LINTEL_WEB_SERVICES_KEY: "k", LINTEL_ALLOWED_HOSTS: undefined };
  const call = [...words.split(" "), "one.yaml", "two.yaml", "-q"];
  const ran = await lintel(call, { cwd: folder.path, env });
  expect(ran.exit).toBe(exit);
  const told = ran.stdout + ran.stderr;
  expect(told).toBe(ran[stream]);
  expect(told.match(/Credentials may not go to/g)).toHaveLength(1);
  expect(told).toContain("export LINTEL_ALLOWED_HOSTS=one.example.com,two.example.com\n");
});
