// A process of its own that locks, reads, writes and unlocks at a backend that locks.
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../src/failure.js";
import { identityOf } from "../../src/state/key.js";
import { emptyState, settle } from "../../src/state/steps.js";
import { holderOn } from "../../src/state/store.js";
import { openLocking } from "./locking.js";
import { LINEAGE, SETTLEMENT } from "./samples.js";
import { processIo } from "./stores.js";

export interface Errand {
  readonly address: string;
  readonly portalUrl: string;
  /** How often it locks, reads, writes and unlocks. */
  readonly rounds: number;
  /** The folder of its file. */
  readonly from?: string | undefined;
  /** The variables of its run; none, when left out. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A file that exists only while a process holds the lock. */
  readonly marker?: string;
  /** Says "locked" and keeps the lock until it is killed. */
  readonly stays?: true;
}

const errand = JSON.parse(process.argv[2] ?? "") as Errand;

main().catch((error: unknown) => {
  if (!(error instanceof Failure)) throw error;
  process.stdout.write(`failed ${error.code}\n`);
  process.exit();
});

async function main(): Promise<void> {
  const { address, marker, rounds, stays, env = {}, from = "/" } = errand;
  const portal = identityOf(errand.portalUrl, "self");
  const io = processIo({ env, cwd: from });
  for (let round = 0; round < rounds; round++) {
    const { store, close } = openLocking({ io, address, portal });
    const run = String(process.pid);
    const since = new Date().toISOString();
    const holder = holderOn(io.machine, { id: randomUUID(), who: "child", run, since });
    await store.lock(holder, { timeoutMs: 60_000 });
    // Fails if another holder has made it.
    if (marker !== undefined) closeSync(openSync(marker, "wx"));
    if (stays) {
      process.stdout.write("locked\n");
      setInterval(() => {}, 1000);
      return;
    }
    const state = (await store.read()) ?? emptyState(LINEAGE, portal);
    const next = settle(state, SETTLEMENT);
    await store.write(next, state.serial);
    if (marker !== undefined) rmSync(marker);
    await store.unlock(holder);
    await close();
    process.stdout.write(`${next.serial}\n`);
    // Whoever comes back at once leaves no room for those who wait between two looks.
    await sleep(Math.random() * 30);
  }
}
