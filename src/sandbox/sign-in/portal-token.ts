// The portal's own tokens: made for a user or an application, read from the requests of a caller, ended.
import { isIP } from "node:net";
import { compareVersions } from "../../catalog/version.js";
import type { JsonObject } from "../../lib/json.js";
import { bearer, type Incoming } from "../incoming.js";
import { tokenLifetime, type Claims } from "./token.js";
import { isAdministrative } from "../options.js";
import { INACTIVE, INVALID_TOKEN, refusal, type Refusal } from "../portal/refusal.js";
import { SERVICE_ACCOUNT, type Account } from "../memory.js";
import { findByPassword, type SandboxContext } from "../context.js";

export interface Caller {
  readonly account: Account;
  readonly isAdministrator: boolean;
}

/** A request to the portal, with its form. */
export interface Call {
  readonly context: SandboxContext;
  readonly incoming: Incoming;
  readonly form: URLSearchParams;
  /** Absent without a token, and where the caller does not matter. */
  readonly caller?: Caller;
}

export function identify({ context, incoming, form }: Call): { caller?: Caller } | Refusal {
  const token =
    // First of all, because a web tier may have put its own credentials into the other header.
    bearer([incoming.headers["x-esri-authorization"]].flat()[0]) ??
    (form.get("token") || undefined) ??
    (incoming.query.get("token") || undefined) ??
    bearer(incoming.headers.authorization);
  if (token === undefined) return {};
  const found = context.tokens.read(token);
  if (!found || found.claims.kind === "browser") return INVALID_TOKEN;
  const { account, claims } = found;
  const isElsewhere =
    (claims.referer !== undefined && claims.referer !== incoming.headers.referer) ||
    (claims.ip !== undefined && claims.ip !== incoming.address);
  if (isElsewhere) return INVALID_TOKEN;
  if (!account.isActive) return INACTIVE;
  const isAdministrator = isAdministrative(account.role) && claims.isPowerless !== true;
  return { caller: { account, isAdministrator } };
}

const APPLICATIONS_ADMINISTER_FROM = "11.4";

function issuePortalToken(
  context: SandboxContext,
  account: Account,
  bound: Pick<Claims, "referer" | "ip" | "isPowerless">,
  minutes?: number,
) {
  const usual = tokenLifetime(context, "tokenExpiration");
  const longest = Math.max(usual, tokenLifetime(context, "longTokenExpiration"));
  const claims = { ...bound, sub: account.username, kind: "portal" } as const;
  return context.tokens.issue(claims, Math.min(minutes ?? usual, longest) * 60);
}

export function answerGenerateToken({ context, incoming, form }: Call): JsonObject {
  const failed = (detail: string) => refusal(400, "Unable to generate token.", [detail]);
  const account = findByPassword(context, form.get("username"), form.get("password"));
  if (!account) return failed("Invalid username or password.");
  if (!account.isActive) return INACTIVE;
  const bound = readBound(form, incoming.address);
  if (typeof bound === "string") return failed(bound);
  const minutes = readMinutes(form);
  if (minutes === null) return failed(`"expiration" must be a whole number of minutes.`);
  const { token, exp } = issuePortalToken(context, account, bound, minutes);
  return { token, expires: exp * 1000, ssl: true };
}

export function answerClientCredentials({ context, form }: Call): JsonObject {
  const { clientId, clientSecret, accounts } = context.memory.read();
  const failed = (error: string, text: string) => ({
    error: { code: 400, error, error_description: text, message: text, details: [] },
  });
  if (form.get("grant_type") !== "client_credentials") {
    return failed("unsupported_grant_type", "Invalid grant_type");
  }
  if (form.get("client_id") !== clientId) return failed("invalid_client_id", "Invalid client_id");
  if (form.get("client_secret") !== clientSecret) {
    return failed("invalid_client", "Invalid client_secret");
  }
  const account = accounts.find((each) => each.username === SERVICE_ACCOUNT);
  if (!account?.isActive) return INACTIVE;
  const minutes = readMinutes(form);
  if (minutes === null) return failed("invalid_request", "Invalid expiration");
  const isPowerless = compareVersions(context.switches.version, APPLICATIONS_ADMINISTER_FROM) < 0;
  const { token, exp } = issuePortalToken(context, account, { isPowerless }, minutes);
  return { access_token: token, expires_in: Math.round(exp - context.switches.now() / 1000) };
}

export function answerRevokeToken({ context, form }: Call): JsonObject {
  const token = form.get("auth_token") ?? "";
  // The sign-in service's tokens are not the portal's to end.
  if (context.tokens.read(token)?.claims.kind !== "portal") return INVALID_TOKEN;
  context.tokens.revoke(token);
  return { success: true };
}

/** What the token is good for alone, or what is wrong with the form. */
function readBound(
  form: URLSearchParams,
  address: string,
): Pick<Claims, "referer" | "ip"> | string {
  const client = form.get("client") ?? "referer";
  const [referer, ip] = [form.get("referer"), form.get("ip")];
  if (client === "referer") return referer ? { referer } : `"referer" is missing.`;
  if (client === "ip") return ip && isIP(ip) !== 0 ? { ip } : `"ip" must be an IP address.`;
  return client === "requestip" ? { ip: address } : `"client" must be referer, ip or requestip.`;
}

/** undefined where the form asks for no time; null where it is not a number of minutes. */
function readMinutes(form: URLSearchParams): number | undefined | null {
  const text = form.get("expiration");
  if (!text) return undefined;
  return /^[1-9]\d{0,7}$/.test(text) ? Number(text) : null;
}
