// An address → the store of a backend that locks, without the adapter around it.
import { openHttp, type Http } from "../../src/http/http.js";
import type { Io } from "../../src/io.js";
import { stateKindOf } from "../../src/state-address/kinds.js";
import { httpBackend } from "../../src/state/http/backend.js";
import { postgresBackend } from "../../src/state/postgres/backend.js";
import { s3Backend } from "../../src/state/s3/backend.js";
import type { Backend, LockingStore, OwnState, Place, StoresAt } from "../../src/state/store.js";
import { PORTAL } from "./samples.js";

const BACKENDS: Readonly<Record<string, Backend>> = {
  postgres: postgresBackend,
  http: httpBackend,
  s3: s3Backend,
};

export interface Opening
  extends Partial<OwnState>, Partial<Pick<Place, "http" | "assertAllowed" | "from">> {
  readonly io: Io;
  readonly address: string;
}

export interface OpenedBackend {
  /** Another store at the same address, as another state of the same run has it. */
  readonly states: StoresAt;
  readonly store: LockingStore;
  readonly close: () => Promise<void>;
}

/** As a run opens it that may send credentials to every host. */
export function openLocking(opening: Opening): OpenedBackend {
  const { io, address, assertAllowed = () => {}, from = io.cwd } = opening;
  const { portal = PORTAL, file = "portal.yaml", notice } = opening;
  const backend = BACKENDS[stateKindOf(address) ?? ""];
  if (!backend) throw new Error(`no backend locks ${address}`);
  const own = opening.http ? undefined : openHttp(io, { assertAllowed });
  const http = (opening.http ?? own) as Http;
  const states = backend.open({ io, http, assertAllowed, address, from });
  const store = states.storeOf({ portal, file, notice });
  const close = async () => {
    await states.close();
    await own?.close();
  };
  return { states, store, close };
}
