// Every way to sign in, by name.
import type { SignInMethod } from "../../sign-in.js";
import { clientCredentials } from "./client-credentials.js";
import type { SignInContext, IssuedToken } from "../context.js";
import { generateToken } from "./generate-token.js";
import { given } from "./token.js";
import { login } from "./login.js";
import { loginadmin } from "./loginadmin.js";
import { loginsso } from "./loginsso.js";

export const METHODS: Readonly<
  Record<SignInMethod, (context: SignInContext) => Promise<IssuedToken>>
> = {
  loginadmin,
  login,
  auth: login,
  loginsso,
  token: given,
  "generate-token": generateToken,
  "client-credentials": clientCredentials,
};
