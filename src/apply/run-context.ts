// What all portals of a run share: input and output, network, sign-ins, states, clock and options.
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
  /** The hosts that may receive credentials. */
  readonly allowlist: HostAllowlist;
  /** Whether portals are called. If not, only states are read. */
  readonly isOnline: boolean;
  readonly stores: Stores;
  readonly toolVersion: string;
  /** The moment whose settings apply, for all portals of the run, in milliseconds since 1970. */
  readonly atMs: number;
  /** Set if that moment is not the run's own. Such a plan cannot be applied. */
  readonly asOf?: number;
  /** The user for whom the run acts, if not the one from git or the pipeline. */
  readonly actor?: string | undefined;
  /** The number of portals at a time. */
  readonly concurrency: number;
  /** Whether a portal on hold is skipped instead of failing the run. */
  readonly skipsHeld?: boolean;
  /** The command line, which names the holder of a lock. */
  readonly command: string;
  /** Whether to send nothing to a portal that was applied from a commit that is not in the checkout. */
  readonly isForwardOnly?: boolean;
  readonly notice: (sentence: string) => void;
  readonly progress: Progress;
  /** Absent for commands that neither plan nor apply. */
  readonly policies?: PolicyChecks;
}
