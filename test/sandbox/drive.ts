// How the tests drive a sandbox: plain fetch, and one sandbox for each test that closes after it.
import { onTestFinished } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import { startSandbox, type Sandbox } from "../../src/sandbox/sandbox.js";

export type Fields = Readonly<Record<string, unknown>>;

export interface Driven extends Sandbox {
  /** Signs in as the service account and gives its token. */
  token(): Promise<string>;
  /** Sends an update as the service account, or with whatever the headers hold; objects as JSON text. */
  update(fields: Fields, how?: How): Promise<Json>;
  read(how?: How): Promise<Json>;
}

export interface How {
  readonly portal?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- Answers are looked into as they come.
export type Json = any;

export async function sandbox(options: SandboxOptions = {}): Promise<Driven> {
  const started = await startSandbox(options);
  onTestFinished(() => started.close());
  let known: string | undefined;
  const token = async () => (known ??= await signIn(started));
  const settingsUrl = (how: How, end = "") =>
    `${started.portalUrl}${catalog.update.path.replace("<portal_id>", how.portal ?? "self").replace(/\/update$/, end)}`;
  const headers = async (how: How) => how.headers ?? { authorization: `Bearer ${await token()}` };
  return Object.assign(started, {
    token,
    async update(fields: Fields, how: How = {}) {
      const response = await fetch(settingsUrl(how, "/update"), {
        method: "POST",
        headers: await headers(how),
        body: form({ f: "json", ...fields }),
      });
      return response.json() as Json;
    },
    async read(how: How = {}) {
      const response = await fetch(`${settingsUrl(how)}?f=json`, { headers: await headers(how) });
      return response.json() as Json;
    },
  });
}

export function form(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

export function postJson(url: string, body: unknown, headers = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export function postForm(url: string, fields: Fields, headers = {}): Promise<Response> {
  return fetch(url, { method: "POST", headers, body: form(fields), redirect: "manual" });
}

export async function signIn({ signInUrl, beid, webServicesKey }: Sandbox): Promise<string> {
  const body = { BEID: beid, WebServicesKey: webServicesKey };
  const response = await postJson(`${signInUrl}/api/auth/loginadmin`, body);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
}
