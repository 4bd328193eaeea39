// The options that several commands have in common.
import type { Deployment } from "../../schemas/names.js";
import { catalog, SETTING_PATHS } from "../catalog/catalog.js";
import { GUARDS } from "../guard.js";
import { CALL_TIMEOUT_S, CONNECT_TIMEOUT_S } from "../http/http.js";
import { DUES } from "../plan/inputs.js";
import type { Option, Options } from "./command.js";

export const DEPLOYMENT = {
  value: "NAME",
  values: ["enterprise", "hosted-online"] satisfies Deployment[],
  description: "What the portal is.",
} as const satisfies Option;

/** For commands whose report may have nothing to say; other reports than text are what was asked for. */
export const QUIET = {
  quiet: { alias: "q", description: "Print nothing where there is no problem." },
} as const satisfies Options;

/** For commands that answer at an address of this machine. */
export const PORT = {
  port: {
    value: "PORT",
    number: { least: 0, most: 65_535, isWhole: true, example: 8080 },
    default: 0,
    description: "The port to listen on; 0 for any free one.",
  },
} as const satisfies Options;

export const TARGET = {
  target: {
    value: "VERSION",
    offers: catalog.versions,
    description: "The portal's version; the newest known when left out.",
  },
} as const satisfies Options;

export const YES = {
  yes: { alias: ["y", "auto-approve"], description: "Do not ask." },
} as const satisfies Options;

/** Options of every command that talks to a portal. */
export const NETWORK = {
  "ca-file": {
    value: "FILE",
    description: "A private authority to trust, in PEM; LINTEL_CA_FILE.",
  },
  cert: { value: "FILE", description: "A client certificate in PEM; LINTEL_CERT." },
  key: { value: "FILE", description: "The key of the client certificate, in PEM; LINTEL_KEY." },
  timeout: {
    value: "SECONDS",
    number: { least: 0.1, most: 3600 },
    default: CALL_TIMEOUT_S,
    description: "How long one call may take.",
  },
  "connect-timeout": {
    value: "SECONDS",
    number: { least: 0.1, most: 3600 },
    default: CONNECT_TIMEOUT_S,
    description: "How long a connection may take.",
  },
  verbose: { description: "Show every request on standard error, without its secrets." },
  ...QUIET,
} as const satisfies Options;

/** Options of every command that goes through several portals. */
export const FLEET = {
  only: {
    value: "GLOB",
    isList: true,
    description: "Only portals of such a name, like 'north-*'; may be given several times.",
  },
  shard: {
    value: "I/N",
    description: "The portals of the I-th of N shares, such as 2/8, for a pipeline's matrix.",
  },
  concurrency: {
    value: "N",
    number: { least: 1, most: 256, isWhole: true },
    default: 8,
    description: "How many portals at a time.",
  },
  ...NETWORK,
} as const satisfies Options;

/** For commands that look at settings or change them. */
export const PICKING = {
  path: {
    value: "PATH",
    offers: SETTING_PATHS,
    isList: true,
    description: "Only this setting, or all below it; may be given several times.",
  },
} as const satisfies Options;

/** For commands that look at what a file wants, which a schedule makes depend on the time. */
export const AS_OF = {
  at: {
    value: "TIME",
    description: "As of this time, such as 2026-12-05T18:00, or as of 4h from now.",
  },
} as const satisfies Options;

/** For commands that a clock calls: nobody looks at what they do. */
export const BY_CLOCK = {
  due: {
    value: "WHAT[,WHAT]",
    values: DUES,
    isList: true,
    description: "Only what comes by itself: windows; changes by hand, where the file restores.",
  },
} as const satisfies Options;

/** Options that a plan is made with. */
export const PLANNING = {
  allow: {
    value: "GUARD[,GUARD…]",
    values: GUARDS,
    isList: true,
    description: "Open guards for this plan; may be given several times.",
  },
  send: {
    value: "WHAT",
    values: ["known", "touched"],
    default: "known",
    description: "Send every parameter that is known, or only those with a change, each whole.",
  },
} as const satisfies Options;

/** For commands that judge what files want. */
export const POLICY = {
  policy: {
    value: "PATH",
    isList: true,
    description: "Policies to keep, a file or a folder; may be given several times; LINTEL_POLICY.",
  },
} as const satisfies Options;

export const LOCKING = {
  "lock-timeout": {
    value: "SECONDS",
    number: { least: 0, most: 86_400 },
    // As long as a holder that died elsewhere must be silent, and then as long again.
    default: 60,
    description: "How long to wait for whoever holds the lock.",
  },
  "no-lock": {
    description: "Lock nobody out, where an HTTP server that keeps the state cannot.",
  },
} as const satisfies Options;

/** Options of every command that updates portals. */
export const UPDATING = {
  ...YES,
  ...LOCKING,
  "no-wait": { description: "Where an earlier update may still arrive, fail instead of waiting." },
} as const satisfies Options;
