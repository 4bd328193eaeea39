// An HTTP server of Terraform states in one of three dialects, which can be told to misbehave.
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Received } from "../support/network.js";
import { startRudeServer, type Misbehaving } from "./rude-server.js";

export type Dialect = "terraform" | "gitlab" | "gitea";

/** How plain servers differ, all of them within the protocol. */
export type Manner =
  /** Compares no ids. */
  | "careless"
  /** Lets a holder in again. */
  | "again"
  /** Says 200 to whoever locks. */
  | "open"
  /** Knows no LOCK. */
  | "lockless"
  /** Tells nobody whose lock it is, and ends it for an empty body. */
  | "silent";

export interface StateServerOptions {
  readonly dialect?: Dialect;
  readonly manner?: Manner;
  /** user:password → what it may do; absent where nobody is asked. */
  readonly accounts?: Readonly<Record<string, "developer" | "maintainer">>;
  readonly fault?: Misbehaving;
}

interface Kept {
  body?: string | Buffer;
  serials: number[];
  lock?: Readonly<Record<string, string>>;
}

interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
}

/** What GitLab shows of whoever holds a lock. */
export const GITLAB_ACCOUNT = "project_7_bot";
export const GITLAB_TIME = "2026-01-02T03:04:05.000Z";
const KEYS = ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"];

export async function startStateServer(options: StateServerOptions = {}) {
  const states = new Map<string, Kept>();
  const at = (path: string): Kept => {
    const known = states.get(path) ?? { serials: [] };
    states.set(path, known);
    return known;
  };
  const server = await startRudeServer((request) => {
    const reply = replyTo(request, at, options);
    return (response) => send(response, reply);
  }, options.fault);
  return {
    ...server,
    /** Where a state of this name is. */
    pathOf: (name: string) => PATHS[options.dialect ?? "terraform"] + name,
    stored: (path: string) => states.get(path)?.body,
    plant: (path: string, body: string | Buffer) => void (at(path).body = body),
    lockOf: (path: string) => states.get(path)?.lock,
    lock: (path: string, lock: Readonly<Record<string, string>>) => void (at(path).lock = lock),
    unlock: (path: string) => void delete at(path).lock,
    forget: () => states.clear(),
  };
}

const PATHS: Readonly<Record<Dialect, string>> = {
  terraform: "/states/",
  gitlab: "/api/v4/projects/7/terraform/state/",
  gitea: "/api/packages/gis/terraform/state/",
};

function send(response: ServerResponse, { status, body = "" }: Reply): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

function replyTo(
  request: Received,
  at: (path: string) => Kept,
  { dialect = "terraform", manner, accounts }: StateServerOptions,
): Reply {
  const url = new URL(request.path, "http://127.0.0.1");
  const isLocking = url.pathname.endsWith("/lock");
  const path = isLocking ? url.pathname.slice(0, -"/lock".length) : url.pathname;
  const isReading = request.method === "GET";
  const role = accounts && roleOf(request, accounts);
  if (accounts && !role) return { status: 401 };
  if (role === "developer" && !isReading)
    return { status: 403, body: '{"message":"403 Forbidden"}' };
  const sum = request.headers["content-md5"];
  if (request.body !== "" && sum !== createHash("md5").update(request.body).digest("base64")) {
    return { status: 400, body: '{"message":"Content-MD5 is wrong"}' };
  }
  const kept = at(path);
  if (isReading) {
    if (kept.body !== undefined) return { status: 200, body: kept.body };
    return { status: kept.lock ? 204 : 404 };
  }
  const id = url.searchParams.get("ID") ?? undefined;
  if (dialect === "gitlab") return gitlab(request, isLocking, kept, id);
  if (dialect === "gitea") return gitea(request, isLocking, kept, id);
  return plain(request, kept, id, manner);
}

