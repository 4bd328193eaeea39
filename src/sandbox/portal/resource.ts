// What a portal shows of itself, its users and its settings, to whoever asks.
import type { JsonObject } from "../../json.js";
import type { Call, Caller } from "../sign-in/caller.js";
import { portalName, SELF_ID, portalBase } from "../context.js";
import { NOT_PERMITTED, refusal, TOKEN_REQUIRED } from "./refusal.js";
import type { Account } from "../memory.js";
import { catalog } from "../../catalog/catalog.js";
import { compareVersions, parseVersion } from "../../catalog/version.js";
import type { Version } from "../../../schemas/names.js";
import type { Switches } from "../options.js";
import { visibleTo } from "./visible.js";

export function describeRoot({ context }: Call): JsonObject {
  const { told, build } = describeVersion(context.switches);
  return { ...told, ...build };
}

/** Scripting clients ask here where a token for this portal is made. */
export function describeTokens({ context, incoming }: Call): JsonObject {
  const root = `http://${incoming.headers.host}${portalBase(context.switches)}`;
  return {
    owningSystemUrl: root.replace(/\/sharing\/rest$/, ""),
    authInfo: { tokenServicesUrl: `${root}/generateToken`, isTokenBasedSecurity: true },
  };
}

export function describePortal({ context, caller }: Call, portal: string): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  return {
    id: portal === "self" ? SELF_ID : portal,
    name: portalName(portal),
    isPortal: context.switches.deployment === "enterprise",
    access: "public",
    ...describeVersion(context.switches).told,
    ...(caller.kind === "signed-in" && { user: describeCaller(caller) }),
  };
}

/** Scripting clients ask here who their token belongs to. */
export function describeSelf({ caller }: Call): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  return caller.kind === "signed-in" ? describeCaller(caller) : TOKEN_REQUIRED;
}

/** Nobody's profile is public here, so that a visitor cannot tell which names exist. */
export function describeUser({ context, caller }: Call, name: string): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  if (caller.kind === "signed-in") {
    if (name === caller.account.username) return describeCaller(caller);
    const account = context.memory.read().accounts.find(({ username }) => username === name);
    if (account) return describeAccount(account, account.role === "administrator");
  }
  return refusal(400, "User does not exist or is inaccessible.");
}

function describeCaller({
  account,
  isAdministrator,
}: Extract<Caller, { kind: "signed-in" }>): JsonObject {
  return describeAccount(account, isAdministrator);
}

function describeAccount({ username, fullName }: Account, isAdministrator: boolean): JsonObject {
  return { username, fullName, role: isAdministrator ? "org_admin" : "org_user" };
}

/** A sandbox holds settings and no items, so that nothing is ever found. */
export function findItems({ incoming, form, caller }: Call): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  const query = form.get("q") ?? incoming.query.get("q");
  if (!query) return refusal(400, "Unable to search.", [`"q" is missing.`]);
  return { query, total: 0, start: 1, num: 10, nextStart: -1, results: [] };
}

export function readSettings({ context, caller }: Call, portal: string): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  if (!context.switches.canRead) return NOT_PERMITTED;
  return visibleTo(caller, context.memory.read().portals[portal] ?? {});
}

/** Before it, a portal tells its release alone. */
const TELLS_ENTERPRISE_VERSION = "11.3" satisfies Version;

/** What is not known of a version is left out rather than made up. */
function describeVersion({ version, deployment }: Switches): {
  /** What the portal's self tells too. */
  readonly told: JsonObject;
  readonly build: JsonObject;
} {
  const known = catalog.releases.find((each) => compareVersions(each.version, version) === 0);
  const isTold =
    deployment === "enterprise" && compareVersions(version, TELLS_ENTERPRISE_VERSION) >= 0;
  return {
    told: {
      ...(known && { currentVersion: known.release }),
      ...(isTold && { enterpriseVersion: (parseVersion(version) ?? []).join(".") }),
    },
    build: isTold && known?.build !== undefined ? { enterpriseBuild: known.build } : {},
  };
}
