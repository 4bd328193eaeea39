// What all portals of a run share: the outside world, the network, the sign-ins, the states, the clock and the options.
import type { Http } from "../http/http.js";
import type { HostAllowlist } from "../http/host-allowlist.js";
import type { Io } from "../io.js";
import type { Progress } from "../progress.js";
import type { SignIns } from "../session/sign-ins.js";
import type { Stores } from "../state/open.js";
import type { PolicyChecks } from "./policy-checks.js";

export interface RunContext {
  readonly io: Io;
  readonly http: Http;
  readonly signIns: SignIns;
  /** Where credentials may go. */
  readonly allowlist: HostAllowlist;
  /** Whether portals are called. Otherwise only the states are read. */
  readonly isOnline: boolean;
  readonly stores: Stores;
  readonly toolVersion: string;
  /** The moment whose settings are wanted, for all portals of the run, in milliseconds since 1970. */
  readonly atMs: number;
  /** Set where that moment is not the run's own. Such a plan cannot be applied. */
  readonly asOf?: number;
  /** The user for whom the run acts, where it is not the one of git or the pipeline. */
  readonly actor?: string | undefined;
  /** How many portals at a time. */
  readonly concurrency: number;
  /** Whether a hold skips its portal rather than failing the run. */
  readonly skipsHeld?: boolean;
  /** The command as it was called, to name the holder of a lock. */
  readonly command: string;
  /** Whether nothing is sent to a portal whose state was applied from a commit that the checkout does not contain. */
  readonly isForwardOnly?: boolean;
  readonly notice: (sentence: string) => void;
  readonly progress: Progress;
  /** Absent for commands that neither plan nor apply. */
  readonly policies?: PolicyChecks;
}
