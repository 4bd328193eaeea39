// A token made elsewhere → that token, as long as it lives.
import { requiredSecret, type SignInContext, type IssuedToken } from "../context.js";

export async function given(context: SignInContext): Promise<IssuedToken> {
  return { token: await requiredSecret(context, "token") };
}
