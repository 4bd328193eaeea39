// A signed-in account → the user that the sign-in service knows it as.
import { Failure } from "../failure.js";
import type { JsonObject } from "../json.js";
import { showForeign, withoutEchoes } from "../text.js";
import { hostOf, isWebPage, parseObject, secretsOf, type Token } from "../request.js";
import { serviceRequest, type SignInContext } from "./context.js";

/** The service's own object; the reference does not show its fields. */
export type User = JsonObject;

/** The service takes its token as Bearer, however it travels to the portal. */
export async function askWho(context: SignInContext, token: Token): Promise<User> {
  const request = serviceRequest(context, "getuser");
  let signed = await token(request);
  let answer = await context.http.call(signed);
  if (answer.status === 401) {
    signed = await token(request, signed);
    answer = await context.http.call(signed);
  }
  const user = parseObject(answer);
  const host = hostOf(request);
  if (answer.status === 401 || answer.status === 403) {
    throw new Failure(
      "token-refused",
      `The sign-in service at "${host}" does not accept the token that it gave (${answer.status}).`,
      "Check that the account may see itself.",
    );
  }
  if (answer.status < 300 && user) return withoutEchoes(user, secretsOf(signed));
  const said = isWebPage(answer) ? "a web page" : showForeign(answer.text, secretsOf(signed), 100);
  throw new Failure(
    "answer-not-understood",
    `The sign-in service at "${host}" did not say who is signed in (${answer.status}): ${said || "nothing"}.`,
    "Check signIn.url: it is the base address, to which the path of the operation is added.",
  );
}
