// Commands whose states are in a bucket: what they end with, what they tell, and how many connections many portals share.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { KEYS, startS3Server, type S3ServerOptions } from "../state/s3-server.js";
import type { Environment } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";
import { call } from "./call.js";

const PORTALS = 60;
const settings = (isBlocked: boolean) => `settings: { blockBetaApps: ${isBlocked} }\n`;

async function openPlace(options: S3ServerOptions = {}) {
  const sandbox = await openSandbox({ portals: PORTALS });
  const server = await startS3Server(options);
  onTestFinished(() => server.close());
  const folder = mkdtempSync(join(tmpdir(), "lintel-bucket-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const line = `state: ${server.address}\n`;
  const run = (words: string, env: Environment = {}) =>
    call(words.split(" "), { cwd: folder, env: { ...keysOf(sandbox), ...KEYS, ...env } });
  return { sandbox, server, line, write, run };
}

test("applies, rolls back, unholds and releases as with a folder", async () => {
  const { run, server, sandbox, write, line } = await openPlace();
  write("portal.yaml", fileFor(sandbox, line + settings(true)));
  expect(await run("apply --yes")).toMatchObject({ exit: 0 });
  expect(sandbox.settings()).toMatchObject({ blockBetaApps: true });
  write("portal.yaml", fileFor(sandbox, line + settings(false)));
  expect(await run("apply --yes")).toMatchObject({ exit: 0 });
  expect(await run("rollback --yes")).toMatchObject({ exit: 0 });
  expect(await run("apply --yes")).toMatchObject({ exit: 7 });
  expect(await run("unhold")).toMatchObject({ exit: 0 });
  expect(await run("state rm portal.yaml blockBetaApps")).toMatchObject({ exit: 0 });
  const before = server.received.length;
  for (const words of ["plan", "status", "state show", "history", "doctor"]) {
    const exit = words === "status" ? 2 : 0;
    expect(await run(words)).toMatchObject({ exit });
  }
  const asked = new Set(server.received.slice(before).map(({ method }) => method));
  expect(asked).toEqual(new Set(["GET"]));
  expect(await run("state unlock --yes")).toMatchObject({
    stdout: "There is nothing to unlock.\n",
  });
  expect([...server.objects.keys()].map((name) => name.replace(/_\d+/, ""))).toEqual([
    "gis/lintel/.lintel-conditions",
    "gis/lintel/127.0.0.1-portal-self.json",
  ]);
});

test("explains a store without conditions, missing keys and an unlisted host", async () => {
  const { run, server, sandbox, write, line } = await openPlace({ ignores: ["if-none-match"] });
  write("portal.yaml", fileFor(sandbox, line + settings(true)));
  const refused = await run("apply --yes");
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.stdout + refused.stderr).toContain("the store ignores If-None-Match");
  expect(sandbox.settings()).not.toMatchObject({ blockBetaApps: true });
  const keyless = await run("apply --yes", { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" });
  expect(keyless).toMatchObject({ exit: 4 });
  expect(keyless.stdout + keyless.stderr).toContain("Set AWS_ACCESS_KEY_ID");
  const before = server.received.length;
  const port = new URL(sandbox.url).port;
  const signIn = new URL(sandbox.signInUrl).port;
  const list = `http://127.0.0.1:${port},http://127.0.0.1:${signIn}`;
  const unlisted = await run("apply --yes", { CI: "true", LINTEL_ALLOWED_HOSTS: list });
  expect(unlisted).toMatchObject({ exit: 4 });
  expect(unlisted.stdout + unlisted.stderr).toContain(new URL(server.url).host);
  expect(server.received.length).toBe(before);
});

test(`${PORTALS} portals share the connections to one bucket`, async () => {
  const { run, server, sandbox, write, line } = await openPlace();
  const names = Array.from({ length: PORTALS }, (_, at) => `portal-${at + 1}`);
  for (const name of names) {
    const file = fileFor(sandbox, line + settings(true));
    write(`${name}.yaml`, file.replace(" }\n", `, id: ${name} }\n`));
  }
  const done = await run(
    `apply ${names.map((name) => `${name}.yaml`).join(" ")} --yes --concurrency 8`,
  );
  expect(done).toMatchObject({ exit: 0 });
  expect([...server.objects.keys()].filter((name) => name.endsWith(".json"))).toHaveLength(PORTALS);
  // One or two for each portal that is under way, and not for each portal.
  expect(server.connections()).toBeLessThanOrEqual(2 * 8);
});
