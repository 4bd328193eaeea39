// The variables and files of AWS → the keys to sign with. Refuses what would have to be fetched first, and says how to come by keys.
import { join, resolve } from "node:path";
import { Failure } from "../../failure.js";
import { readFile } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { secret } from "../../secret.js";
import type { Keys } from "./sign.js";

const LIMITS = { largest: 1024 * 1024, links: "followed" } as const;

type Section = Readonly<Record<string, string>>;

/** Keys in variables come first, then those of the profile; nothing is asked of a machine's or a container's own service. */
export function keysOf({ env, cwd }: Pick<Io, "env" | "cwd">): Keys {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_SESSION_TOKEN: token } = env;
  if (id && key) return keys(id, key, token);
  if (id || key) {
    const [there, missing] = id
      ? ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
      : ["AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"];
    throw unusable(`"${there}" is set, and "${missing}" is not`, `  export ${missing}=…`);
  }
  const name = env["AWS_PROFILE"] || "default";
  const home = env["HOME"] || env["USERPROFILE"] || "";
  const at = (variable: string, file: string) => {
    const given = env[variable];
    return given ? resolve(cwd, given) : home && join(home, ".aws", file);
  };
  const given = sectionIn(at("AWS_SHARED_CREDENTIALS_FILE", "credentials"), [name]);
  // There it is called so, but for the one without a name.
  const titles = name === "default" ? [name, `profile ${name}`] : [`profile ${name}`];
  const set = sectionIn(at("AWS_CONFIG_FILE", "config"), titles);
  for (const { aws_access_key_id, aws_secret_access_key, aws_session_token } of [given, set]) {
    if (aws_access_key_id && aws_secret_access_key) {
      return keys(aws_access_key_id, aws_secret_access_key, aws_session_token);
    }
  }
  throw without(name, { ...set, ...given }, env);
}

function keys(id: string, key: string, token: string | undefined): Keys {
  return {
    id: id.trim(),
    key: secret(key.trim()),
    session: token ? secret(token.trim()) : undefined,
  };
}

const ELSEWHERE = [
  "role_arn",
  "sso_session",
  "sso_start_url",
  "credential_process",
  "web_identity_token_file",
];
const SERVICES = [
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
];

function without(name: string, section: Section, env: Io["env"]): Failure {
  const source = ELSEWHERE.find((each) => section[each]) ?? SERVICES.find((each) => env[each]);
  const isNamed = Boolean(env["AWS_PROFILE"]);
  if (source !== undefined || isNamed) {
    const option = name === "default" ? "" : ` --profile ${name}`;
    const why = source
      ? `the keys come by "${source}", and Lintel fetches none`
      : `the profile "${name}" holds none`;
    return unusable(why, `  eval "$(aws configure export-credentials${option} --format env)"`);
  }
  return unusable(
    "neither the variables nor a profile hold any",
    "  export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…",
  );
}

function unusable(why: string, command: string): Failure {
  return new Failure(
    "credential-missing",
    `There are no keys for the bucket of the state: ${why}.`,
    `Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for keys that end, AWS_SESSION_TOKEN:\n${command}`,
  );
}

/** Of an INI file; empty where there is no such file or section. */
function sectionIn(path: string, titles: readonly string[]): Section {
  const found: Record<string, string> = {};
  let isIn = false;
  for (const line of textOf(path).split(/\r?\n/)) {
    const [, title] = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (title !== undefined) isIn = titles.includes(title.replace(/\s+/g, " "));
    // What is set in is part of a value, such as settings of one service.
    const [, name = "", value = ""] = /^([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isIn && name) found[name.toLowerCase()] = value;
  }
  return found;
}

function textOf(path: string): string {
  if (path === "") return "";
  try {
    return readFile(path, LIMITS).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new Failure(
      "credential-missing",
      `"${path}" cannot be read.`,
      "Check the file and its permissions, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
      { cause: error },
    );
  }
}
