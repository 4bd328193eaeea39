// The errors of a portal, in the form that real ones give: an object that travels with HTTP status 200.
import type { JsonObject } from "../../lib/json.js";

export interface Refusal {
  readonly [key: string]: JsonObject;
  readonly error: JsonObject & { readonly message: string };
}

export function refusal(code: number, message: string, details: readonly string[] = []): Refusal {
  return { error: { code, message, details } };
}

export const INVALID_TOKEN = refusal(498, "Invalid token.");

const { error } = refusal(499, "Token Required", ["Token Required"]);
export const TOKEN_REQUIRED: Refusal = { error: { ...error, messageCode: "GWM_0003" } };

export const NOT_PERMITTED = refusal(
  403,
  "You do not have permissions to access this resource or perform this operation.",
);

export const INACTIVE = refusal(403, "The account is not active.");

export const NO_PORTAL = refusal(404, "There is no such portal.");

export function isRefusal(answer: JsonObject): answer is Refusal {
  return answer["error"] !== undefined;
}
