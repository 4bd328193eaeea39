import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { openHttp, readOnlyClient, type Attempt } from "../../src/http/http.js";
import { PortalFailure } from "../../src/portal/answer.js";
import { readSettings, type PortalAccess, readSelf } from "../../src/portal/portal.js";
import { updateBody } from "../../src/catalog/catalog.js";
import { update, type Updated } from "../../src/portal/update.js";
import type { JsonObject } from "../../src/lib/json.js";
import { readVersion, versionOf } from "../../src/portal/view.js";
import type { Token } from "../../src/request.js";
import { secret } from "../../src/secret.js";
import {
  answerJson,
  closedPort,
  makeRun,
  serve,
  serveRaw,
  type Answering,
} from "../support/network.js";
import { failureOf } from "../support/failure.js";

const always = { renew: async () => {}, assertInTime: () => {} };

const TOKEN = "hush-token";
const SETTINGS = `/portal/sharing/rest/portals/self/settings`;

/** Every renewal counts up: hush-token-1, hush-token-2, … */
function makeToken(): Token & { readonly renewals: () => number } {
  let count = 1;
  const token: Token = async (request, refused) => {
    if (refused) count++;
    const bearer = secret(`${TOKEN}-${count}`, "Bearer ");
    return { ...request, headers: { ...request.headers, authorization: bearer } };
  };
  return Object.assign(token, { renewals: () => count - 1 });
}

function visitTo(url: string, token?: Token, callTimeoutMs = 60_000) {
  const attempts: Attempt[] = [];
  const run = makeRun();
  const http = openHttp(run.io, { trace: (each) => attempts.push(each), callTimeoutMs });
  onTestFinished(() => http.close());
  const portal = { url: `${url}/portal/sharing/rest/`, id: "self" };
  const visit: PortalAccess = { http, portal, token };
  return { visit, attempts, run };
}

async function setUp(answer: Answering, token?: Token) {
  const server = await serve(answer);
  return { server, ...visitTo(server.url, token) };
}

type Untaken = Exclude<Updated, { readonly kind: "taken" }>;

/** What an update came to that was not taken. */
async function untaken(
  visit: PortalAccess,
  settings: JsonObject,
  permission = always,
): Promise<Untaken> {
  const updated = await update(visit, settings, permission);
  if (updated.kind === "taken") throw new Error("the update was taken");
  return updated;
}

describe("reading", () => {
  test("the settings come as JSON, with the token or without", async () => {
    const live = { informationalBanner: { text: "Hello" }, culture: "en" };
    const { server, visit } = await setUp((_, response) => answerJson(response, live), makeToken());
    expect(await readSettings({ ...visit, http: readOnlyClient(visit.http) })).toEqual(live);
    expect(await readSettings({ http: visit.http, portal: visit.portal })).toEqual(live);
    expect(server.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [`${SETTINGS}?f=json`, `Bearer ${TOKEN}-1`],
      [`${SETTINGS}?f=json`, undefined],
    ]);
  });

  test("the id of the portal is one step of the path, with any characters", async () => {
    const { server, visit } = await setUp((_, response) => answerJson(response, {}));
    await readSettings({ ...visit, portal: { ...visit.portal, id: "a/../b?c" } });
    expect(server.received[0]?.path).toBe(
      "/portal/sharing/rest/portals/a%2F..%2Fb%3Fc/settings?f=json",
    );
  });

  test("the portal says what it is", async () => {
    const { server, visit } = await setUp((request, response) =>
      answerJson(
        response,
        request.path.includes("self") ? { id: "0123" } : { enterpriseVersion: "11.3.0" },
      ),
    );
    expect(await readVersion(visit)).toEqual({ version: "11.3" });
    expect(await readSelf(visit)).toEqual({ id: "0123" });
    expect(server.received.map((each) => each.path)).toEqual([
      "/portal/sharing/rest?f=json",
      "/portal/sharing/rest/portals/self?f=json",
    ]);
  });

  test.each([
    [{ currentVersion: "2024.1", enterpriseVersion: "11.3.0" }, { version: "11.3" }],
    [{ currentVersion: "7.4" }, { version: "10.8" }],
    [{ currentVersion: 7.4 }, { version: "10.8" }],
    [{ currentVersion: "2025.1" }, { version: "11.5" }],
    [{ currentVersion: "2025.2" }, { version: "12.0" }],
    // Which of the versions before 11.3 these are is not known.
    [{ currentVersion: "8.2" }, { unlistedRelease: "8.2" }],
    [{ currentVersion: 10.1 }, { unlistedRelease: "10.1" }],
    [{ currentVersion: "2023.3" }, { unlistedRelease: "2023.3" }],
    [{ enterpriseVersion: "soon" }, { unlistedRelease: "soon" }],
    [{ currentVersion: "\u001b[2J" }, { unlistedRelease: "\\u{1b}[2J" }],
    [{ currentVersion: "9".repeat(99) }, { unlistedRelease: `${"9".repeat(40)}…` }],
    [{ currentVersion: " " }, {}],
    [{ currentVersion: { toString: 1 } }, {}],
    [{}, {}],
  ])("%j is version %s", (answer, told) => {
    expect(versionOf(answer, [])).toEqual(told);
  });
});