function roleOf({ headers }: Received, accounts: Readonly<Record<string, string>>) {
  const [, encoded = ""] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
  return accounts[Buffer.from(encoded, "base64").toString()];
}

function json(text: string): Record<string, string> {
  return text === "" ? {} : (JSON.parse(text) as Record<string, string>);
}

function store(kept: Kept, body: string, status: number): Reply {
  kept.body = body;
  kept.serials.push((JSON.parse(body) as { serial: number }).serial);
  return { status };
}

function plain(
  { method, body }: Received,
  kept: Kept,
  id: string | undefined,
  manner?: Manner,
): Reply {
  const { lock } = kept;
  const told = { status: 423, body: manner === "silent" ? "locked" : JSON.stringify(lock) };
  if (method === "LOCK") {
    if (manner === "lockless") return { status: 405 };
    const asked = json(body);
    const isAgain = manner === "again" && lock?.["ID"] === asked["ID"];
    if (lock && !isAgain && manner !== "open") return told;
    kept.lock = asked;
    return { status: 200 };
  }
  if (method === "UNLOCK") {
    const isAny = body === "" || manner === "careless" || manner === "open";
    if (lock && !isAny && lock["ID"] !== json(body)["ID"]) return told;
    delete kept.lock;
    return { status: 200 };
  }
  if (method !== "POST") return { status: 405 };
  if (lock && lock["ID"] !== id && manner !== "careless") return told;
  return store(kept, body, 200);
}

function gitlab(
  { method, body, headers }: Received,
  isLocking: boolean,
  kept: Kept,
  id?: string,
): Reply {
  const { lock } = kept;
  if (isLocking) {
    const asked = json(body);
    if (method === "DELETE") {
      if (lock && asked["ID"] !== undefined && asked["ID"] !== lock["ID"]) return { status: 409 };
      delete kept.lock;
      return { status: 200 };
    }
    if (method !== "POST") return { status: 405 };
    if (KEYS.some((key) => asked[key] === undefined)) return { status: 400 };
    kept.lock ??= { ...asked, Who: GITLAB_ACCOUNT, Created: GITLAB_TIME };
    const { ID, Who, Created } = kept.lock;
    // Of the holder are these three; the rest is what the asker said.
    return { status: lock ? 409 : 200, body: JSON.stringify({ ...asked, ID, Who, Created }) };
  }
  if (method !== "POST") return { status: 405 };
  if (!headers["content-type"]?.startsWith("application/json")) return { status: 415 };
  const { serial } = JSON.parse(body) as { serial?: unknown };
  if (!Number.isSafeInteger(serial))
    return { status: 400, body: '{"message":"serial is missing"}' };
  if (lock?.["ID"] !== id) return { status: 500, body: '{"message":"500 Internal Server Error"}' };
  if (kept.serials.includes(Number(serial))) return { status: 422 };
  return store(kept, body, 200);
}

function gitea({ method, body }: Received, isLocking: boolean, kept: Kept, id?: string): Reply {
  const { lock } = kept;
  const told = { status: 423, body: JSON.stringify(lock) };
  if (isLocking) {
    if (body === "") return { status: 400 };
    const asked = json(body);
    if (method === "DELETE") {
      if (lock && asked["ID"] !== lock["ID"]) return told;
      delete kept.lock;
      return { status: 200 };
    }
    if (method !== "POST") return { status: 405 };
    if (lock) return told;
    kept.lock = asked;
    return { status: 200 };
  }
  if (method !== "POST") return { status: 405 };
  const state = JSON.parse(body) as Record<string, unknown>;
  const isWhole =
    state["version"] === 4 &&
    Number(state["serial"]) >= 1 &&
    ["lineage", "terraform_version", "resources", "outputs"].every((key) => state[key]);
  if (!isWhole) return { status: 400 };
  if (lock?.["ID"] !== id) return told;
  if (kept.serials.includes(Number(state["serial"]))) return { status: 409 };
  return store(kept, body, 201);
}
