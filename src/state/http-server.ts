// Resolves a state's address and Terraform's variables to a server: addresses, methods and credentials.
import { Failure } from "../failure.js";
import type { Terms } from "../http/http.js";
import { RETRY_POLICY } from "../http/retry.js";
import type { Io } from "../io.js";
import { secret, type Secret } from "../secret.js";
import { LARGEST_STATE } from "./format.js";
import type { Place } from "./state-store.js";

/** The dialects of the protocol. GitLab and Gitea require the lock's id with every write and unlock. */
export type Dialect = "gitlab" | "gitea" | "terraform";

export interface Server {
  readonly dialect: Dialect;
  readonly address: URL;
  /** For messages: as in the file, and without the query, which can contain anything. */
  readonly place: string;
  readonly written: string | undefined;
  readonly writeMethod: string;
  readonly lock: Target;
  readonly unlock: Target;
  /** Sent with each request. */
  readonly authorization: Secret | undefined;
  /** All secrets of the address, which no answer may repeat. */
  readonly secrets: readonly Secret[];
  readonly terms: Terms;
}

export interface Target {
  readonly method: string;
  readonly address: URL;
}

const SHAPES = [
  ["gitlab", /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/],
  ["gitea", /\/api\/packages\/[^/]+\/terraform\/state\/[^/]+$/],
] as const;

export function serverOf({ address: given, written, io }: Place, key: string): Server {
  const { env } = io;
  const address = new URL(given);
  const dialect = SHAPES.find(([, shape]) => shape.test(address.pathname))?.[0] ?? "terraform";
  const isPlain = dialect === "terraform";
  const [locks, unlocks] = isPlain ? ["LOCK", "UNLOCK"] : ["POST", "DELETE"];
  const usual = isPlain ? address : below(address, "/lock");
  const lock = targetOf("LOCK", locks, usual);
  const { credentials, secrets } = credentialsOf(dialect, address, env);
  return {
    dialect,
    address,
    place: written ?? address.origin + address.pathname,
    written,
    writeMethod: writeMethodIn(env),
    lock,
    unlock: targetOf("UNLOCK", unlocks, lock.address),
    authorization: credentials,
    secrets,
    terms: termsIn(env),
  };

  function targetOf(name: "LOCK" | "UNLOCK", method: string, otherwise: URL): Target {
    const found = addressIn(env, `TF_HTTP_${name}_ADDRESS`, address, key);
    return {
      method: methodIn(env, `TF_HTTP_${name}_METHOD`) ?? method,
      address: found ?? otherwise,
    };
  }
}

function below(address: URL, path: string): URL {
  const found = new URL(address);
  found.pathname += path;
  return found;
}

/**
 * A variable holds one address, but a run can have many states. So it may contain ${portal.key}. If it begins with
 * TF_HTTP_ADDRESS, the rest is appended to the state's own address.
 */
function addressIn(env: Io["env"], name: string, own: URL, key: string): URL | undefined {
  const given = env[name]?.replaceAll("${portal.key}", key);
  if (!given) return undefined;
  const base = env["TF_HTTP_ADDRESS"];
  const rest = base && given.startsWith(`${base}/`) ? given.slice(base.length) : undefined;
  const found = rest === undefined ? given : below(own, rest).href;
  const url = URL.canParse(found) ? new URL(found) : undefined;
  // Credentials for an unlock must only go to the server of the state.
  if (url?.origin === own.origin && !url.username && !url.password) return url;
  throw badVariable(name, "not an address on the server of the state", `${own.origin}/…`);
}

function methodIn(env: Io["env"], name: string): string | undefined {
  const method = env[name];
  if (!method) return undefined;
  if (/^[A-Za-z]+$/.test(method)) return method.toUpperCase();
  throw badVariable(name, "no HTTP method", "POST");
}

/** With another method, a server may answer with success and store nothing. */
function writeMethodIn(env: Io["env"]): string {
  const name = "TF_HTTP_UPDATE_METHOD";
  const method = methodIn(env, name) ?? "POST";
  if (method === "POST" || method === "PUT") return method;
  throw badVariable(name, "not POST or PUT, the methods that write a state", "POST");
}

function badVariable(name: string, what: string, example: string): Failure {
  const help = `Correct or unset it:\n  export ${name}=${example}`;
  return new Failure("bad-state-address", `The variable "${name}" is ${what}.`, help);
}

/** The job's token goes only to the GitLab that issued it. */
function credentialsOf(dialect: Dialect, { origin }: URL, env: Io["env"]) {
  const { TF_HTTP_USERNAME: user, TF_HTTP_PASSWORD: password = "" } = env;
  if (user) return basic(user, password);
  const { CI_JOB_TOKEN: token, CI_SERVER_URL: giver = "" } = env;
  const isGiver = URL.canParse(giver) && new URL(giver).origin === origin;
  if (dialect === "gitlab" && token && isGiver) return basic("gitlab-ci-token", token);
  return { credentials: undefined, secrets: [] };
}

function basic(user: string, password: string) {
  const encoded = Buffer.from(`${user}:${password}`).toString("base64");
  const credentials = secret(encoded, "Basic ");
  return { credentials, secrets: [credentials, ...(password ? [secret(password)] : [])] };
}

function termsIn(env: Io["env"]): Terms {
  const pem = (name: string) => env[`TF_HTTP_CLIENT_${name}_PEM`] || undefined;
  const number = (name: string) => {
    const text = env[`TF_HTTP_RETRY_${name}`];
    if (!text) return undefined;
    if (/^\d{1,6}$/.test(text)) return Number(text);
    throw badVariable(`TF_HTTP_RETRY_${name}`, "not a whole number", "3");
  };
  const [most, leastS, mostS] = [number("MAX"), number("WAIT_MIN"), number("WAIT_MAX")];
  const [ca, cert, key] = [pem("CA_CERTIFICATE"), pem("CERTIFICATE"), pem("PRIVATE_KEY")];
  return {
    answerLimit: LARGEST_STATE,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    retryPolicy: {
      attempts: most === undefined ? RETRY_POLICY.attempts : most + 1,
      leastMs: leastS === undefined ? RETRY_POLICY.leastMs : 1000 * leastS,
      mostMs: mostS === undefined ? RETRY_POLICY.mostMs : 1000 * mostS,
    },
  };
}
