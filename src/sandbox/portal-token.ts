// The portal's own two ways to a token: a user's name and password, or an application's id and secret.
import { SETTINGS } from "../catalog/catalog.js";
import type { SettingPath } from "../catalog/names.js";
import { compareVersions } from "../catalog/version.js";
import type { JsonObject } from "../json.js";
import type { Call } from "./caller.js";
import { INACTIVE, refusal } from "./refusal.js";
import { SERVICE_ACCOUNT, type Account } from "./store.js";
import type { Claims } from "./token.js";
import { findByPassword, type World } from "./world.js";

const APPLICATIONS_ADMINISTER_FROM = "11.4";

// The stock values of the two settings also bound the tokens of this sandbox; changed settings do not.
const DEFAULT_MINUTES = stockMinutes("portalConfigProperties.tokenExpiration");
const LONGEST_MINUTES = stockMinutes("portalConfigProperties.longTokenExpiration");

export function issuePortalToken(
  world: World,
  account: Account,
  bound: Pick<Claims, "referer" | "ip" | "isPowerless">,
  minutes: number = DEFAULT_MINUTES,
): { readonly token: string; readonly expiresAtMs: number } {
  const lifetimeS = Math.min(minutes, LONGEST_MINUTES) * 60;
  const exp = Math.floor(world.now() / 1000) + lifetimeS;
  const token = world.tokens.issue({ ...bound, sub: account.username, exp, kind: "portal" });
  return { token, expiresAtMs: exp * 1000 };
}

export function answerGenerateToken({ world, asked, form }: Call): JsonObject {
  const failed = (detail: string) => refusal(400, "Unable to generate token.", [detail]);
  const account = findByPassword(world, form.get("username"), form.get("password"));
  if (!account) return failed("Invalid username or password.");
  if (!account.isActive) return INACTIVE;
  const client = form.get("client") ?? "referer";
  const referer = form.get("referer");
  if (client !== "referer" && client !== "requestip") {
    return failed(`"client" must be referer or requestip.`);
  }
  if (client === "referer" && !referer) return failed(`"referer" is missing.`);
  const minutes = readMinutes(form);
  if (minutes === undefined) return failed(`"expiration" must be a whole number of minutes.`);
  const bound = client === "requestip" ? { ip: asked.address } : { referer: referer ?? "" };
  const { token, expiresAtMs } = issuePortalToken(world, account, bound, minutes);
  return { token, expires: expiresAtMs, ssl: true };
}

export function answerClientCredentials({ world, form }: Call): JsonObject {
  const { clientId, clientSecret, accounts } = world.store.read();
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
  if (minutes === undefined) return failed("invalid_request", "Invalid expiration");
  const isPowerless = compareVersions(world.switches.version, APPLICATIONS_ADMINISTER_FROM) < 0;
  const { token, expiresAtMs } = issuePortalToken(world, account, { isPowerless }, minutes);
  return { access_token: token, expires_in: Math.round((expiresAtMs - world.now()) / 1000) };
}

function readMinutes(form: URLSearchParams): number | undefined {
  const text = form.get("expiration");
  if (!text) return DEFAULT_MINUTES;
  return /^[1-9]\d{0,7}$/.test(text) ? Number(text) : undefined;
}

function stockMinutes(path: SettingPath): number {
  return Number(SETTINGS.find((each) => each.path === path)?.property?.default);
}