describe("what a portal refuses", () => {
  const page = "<!DOCTYPE html><title>Sign in</title>hush";
  test.each<[string, number, unknown, string, string]>([
    [
      "an error with all its parts",
      200,
      { error: { code: 403, message: "No.", messageCode: "GWM_0003", details: ["No.", "Role"] } },
      "portal-refused",
      "(403, GWM_0003: No. · Role)",
    ],
    [
      "an error without a code",
      200,
      { error: { message: "Odd", details: [] } },
      "portal-refused",
      "(Odd)",
    ],
    ["an error that is a text", 400, { error: "Odd" }, "portal-refused", "(Odd)"],
    ["an error that is empty", 200, { error: {} }, "portal-refused", "(no reason given)"],
    [
      "an error that counts more than the status",
      503,
      { error: { code: 400, message: "Odd" } },
      "portal-refused",
      "(400: Odd)",
    ],
    [
      "an error with the code as text",
      200,
      { error: { code: "403", message: "No" } },
      "portal-refused",
      "(403: No)",
    ],
    [
      "the form of administrative interfaces",
      200,
      { status: "error", messages: ["One", "Two"], code: 500 },
      "portal-refused",
      "(500: One · Two)",
    ],
    [
      "an invalid token",
      200,
      { error: { code: 498, message: "Invalid token.", details: [] } },
      "sign-in-refused",
      "(498: Invalid token.)",
    ],
    [
      "a required token",
      200,
      { status: "error", messages: ["Token Required"], code: 499 },
      "sign-in-refused",
      "(499: Token Required)",
    ],
    ["status 401 with a page", 401, page, "sign-in-refused", "(401: no reason given)"],
    ["status 403 with a page", 403, page, "portal-refused", "(403: no reason given)"],
    ["a page with status 200", 200, page, "answer-not-understood", "a web page"],
    ["a page with status 500", 500, page, "answer-not-understood", "a web page"],
    ["a list", 200, [1], "answer-not-understood", "something else"],
    ["nothing", 200, "", "answer-not-understood", "nothing"],
    [
      "a text that repeats the token",
      200,
      { error: { message: `Bad ${TOKEN}-1` } },
      "portal-refused",
      "(withheld: it repeats a secret)",
    ],
    [
      "control characters",
      200,
      { error: { message: "a\u001b[2Jb\u202ec" } },
      "portal-refused",
      "a\\u{1b}[2Jb\\u{202e}c",
    ],
    [
      "a novel",
      200,
      { error: { message: "x".repeat(9999), details: Array(999).fill("y".repeat(999)) } },
      "portal-refused",
      "x…",
    ],
  ])("%s", async (_, status, body, code, shown) => {
    const { visit } = await setUp((__, response) => {
      if (typeof body === "string") response.writeHead(status).end(body);
      else answerJson(response, body, status);
    }, makeToken());
    const reading = await failureOf(readSettings(visit));
    expect(reading).toMatchObject({ code, exit: 4 });
    expect(reading.message).toContain(shown);
    const { why: updating } = await untaken(visit, {});
    // What a gateway says of an update proves nothing.
    const isUnclear = status === 503 || (status === 500 && body === page);
    expect(updating.code).toBe(isUnclear ? "outcome-unknown" : code);
    for (const failure of [reading, updating]) {
      expect(failure.message.length).toBeLessThan(4000);
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain("hush");
    }
  });

  test("carries the portal's own words as data", async () => {
    const { visit } = await setUp((_, response) =>
      answerJson(response, {
        error: { code: 400, message: "M", messageCode: "C", details: ["D"] },
      }),
    );
    const failure = await failureOf(readSettings(visit));
    expect(failure).toBeInstanceOf(PortalFailure);
    expect((failure as PortalFailure).refusal).toEqual({
      code: 400,
      message: "M",
      messageCode: "C",
      details: ["D"],
    });
  });

  test("asks a visitor without a token to sign in", async () => {
    const { visit } = await setUp((_, response) =>
      answerJson(response, { error: { code: 499, message: "Token Required" } }),
    );
    const failure = await failureOf(readSettings(visit));
    expect(failure.code).toBe("portal-refused");
    expect(failure.help).toContain("signed-in accounts");
  });

  test.each([
    ["498", { error: { code: 498, message: "Invalid token." } }, 200],
    ["499", { status: "error", messages: ["Token Required"], code: 499 }, 200],
    ["status 401", {}, 401],
  ])("a token is renewed once after %s, for an update too", async (_, body, status) => {
    const token = makeToken();
    const { server, visit } = await setUp((request, response) => {
      if (request.headers.authorization === `Bearer ${TOKEN}-1`) answerJson(response, body, status);
      else answerJson(response, { success: true });
    }, token);
    await update(visit, { blockBetaApps: true }, always);
    expect(token.renewals()).toBe(1);
    expect(server.received).toHaveLength(2);
  });

  test("a token that is refused again is not renewed without end", async () => {
    const token = makeToken();
    const { visit } = await setUp(
      (_, response) => answerJson(response, { error: { code: 498, message: "Invalid token." } }),
      token,
    );
    expect((await failureOf(readSettings(visit))).code).toBe("sign-in-refused");
    expect(token.renewals()).toBe(1);
  });

  test("a sign-in page on another host never sees the token", async () => {
    const other = await serve((_, response) => response.end(page));
    const { visit } = await setUp(
      (_, response) => response.writeHead(302, { location: `${other.url}/signin` }).end(),
      makeToken(),
    );
    const { why, ...updated } = await untaken(visit, {});
    expect(updated).toEqual({ kind: "refused", wasSent: true });
    for (const failure of [await failureOf(readSettings(visit)), why]) {
      expect(failure).toMatchObject({ code: "redirected", exit: 4 });
      expect(failure.message).toContain(other.host);
    }
    expect(other.received).toEqual([]);
  });
});

