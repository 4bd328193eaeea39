// The update operation: who may, what was sent, what becomes of it → success, or an error in the portal's form.
import { catalog } from "../../catalog/catalog.js";
import type { JsonObject } from "../../json.js";
import { mediaType } from "../server/reply.js";
import { judge } from "./judge.js";
import type { Call } from "../sign-in/caller.js";
import { NOT_PERMITTED, refusal, TOKEN_REQUIRED } from "./refusal.js";

export function update({ context, incoming, form, caller }: Call, portal: string): JsonObject {
  if (caller.kind === "anonymous") return TOKEN_REQUIRED;
  if (caller.kind === "refused") return caller.refusal;
  if (!caller.isAdministrator) return NOT_PERMITTED;
  if (mediaType(incoming) !== catalog.update.contentType) {
    return refusal(400, `The Content-Type must be ${catalog.update.contentType}.`);
  }
  const { portals } = context.memory.read();
  const verdict = judge(context.switches, portals[portal] ?? {}, form);
  if ("problems" in verdict) {
    return refusal(400, "Unable to update the portal settings.", verdict.problems);
  }
  context.memory.change({ portals: { ...portals, [portal]: verdict.settings } });
  return { success: true };
}
