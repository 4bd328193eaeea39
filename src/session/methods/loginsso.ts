// Single sign-on, which answers only within a browser's session: its cookie, or a person who copies the token.
import { Failure } from "../../failure.js";
import { shownAddress } from "../../request.js";
import { SIGN_IN_METHODS } from "../../sign-in.js";
import {
  requiredSecret,
  serviceRequest,
  usable,
  type SignInContext,
  type IssuedToken,
} from "../context.js";
import { jwtExpiryMs } from "../expiry.js";
import { signInAtService } from "../operation.js";

export async function loginsso(context: SignInContext): Promise<IssuedToken> {
  if (context.signIn.fields["cookie"] !== undefined) {
    return signInAtService(context, "loginsso", {
      headers: { cookie: await requiredSecret(context, "cookie") },
    });
  }
  const request = serviceRequest(context, "loginsso");
  // A person has to open the address itself.
  const pasted = await context.ask?.(
    `Open ${request.url} in a browser and paste the token that it shows: `,
  );
  if (pasted?.reveal()) {
    const token = usable(pasted, "token", SIGN_IN_METHODS.token.token);
    const expiresAtMs = jwtExpiryMs(token, context.io.now());
    return { token, ...(expiresAtMs !== undefined && { expiresAtMs }) };
  }
  throw new Failure(
    "credential-missing",
    `Nobody is there to sign in at "${shownAddress(request)}".`,
    "Run the command in a terminal, or set the variable to the cookie of a browser that is signed in:\n  export LINTEL_SSO_COOKIE=…",
  );
}
