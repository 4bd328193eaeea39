// Reads the state of a portal for the dashboard. Requests for the same portal share one read.
import {
  resolveFile,
  resolvePortal,
  storeOf,
  type PortalContext,
} from "../../apply/portal-context.js";
import type { RunContext } from "../../apply/run-context.js";
import { checkFile } from "../../document/check/check-file.js";
import { desiredOf } from "../../document/read/desired.js";
import { caught } from "../../failure.js";
import type { Io } from "../../io.js";
import { readerOf } from "../../state/state-store.js";
import type { RunSessions } from "../run-sessions.js";
import type { Remember, Remembered } from "./source.js";

type Resolved = Pick<PortalContext, "desired" | "identity" | "stateAddress">;

export function openStateReader(io: Io, sessions: Pick<RunSessions, "within">): Remember {
  /** Each portal as resolved when its file had no error, so that its history stays readable. */
  const known = new Map<string, Resolved>();
  return async ({ file, key }) => {
    try {
      return await sessions.within(async (contextAt) => {
        const run = { ...contextAt(io.now()), isOnline: false };
        const { value, failure } = await resolveFile(run, file, resolvePortal);
        if (value) known.set(key, value);
        const portal = value ?? known.get(key) ?? (await resolveInvalid(file, run));
        if (!portal) return failure ? { failure } : {};
        const { desired, identity, stateAddress } = portal;
        const store = readerOf(storeOf({ desired, identity, stateAddress }, run));
        return { state: (await store.read()).state };
      });
    } catch (error) {
      return { failure: caught(error, io) };
    }
  };
}

/** A file with errors may still name the place of its state. */
async function resolveInvalid(file: string, run: RunContext): Promise<Resolved | undefined> {
  const { root, paths } = await checkFile(file, run.io);
  try {
    return root && resolvePortal(desiredOf(file, root, paths), run);
  } catch {
    return undefined;
  }
}

/** Pages of one portal that update at once share one read of its state. */
export function shareReads(remember: Remember): Remember {
  const underWay = new Map<string, Promise<Remembered>>();
  return (seen) => {
    const { key } = seen;
    const reading = underWay.get(key) ?? remember(seen).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}
