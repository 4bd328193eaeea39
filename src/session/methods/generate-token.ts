// A user name and a password → a token of the portal's own, bound to a referer that goes with every later call.
import { parseObject } from "../../request.js";
import { readToken } from "../answer.js";
import { portalRequest, requiredSecret, requiredText, type Desk, type Grant } from "../context.js";
import { skewMs } from "../expiry.js";

const DEFAULT_REFERER = "lintel";

export async function generateToken(desk: Desk): Promise<Grant> {
  const referer =
    desk.signIn.fields["referer"] === undefined ? DEFAULT_REFERER : requiredText(desk, "referer");
  const minutes = desk.signIn.fields["expiration"];
  const request = {
    ...portalRequest(desk, "/generateToken", {
      form: [
        ["username", requiredText(desk, "username")],
        ["password", await requiredSecret(desk, "password")],
        ["client", "referer"],
        ["referer", referer],
        ...(minutes === undefined ? [] : [["expiration", String(minutes)] as const]),
        ["f", "json"],
      ],
    }),
    headers: { referer },
  };
  const answer = await desk.http.call(request);
  const token = readToken(answer, request, desk.signIn.method);
  const expires = parseObject(answer)?.["expires"];
  const expiresAtMs = typeof expires === "number" && expires - skewMs(desk.io.now(), answer);
  return { token, headers: { referer }, ...(expiresAtMs !== false && { expiresAtMs }) };
}
