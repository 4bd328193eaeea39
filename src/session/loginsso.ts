// Single sign-on, which answers only within a browser's session: its cookie, or a person who copies the token.
import { Failure } from "../failure.js";
import { serviceRequest, requiredSecret, type Desk, type Grant } from "./desk.js";
import { jwtExpiryMs } from "./expiry.js";
import { signInAtService } from "./operation.js";

export async function loginsso(desk: Desk): Promise<Grant> {
  if (desk.signIn.fields["cookie"] !== undefined) {
    return signInAtService(desk, "loginsso", {
      headers: { cookie: await requiredSecret(desk, "cookie") },
    });
  }
  const { url } = serviceRequest(desk, "loginsso");
  const token = await desk.ask?.(`Open ${url} in a browser and paste the token that it shows: `);
  if (token?.reveal()) {
    const expiresAtMs = jwtExpiryMs(token, desk.io.now());
    return { token, ...(expiresAtMs !== undefined && { expiresAtMs }) };
  }
  throw new Failure(
    "credential-missing",
    `Nobody is there to sign in at "${url}".`,
    "Run the command in a terminal, or set the variable to the cookie of a browser that is signed in:\n  export LINTEL_SSO_COOKIE=…",
  );
}
