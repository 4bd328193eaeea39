// The keys of an administrative service account → a token of the sign-in service.
import type { AdminKeyName } from "../../../schemas/names.js";
import type { Secret } from "../../secret.js";
import { requiredSecret, type SignInContext, type IssuedToken } from "../context.js";
import { signInAtService } from "../operation.js";

export async function loginadmin(context: SignInContext): Promise<IssuedToken> {
  const json: Record<AdminKeyName, Secret> = {
    BEID: await requiredSecret(context, "beid"),
    WebServicesKey: await requiredSecret(context, "webServicesKey"),
  };
  return signInAtService(context, "loginadmin", { body: { json } });
}
