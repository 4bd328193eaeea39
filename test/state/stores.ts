// State stores as a separate run opens them, with the clock and the machine of this process.
import { setTimeout as sleep } from "node:timers/promises";
import { openHttp } from "../../src/http/http.js";
import { readMachine, type Io } from "../../src/io.js";
import { UTC } from "../../src/lib/text.js";
import type { PortalIdentity } from "../../src/state/key.js";
import { openStores } from "../../src/state/open.js";
import type { StateStore } from "../../src/state/state-store.js";
import { PORTAL } from "./samples.js";

const silent = { write: () => {}, isTerminal: false };

/** Of a real process: its clock, its machine, and nothing to read or to print to. */
export function processIo(given: Partial<Pick<Io, "env" | "cwd">> = {}): Io {
  return {
    env: {},
    cwd: "/",
    stdin: {
      read: () => Promise.resolve(new Uint8Array()),
      ask: () => Promise.resolve(undefined),
      askUnseen: () => Promise.resolve(undefined),
      isTerminal: false,
    },
    stdout: silent,
    stderr: silent,
    now: () => Date.now(),
    zone: UTC,
    random: () => Math.random(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: new AbortController().signal,
    machine: readMachine(process),
    ...given,
  };
}

export interface OpenedState {
  readonly store: StateStore;
  close(): Promise<void>;
}

/** As another process would open it. */
export function openStateAt(
  address: string,
  {
    io = processIo(),
    portal = PORTAL,
  }: { readonly io?: Io; readonly portal?: PortalIdentity } = {},
): OpenedState {
  const assertAllowed = () => {};
  const stores = openStores({ io, http: openHttp(io, { assertAllowed }), assertAllowed });
  const store = stores.open({ address, file: "portal.yaml", portal });
  return { store, close: () => stores.close() };
}
