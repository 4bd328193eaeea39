// An application's id and secret → a token of the portal's own.
import { parseObject } from "../../request.js";
import { readToken } from "../answer.js";
import { portalRequest, requiredSecret, requiredText, type Desk, type Grant } from "../context.js";

export async function clientCredentials(desk: Desk): Promise<Grant> {
  const request = portalRequest(desk, "/oauth2/token", {
    form: [
      ["client_id", requiredText(desk, "clientId")],
      ["client_secret", await requiredSecret(desk, "clientSecret")],
      ["grant_type", "client_credentials"],
      ["f", "json"],
    ],
  });
  const answer = await desk.http.call(request);
  const token = readToken(answer, request, desk.signIn.method);
  const seconds = parseObject(answer)?.["expires_in"];
  return {
    token,
    ...(typeof seconds === "number" && { expiresAtMs: desk.io.now() + seconds * 1000 }),
  };
}
