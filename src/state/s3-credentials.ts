// Finds AWS keys: static ones, or temporary ones for a web identity or the role of a container.
import { join, resolve } from "node:path";
import { Failure } from "../failure.js";
import type { Http } from "../http/http.js";
import { readContainerCredentials } from "../http/container-credentials.js";
import type { Io } from "../io.js";
import { readFile, reasonOf } from "../lib/files.js";
import { isJsonObject, parseJson } from "../lib/json.js";
import { showForeign } from "../lib/text.js";
import { signInPass } from "../request.js";
import { secret } from "../secret.js";
import type { Keys } from "./s3-sign.js";

export interface Credentials extends Keys {
  /** By the issuer's clock; absent for static keys. */
  readonly expiresMs?: number | undefined;
}

const LIMITS = { largest: 1024 * 1024, links: "followed" } as const;
/** The path of all STS calls. */
const STS = signInPass("/");

/**
 * In the order of AWS' own tools: variables, a web identity, a profile of the shared files, the role of a container.
 */
export async function credentialsFor(
  io: Pick<Io, "env" | "cwd">,
  http: Http,
  region: string,
): Promise<Credentials> {
  const { env } = io;
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_SESSION_TOKEN: token } = env;
  if (id && key) return keysFrom(id, key, token);
  if (id || key) {
    const [there, missing] = id
      ? ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
      : ["AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"];
    throw noKeys(`${there} is set, and ${missing} is not`);
  }
  if (env["AWS_WEB_IDENTITY_TOKEN_FILE"]) return ofWebIdentity(io, http, region);
  const profile = ofProfile(io);
  if (profile) return profile;
  return (await ofContainer(io)) ?? missingKeys(io);
}

function keysFrom(id: string, key: string, token?: string, expires?: string): Credentials {
  const expiresMs = Date.parse(expires ?? "");
  return {
    id: id.trim(),
    key: secret(key.trim()),
    session: token ? secret(token.trim()) : undefined,
    ...(!Number.isNaN(expiresMs) && { expiresMs }),
  };
}

async function ofWebIdentity(
  { env, cwd }: Pick<Io, "env" | "cwd">,
  http: Http,
  region: string,
): Promise<Credentials> {
  const role = env["AWS_ROLE_ARN"];
  if (!role) throw noKeys("AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not");
  const token = secret(textOf(resolve(cwd, env["AWS_WEB_IDENTITY_TOKEN_FILE"] ?? "")).trim());
  const ending = region.startsWith("cn-") ? ".cn" : "";
  const url = env["AWS_ENDPOINT_URL_STS"] || `https://sts.${region}.amazonaws.com${ending}/`;
  const { status, text } = await http.call({
    method: "POST",
    url,
    body: {
      form: [
        ["Action", "AssumeRoleWithWebIdentity"],
        ["Version", "2011-06-15"],
        ["RoleArn", role],
        ["RoleSessionName", env["AWS_ROLE_SESSION_NAME"] || "lintel"],
        ["WebIdentityToken", token],
      ],
    },
    repeats: "freely",
    signIn: STS,
  });
  const word = (tag: string) => wordIn(text, tag);
  const [id, key] = [word("AccessKeyId"), word("SecretAccessKey")];
  if (status === 200 && id && key)
    return keysFrom(id, key, word("SessionToken"), word("Expiration"));
  const said = [word("Code"), word("Message")].filter(Boolean).join(": ");
  throw noKeys(
    `"${new URL(url).host}" answers ${status}${said && `, "${showForeign(said, [token], 300)}"`} to the web identity`,
  );
}

async function ofContainer(io: Pick<Io, "env" | "cwd">): Promise<Credentials | undefined> {
  const { env, cwd } = io;
  const relative = env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  const address = relative
    ? `http://169.254.170.2${relative}`
    : env["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
  if (!address) return undefined;
  const file = env["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  const token = file ? textOf(resolve(cwd, file)).trim() : env["AWS_CONTAINER_AUTHORIZATION_TOKEN"];
  const answer = await readContainerCredentials(address, token);
  const json = "why" in answer ? undefined : parseJson(answer.text);
  const text = (name: string) => {
    const value = isJsonObject(json) ? json[name] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const [id, key] = [text("AccessKeyId"), text("SecretAccessKey")];
  if (id && key) return keysFrom(id, key, text("Token"), text("Expiration"));
  const why = "why" in answer ? answer.why : "the answer contains no keys";
  throw noKeys(`the role of this container cannot be used: ${why}`);
}

type Section = Readonly<Record<string, string>>;

function ofProfile({ env, cwd }: Pick<Io, "env" | "cwd">): Credentials | undefined {
  const name = env["AWS_PROFILE"] || "default";
  const home = env["HOME"] || env["USERPROFILE"] || "";
  const at = (variable: string, file: string) => {
    const given = env[variable];
    return given ? resolve(cwd, given) : home && join(home, ".aws", file);
  };
  const sections = [
    sectionIn(at("AWS_SHARED_CREDENTIALS_FILE", "credentials"), [name]),
    // The shared config file prefixes all sections but the default one.
    sectionIn(at("AWS_CONFIG_FILE", "config"), name === "default" ? [name] : [`profile ${name}`]),
  ];
  for (const { aws_access_key_id, aws_secret_access_key, aws_session_token } of sections) {
    if (aws_access_key_id && aws_secret_access_key)
      return keysFrom(aws_access_key_id, aws_secret_access_key, aws_session_token);
  }
  return undefined;
}

function missingKeys({ env }: Pick<Io, "env">): never {
  const profile = env["AWS_PROFILE"];
  throw noKeys(
    profile
      ? `the profile "${profile}" holds none`
      : "neither the variables nor the default profile contain any",
  );
}

/** Single sign-on and other profiles are left to AWS' own program. */
function noKeys(why: string): Failure {
  return new Failure(
    "credential-missing",
    `No keys for the bucket of the state: ${why}.`,
    'Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary keys, AWS_SESSION_TOKEN. To get them from another kind of profile:\n  eval "$(aws configure export-credentials --format env)"',
  );
}

/** A section of an INI file; empty without the file or the section. */
function sectionIn(path: string, titles: readonly string[]): Section {
  const found: Record<string, string> = {};
  let isIn = false;
  for (const line of (path && textIfThere(path)).split(/\r?\n/)) {
    const [, title] = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (title !== undefined) isIn = titles.includes(title.replace(/\s+/g, " "));
    // Indented lines belong to a value, such as the settings of one service.
    const [, name = "", value = ""] = /^([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isIn && name) found[name.toLowerCase()] = value;
  }
  return found;
}

function textIfThere(path: string): string {
  try {
    return readFile(path, LIMITS).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw noKeys(`"${path}" cannot be read: ${reasonOf(error) ?? String(error)}`);
  }
}

function textOf(path: string): string {
  const text = textIfThere(path);
  if (text.trim() === "") throw noKeys(`"${path}" is missing or empty`);
  return text;
}

/** A value of AWS' XML answers. */
export function wordIn(text: string, tag: string): string {
  return new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? "";
}
