// A user name and a password → a token of the sign-in service; `auth` and `login` are the same under two paths.
import { requiredSecret, requiredText, type Desk, type Grant } from "../context.js";
import { signInAtService } from "../operation.js";

export async function login(desk: Desk): Promise<Grant> {
  return signInAtService(desk, desk.signIn.method === "auth" ? "auth" : "login", {
    body: {
      json: {
        username: requiredText(desk, "username"),
        password: await requiredSecret(desk, "password"),
      },
    },
  });
}
