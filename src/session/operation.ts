// An operation of the sign-in service, called → the token that it gives.
import type { OperationName } from "../../schemas/names.js";
import { readToken } from "./answer.js";
import { serviceRequest, type SignInContext, type IssuedToken } from "./context.js";
import { jwtExpiryMs } from "./expiry.js";

export async function signInAtService(
  context: SignInContext,
  operation: OperationName,
  more: Parameters<typeof serviceRequest>[2],
): Promise<IssuedToken> {
  const request = serviceRequest(context, operation, more);
  const answer = await context.http.call(request);
  const token = readToken(answer, request, context.signIn.method);
  const expiresAtMs = jwtExpiryMs(token, context.io.now(), answer);
  return { token, ...(expiresAtMs !== undefined && { expiresAtMs }) };
}
