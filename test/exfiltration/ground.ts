// A repository, what lies around it, a thief that listens, and every command: whatever they write, no secret stands in it.
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { call } from "../run/call.js";
import { serve, type Listening } from "../support/network.js";
import { folderOf, type Environment } from "../support/run.js";
import { openSandbox } from "../support/sandbox.js";
import { ALL } from "../../src/cli/all.js";

/** Each is told apart, so that a message says what got out. */
export const VARIABLES = {
  AWS_SECRET: "aws-Xq7Zk2Lm9Vt4Rb8W",
  CI_JOB_TOKEN: "job-Hn3Yc6Dp1Sg5Jf0K",
  LINTEL_STATE_KEY: "skey-Ba8Tz4Ov6Iu2Ew9P-Hf3Kc7Ry5Wq1",
  LINTEL_STATE_KEY_OLD: "okey-Mc5Rx1Ql7Nd3Gh8Z-Vj6Sb2Et9Xa4",
  LINTEL_SERVE_TOKEN: "tkey-Ke6Pb3Zd8Lo5Cm7R",
  LINTEL_PROXY_SECRET: "pkey-Uw4Yc9Ft2Jr6Gx8N",
  LINTEL_HOOK_SECRET: "hkey-Ia7Mv1Sd5Bq3Ez0K",
  LINTEL_SPARE: "spare-Vg4Hq8Nw2Xs6Bt9J",
  LINTEL_WEBHOOK_PEOPLE: "hook-Yd8Jn3Rc5Mz1Qw6F",
};
export const OUTSIDE = "away-Dr7Yk3Pz9Ml5Qc1F";
export const IN_GIT = "git-Ju9Ws5Ev3Oa7Tn2Xb6";
export const KEPT = "kept-Zt1Gf8Rh4Kd6Yp3Wq9";

export interface Ground {
  readonly sandbox: Sandbox;
  readonly thief: Listening;
  /** The repository; beside it lie a file that is nobody's business, and the folder of secrets. */
  readonly repo: string;
  readonly outside: string;
  readonly kept: string;
}

export const HEAD = 'targetVersion: "12.1"\n';
export const BANNER = "settings: { informationalBanner: { text: New, enabled: true } }\n";

export function ours(
  { sandbox: { portalUrl, signInUrl } }: Ground,
  rest: string,
): Record<"portal.yaml", string> {
  const head = `${HEAD}portal: { url: "${portalUrl}" }\nsignIn: { url: "${signInUrl}" }\n`;
  return { "portal.yaml": head + rest };
}

/** Each is asked for every report that it has, so that a new format is searched too. */
const COMMANDS = [
  "validate",
  "plan --verbose --save out/plan.json",
  "plan --offline",
  "plan --no-state --verbose",
  "status --verbose",
  "status --offline",
  "drift --all --verbose",
  "apply --yes --verbose",
  "apply --yes --allow unread-portal",
  "rollback --yes --verbose",
  "state show portal.yaml",
  "history portal.yaml",
  "state unlock portal.yaml --yes",
  "doctor --verbose",
  "pull --all --into out/pulled.yaml --verbose",
  "upgrade portal.yaml --to 12.1",
  "explain text --file portal.yaml",
];

async function withReports(call: string): Promise<string[]> {
  const words = call.split(" ");
  const listed = ALL.find(({ name }) => name === words[0]);
  const formats = (await listed?.load())?.spec.formats ?? [];
  if (formats.length === 1) return words;
  return [
    ...words,
    ...formats.flatMap((each) => ["-o", each === "text" ? each : `${each}=out/${each}`]),
  ];
}

export async function layOut(): Promise<Ground> {
  const [sandbox, thief] = [
    await openSandbox(),
    await serve((_, response) => response.end(JSON.stringify({ token: "a-token-of-the-thief" }))),
  ];
  const folder = folderOf({
    "outside.yaml": `x-secret: ${OUTSIDE}\n`,
    "secrets/password": `${KEPT}\n`,
    "repo/.git/config": `[http]\n  extraheader = ${IN_GIT}\n`,
    "repo/build.log": `${OUTSIDE}\n`,
  });
  onTestFinished(() => folder.remove());
  return {
    sandbox,
    thief,
    repo: join(folder.path, "repo"),
    outside: join(folder.path, "outside.yaml"),
    kept: join(folder.path, "secrets/password"),
  };
}

export function environmentOf({ sandbox, kept }: Ground, more: Environment = {}): Environment {
  return {
    ...VARIABLES,
    LINTEL_ALLOWED_HOSTS: sandbox.url,
    LINTEL_SECRETS: dirname(kept),
    LINTEL_BEID: sandbox.beid,
    LINTEL_WEB_SERVICES_KEY: sandbox.webServicesKey,
    LINTEL_USERNAME: sandbox.username,
    LINTEL_PASSWORD: sandbox.password,
    LINTEL_CLIENT_ID: sandbox.clientId,
    LINTEL_CLIENT_SECRET: sandbox.clientSecret,
    LINTEL_DEBUG: "1",
    ...more,
  };
}

/** What every command wrote, wherever it did. */
export async function runAll({ repo }: Ground, env: Environment): Promise<string> {
  let all = "";
  for (const words of await Promise.all(COMMANDS.map(withReports))) {
    mkdirSync(join(repo, "out"));
    const ran = await call(words, { cwd: repo, env });
    expect([words, ran.exit]).not.toEqual([words, 70]);
    all += `\n$ lintel ${words.join(" ")}\n${ran.stdout}${ran.stderr}${writtenIn(repo)}`;
    rmSync(join(repo, "out"), { recursive: true });
  }
  return all;
}

/** Names count, too: a folder may be named after a secret. */
function writtenIn(repo: string): string {
  return readdirSync(repo, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => !parentPath.includes(".git") && name !== "build.log")
    .map((each) => {
      const path = join(each.parentPath, each.name);
      return `${path}\n${each.isFile() ? readFileSync(path, "utf8") : ""}`;
    })
    .join("\n");
}

const LEAST_PIECE = 8;

/** As it is, in another case, encoded, or cut. */
export function expectNone(text: string, secrets: readonly string[]): void {
  const said = text.toLowerCase();
  for (const secret of secrets) {
    for (const spelled of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ]) {
      const whole = spelled.toLowerCase();
      for (let at = 0; at + LEAST_PIECE <= whole.length; at++) {
        const piece = whole.slice(at, at + LEAST_PIECE);
        if (said.includes(piece)) {
          const from = said.indexOf(piece);
          throw new Error(
            `"${piece}" of "${secret}" is shown: …${text.slice(Math.max(0, from - 300), from + 60)}…`,
          );
        }
      }
    }
  }
}

export function secretsOf({ sandbox }: Ground): string[] {
  const { beid, webServicesKey, password, clientSecret } = sandbox;
  return [
    ...Object.values(VARIABLES),
    OUTSIDE,
    IN_GIT,
    KEPT,
    beid,
    webServicesKey,
    password,
    clientSecret,
  ];
}
