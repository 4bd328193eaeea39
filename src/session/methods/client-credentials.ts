// An application's id and secret → a token of the portal's own.
import { parseObject } from "../../request.js";
import { readToken } from "../answer.js";
import {
  portalRequest,
  requiredSecret,
  requiredText,
  type SignInContext,
  type IssuedToken,
} from "../context.js";

export async function clientCredentials(context: SignInContext): Promise<IssuedToken> {
  const request = portalRequest(context, "/oauth2/token", {
    form: [
      ["client_id", requiredText(context, "clientId")],
      ["client_secret", await requiredSecret(context, "clientSecret")],
      ["grant_type", "client_credentials"],
      ["f", "json"],
    ],
  });
  const answer = await context.http.call(request);
  const token = readToken(answer, request, context.signIn.method);
  const seconds = parseObject(answer)?.["expires_in"];
  return {
    token,
    ...(typeof seconds === "number" && { expiresAtMs: context.io.now() + seconds * 1000 }),
  };
}
