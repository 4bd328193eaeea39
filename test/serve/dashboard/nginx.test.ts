// The configuration for nginx in docs/dashboard.md, behind a real nginx: who gets in, and what each role may do.
import { spawn } from "node:child_process";
import { get, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { accessSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ActionResult, Actions } from "../../../src/serve/dashboard/source.js";
import { folderOf, PROJECT } from "../../support/run.js";
import { ask } from "./ask.js";
import { fleet, openBoard } from "./open.js";

const NGINX = process.env["NGINX_PATH"] ?? "/usr/sbin/nginx";
const hasNginx = (() => {
  try {
    accessSync(NGINX);
    return true;
  } catch {
    console.log(`Skipped: there is no nginx at ${NGINX}.`);
    return false;
  }
})();

const PUBLIC = "https://lintel.example.com";
const KEY = "gis.example.com-portal-1";
const ROLES = { viewers: ["gis-staff"], operators: { "gis-admins": ["*"] } };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** As the manual has it, but for TLS, and with files of its own. */
function configFor(folder: string, port: number): string {
  const manual = readFileSync(join(PROJECT, "docs/dashboard.md"), "utf8");
  const [, written = ""] = /```nginx\n([^]*?)```/.exec(manual) ?? [];
  const http = written
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/ *ssl_[^\n]*\n/g, "")
    .replace("/etc/nginx/lintel.htpasswd", join(folder, "htpasswd"))
    .replace("/run/lintel/dashboard.sock", join(folder, "lintel.sock"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (each) => `${each}_temp_path ${join(folder, each)};`,
  );
  return `user root;
daemon off;
pid ${join(folder, "pid")};
error_log stderr;
events {}
http {
  access_log off;
  ${temporary.join("\n  ")}
  ${http}
}
`;
}

/** nginx, until the test ends. */
async function open(actions: Actions): Promise<string> {
  const folder = folderOf({ htpasswd: "ana:{PLAIN}one\nbob:{PLAIN}two\neve:{PLAIN}three\n" });
  onTestFinished(() => folder.remove());
  const socket = join(folder.path, "lintel.sock");
  const said = { socket, isBehindAuthProxy: true, publicUrl: PUBLIC };
  await openBoard(fleet(), said, {}, undefined, { roles: ROLES, actions });
  const port = await freePort();
  writeFileSync(join(folder.path, "nginx.conf"), configFor(folder.path, port));
  const words = ["-p", folder.path, "-c", join(folder.path, "nginx.conf")];
  const nginx = spawn(NGINX, words, { stdio: "ignore" });
  onTestFinished(async () => {
    nginx.kill("SIGTERM");
    await once(nginx, "close");
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      ask(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401);
  return url;
}

/** Not with fetch, which writes Host itself. */
async function firstEvent(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const request = get(url, { headers });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  for await (const part of response.setEncoding("utf8")) {
    text += part as string;
    if (text.includes("event:")) break;
  }
  request.destroy();
  return text;
}

const as = (name: string, password: string) => ({
  host: "lintel.example.com",
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});

test.runIf(hasNginx)(
  "lets users in by nginx's passwords, with the roles of their groups",
  async () => {
    const calls: string[] = [];
    const done = (name: string) => (key: string, by?: { readonly actor: string }) => {
      calls.push(`${name} ${key} ${by?.actor}`);
      return Promise.resolve<ActionResult>({ message: "Done.", isDone: true });
    };
    const url = await open({
      refresh: done("refresh"),
      apply: done("apply"),
      hold: done("hold"),
      unhold: done("unhold"),
      planAfterUnhold: done("plan"),
    });
    const [ana, bob, eve] = [as("ana", "one"), as("bob", "two"), as("eve", "three")];
    expect((await ask(url, { headers: as("ana", "wrong") })).status).toBe(401);
    expect((await ask(url, { headers: ana })).body).toMatch(/ana<\/bdi>, operator of all portals/);
    expect((await ask(url, { headers: bob })).body).toMatch(/bob<\/bdi>, viewer/);
    expect((await ask(url, { headers: eve })).status).toBe(403);
    const refresh = (headers: Record<string, string>) =>
      ask(url, {
        method: "POST",
        path: `/portals/${KEY}/refresh`,
        headers: { origin: PUBLIC, ...headers },
      });
    // What a client forges is replaced.
    const forged = { "x-forwarded-user": "ana", "x-forwarded-groups": "gis-admins" };
    expect((await refresh({ ...bob, ...forged })).status).toBe(403);
    expect((await refresh({ ...eve, ...forged })).status).toBe(403);
    expect((await refresh({ ...ana, origin: "https://evil.example.com" })).status).toBe(403);
    expect((await refresh(ana)).status).toBe(303);
    expect(calls).toEqual([`refresh ${KEY} ana`]);
    // Events arrive while the stream is open.
    expect(await firstEvent(`${url}/events?since=other`, bob)).toContain("event: changed");
  },
);
