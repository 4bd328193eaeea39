// The push hook of a forge: only a request that knows the shared secret makes the checkout fetch.
import { createHmac } from "node:crypto";
import { request as send } from "node:http";
import { expect, test } from "vitest";
import { ask } from "./ask.js";
import { fleet, openBoard } from "./open.js";

const SECRET = "hook-secret-0123456789abcdef";
const BODY = JSON.stringify({ ref: "refs/heads/main" });

const hmac = (secret: string, body = BODY) =>
  createHmac("sha256", secret).update(body).digest("hex");

async function open(env: Record<string, string> = { LINTEL_HOOK_SECRET: SECRET }) {
  const pushes: string[] = [];
  const board = await openBoard(fleet(1), {}, env, undefined, {
    pushed: () => void pushes.push("push"),
  });
  const push = (headers: Record<string, string>, body = BODY) =>
    ask(board.url, { method: "POST", path: "/hooks/push", headers, body });
  return { ...board, pushes, push };
}

test.each([
  ["GitHub", { "x-hub-signature-256": `sha256=${hmac(SECRET)}` }],
  ["Gitea", { "x-gitea-signature": hmac(SECRET) }],
  ["GitLab", { "x-gitlab-token": SECRET }],
])("accepts a push of %s under any host name", async (_, headers) => {
  const { push, pushes } = await open();
  expect(await push({ ...headers, host: "10.0.0.7" })).toMatchObject({ status: 202 });
  expect(pushes).toEqual(["push"]);
});

test.each<[string, Record<string, string>]>([
  ["no signature", {}],
  ["another secret", { "x-hub-signature-256": `sha256=${hmac("another")}` }],
  ["the signature of another body", { "x-hub-signature-256": `sha256=${hmac(SECRET, "{}")}` }],
  ["a signature with SHA-1 alone", { "x-hub-signature": `sha1=${hmac(SECRET)}` }],
  ["an empty signature", { "x-hub-signature-256": "", "x-gitlab-token": "" }],
  ["another token", { "x-gitlab-token": `${SECRET}x` }],
])("refuses a push with %s", async (_, headers) => {
  const { push, pushes } = await open();
  expect(await push(headers)).toMatchObject({ status: 401 });
  expect(pushes).toEqual([]);
});

test("refuses large requests, and an address after ten wrong signatures", async () => {
  const { push, pushes, clock } = await open();
  const right = { "x-gitlab-token": SECRET };
  expect((await push(right, "x".repeat(5 * 1024 * 1024))).status).toBe(413);
  for (let count = 0; count < 10; count++) expect((await push({})).status).toBe(401);
  expect((await push(right)).status).toBe(429);
  expect(pushes).toEqual([]);
  clock.nowMs += 60_000;
  expect((await push(right)).status).toBe(202);
});

test("is no address without a secret, and takes nothing but POST", async () => {
  const { push } = await open({});
  expect((await push({ "x-gitlab-token": "" })).status).toBe(404);
  const { url } = await open();
  const { host } = new URL(url);
  expect(await ask(url, { path: "/hooks/push", headers: { host } })).toMatchObject({ status: 405 });
});

test("reads four requests at once, so that a flood of unsigned ones fills no memory", async () => {
  const { url, push } = await open();
  const { host, port } = new URL(url);
  const headers = { host, "content-length": "1000" };
  const slow = Array.from({ length: 4 }, () => {
    const request = send({ port, host: "127.0.0.1", method: "POST", path: "/hooks/push", headers });
    request.on("error", () => {}).write("{");
    return request;
  });
  const right = { "x-gitlab-token": SECRET };
  await expect.poll(async () => (await push(right)).status).toBe(503);
  for (const request of slow) request.destroy();
  await expect.poll(async () => (await push(right)).status).toBe(202);
});
