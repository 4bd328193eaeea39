// A token that travels in a form: no address that leaves Lintel holds it, whatever the command and whatever goes wrong.
import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/sandbox/faults.js";
import { answerJson, serve, type Received } from "../support/network.js";
import { headFor, openPlace, type Place } from "./place.js";

const PORTAL = {
  informationalBanner: { text: "Old", bgColor: "black", fontColor: "white", enabled: true },
  portalConfigProperties: { tokenExpiration: 60 },
};

/** Every command that reaches a portal with a token, in an order in which each has something to do. */
const COMMANDS = [
  "doctor",
  "plan --save plan.json",
  "status",
  "apply plan.json",
  "drift --all",
  "pull",
  "rollback --yes",
  "unhold portal.yaml",
  "apply --yes",
] as const;

const METHODS = {
  loginadmin: (place: Place) => `{ url: "${place.sandbox.signInUrl}", carry: form-token }`,
  "generate-token": () =>
    `{ method: generate-token, username: admin, password: "\${env:LINTEL_PASSWORD}", carry: form-token }`,
  "client-credentials": () =>
    `{ method: client-credentials, clientId: "\${env:LINTEL_CLIENT_ID}", carry: form-token }`,
} as const;

async function settle(method: keyof typeof METHODS): Promise<Place> {
  const place = await openPlace({}, PORTAL);
  const { portalUrl } = place.sandbox;
  place.write("settings: { informationalBanner: { text: New } }\n", {
    head: `targetVersion: "12.1"\nportal: { url: "${portalUrl}" }\nsignIn: ${METHODS[method](place)}\n`,
  });
  const { password, clientId, clientSecret } = place.sandbox;
  const secrets = {
    LINTEL_PASSWORD: password,
    LINTEL_CLIENT_ID: clientId,
    LINTEL_CLIENT_SECRET: clientSecret,
  };
  return {
    ...place,
    run: (words, more = {}) => place.run(words, { ...more, env: { ...secrets, ...more.env } }),
  };
}

/** The tokens that stood in forms, and proof that they stood nowhere else. */
function tokensOf(requests: readonly Received[], said: string): ReadonlySet<string> {
  const forms = requests.map(({ body }) => new URLSearchParams(body).get("token"));
  const tokens = new Set(forms.filter((token) => token !== null));
  for (const { path, headers } of requests) {
    expect(decodeURIComponent(path)).not.toMatch(/token=/i);
    for (const token of tokens) {
      expect(decodeURIComponent(path)).not.toContain(token);
      const { authorization: _own, ...rest } = headers;
      expect(JSON.stringify(rest)).not.toContain(token);
      expect(said).not.toContain(token);
    }
  }
  expect(said).not.toMatch(/[?&]token=/);
  return tokens;
}

const received = (place: Place): Received[] => place.sandbox.requests as unknown as Received[];

describe("with signIn.carry: form-token", () => {
  test.each(Object.keys(METHODS) as (keyof typeof METHODS)[])(
    "runs every command %s, and reads by POST",
    async (method) => {
      const place = await settle(method);
      let said = "";
      for (const command of COMMANDS) {
        const ran = await place.run(command.startsWith("state") ? command : `${command} --verbose`);
        said += ran.stdout + ran.stderr;
        const exit = command === "status" ? 2 : 0;
        expect([command, ran.exit, ran.stderr]).toEqual([command, exit, expect.any(String)]);
      }
      expect(said).toContain("POST");
      expect(place.updates().length).toBeGreaterThanOrEqual(3);
      expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
      const tokens = tokensOf(received(place), said);
      expect(tokens.size).toBeGreaterThan(0);
      const ways = place.sandbox.requests.map(({ method: by, path }) => `${by} ${path}`);
      expect(ways).toContain("POST /portal/sharing/rest/portals/self/settings");
      expect(ways).toContain("POST /portal/sharing/rest/portals/self");
      expect(ways.filter((way) => /^GET .*\/settings/.test(way))).toEqual([]);
    },
  );

  const READ = /POST .*\/portals\/self/;
  const many = (fault: Fault): Fault[] => Array.from({ length: 12 }, () => fault);
  test.each<[string, Fault[], number]>([
    ["a page with status 500", [{ kind: "server-error", match: READ }], 4],
    ["a connection closed once", [{ kind: "drop-before", match: READ }], 0],
    ["half an answer, once", [{ kind: "cut", match: READ }], 0],
    ["connections closed for good", many({ kind: "drop-before", match: READ }), 4],
    ["redirects", many({ kind: "redirect", match: READ, location: "/elsewhere" }), 4],
    ["web pages", many({ kind: "html", match: READ }), 4],
    ["errors", many({ kind: "error-json", match: READ }), 4],
    [
      "a token that is refused once",
      [{ kind: "error-json", match: READ, error: { code: 498, message: "Invalid token." } }],
      0,
    ],
  ])("%s: puts no token into an address, and retries reads", async (_, faults, exit) => {
    const place = await settle("loginadmin");
    place.sandbox.faults.push(...faults);
    const ran = await place.run("plan --verbose");
    expect([ran.exit, ran.stderr]).toEqual([exit, expect.any(String)]);
    expect(tokensOf(received(place), ran.stdout + ran.stderr).size).toBeGreaterThan(0);
    expect(place.updates()).toEqual([]);
  });

  test("sends a portal that redirects nothing but the form", async () => {
    const place = await settle("loginadmin");
    const other = await serve((_, response) => answerJson(response, {}));
    const portal = await serve((request, response) => {
      response.writeHead(302, { location: `${other.url}${request.path}` }).end();
    });
    place.write("settings: { informationalBanner: { text: New } }\n", {
      head: headFor(place)
        .replace(place.sandbox.portalUrl, `${portal.url}/sharing/rest`)
        .replace("signIn: {", "signIn: { carry: form-token,"),
    });
    for (const command of ["plan", "apply --yes", "pull", "doctor"]) {
      const ran = await place.run(`${command} --verbose`);
      expect([command, ran.exit]).toEqual([command, 4]);
      expect(tokensOf(portal.received, ran.stdout + ran.stderr).size).toBeGreaterThan(0);
    }
    expect(other.received).toEqual([]);
  });
});
