// A service that is listed, and repeats what it was sent in whatever shape: its words are withheld.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call } from "../run/call.js";
import { serve, type Answering } from "../support/network.js";
import {
  BANNER,
  environmentOf,
  expectNone,
  HEAD,
  layOut,
  ours,
  runAll,
  secretsOf,
  VARIABLES,
} from "./ground.js";

/** What a service that is listed makes of what it was sent, in the words of its refusal. */
const ECHOES: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in capitals": (text) => text.toUpperCase(),
  "in small letters": (text) => text.toLowerCase(),
  "cut at the end": (text) => text.slice(0, Math.ceil(text.length * 0.6)),
  "cut at the beginning": (text) => text.slice(Math.floor(text.length * 0.4)),
  encoded: (text) => encodeURIComponent(text),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "with characters that nobody sees": (text) => text.replace(/(?=.)/gs, "\u200b"),
};

/** Each gives secrets that it then finds in the answer. */
const SENDERS: Readonly<Record<string, string>> = {
  "as keys": "",
  "as a name": 'method: login, username: "${env:LINTEL_SPARE}", password: "${env:LINTEL_PASSWORD}"',
  "as the portal's own name and referer":
    'method: generate-token, username: "${env:LINTEL_SPARE}", password: "${env:LINTEL_PASSWORD}", referer: "${env:LINTEL_SPARE}"',
  "as a client's id": 'method: client-credentials, clientId: "${env:LINTEL_SPARE}"',
  "as a token": 'method: token, token: "${env:LINTEL_SPARE}"',
};

describe.each(Object.entries(ECHOES))("a listed service that repeats a secret %s", (_, echo) => {
  test.each(Object.entries(SENDERS))("that it was sent %s", async (__, fields) => {
    const ground = await layOut();
    const env = environmentOf(ground);
    // One alone, so that nothing else withholds what is said of it.
    const known = fields ? [VARIABLES.LINTEL_SPARE] : [ground.sandbox.webServicesKey];
    const echoing = await serve(({ body, headers, path }, response) => {
      const said = decodeURIComponent(
        `${path} ${body.replaceAll("+", " ")} ${JSON.stringify(headers)}`,
      );
      const found = known.filter((each) => said.includes(each));
      const message = `No such account: ${found.map(echo).join(", ")}`;
      response
        .writeHead(path.includes("getuser") ? 200 : 400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { code: 400, message, details: [message] } }));
    });
    const isService = fields === "" || fields.includes("method: login");
    const url = isService ? `${fields && ", "}url: "${echoing.url}"` : "";
    writeFileSync(
      join(ground.repo, "portal.yaml"),
      `${HEAD}portal: { url: "${echoing.url}/rest" }\nsignIn: { ${fields}${url} }\n${BANNER}`,
    );
    const all = await runAll(ground, { ...env, LINTEL_ALLOWED_HOSTS: echoing.url });
    expect(echoing.received).not.toEqual([]);
    expect(all).toContain("withheld");
    expectNone(all, secretsOf(ground));
  });
});

test.each(Object.entries(ECHOES))(
  "a server of states that repeats its password %s, as the holder of the lock and in a refusal",
  async (_, echo) => {
    const ground = await layOut();
    const password = VARIABLES.LINTEL_SPARE;
    const said = `${echo(password)}@${echo(password)}`;
    const lock = { ID: "x", Operation: said, Info: said, Who: said, Version: said, Created: said };
    const echoing = await serve(({ method, path }, response) => {
      response.setHeader("content-type", "application/json");
      const isBroken = path.startsWith("/broken");
      if (method === "LOCK" && !isBroken) response.writeHead(423).end(JSON.stringify(lock));
      else response.writeHead(isBroken ? 400 : 404).end(JSON.stringify({ message: said }));
    });
    const env = {
      ...environmentOf(ground),
      LINTEL_ALLOWED_HOSTS: `${ground.sandbox.url},${echoing.url}`,
      TF_HTTP_USERNAME: "ada",
      TF_HTTP_PASSWORD: password,
    };
    for (const place of ["locked", "broken"]) {
      const { "portal.yaml": file } = ours(ground, `state: "${echoing.url}/${place}"\n${BANNER}`);
      writeFileSync(join(ground.repo, "portal.yaml"), file);
      const all = await runAll(ground, env);
      expect(all).toContain("withheld");
      expectNone(all, secretsOf(ground));
    }
  },
);

