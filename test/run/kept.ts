// Prepares a kind of place for states for a lane: emptied before each kill, restored, read, and found unlocked.
import { openHttp } from "../../src/http/http.js";
import type { Io } from "../../src/io.js";
import { parseState, printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { openStores } from "../../src/state/open.js";
import type { StateStore } from "../../src/state/state-store.js";
import { makeRun } from "../support/network.js";
import type { Environment } from "../support/run.js";
import type { Command } from "./stories.js";

/** Where runs that are killed keep their states; nothing but a place that is empty is asked of it. */
export interface Keeping {
  readonly name: string;
  /** What a person does about the lock of a run that was killed; nothing, where it ends by itself. */
  readonly byHand: readonly Command[];
  /** An address at which there is nothing yet, and what else leads there; `folder` is that of the desired-state file. */
  fresh(
    folder: string,
  ): Promise<{ readonly address: string; readonly env?: Readonly<Record<string, string>> }>;
}

export interface Kept {
  readonly keeping: Keeping;
  /** For the commands of the lane, whose file says `state: ${env:LINTEL_VAR_STATE}`. */
  env(): Environment;
  /** A state as it stood, or none, at a new place. */
  put(text: string | undefined): Promise<void>;
  /** Undefined where none was ever written. */
  read(): Promise<string | undefined>;
  /** Whether somebody who does not wait gets the lock. */
  isFree(): Promise<boolean>;
}

export const STATE_LINE = "state: ${env:LINTEL_VAR_STATE}\n";

export function keepIn(keeping: Keeping, lane: { url: string; folder: string }): Kept {
  const portal = identityOf(lane.url, "self");
  let env: Environment = {};

  /** As a process of its own would: nothing that was seen before is remembered. */
  async function withStore<T>(work: (store: StateStore) => Promise<T>): Promise<T> {
    const io: Io = { ...makeRun().io, env, cwd: lane.folder };
    const assertAllowed = () => {};
    const stores = openStores({ io, http: openHttp(io, { assertAllowed }), assertAllowed });
    const address = env["LINTEL_VAR_STATE"] ?? "";
    try {
      return await work(stores.open({ address, file: "portal.yaml", portal }));
    } finally {
      await stores.close();
    }
  }

  return {
    keeping,
    env: () => env,
    async put(text) {
      const place = await keeping.fresh(lane.folder);
      env = { ...place.env, LINTEL_VAR_STATE: place.address };
      if (text === undefined) return;
      const state = parseState(text, { place: "standing", portal });
      await withStore((store) => store.write(state, undefined));
    },
    async read() {
      const { state } = await withStore((store) => store.read());
      return state && printState(state);
    },
    async isFree() {
      try {
        await withStore((store) => store.probe());
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code === "state-locked") return false;
        throw error;
      }
    },
  };
}
