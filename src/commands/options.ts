// The options that several commands have in common.
import type { Deployment } from "../../schemas/names.js";
import { GUARDS } from "../guard.js";
import type { Option } from "./command.js";

export const DEPLOYMENTS = ["enterprise", "hosted-online"] as const satisfies readonly Deployment[];

/** Options of every command that talks to a portal. */
export const NETWORK: Readonly<Record<string, Option>> = {
  "ca-file": { value: "FILE", meaning: "A private authority to trust, in PEM; LINTEL_CA_FILE." },
  cert: { value: "FILE", meaning: "A client certificate in PEM; LINTEL_CERT." },
  key: { value: "FILE", meaning: "The key of the client certificate, in PEM; LINTEL_KEY." },
  timeout: { value: "SECONDS", meaning: "How long one call may take; 60 when left out." },
  "connect-timeout": {
    value: "SECONDS",
    meaning: "How long a connection may take; 10 when left out.",
  },
  verbose: { meaning: "Show every request on standard error, without its secrets." },
};

/** Options of every command that goes through several portals. */
export const FLEET: Readonly<Record<string, Option>> = {
  concurrency: { value: "N", meaning: "How many portals at a time; 8 when left out." },
  ...NETWORK,
};

/** Options that a plan is made with. */
export const PLANNING: Readonly<Record<string, Option>> = {
  allow: {
    value: "GUARD",
    values: GUARDS,
    isRepeatable: true,
    hasNoDefault: true,
    meaning: "Open a guard for this plan; may be given several times.",
  },
  send: {
    value: "WHAT",
    values: ["known", "touched"],
    meaning: "Send every parameter that is known, or only those with a change, each whole.",
  },
};

export const LOCK_TIMEOUT: Option = {
  value: "SECONDS",
  meaning: "How long to wait for whoever holds the lock; 60 when left out.",
};

/** Options of every command that updates portals. */
export const UPDATING: Readonly<Record<string, Option>> = {
  "lock-timeout": LOCK_TIMEOUT,
  "no-wait": { meaning: "Where an earlier update may still arrive, fail instead of waiting." },
};
