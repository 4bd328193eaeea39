// A token and the answer that brought it → when it expires by our own clock. Nothing is verified: only its issuer can.
import { isJsonObject, type Json } from "../json.js";
import type { Answer } from "../request.js";
import type { Secret } from "../secret.js";

/** undefined for a token that is no JWT, or one without an end. */
export function jwtExpiryMs(token: Secret, now: number, answer?: Answer): number | undefined {
  const [, payload = ""] = token.reveal().split(".");
  let claims: Json;
  try {
    claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Json;
  } catch {
    return undefined;
  }
  const exp = isJsonObject(claims) ? claims["exp"] : undefined;
  const endsAtMs = typeof exp === "number" ? exp * 1000 - skewMs(now, answer) : Number.NaN;
  // No date can be made of anything beyond; such a token says nothing of its end.
  return Math.abs(endsAtMs) < 8.64e15 ? endsAtMs : undefined;
}

/** How far the server's clock is ahead of ours. */
export function skewMs(now: number, answer: Answer | undefined): number {
  const serverNow = Date.parse(answer?.headers["date"] ?? "");
  return Number.isNaN(serverNow) ? 0 : serverNow - now;
}
