// Each fault that can be ordered for the next request, and the server's own bounds.
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { FAULT_KINDS, type FaultKind } from "../../src/sandbox/faults.js";
import { sandbox, type Driven } from "./drive.js";

/** An update that meets a fault; what fetch makes of it, and whether it took effect. */
async function meet(s: Driven, kind: FaultKind, more = {}) {
  await s.token();
  s.faults.push({ kind, match: "/settings/update", ...more });
  const response = await fetch(`${s.portalUrl}/portals/self/settings/update`, {
    method: "POST",
    headers: { authorization: `Bearer ${await s.token()}` },
    body: new URLSearchParams({ f: "json", blockBetaApps: "true" }),
    redirect: "manual",
    // Only a request that hangs needs to be given up soon.
    signal: AbortSignal.timeout(kind === "hang" ? 2000 : 30_000),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const EXPECTED: Readonly<Record<FaultKind, (s: Driven) => Promise<boolean>>> = {
  async html(s) {
    const { status, headers, body } = await meet(s, "html");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(body).toContain("<html");
    return false;
  },
  async redirect(s) {
    const { status, headers } = await meet(s, "redirect", { location: "https://example.com/in" });
    expect([status, headers.get("location")]).toEqual([302, "https://example.com/in"]);
    return false;
  },
  async "error-json"(s) {
    const error = { message: "No code.", details: [] };
    const { status, body } = await meet(s, "error-json", { error });
    expect([status, JSON.parse(body)]).toEqual([200, { error }]);
    return false;
  },
  async json(s) {
    const { status, body } = await meet(s, "json", { json: { user: null } });
    expect([status, JSON.parse(body)]).toEqual([200, { user: null }]);
    return false;
  },
  async "server-error"(s) {
    const { status, body } = await meet(s, "server-error");
    expect([status, body.includes("<html")]).toEqual([500, true]);
    return false;
  },
  async cut(s) {
    await expect(meet(s, "cut")).rejects.toThrow("terminated");
    return true;
  },
  async "drop-before"(s) {
    await expect(meet(s, "drop-before")).rejects.toThrow("fetch failed");
    return false;
  },
  async "drop-after"(s) {
    await expect(meet(s, "drop-after")).rejects.toThrow("fetch failed");
    return true;
  },
  async huge(s) {
    const { body } = await meet(s, "huge");
    expect(body).toHaveLength(100 * 1024 * 1024);
    return false;
  },
  async hang(s) {
    await expect(meet(s, "hang")).rejects.toThrow("timeout");
    return false;
  },
};

test.each(FAULT_KINDS)("the fault %s", async (kind) => {
  const s = await sandbox();
  const isTaken = await EXPECTED[kind](s);
  expect(s.settings()).toEqual(isTaken ? { blockBetaApps: true } : {});
  expect(s.faults).toEqual([]);
  expect(await s.update({ blockBetaApps: false })).toEqual({ success: true });
});

test("a fault may be ordered to come after the request took effect", async () => {
  const s = await sandbox();
  await meet(s, "server-error", { isHandled: true });
  expect(s.settings()).toEqual({ blockBetaApps: true });
});

test("faults meet the requests that they are meant for, in order", async () => {
  const s = await sandbox();
  s.faults.push(
    { kind: "server-error", match: /^GET .*f=json/ },
    { kind: "html", match: ({ path }) => path.includes("f=json") },
    { kind: "redirect" },
  );
  const ask = async (f: string) =>
    (await fetch(`${s.portalUrl}?f=${f}`, { redirect: "manual" })).status;
  expect([await ask("json"), await ask("json"), await ask("pjson"), await ask("json")]).toEqual([
    500, 200, 302, 200,
  ]);
});

test("a fault that lasts is met until it is taken out", async () => {
  const s = await sandbox();
  s.faults.push({ kind: "server-error", match: "f=json", isLasting: true });
  const ask = async () => (await fetch(`${s.portalUrl}?f=json`)).status;
  expect([await ask(), await ask()]).toEqual([500, 500]);
  s.faults.pop();
  expect(await ask()).toBe(200);
});

test("the log holds every request, with any outcome", async () => {
  const s = await sandbox();
  s.faults.push({ kind: "drop-before", match: "f=html" });
  await fetch(`${s.portalUrl}?f=html`, {
    method: "POST",
    headers: { "x-mine": "1" },
    body: "a=ü",
  }).catch(() => undefined);
  expect(s.requests).toMatchObject([
    {
      method: "POST",
      path: "/portal/sharing/rest?f=html",
      body: "a=ü",
      headers: { "x-mine": "1" },
    },
  ]);
});

describe("the server", () => {
  test("refuses a body of more than 10 MB", async () => {
    const s = await sandbox();
    const response = await fetch(`${s.portalUrl}/portals/self/settings/update`, {
      method: "POST",
      body: "x".repeat(10 * 1024 * 1024 + 1),
    });
    expect(response.status).toBe(413);
    const text = "x".repeat(10 * 1024 * 1024 - 200);
    expect(await s.update({ informationalBanner: { text } })).toEqual({ success: true });
  });

  test.each([
    "//",
    "/%",
    "/%ff/..;/",
    "*",
    "http://example.com/",
    "/portal/sharing/rest/portals/(/settings",
  ])("answers the odd path %s", async (path) => {
    const { port, hostname } = new URL((await sandbox()).url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({ port, hostname, path }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBeOneOf([200, 400, 404]);
  });

  test("lives on when a client hangs up in the middle", async () => {
    const s = await sandbox({ latencyMs: 20 });
    const { port, hostname } = new URL(s.url);
    const half = request({ port, hostname, method: "POST", headers: { "content-length": 100 } });
    half.on("error", () => {});
    half.write("half");
    await new Promise((resolve) => {
      half.on("socket", (socket) => socket.on("connect", resolve));
    });
    half.destroy();
    await expect(fetch(s.url, { signal: AbortSignal.timeout(5) })).rejects.toThrow("timeout");
    expect((await fetch(s.url)).status).toBe(200);
  });

  test("closes at once while requests wait", async () => {
    const s = await sandbox({ latencyMs: 60_000 });
    const waiting = fetch(s.url).catch(() => "closed");
    while (s.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await s.close();
    expect(await waiting).toBe("closed");
  });

  test("fails when the port is taken or the host is not on this machine", async () => {
    const { url } = await sandbox();
    const port = Number(new URL(url).port);
    await expect(sandbox({ port })).rejects.toMatchObject({ code: "wrong-usage" });
    // A name without an address, and an address that is none of this machine.
    for (const host of ["nohost.invalid", "192.0.2.1"]) {
      await expect(sandbox({ host })).rejects.toMatchObject({
        code: "wrong-usage",
        message: expect.stringContaining(`Cannot listen on ${host}, port 0 (`) as string,
      });
    }
  });
});