describe("an update", () => {
  const settings = {
    newName: ["a"],
    blockBetaApps: false,
    informationalBanner: { text: "Grüße & 50 % + mehr", enabled: true },
    anonymousAccessNotice: { title: "T" },
  };

  test("is the body that a plan shows, to the byte, in the order of the reference", async () => {
    const { server, visit } = await setUp(
      (_, response) => answerJson(response, { success: true }),
      makeToken(),
    );
    await update(visit, settings, always);
    expect(server.received).toMatchObject([
      {
        method: "POST",
        path: `${SETTINGS}/update`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: updateBody(settings),
      },
    ]);
    expect([...new URLSearchParams(server.received[0]?.body)]).toEqual([
      ["anonymousAccessNotice", '{"title":"T"}'],
      ["informationalBanner", '{"text":"Grüße & 50 % + mehr","enabled":true}'],
      ["blockBetaApps", "false"],
      ["newName", '["a"]'],
      ["f", "json"],
    ]);
  });

  test("carries a token in the form behind that body, and shows it nowhere", async () => {
    const token: Token = async (request) => {
      const form = request.body && "form" in request.body ? request.body.form : [];
      return { ...request, body: { form: [...form, ["token", secret(TOKEN)]] } };
    };
    const { server, visit, attempts } = await setUp(
      (_, response) => answerJson(response, { success: true }),
      token,
    );
    await update(visit, settings, always);
    expect(server.received[0]?.body).toBe(`${updateBody(settings)}&token=${TOKEN}`);
    expect(inspect(attempts)).not.toContain("hush");
  });

  test("is refused by the read-only client", async () => {
    const { server, visit } = await setUp(
      (_, response) => answerJson(response, { success: true }),
      makeToken(),
    );
    const updated = await untaken({ ...visit, http: readOnlyClient(visit.http) }, settings);
    expect(updated).toMatchObject({ kind: "refused", wasSent: false });
    expect(updated.why.code).toBe("a-bug-in-lintel");
    expect(server.received).toEqual([]);
  });

  test.each([
    [{ success: false }, "portal-refused"],
    [{ success: false, message: "Odd" }, "portal-refused"],
    [{}, "answer-not-understood"],
    [{ success: "true" }, "answer-not-understood"],
  ])("answered with %j is a failure", async (body, code) => {
    const { visit } = await setUp((_, response) => answerJson(response, body));
    const kind = code === "portal-refused" ? "refused" : "unknown";
    expect(await untaken(visit, settings)).toMatchObject({ kind, why: { code, exit: 4 } });
  });

  test.each(["closed before the request is read", "closed without an answer", "cut off", "hung"])(
    "over a connection that is %s has an unknown outcome, and is not sent again",
    async (story) => {
      let connections = 0;
      const server = await serveRaw((socket) => {
        connections++;
        if (story.startsWith("closed before")) return socket.destroy();
        return socket.on("data", () => {
          if (story === "hung") return;
          if (story === "cut off")
            socket.write('HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{"succ');
          socket.end();
        });
      });
      const { visit } = visitTo(server.url, makeToken(), 200);
      const { why: failure, ...updated } = await untaken(visit, settings);
      expect(updated).toEqual({ kind: "unknown", mayArrive: true });
      expect(failure).toMatchObject({ code: "outcome-unknown", exit: 8 });
      expect(connections).toBe(1);
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain("hush");
    },
  );

  test.each([500, 502, 503, 504])(
    "answered with a page and status %i has an unknown outcome, and is not sent again",
    async (status) => {
      const { server, visit } = await setUp((_, response) =>
        response.writeHead(status).end("<html>"),
      );
      expect(await untaken(visit, settings)).toMatchObject({
        kind: "unknown",
        mayArrive: true,
        why: { code: "outcome-unknown", exit: 8 },
      });
      expect(server.received).toHaveLength(1);
    },
  );

  test.each<[number, unknown]>([
    [202, { status: "processing", jobId: "1" }],
    [408, { error: { code: 408, message: "Request Timeout" } }],
    [200, { error: { code: 504, message: "Gateway Timeout" } }],
    [200, { status: "error", code: "503", messages: ["Later."] }],
  ])("that may still be under way (%i, %j) has an unknown outcome", async (status, body) => {
    const { visit } = await setUp((_, response) =>
      response.writeHead(status).end(JSON.stringify(body)),
    );
    expect(await untaken(visit, settings)).toMatchObject({
      kind: "unknown",
      mayArrive: true,
      why: { code: "outcome-unknown", exit: 8 },
    });
  });

  test("is not sent again where a gateway speaks of the token: the portal may have gone on", async () => {
    const token = makeToken();
    const invalid = { error: { code: 498, message: "Invalid token." } };
    const { server, visit } = await setUp(
      (_, response) => answerJson(response, invalid, 504),
      token,
    );
    const { kind, why } = await untaken(visit, settings);
    expect([kind, why.code]).toEqual(["unknown", "outcome-unknown"]);
    expect(server.received).toHaveLength(1);
    expect(token.renewals()).toBe(0);
  });

  test("to a portal that cannot be reached is known not to have arrived", async () => {
    const { visit } = visitTo(`http://${await closedPort()}`, makeToken());
    expect(await untaken(visit, settings)).toMatchObject({
      kind: "refused",
      wasSent: false,
      why: { code: "not-reachable", exit: 4 },
    });
  });

  test("is sent again after 429", async () => {
    const { server, visit, run } = await setUp((_, response, received) => {
      if (received.length === 1) response.writeHead(429, { "retry-after": "9" }).end();
      else answerJson(response, { success: true });
    }, makeToken());
    expect(await update(visit, settings, always)).toEqual({ kind: "taken" });
    expect(server.received).toHaveLength(2);
    expect(run.slept).toEqual([9_500]);
  });

  test.each(["renew", "assertInTime"] as const)(
    "is not sent again after 429 where %s forbids it",
    async (name) => {
      const { server, visit } = await setUp(
        (_, response) => void response.writeHead(429, { "retry-after": "9" }).end(),
        makeToken(),
      );
      let asked = 0;
      const late = new Failure("state-locked", "Too late.");
      const forbid = () => {
        if (++asked > 1) throw late;
      };
      const permission = { ...always, [name]: name === "renew" ? async () => forbid() : forbid };
      const updated = await untaken(visit, settings, permission);
      expect(updated).toMatchObject({ kind: "refused", wasSent: false });
      expect(updated.why).toBe(late);
      expect([asked, server.received.length]).toEqual([2, 1]);
    },
  );
});
