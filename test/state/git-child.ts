// A process of its own that replaces states on a branch again and again; it can stop itself between read and write.
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openGitStates } from "../../src/state/git-store.js";
import { identityOf } from "../../src/state/key.js";
import { StateConflict } from "../../src/state/state-store.js";
import { emptyState, settle } from "../../src/state/steps.js";
import { LINEAGE, SETTLEMENT } from "./samples.js";
import { processIo } from "./stores.js";

export interface Errand {
  readonly address: string;
  readonly from: string;
  readonly env: Readonly<Record<string, string>>;
  /** The portal's id. */
  readonly id: string;
  /** How many of its writes must succeed; conflicts are read and written again. */
  readonly writes: number;
  /** Gets the number of its process. */
  readonly pidFile?: string;
  /** Stops itself after the read, until SIGCONT. */
  readonly isStopped?: boolean;
}

const errand = JSON.parse(process.argv[2] ?? "") as Errand;
const io = processIo({ env: errand.env, cwd: errand.from });

async function main(): Promise<void> {
  const { address, from, id, pidFile, isStopped = false } = errand;
  if (pidFile !== undefined) writeFileSync(pidFile, String(process.pid));
  const portal = identityOf("https://gis.example.com/portal/sharing/rest", id);
  const states = openGitStates({ io, address, from });
  const store = states.storeOf({ portal, file: "portal.yaml" });
  let [written, conflicts] = [0, 0];
  while (written < errand.writes) {
    const { state = emptyState(LINEAGE, portal), version } = await store.read();
    if (isStopped) {
      process.kill(process.pid, "SIGSTOP");
      // The signal may be handled after the call has returned.
      await sleep(50);
    }
    try {
      await store.write(settle(state, SETTLEMENT), version);
      written++;
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
      conflicts++;
      if (isStopped) break;
    }
  }
  await states.close();
  process.stdout.write(JSON.stringify({ written, conflicts }));
}

void main();
