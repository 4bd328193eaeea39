// Settings → the one request that writes them, and its proof of success. Says when nobody knows what became of it.
import { catalog } from "../catalog/catalog.js";
import { updateFields } from "../catalog/form.js";
import { Failure } from "../failure.js";
import { CallFailure } from "../http/http.js";
import type { JsonObject } from "../json.js";
import { hostOf, type Request } from "../request.js";
import { PortalFailure, understand, type Exchange } from "./answer.js";
import { addressOf, exchange, type Portal, type PortalAccess } from "./portal.js";

/** Where a gateway speaks instead of the portal, or the portal in its words, the portal may have gone on. */
const GATEWAY_ERRORS = [408, 502, 503, 504];
/** Means to do it later. */
const ACCEPTED = 202;

export function updateRequest(portal: Portal, settings: JsonObject): Request {
  return {
    method: catalog.update.method,
    url: addressOf(portal, catalog.update.path),
    body: { form: updateFields(settings) },
    repeats: "unsent",
  };
}

/** Returns once the portal has said that it took the settings; throws "outcome-unknown" where it may have. */
export async function update(
  access: PortalAccess,
  settings: JsonObject,
  assertMaySend: () => void,
): Promise<void> {
  const request = { ...updateRequest(access.portal, settings), assertMaySend };
  const host = hostOf(request);
  let exchanged: Exchange;
  try {
    exchanged = await exchange(access, request);
  } catch (error) {
    if (!(error instanceof CallFailure) || !error.sent || error.code === "redirected") throw error;
    throw outcomeUnknown(host, error.message, error);
  }
  const { answer } = exchanged;
  if (GATEWAY_ERRORS.includes(answer.status)) {
    throw outcomeUnknown(host, `A gateway answered with status ${answer.status}.`);
  }
  let json: JsonObject;
  try {
    json = understand(exchanged);
  } catch (error) {
    const isFault = answer.status >= 500 && (error as Failure).code === "answer-not-understood";
    throw isFault || isOfGateway(error)
      ? outcomeUnknown(host, (error as Failure).message, error)
      : error;
  }
  if (json["success"] === true) return;
  if (answer.status === ACCEPTED) {
    throw outcomeUnknown(host, "It accepted the update, and did not say that it succeeded.");
  }
  throw new Failure(
    "answer-not-understood",
    `The portal at "${host}" did not say that the update succeeded.`,
    "Read the portal's settings before sending the update again.",
  );
}

function isOfGateway(error: unknown): boolean {
  return error instanceof PortalFailure && GATEWAY_ERRORS.includes(error.refusal.code ?? 0);
}

/** Whether the portal, or something in its place, has said no; else nothing was sent. Not for an unknown outcome. */
export function wasAnswered(error: Failure): boolean {
  return error instanceof PortalFailure || (error instanceof CallFailure && error.sent);
}

function outcomeUnknown(host: string, why: string, cause?: unknown): Failure {
  return new Failure(
    "outcome-unknown",
    `The portal at "${host}" may or may not have taken the update. ${why}`,
    "Run the same command again: it reads the portal first and sends what is missing.",
    { cause },
  );
}
