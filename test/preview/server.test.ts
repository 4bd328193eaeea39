// The preview's server: it serves what it shows, to its own pages alone.
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openPreview, PORTAL } from "./open.js";

interface Said {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Not with fetch, which writes Host and Origin itself. */
function ask(url: string, { method = "GET", path = "/", headers = {} }: Said = {}) {
  const { port } = new URL(url);
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (done, fail) => {
      const asked = send({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (part: string) => (body += part));
        response.on("end", () =>
          done({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      });
      asked.on("error", fail).end();
    },
  );
}

/** The first news that the events bring, which never end by themselves. */
async function firstNews(url: string): Promise<[number, { homes: Homes; file: string }][]> {
  const response = await fetch(`${url}/events`);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.endsWith("\n\n")) text += decoder.decode((await reader?.read())?.value);
  await reader?.cancel();
  return JSON.parse(text.replace(/^data: /, "")) as [number, { homes: Homes; file: string }][];
}

type Homes = Record<"anonymous" | "member" | "administrator", { address: string }>;

test.each([
  ["another name that leads here", { host: "evil.example.com" }, 421],
  ["another port", { host: "127.0.0.1:1" }, 421],
  ["the right name without its port", { host: "127.0.0.1" }, 421],
  ["a page of another host", { origin: "http://evil.example.com" }, 403],
  ["a page of another port", { origin: "http://127.0.0.1:1" }, 403],
  ["a page without an origin", { origin: "null" }, 403],
  ["a picture in a page of another site", { "sec-fetch-site": "cross-site" }, 403],
])("%s is refused on every path", async (_, headers, status) => {
  const { url } = await openPreview();
  const { host } = new URL(url);
  for (const path of ["/", "/events", "/home/0/anonymous/x"]) {
    const answer = await ask(url, { path, headers: { host, ...headers } });
    expect(answer).toMatchObject({ status });
    expect(answer.body).not.toContain("<");
  }
});

test("localhost is a name of its own", async () => {
  const { url } = await openPreview();
  const host = `localhost:${new URL(url).port}`;
  const headers = { host, origin: `http://${host}` };
  expect((await ask(url, { headers })).status).toBe(200);
});

test("nothing is served but the page, its events and the homes that it shows", async () => {
  const { url } = await openPreview();
  const [[, card] = []] = await firstNews(url);
  const home = card?.homes.member.address ?? "";
  expect((await ask(url, { path: home })).body).toContain("Welcome back");
  for (const path of [
    "/portal.yaml",
    "/../portal.yaml",
    "/home/0/member/000000000000",
    home.replace("member", "anonymous"),
    home.replace("/0/", "/1/"),
    home.replace("/0/", "/00/"),
    home.replace("/0/", "/__proto__/"),
    `${home}/`,
    "//evil.example.com/",
  ]) {
    expect((await ask(url, { path })).status).toBe(404);
  }
  expect((await ask(url, { method: "POST" })).status).toBe(405);
  expect((await ask(url, { method: "OPTIONS", path: "*" })).status).toBe(405);
  expect((await ask(url, { path: "http:" })).status).toBe(400);
});

test("each page brings the headers that keep it to itself", async () => {
  const { url } = await openPreview();
  const [[, card] = []] = await firstNews(url);
  for (const path of ["/", card?.homes.anonymous.address ?? ""]) {
    const { headers } = await ask(url, { path });
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
  }
  const home = await ask(url, { path: card?.homes.anonymous.address ?? "" });
  expect(home.headers["content-security-policy"]).not.toContain("script-src");
  expect(home.headers["content-security-policy"]).toContain("frame-ancestors 'self'");
  expect((await ask(url)).headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("a part that several files extend is followed for all of them", async () => {
  const own = (name: string) => `extends: _base.yaml\nportal: { name: ${name} }\n`;
  const { url, write } = await openPreview(
    { "one.yaml": own("one"), "two.yaml": own("two"), "_base.yaml": PORTAL },
    ["one.yaml", "two.yaml"],
  );
  const before = await firstNews(url);
  expect(before.map(([at, { file }]) => [at, file])).toEqual([
    [0, "one.yaml"],
    [1, "two.yaml"],
  ]);
  write("_base.yaml", PORTAL.replace("Terms of use", "House rules"));
  await expect
    .poll(async () => (await firstNews(url)).map(([, { homes }]) => homes.anonymous.address))
    .not.toEqual(before.map(([, { homes }]) => homes.anonymous.address));
});

test("a port that is taken is wrong usage", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => taken.once("listening", done));
  const { port } = taken.address() as AddressInfo;
  try {
    await expect(
      openPreview({ "portal.yaml": PORTAL }, ["portal.yaml"], port),
    ).rejects.toMatchObject({
      code: "wrong-usage",
    });
  } finally {
    taken.close();
  }
});
