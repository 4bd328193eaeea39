// The options that several commands have in common.
import type { Deployment } from "../../schemas/names.js";
import { catalog, SETTING_PATHS } from "../catalog/catalog.js";
import { GUARDS } from "../guard.js";
import { CALL_TIMEOUT_S } from "../http/http.js";
import { DUES } from "../plan/inputs.js";
import type { Option, Options } from "./command.js";

export const DEPLOYMENT = {
  value: "NAME",
  values: ["enterprise", "hosted-online"] satisfies Deployment[],
  description: "Portal type.",
} as const satisfies Option;

/** For commands whose text report may be empty. */
export const QUIET = {
  quiet: { alias: "q", description: "Print problems only." },
} as const satisfies Options;

/** For commands that answer at an address of this machine. */
export const PORT = {
  port: {
    value: "PORT",
    number: { least: 0, most: 65_535, isWhole: true, example: 8080 },
    default: 0,
    description: "Listening port, 0 for a free one.",
  },
} as const satisfies Options;

export const TARGET = {
  target: {
    value: "VERSION",
    offers: catalog.versions,
    description: "Portal version, by default the newest known.",
  },
} as const satisfies Options;

export const YES = {
  yes: { alias: ["y", "auto-approve"], description: "Skip the confirmation." },
} as const satisfies Options;

/** Options of every command that sends requests. */
export const NETWORK = {
  "ca-file": {
    value: "FILE",
    variable: "LINTEL_CA_FILE",
    describedIn: "network",
    description: "Private CA to trust (PEM).",
  },
  cert: {
    value: "FILE",
    variable: "LINTEL_CERT",
    describedIn: "network",
    description: "Client certificate (PEM).",
  },
  key: {
    value: "FILE",
    variable: "LINTEL_KEY",
    describedIn: "network",
    description: "Private key of the client certificate (PEM).",
  },
  timeout: {
    value: "SECONDS",
    number: { least: 0.1, most: 3600 },
    default: CALL_TIMEOUT_S,
    describedIn: "network",
    description: "Timeout of a request.",
  },
  verbose: {
    describedIn: "network",
    description: "Log requests to standard error, without secrets.",
  },
  ...QUIET,
} as const satisfies Options;

/** Options of every command that goes through several portals. */
export const FLEET = {
  only: {
    value: "GLOB",
    isList: true,
    description: "Only portals with a matching name.",
  },
  concurrency: {
    value: "N",
    number: { least: 1, most: 256, isWhole: true },
    default: 8,
    description: "Portals to process in parallel.",
  },
  ...NETWORK,
} as const satisfies Options;

/** For commands that show or change settings. */
export const PICKING = {
  path: {
    value: "SETTING",
    offers: SETTING_PATHS,
    isList: true,
    description: "Only this setting or group of settings.",
  },
} as const satisfies Options;

/** For commands that show what a file sets, which depends on the time where it has a schedule. */
export const AS_OF = {
  at: {
    value: "TIME",
    description: "Evaluate schedules at this time. Default: now.",
  },
} as const satisfies Options;

/** For commands that a clock calls. */
export const BY_CLOCK = {
  due: {
    value: "WHAT[,WHAT]",
    values: DUES,
    isList: true,
    description: "Include only changes with these causes.",
  },
} as const satisfies Options;

/** For commands that holds stop. */
export const HOLDS = {
  "skip-held": { description: "Skip portals on hold instead of failing." },
} as const satisfies Options;

/** Options that a plan is made with. */
export const PLANNING = {
  allow: {
    value: "GUARD[,GUARD…]",
    values: GUARDS,
    isList: true,
    valuesIn: "guards",
    description: "Allow changes that these guards block.",
  },
} as const satisfies Options;

/** For commands that check what files set. */
export const POLICY = {
  policy: {
    value: "PATH",
    isList: true,
    variable: "LINTEL_POLICY",
    description: "Policy to enforce.",
  },
} as const satisfies Options;

export const WAITING = {
  wait: {
    value: "SECONDS",
    number: { least: 0, most: 86_400 },
    default: 120,
    description: "Maximum wait for another run's lock.",
  },
} as const satisfies Options;

/** Options of every command that updates portals. */
export const UPDATING = {
  ...YES,
  ...WAITING,
} as const satisfies Options;
