// A user name and a password → a token of the sign-in service; `auth` and `login` are the same under two paths.
import { requiredSecret, requiredText, type SignInContext, type IssuedToken } from "../context.js";
import { signInAtService } from "../operation.js";

export async function login(context: SignInContext): Promise<IssuedToken> {
  return signInAtService(context, context.signIn.method === "auth" ? "auth" : "login", {
    body: {
      json: {
        username: requiredText(context, "username"),
        password: await requiredSecret(context, "password"),
      },
    },
  });
}