test("a key that a service returns later, in the user's profile, is not printed either", async () => {
  const ground = await layOut();
  const { webServicesKey } = ground.sandbox;
  const user = { FullName: webServicesKey.toUpperCase(), PrimaryEmail: "ada@example.org" };
  const telling = await serve(({ path }, response) =>
    response.end(path.includes("loginadmin") ? "a-token-of-the-service" : JSON.stringify(user)),
  );
  writeFileSync(
    join(ground.repo, "portal.yaml"),
    `${HEAD}portal: { url: "${telling.url}/rest" }\nsignIn: { url: "${telling.url}" }\n`,
  );
  const env = { ...environmentOf(ground), LINTEL_ALLOWED_HOSTS: telling.url };
  const ran = await call(["doctor"], { cwd: ground.repo, env });
  expect(ran.stdout).toMatch(/Signed in with "loginadmin" as ".*withheld.*"/);
  expectNone(ran.stdout + ran.stderr, secretsOf(ground));
});

const DIGITS = "739104628517";

/** Where an answer can repeat a secret without a text of its own: what is answered instead, to whom. */
const CORNERS: Readonly<Record<string, { at: string; secret: string; answer: Answering }>> = {
  "the host that the sign-in leads on to": {
    at: "loginadmin",
    secret: VARIABLES.LINTEL_SPARE,
    answer: (_, response) =>
      response.writeHead(302, { location: `https://${VARIABLES.LINTEL_SPARE}.example.org/` }).end(),
  },
  "the host that the portal leads on to": {
    at: "settings",
    secret: VARIABLES.LINTEL_SPARE,
    answer: (_, response) =>
      response.writeHead(307, { location: `https://${VARIABLES.LINTEL_SPARE}.example.org/` }).end(),
  },
  "the number of a refusal": {
    at: "settings",
    secret: DIGITS,
    answer: (_, response) =>
      response.end(JSON.stringify({ error: { code: Number(DIGITS), message: "No." } })),
  },
  "the release of the portal": {
    at: "self",
    secret: VARIABLES.LINTEL_SPARE,
    answer: (_, response) =>
      response.end(
        JSON.stringify({ user: { role: "org_admin" }, currentVersion: VARIABLES.LINTEL_SPARE }),
      ),
  },
  "the role of the account": {
    at: "self",
    secret: VARIABLES.LINTEL_SPARE,
    answer: (_, response) =>
      response.end(JSON.stringify({ user: { role: VARIABLES.LINTEL_SPARE } })),
  },
  "the encoding of an answer": {
    at: "settings",
    secret: VARIABLES.LINTEL_SPARE,
    answer: (_, response) =>
      response.writeHead(200, { "content-encoding": VARIABLES.LINTEL_SPARE }).end("?"),
  },
};

test.each(Object.entries(CORNERS))("%s repeats no secret", async (_, { at, secret, answer }) => {
  const ground = await layOut();
  const echoing = await serve((received, response, all) => {
    const path = received.path.replace(/\?.*/, "");
    if (path.endsWith(at)) return answer(received, response, all);
    if (path.endsWith("loginadmin")) return response.end("a-token-of-the-service");
    return response.end(
      JSON.stringify(path.endsWith("self") ? { user: { role: "org_admin" } } : {}),
    );
  });
  writeFileSync(
    join(ground.repo, "portal.yaml"),
    `${HEAD}portal: { url: "${echoing.url}/rest" }\nsignIn: { url: "${echoing.url}" }\n${BANNER}`,
  );
  const all = await runAll(ground, {
    ...environmentOf(ground),
    LINTEL_ALLOWED_HOSTS: echoing.url,
    LINTEL_WEB_SERVICES_KEY: secret,
  });
  expect(all).toContain("withheld");
  expectNone(all, [secret]);
});
