// Terraform and OpenTofu, if installed: their locks and Lintel's exclude each other, and they read Lintel's states.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { httpPlace } from "./http-place.js";
import { newFolder } from "./programs.js";
import { stateAfter } from "./samples.js";
import { startStateServer } from "./state-server.js";
import { openStateAt } from "./stores.js";

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

  const storeAt = (address: string) => {
    const opened = openStateAt(address);
    onTestFinished(() => opened.close());
    return opened.store;
  };

  test.runIf(isThere)(
    `does not get in while Lintel writes, and shows its id; what it wrote stays${note}`,
    async () => {
      const { place, run } = await open(backend);
      let shown = { exit: 0 as number | null, said: "" };
      let isAsked = false;
      // In the middle of a write, the server lets Terraform ask first.
      place.server.pauseAt("POST", async () => {
        if (isAsked) return;
        isAsked = true;
        shown = await (await run("apply", "-auto-approve", "-input=false")).ended;
      });
      await storeAt(place.address).write(stateAfter(1), undefined);
      expect(shown.exit).toBe(1);
      expect(shown.said).toContain("Error acquiring the state lock");
      expect(shown.said).toMatch(/ID=6c696e74-656c-4/);
      place.server.pauseAt("POST", undefined);
      place.server.forget();
      const second = await (await run("apply", "-auto-approve", "-input=false")).ended;
      expect(second).toMatchObject({ exit: 0 });
      const before = place.stored();
      const write = storeAt(place.address).write(stateAfter(1), undefined);
      await expect(write).rejects.toMatchObject({ code: "state-not-ours" });
      expect(place.stored()).toBe(before);
    },
  );

  test.runIf(isThere)(`holds its own lock against Lintel, which waits${note}`, async () => {
    const { place, run } = await open(backend);
    const { child, ended } = await run("apply");
    // It waits for a yes, and holds its lock meanwhile.
    while (!place.server.lockOf(place.path) && child.exitCode === null) await sleep(20);
    const store = storeAt(place.address);
    expect(await store.unlock?.()).toEqual({ heldBy: expect.stringContaining("@") as string });
    const write = store.write(stateAfter(1), undefined);
    await sleep(500);
    expect(place.stored()).toBeUndefined();
    child.stdin.end("no\n");
    await ended;
    await write;
    expect((await store.read()).state).toEqual(stateAfter(1));
  });

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
    await storeAt(place.address).write(stateAfter(2), undefined);
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
