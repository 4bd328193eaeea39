// An operation of the sign-in service, called → the token that it gives.
import type { OperationName } from "../../schemas/names.js";
import { readToken } from "./answer.js";
import { serviceRequest, type Desk, type Grant } from "./context.js";
import { jwtExpiryMs } from "./expiry.js";

export async function signInAtService(
  desk: Desk,
  operation: OperationName,
  more: Parameters<typeof serviceRequest>[2],
): Promise<Grant> {
  const request = serviceRequest(desk, operation, more);
  const answer = await desk.http.call(request);
  const token = readToken(answer, request, desk.signIn.method);
  const expiresAtMs = jwtExpiryMs(token, desk.io.now(), answer);
  return { token, ...(expiresAtMs !== undefined && { expiresAtMs }) };
}
