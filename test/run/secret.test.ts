// No token, key, password or cookie stands in anything that a command writes, however it is called and whatever goes wrong.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/sandbox/faults.js";
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { CARRIES, SIGN_IN_METHODS, type SignInMethod } from "../../src/sign-in.js";
import { stand } from "./middle.js";
import { isUpdate, openPlace, type Place } from "./place.js";

type Env = Readonly<Record<string, string>>;

/** What a person has to give for a method; all of it is found by its variable. */
const GIVEN: Readonly<Record<SignInMethod, (sandbox: Sandbox) => Env | Promise<Env>>> = {
  loginadmin: ({ beid, webServicesKey }) => ({
    LINTEL_BEID: beid,
    LINTEL_WEB_SERVICES_KEY: webServicesKey,
  }),
  login: person,
  auth: person,
  "generate-token": person,
  loginsso: async (sandbox) => ({ LINTEL_SSO_COOKIE: await cookieOf(sandbox) }),
  token: async (sandbox) => ({ LINTEL_TOKEN: await tokenOf(sandbox) }),
  "client-credentials": ({ clientId, clientSecret }) => ({
    LINTEL_CLIENT_ID: clientId,
    LINTEL_CLIENT_SECRET: clientSecret,
  }),
};

/** Any key whose state has to be signed first is told of in an error. */
const KEYS = {
  LINTEL_STATE_KEY: "Zq8vN3tLw6RbXe2KpYd9Hs4GmCu7Ja5F",
  LINTEL_STATE_KEY_OLD: "Tf5yB9kMx2WnQd7VrEa3Lh8PzGs6Jc4U",
};

const METHODS = Object.keys(GIVEN) as SignInMethod[];
const NAMES = ["LINTEL_USERNAME", "LINTEL_CLIENT_ID"];

function person({ username, password }: Sandbox): Env {
  return { LINTEL_USERNAME: username, LINTEL_PASSWORD: password };
}

