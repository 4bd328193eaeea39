// A user name and a password → a token of the portal's own, bound to a referer that goes with every later call.
import { parseObject } from "../../request.js";
import { readToken } from "../answer.js";
import {
  portalRequest,
  requiredSecret,
  requiredText,
  type SignInContext,
  type IssuedToken,
} from "../context.js";
import { skewMs } from "../expiry.js";

const DEFAULT_REFERER = "lintel";

export async function generateToken(context: SignInContext): Promise<IssuedToken> {
  const referer =
    context.signIn.fields["referer"] === undefined
      ? DEFAULT_REFERER
      : requiredText(context, "referer");
  const minutes = context.signIn.fields["expiration"];
  const request = {
    ...portalRequest(context, "/generateToken", {
      form: [
        ["username", requiredText(context, "username")],
        ["password", await requiredSecret(context, "password")],
        ["client", "referer"],
        ["referer", referer],
        ...(minutes === undefined ? [] : [["expiration", String(minutes)] as const]),
        ["f", "json"],
      ],
    }),
    headers: { referer },
  };
  const answer = await context.http.call(request);
  const token = readToken(answer, request, context.signIn.method);
  const expires = parseObject(answer)?.["expires"];
  const expiresAtMs = typeof expires === "number" && expires - skewMs(context.io.now(), answer);
  return { token, headers: { referer }, ...(expiresAtMs !== false && { expiresAtMs }) };
}
