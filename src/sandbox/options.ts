// How a sandbox is asked for, and what holds where nothing is said.
import { catalog, knownVersion } from "../catalog/catalog.js";
import type { Deployment } from "../../schemas/names.js";
import { wrongUsage } from "../failure.js";

export const OMITTED = ["keep", "reset"] as const;
export const UNKNOWN = ["ignore", "store", "refuse"] as const;

/** The portal's own roles, and "security": one of its own making, with the privilege for security and infrastructure. */
export const ROLES = ["administrator", "security", "publisher", "member"] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role sees all settings and may change them. */
export function isAdministrative(role: Role): boolean {
  return role === "administrator" || role === "security";
}

export interface SandboxOptions {
  /** 0, the default: any that is free. */
  readonly port?: number;
  /** The address to listen on: 127.0.0.1 unless a container's outside must reach it. */
  readonly host?: string;
  /** The portal's version; the newest that the reference lists. */
  readonly version?: string;
  readonly deployment?: Deployment;
  /** What becomes of a reference parameter that an update leaves out. */
  readonly omittedParameters?: (typeof OMITTED)[number];
  /** What becomes of a property that an update's object leaves out. */
  readonly omittedProperties?: (typeof OMITTED)[number];
  /** What becomes of a parameter or property that this portal does not know. */
  readonly unknown?: (typeof UNKNOWN)[number];
  /** Whether the settings can be read at all. */
  readonly canRead?: boolean;
  /** Whether there is a sign-in service; without it, only the portal issues tokens. */
  readonly hasSignInService?: boolean;
  /** Whether reads are answered as without a token, as behind a gateway that drops it. */
  readonly anonymousReads?: boolean;
  /** How long after an update the settings are still shown as before, as by a cache. */
  readonly staleMs?: number;
  /** The role of all accounts; without it they have the one that they were made with. */
  readonly role?: Role;
  readonly latencyMs?: number;
  /** The share of requests to either interface that are answered with an error page. */
  readonly failRate?: number;
  /** The share of requests to either interface whose connection is closed, half of them after they took effect. */
  readonly dropRate?: number;
  readonly seed?: number;
  /** How many portals stand beside "self". */
  readonly portals?: number;
  /** Where settings and accounts outlive the sandbox; in memory when left out. */
  readonly dataDir?: string;
  readonly now?: () => number;
}

export const BY_DEFAULT = {
  port: 0,
  host: "127.0.0.1",
  deployment: "enterprise",
  omittedParameters: "keep",
  omittedProperties: "keep",
  unknown: "ignore",
  canRead: true,
  hasSignInService: true,
  anonymousReads: false,
  staleMs: 0,
  latencyMs: 0,
  failRate: 0,
  dropRate: 0,
  seed: 1,
  portals: 0,
} as const satisfies SandboxOptions;

export type Switches = Required<Omit<SandboxOptions, "dataDir" | "role">> &
  Pick<SandboxOptions, "dataDir" | "role">;

export function readSwitches(options: SandboxOptions): Switches {
  const version = options.version ?? catalog.versions.at(-1) ?? "";
  if (!knownVersion(version)) {
    throw wrongUsage(
      `A sandbox cannot be a portal of version "${version}".`,
      `The reference lists ${catalog.versions.join(", ")}.`,
    );
  }
  return { ...BY_DEFAULT, now: Date.now, ...options, version };
}
