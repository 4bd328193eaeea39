// Chooses how to sign in: at the portal itself, or at a sign-in service.
import { wrongUsage } from "../../failure.js";
import { DEFAULT_SIGN_IN_METHOD, type SignInMethod } from "../../sign-in.js";
import { notTaken, type Question } from "./answer.js";
import { checkAddress, completed } from "./address.js";
import { fieldsOf } from "./begun-file.js";

/** The portal's own user name and password: what an administrator without a sign-in service has. */
const WITHOUT_SERVICE: SignInMethod = "generate-token";

export interface SignInOptions {
  readonly method?: string | undefined;
  readonly "sign-in-url"?: string | undefined;
}

/** Runs before the first question. */
export function assertSignInOptions({ method, "sign-in-url": url }: SignInOptions): void {
  const wrong = url ? checkAddress(url) : undefined;
  if (url && wrong) throw notTaken("sign-in-url", url, wrong);
  if (method === undefined || url === undefined || needsService(method)) return;
  const help = 'Remove "--sign-in-url", or choose a method that has a sign-in service.';
  throw wrongUsage(`"--method ${method}" signs in at the portal itself.`, help);
}

export function needsService(method: string): boolean {
  return "url" in fieldsOf(method);
}

/** One question at most: the address of a service decides between the two usual methods. */
export async function chooseSignIn(
  { method }: SignInOptions,
  ask: (question: Question) => Promise<string>,
): Promise<{ readonly method: string; readonly signInUrl: string | undefined }> {
  const flag = "sign-in-url";
  if (method === undefined) {
    const text = "Sign-in service address, or Enter to sign in at the portal itself";
    const check = (typed: string) =>
      typed === "" || checkAddress(typed) === undefined
        ? undefined
        : "Write an address that begins with https://, or press Enter. For other methods: --method.";
    const url = await ask({ flag, text, check, byDefault: "" });
    return url === ""
      ? { method: WITHOUT_SERVICE, signInUrl: undefined }
      : { method: DEFAULT_SIGN_IN_METHOD, signInUrl: completed(url) };
  }
  if (!needsService(method)) return { method, signInUrl: undefined };
  const text = "Sign-in service address";
  return { method, signInUrl: completed(await ask({ flag, text, check: checkAddress })) };
}