async function tokenOf({ signInUrl, username, password }: Sandbox): Promise<string> {
  const answer = await fetch(`${signInUrl}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  return await answer.text();
}

async function cookieOf({ browserUrl, username, password }: Sandbox): Promise<string> {
  const body = new URLSearchParams({ username, password });
  const answer = await fetch(browserUrl, { method: "POST", body, redirect: "manual" });
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const REPORTS = "--output text --output json=out.json --verbose";
const CHANGES = `${REPORTS} --output markdown=out.md`;

/** All that has to do with a portal; in an order in which each finds something to tell of. */
const COMMANDS = [
  `plan ${CHANGES} --save plan.json`,
  `plan --load plan.json ${CHANGES.replace(" --verbose", "")}`,
  `apply ${CHANGES} plan.json`,
  `apply ${CHANGES} --yes`,
  `plan ${CHANGES}`,
  `status ${REPORTS}`,
  `drift --all ${REPORTS}`,
  `diff portal.yaml live:portal.yaml ${CHANGES}`,
  `doctor ${REPORTS}`,
  `rollback --yes ${REPORTS}`,
  `apply --yes ${CHANGES}`,
  "state show portal.yaml --output text --output json=out.json",
  "history portal.yaml --output text --output json=out.json",
  "unhold portal.yaml",
  "state rm portal.yaml informationalBanner",
  "state unlock portal.yaml --yes",
  "state sign --yes --output text --output json=out.json",
  "state accept --yes --output text --output json=out.json",
];

async function tellAll(place: Place, env: Env, isFine = false): Promise<string> {
  let all = "";
  for (const words of COMMANDS) {
    const { exit, stdout, stderr } = await place.run(words, { env: { ...env, LINTEL_DEBUG: "1" } });
    expect(exit).not.toBe(70);
    // An apply after a rollback is held back; a status may be that changes are pending.
    if (isFine && ![0, 2, 7].includes(exit ?? 70)) throw new Error(`${words}: ${stdout}${stderr}`);
    all += `${stdout}${stderr}${filesOf(place)}`;
  }
  return all;
}

function filesOf({ folder }: Place): string {
  return readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), "utf8"))
    .join("");
}

/** Whatever was given to the command, and whatever the sandbox gave for it. */
function secretsOf({ sandbox }: Place, env: Env): string[] {
  const given = Object.entries(env).flatMap(([name, value]) => (NAMES.includes(name) ? [] : value));
  const sent = sandbox.requests.flatMap(({ path, headers, body }) => [
    ...[headers["authorization"], headers["x-esri-authorization"]].map((each) =>
      String(each ?? "").replace(/^Bearer /, ""),
    ),
    new URLSearchParams(body).get("token") ?? "",
    new URL(path, sandbox.url).searchParams.get("token") ?? "",
    String(headers["cookie"] ?? "").replace(/^[^=]*=/, ""),
  ]);
  const all = [...given, ...sent, sandbox.webServicesKey, sandbox.password, sandbox.clientSecret];
  return [...new Set(all)].filter(Boolean);
}

function expectNone(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    for (const spelled of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ]) {
      if (text.includes(spelled)) throw new Error(`"${spelled}" is shown`);
    }
  }
}

function write(
  place: Place,
  method: SignInMethod,
  carry: string,
  address = place.sandbox.url,
): void {
  const { url, portalUrl, signInUrl } = place.sandbox;
  const where =
    "url" in SIGN_IN_METHODS[method] ? `, url: "${signInUrl.replace(url, address)}"` : "";
  place.write("settings: { informationalBanner: { text: New, enabled: true } }\n", {
    head: `targetVersion: "12.1"\nportal: { url: "${portalUrl.replace(url, address)}" }\nsignIn: { method: ${method}, carry: ${carry}${where} }\n`,
  });
}

const anything = (fault: Omit<Fault, "match">, match: Fault["match"]): Fault[] =>
  Array.from({ length: 200 }, () => ({ ...fault, match: match ?? /./ }));

const FAULTS: Readonly<Record<string, Fault[]>> = {
  "nothing goes wrong": [],
  "updates are lost": anything({ kind: "drop-before" }, isUpdate),
  "updates are answered with a page": anything({ kind: "html" }, isUpdate),
  "every answer is cut": anything({ kind: "cut" }, /./),
  "the portal answers with errors": anything({ kind: "error-json" }, /sharing/),
};

describe.each(METHODS)("after %s", (method) => {
  test.each(Object.entries(FAULTS))("where %s", async (_, faults) => {
    const place = await openPlace();
    const env = { ...(await GIVEN[method](place.sandbox)), ...KEYS };
    write(place, method, CARRIES[METHODS.indexOf(method) % CARRIES.length] ?? "authorization");
    place.sandbox.faults.push(...faults);
    const all = await tellAll(place, env, faults.length === 0);
    const secrets = secretsOf(place, env);
    // The three of the sandbox, and what came of signing in.
    if (faults.length === 0) expect(secrets.length).toBeGreaterThan(3);
    expectNone(all, secrets);
  });
});

describe.each(CARRIES)("a portal that echoes what it was sent (%s)", (carry) => {
  test.each([/settings/, /self/, /rest/])("at %s", async (part) => {
    const place = await openPlace();
    const env = await GIVEN.loginadmin(place.sandbox);
    const address = await stand(place.sandbox, { isEchoed: (path) => part.test(path) });
    write(place, "loginadmin", carry, address);
    const all = await tellAll(place, env);
    expectNone(all, secretsOf(place, env));
  });
});

test("a sign-in service that echoes what it was sent", async () => {
  for (const method of METHODS) {
    const place = await openPlace();
    const env = await GIVEN[method](place.sandbox);
    const address = await stand(place.sandbox, { isEchoed: () => true });
    write(place, method, "authorization", address);
    expectNone(await tellAll(place, env), secretsOf(place, env));
  }
});

test("refused credentials", async () => {
  for (const method of METHODS) {
    const place = await openPlace();
    const right = await GIVEN[method](place.sandbox);
    const wrong = Object.fromEntries(Object.keys(right).map((name) => [name, `wrong-${name}=1&b`]));
    write(place, method, "authorization");
    expectNone(await tellAll(place, wrong), secretsOf(place, wrong));
  }
});
