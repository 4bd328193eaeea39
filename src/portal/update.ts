// Sends the request that writes settings, and judges its outcome: taken, refused or unknown. No other module writes.
import { catalog, updateFields } from "../catalog/catalog.js";
import { Failure } from "../failure.js";
import { CallFailure } from "../http/http.js";
import type { JsonObject } from "../lib/json.js";
import { hostOf, type Request } from "../request.js";
import { PortalFailure, understand, type Exchange } from "./answer.js";
import { addressOf, exchange, type Portal, type PortalAccess } from "./portal.js";

/** After one of these, from a gateway or the portal, the update may still be executed. */
const GATEWAY_ERRORS = [408, 502, 503, 504];
/** The portal may act later. */
const ACCEPTED = 202;

export function updateRequest(portal: Portal, settings: JsonObject): Request {
  return {
    method: catalog.update.method,
    url: addressOf(portal, catalog.update.path),
    body: { form: updateFields(settings) },
    repeats: "unsent",
  };
}

export type Updated =
  /** Confirmed by the portal. */
  | { readonly kind: "taken" }
  /** Certainly not taken: the answer was a refusal, or nothing was sent. */
  | { readonly kind: "refused"; readonly why: Failure; readonly wasSent: boolean }
  /** It may still arrive, unless there was an answer that shows neither success nor failure. */
  | { readonly kind: "unknown"; readonly why: Failure; readonly mayArrive: boolean };

/** Throws if the update may not be sent, or no longer. */
export interface Permission {
  /** Awaited before each attempt. */
  readonly renew: () => Promise<void>;
  /** Checked again when the connection is open. */
  readonly assertInTime: () => void;
}

/** Throws only errors from neither the network nor the portal. */
export async function update(
  access: PortalAccess,
  settings: JsonObject,
  { renew, assertInTime }: Permission,
): Promise<Updated> {
  const request = {
    ...updateRequest(access.portal, settings),
    beforeAttempt: renew,
    assertMaySend: assertInTime,
  };
  const host = hostOf(request);
  let exchanged: Exchange;
  try {
    exchanged = await exchange(access, request);
  } catch (error) {
    const isLost = error instanceof CallFailure && error.sent && error.code !== "redirected";
    return isLost ? onItsWay(host, error.message, error) : judge(error);
  }
  const { status } = exchanged.answer;
  if (GATEWAY_ERRORS.includes(status)) {
    return onItsWay(host, `A gateway answered with status ${status}.`);
  }
  let json: JsonObject;
  try {
    json = understand(exchanged);
  } catch (error) {
    const isFault = status >= 500 && (error as Failure).code === "answer-not-understood";
    const isOfGateway =
      error instanceof PortalFailure && GATEWAY_ERRORS.includes(error.refusal.code ?? 0);
    if (isFault || isOfGateway) return onItsWay(host, (error as Failure).message, error);
    return judge(error);
  }
  if (json["success"] === true) return { kind: "taken" };
  if (status === ACCEPTED) {
    return onItsWay(host, "It accepted the update, and did not say that it succeeded.");
  }
  const message = `The portal at "${host}" did not say that the update succeeded.`;
  const help = "Read the portal's settings before sending the update again.";
  return judge(new Failure("answer-not-understood", message, help));
}

/** The outcome of the update after an error. */
function judge(error: unknown): Updated {
  if (!(error instanceof Failure)) throw error;
  const isOfPortal = error instanceof PortalFailure;
  const isUnknown = isOfPortal
    ? (error.refusal.code ?? 0) >= 500
    : error.code === "answer-not-understood";
  if (isUnknown) return { kind: "unknown", why: error, mayArrive: false };
  const wasSent = isOfPortal || (error instanceof CallFailure && error.sent);
  return { kind: "refused", why: error, wasSent };
}

function onItsWay(host: string, why: string, cause?: unknown): Updated {
  const failure = new Failure(
    "outcome-unknown",
    `The portal at "${host}" may or may not have taken the update. ${why}`,
    "Run the same command again: it reads the portal first and sends what is missing.",
    { cause },
  );
  return { kind: "unknown", why: failure, mayArrive: true };
}
