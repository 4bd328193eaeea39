// The keys of an administrative service account → a token of the sign-in service.
import type { AdminKeyName } from "../../../schemas/names.js";
import type { Secret } from "../../secret.js";
import { requiredSecret, type Desk, type Grant } from "../context.js";
import { signInAtService } from "../operation.js";

export async function loginadmin(desk: Desk): Promise<Grant> {
  const json: Record<AdminKeyName, Secret> = {
    BEID: await requiredSecret(desk, "beid"),
    WebServicesKey: await requiredSecret(desk, "webServicesKey"),
  };
  return signInAtService(desk, "loginadmin", { body: { json } });
}
