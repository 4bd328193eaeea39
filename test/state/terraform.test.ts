// Terraform and OpenTofu themselves, where they are installed: their locks and Lintel's exclude each other, and they read what Lintel wrote.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { httpPlace } from "./http-place.js";
import { machine } from "./places.js";
import { newFolder } from "./programs.js";
import { holderFor, stateAfter } from "./samples.js";
import { startStateServer } from "./state-server.js";

const ENV = { PATH: process.env["PATH"] ?? "", CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };

describe.each(["terraform", "tofu"])("%s", (program) => {
  const version = spawnSync(program, ["version", "-json"], { env: ENV, encoding: "utf8" });
  const isThere = version.status === 0;
  const note = isThere ? "" : ` (skipped: there is no ${program} here)`;

  async function open(files: (address: string) => string) {
    const server = await startStateServer();
    onTestFinished(() => server.close());
    const place = httpPlace(server);
    const folder = newFolder();
    writeFileSync(join(folder, "main.tf"), files(place.address));
    const env = { ...ENV, HOME: folder };
    const run = async (...words: string[]) => {
      const child = spawn(program, [...words, "-no-color"], { cwd: folder, env });
      return { child, ended: endOf(child) };
    };
    const init = await (await run("init", "-input=false")).ended;
    expect(init.said).toContain("initialized");
    return { place, run };
  }

  const backend = (address: string) => `
terraform {
  backend "http" {
    address        = "${address}"
    lock_address   = "${address}"
    unlock_address = "${address}"
  }
}
resource "terraform_data" "one" { input = "one" }
`;

  test.runIf(isThere)(
    `does not get in while Lintel holds the lock, and shows its id${note}`,
    async () => {
      const { place, run } = await open(backend);
      const store = place.open();
      const holder = { ...holderFor(machine), plan: "ab12" };
      await store.lock(holder);
      const { exit, said } = await (await run("apply", "-auto-approve", "-input=false")).ended;
      expect(exit).toBe(1);
      expect(said).toContain("Error acquiring the state lock");
      // Of the holder it shows the id; the rest of what it shows is about itself.
      expect(said).toContain(`ID=${holder.id}`);
      await store.unlock(holder);
      const second = await (await run("apply", "-auto-approve", "-input=false")).ended;
      expect(second).toMatchObject({ exit: 0 });
      // What it wrote is its own, and stays.
      const mine = holderFor(machine);
      await store.lock(mine);
      const before = place.stored();
      await expect(store.write(stateAfter(1), 0)).rejects.toMatchObject({ code: "state-not-ours" });
      await store.unlock(mine);
      expect(place.stored()).toBe(before);
    },
  );

  test.runIf(isThere)(
    `holds its own lock against Lintel, which tells whose it is${note}`,
    async () => {
      const { place, run } = await open(backend);
      const { child, ended } = await run("apply");
      // It waits for a yes, and holds its lock meanwhile.
      while (!place.server.lockOf(place.path) && child.exitCode === null) await sleep(20);
      const store = place.open();
      await expect(store.lock(holderFor(machine))).rejects.toMatchObject({
        code: "state-locked",
        message: expect.stringMatching(
          /in "Terraform or OpenTofu \d.*, OperationTypeApply"/,
        ) as string,
      });
      child.stdin.end("no\n");
      await ended;
      const holder = holderFor(machine);
      await store.lock(holder, { timeoutMs: 10_000 });
      await store.unlock(holder);
    },
  );

  test.runIf(isThere)(`reads what Lintel wrote${note}`, async () => {
    const { place, run } = await open(
      (address) => `
data "terraform_remote_state" "portal" {
  backend = "http"
  config  = { address = "${address}" }
}
output "document" {
  value     = data.terraform_remote_state.portal.outputs.portal_settings
  sensitive = true
}
`,
    );
    const store = place.open();
    const holder = holderFor(machine);
    await store.lock(holder);
    await store.write(stateAfter(2), 0);
    await store.unlock(holder);
    const applied = await (await run("apply", "-auto-approve", "-input=false")).ended;
    expect(applied).toMatchObject({ exit: 0 });
    const { said } = await (await run("output", "-json")).ended;
    const { document } = JSON.parse(said) as { document: { value: string } };
    const { serial, lineage } = stateAfter(2);
    expect(JSON.parse(document.value)).toMatchObject({ serial, lineage });
  });

  test.skipIf(isThere)(`is not asked${note}`, () => {});
});

function endOf(child: ReturnType<typeof spawn>): Promise<{ exit: number | null; said: string }> {
  let said = "";
  for (const each of [child.stdout, child.stderr]) {
    each?.setEncoding("utf8").on("data", (part: string) => (said += part));
  }
  return new Promise((done, fail) => {
    child.on("error", fail).on("close", (exit) => done({ exit, said }));
  });
}
