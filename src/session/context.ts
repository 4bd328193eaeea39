// What a sign-in method needs: its fields, the network, the limiter, and a prompt.
import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import { findOperation } from "../catalog/catalog.js";
import type { OperationName } from "../../schemas/names.js";
import { Failure, interrupted } from "../failure.js";
import type { Http } from "../http/http.js";
import { isPipeline, type Io } from "../io.js";
import { runProgram } from "../lib/run-program.js";
import { shellWord } from "../lib/text.js";
import { hostOf, signInPass, type Body, type Request } from "../request.js";
import { isSecret, revealed, secret, type Field, type Secret } from "../secret.js";
import { fieldOf, isCommand, whyUnusable } from "../sign-in.js";
import type { SecretCommand, SignIn, SignInField } from "../sign-in.js";
import type { Limiter } from "./limiter.js";

/** Prompts, and returns the typed line without showing it; undefined without a terminal. */
export type Ask = (question: string) => Promise<Secret | undefined>;

export interface SignInContext {
  readonly io: Io;
  readonly http: Http;
  readonly limiter: Limiter;
  readonly ask: Ask | undefined;
  readonly signIn: SignIn;
  /** Called with each secret from a command, so that an answer that repeats it is not shown. */
  readonly noteSecret?: (secret: Secret) => void;
}

/** A token until it expires. */
export interface IssuedToken {
  readonly token: Secret;
  /** By this machine's clock; absent if unknown. */
  readonly expiresAtMs?: number | undefined;
  /** Sent with the token in every call. */
  readonly headers?: Readonly<Record<string, Field>>;
  /** The secrets that commands printed for it. */
  readonly secrets?: readonly Secret[];
}

export async function requiredText(context: SignInContext, name: string): Promise<Field> {
  const { io, signIn } = context;
  const given = signIn.fields[name] ?? "";
  if (isCommand(given)) return askCommand(context, name, given);
  const value = isSecret(given) ? given : String(given);
  if (revealed(value) !== "") return value;
  const variable = signIn.variables?.[name] ?? fieldOf(signIn.method, name)?.variable;
  const set = isPipeline(io.env)
    ? "A pull request is planned without credentials; the apply job signs in. For any other job, set it"
    : "Set it";
  throw new Failure(
    "credential-missing",
    variable
      ? `Sign-in with "${signIn.method}" requires "${name}", and the variable "${variable}" is ${io.env[variable] === "" ? "empty" : "not set"}.`
      : `Sign-in with "${signIn.method}" requires "${name}".`,
    variable ? `${set}:\n  export ${variable}=…` : `Write signIn.${name}.`,
  );
}

/** Prompts for a missing secret, if a terminal is available. */
export async function requiredSecret(context: SignInContext, name: string): Promise<Secret> {
  const { signIn, ask } = context;
  const isGiven = signIn.fields[name] !== undefined;
  const variable = fieldOf(signIn.method, name)?.variable;
  const url = serviceUrlOf(signIn) ?? signIn.portalUrl;
  const written = signIn.writtenUrl !== undefined && { written: signIn.writtenUrl };
  const typed = isGiven
    ? undefined
    : await ask?.(
        `${name}${variable ? ` (${variable})` : ""} for "${hostOf({ url, ...written })}": `,
      );
  if (typed?.reveal()) return assertUsable(typed, name, fieldOf(signIn.method, name));
  const value = await requiredText(context, name);
  return isSecret(value) ? value : secret(value);
}

/** Uses only the secret from the program's output, and shows nothing. */
async function askCommand(
  { io, signIn, noteSecret }: SignInContext,
  field: string,
  { name, config, program, limitMs }: SecretCommand,
): Promise<Secret> {
  const env = Object.fromEntries(
    Object.entries(io.env).filter(([variable]) => !variable.startsWith("LINTEL_")),
  );
  const { signal } = io;
  const printed = await runProgram(program, { cwd: dirname(config), env, limitMs, signal });
  if (signal.aborted) throw interrupted();
  const failed = (why: string) =>
    new Failure(
      "command-failed",
      `The command "${name}" gave no secret for "${field}": ${why}.`,
      `Run its program by hand to see why. It is listed under "commands.${name}" in:\n  ${shellWord(config)}`,
    );
  if (typeof printed === "string") throw failed(printed);
  if (!isUtf8(printed)) throw failed("it printed no text in UTF-8");
  const text = printed.toString("utf8").replace(/\r?\n$/, "");
  if (text === "") throw failed("it printed nothing");
  const odd = whyUnusable(text, fieldOf(signIn.method, field));
  if (odd !== undefined) throw failed(`what it printed ${odd}`);
  const found = secret(text);
  noteSecret?.(found);
  return found;
}

export function assertUsable(typed: Secret, name: string, field: SignInField | undefined): Secret {
  const odd = whyUnusable(typed.reveal(), field);
  if (odd === undefined) return typed;
  throw new Failure(
    "credential-not-usable",
    `What was typed for "${name}" ${odd}.`,
    "Copy it again, whole and without anything around it.",
  );
}

function serviceUrlOf({ fields: { url } }: SignIn): string | undefined {
  return typeof url === "string" ? url : undefined;
}

/** A call to the sign-in service, at the pace of its operation. */
export function serviceRequest(
  { limiter, signIn }: SignInContext,
  name: OperationName,
  more: { readonly body?: Body; readonly headers?: Readonly<Record<string, Field>> } = {},
): Request {
  const { method, path, limit } = findOperation(name);
  const url = withoutSlash(serviceUrlOf(signIn) ?? "") + path;
  const written = signIn.writtenUrl && withoutSlash(signIn.writtenUrl) + path;
  const address = { url, ...(written !== undefined && { written }) };
  return {
    method,
    ...address,
    repeats: "freely",
    ...(method === "POST" && { signIn: signInPass(path) }),
    ...(limit && { pace: limiter.pace(address, name, limit) }),
    ...more,
  };
}

/** A call to the portal itself that returns a token. */
export function portalRequest(
  { signIn }: SignInContext,
  path: string,
  form: readonly (readonly [name: string, value: Field])[],
): Request {
  const url = withoutSlash(signIn.portalUrl) + path;
  const body = { form: [...form, ["f", "json"] as const] };
  return { method: "POST", url, repeats: "freely", signIn: signInPass(path), body };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
