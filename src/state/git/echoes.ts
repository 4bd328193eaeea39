// A remote over HTTP → the secrets that git may send there, and what was said without those that came back.
import { secret, type Secret } from "../../secret.js";
import { unlessEcho } from "../../lib/text.js";
import type { Ended } from "../../lib/git.js";
import type { Workshop } from "./repository.js";

/** In the repository itself, which knows the remote by its name. */
type Ask = Workshop["asItStands"];

/** A name that stands alone is a token from this length on. */
const TOKEN_LENGTH = 20;
/** Whoever keeps them has just been asked the same by git. */
const HELPERS_MS = 10_000;
/** No person is asked a second time. */
const QUIETLY = { GIT_ASKPASS: "", GIT_TERMINAL_PROMPT: "0", GCM_INTERACTIVE: "never" };

/**
 * Of a failure, what git and the server said, fit to be shown. Git alone knows what it sends, and it is asked only
 * then; a sign-in that failed has often made it forget.
 */
export function openEchoes(ask: Ask, remote: string): (ended: Ended) => Promise<Ended> {
  let known: Promise<readonly Secret[]> | undefined;
  return async (ended) => {
    if (ended.exit === 0) return ended;
    const secrets = await (known ??= secretsOf(ask, remote));
    const isForgotten = secrets.length === 0 && /Authentication failed/i.test(ended.stderr);
    const lines = ended.stderr.split(/[\r\n]+/).map((line) => unlessEcho(line, secrets));
    const stderr = lines.filter((line) => !isForgotten || !line.startsWith("remote:")).join("\n");
    // Of what a push tells of each branch, the server's reason alone.
    const stdout = ended.stdout
      .toString("utf8")
      .replace(/\((.+)\)$/gm, (_, why: string) => `(${unlessEcho(why, secrets)})`);
    return { ...ended, stdout: Buffer.from(stdout), stderr };
  };
}

async function secretsOf(ask: Ask, remote: string): Promise<readonly Secret[]> {
  const called = { env: QUIETLY, signal: AbortSignal.timeout(HELPERS_MS), mayConnect: true };
  const say = async (words: readonly string[], input?: string) => {
    const { exit, stdout } = await ask(words, { ...called, ...(input && { input }) });
    return exit === 0 ? stdout.toString("utf8") : "";
  };
  const [fetched, pushed, headers] = await Promise.all([
    say(["remote", "get-url", "--all", remote]),
    say(["remote", "get-url", "--all", "--push", remote]),
    say(["config", "--get-regexp", "^http\\..*extraheader$"]),
  ]);
  const addresses = new Set(`${fetched}\n${pushed}`.split("\n").filter(isHttp));
  const kept = await Promise.all(
    [...addresses].map(async (url) => {
      const helped = await say(["credential", "fill"], `url=${url}\n\n`);
      const field = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(helped)?.[1] ?? "";
      const { username, password } = new URL(url);
      return [
        ...basic(decoded(username), decoded(password)),
        ...basic(field("username"), field("password")),
      ];
    }),
  );
  return addresses.size === 0 ? [] : [...kept.flat(), ...headers.split("\n").flatMap(inHeader)];
}

function isHttp(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function basic(user: string, password: string): Secret[] {
  if (password === "") return user.length < TOKEN_LENGTH ? [] : [secret(user)];
  return [secret(password), secret(Buffer.from(`${user}:${password}`).toString("base64"))];
}

/** "Authorization: Basic …", as a pipeline's checkout leaves it. */
function inHeader(line: string): Secret[] {
  const [, scheme = "", value = ""] = /:\s*(?:(\w+)\s+)?(\S+)\s*$/.exec(line) ?? [];
  if (value === "") return [];
  const [, user = "", password = ""] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(value, "base64").toString()) ?? [];
  return [secret(value), ...(/^basic$/i.test(scheme) ? basic(user, password) : [])];
}
