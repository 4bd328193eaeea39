// What outlives a sandbox that keeps its data in a folder.
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/sandbox.js";
import { sandbox } from "./drive.js";

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "sandbox-"));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

test("settings, accounts, credentials and tokens survive a restart", async () => {
  const dataDir = await folder();
  const first = await startSandbox({ dataDir, portals: 1 });
  first.change("portal-1", { blockBetaApps: true });
  first.addAccount({ username: "ada", password: "secret", role: "member" });
  first.setActive("ada", false);
  await first.close();

  const s = await sandbox({ dataDir, portals: 1 });
  const { beid, webServicesKey, username, password, clientId, clientSecret } = first;
  expect(s).toMatchObject({ beid, webServicesKey, username, password, clientId, clientSecret });
  expect(s.settings("portal-1")).toEqual({ blockBetaApps: true });
  const headers = { authorization: `Bearer ${await s.token()}` };
  await s.update({ aiAssistantsEnabled: true });
  await s.close();

  const third = await sandbox({ dataDir });
  expect(await third.read({ headers })).toHaveProperty("aiAssistantsEnabled", true);
  third.setActive("ada", true);
});

test("an update that succeeded is in the file before its answer is sent", async () => {
  const dataDir = await folder();
  const s = await sandbox({ dataDir });
  await s.update({ blockBetaApps: true });
  // A second sandbox on the folder reads what a crash at this moment would leave.
  expect((await sandbox({ dataDir })).settings()).toEqual({ blockBetaApps: true });
});

test("the file is for its owner alone, and no draft stays behind", async () => {
  const dataDir = join(await folder(), "new");
  await sandbox({ dataDir });
  expect(await readdir(dataDir)).toEqual(["sandbox.json"]);
  expect((await stat(join(dataDir, "sandbox.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test.each(["", "{", "[]", '{"format":2}', '{"format":1}'])(
  "a file that holds %j is refused and left as it is",
  async (text) => {
    const dataDir = await folder();
    await writeFile(join(dataDir, "sandbox.json"), text);
    await expect(startSandbox({ dataDir })).rejects.toMatchObject({ code: "wrong-usage" });
    expect((await stat(join(dataDir, "sandbox.json"))).size).toBe(text.length);
  },
);

test("a folder that cannot be written is a failure with its name", async () => {
  const file = join(await folder(), "file");
  await writeFile(file, "");
  await expect(startSandbox({ dataDir: join(file, "in") })).rejects.toThrow("file");
});

test("without a folder nothing is shared between two sandboxes", async () => {
  const [one, other] = [await sandbox(), await sandbox()];
  expect(one.beid).not.toBe(other.beid);
  expect(one.webServicesKey).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
