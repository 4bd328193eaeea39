// An account and a way to carry its token → the function that puts the token into a request. The only place that does.
import type { Request, Token } from "../request.js";
import { secret, type Secret } from "../secret.js";
import type { Carry } from "../sign-in.js";
import type { Account } from "./account.js";
import type { IssuedToken } from "./context.js";

/** What the account signs in with travels to nobody here, and is named so that no answer that repeats it is shown. */
export function makeToken(account: Account, carry: Carry, secrets: readonly Secret[]): Token {
  // Many portals learn at once that a shared token is refused; the first of them renews it for all.
  const issuedTo = new WeakMap<Request, IssuedToken>();
  return async (request, refused) => {
    const issued = await account.token(refused && issuedTo.get(refused));
    const headers = { ...request.headers, ...issued.headers };
    const signed = put({ ...request, headers, secrets }, issued.token, carry);
    issuedTo.set(signed, issued);
    return signed;
  };
}

function put(request: Request, token: Secret, carry: Carry): Request {
  const bearer = secret(token.reveal(), "Bearer ");
  switch (carry) {
    case "authorization":
      return { ...request, headers: { ...request.headers, authorization: bearer } };
    case "x-esri-authorization":
      return { ...request, headers: { ...request.headers, "x-esri-authorization": bearer } };
    case "form-token": {
      // What is read becomes a POST too: a token in an address would stand in every log on its way.
      const { query = {}, body, ...rest } = request;
      if (body && !("form" in body)) throw new TypeError("a token needs a form to travel in");
      const form = [...Object.entries(query), ...(body?.form ?? []), ["token", token] as const];
      return { ...rest, method: "POST", body: { form } };
    }
    default:
      throw carry satisfies never;
  }
}
