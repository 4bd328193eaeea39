// Keeps states at a server with Terraform's protocol, such as GitLab and Gitea: locks, compares, writes, reads back and unlocks.
import { createHash, randomUUID } from "node:crypto";
import { CallFailure } from "../http/http.js";
import { systemUser } from "../io.js";
import { digestOfText } from "../lib/digest.js";
import { isJsonObject, parseJson, type JsonObject } from "../lib/json.js";
import { backOffMs, pause } from "../lib/retry.js";
import { showForeign, showTime, unlessEcho, zoneOf } from "../lib/text.js";
import { isWebPage, parseObject, type Answer, type Request } from "../request.js";
import { Failure } from "../failure.js";
import { unwrap, wrap } from "./envelope.js";
import { parseState } from "./format.js";
import { serverOf, type Server, type Target } from "./http-server.js";
import { refusedAt, type Cause } from "./place-refusal.js";
import { BEGIN_MS, isGone, MARGIN_MS, processOf } from "./recover.js";
import { damaged, notOurs } from "./refusal.js";
import type { State } from "./state.js";
import type { Place, StateOwner, StatesAt, StateStore, Unlocked, Version } from "./state-store.js";
import { swap, type Sent, type StoredText } from "./swap.js";

// How it works. The protocol has no conditional write, so a lock protects each write: LOCK, GET, compare, POST with the
// lock's id, GET, UNLOCK. Other runs wait for the lock. The next run ends a lock that a killed run of Lintel left, once
// it is as old as a journal can be. It never ends the lock of another tool. Without LOCK, the write is still read back
// before anything is sent to the portal.

/** "lintel" in hexadecimal. GitLab shows no other part of a lock that its holder can choose. */
const OWN_IDS = "6c696e74-656c-";
/** How long a lock of ours is respected: as long as a journal with the default timeout. */
export const LOCK_LASTS_MS = 60_000 + BEGIN_MS + MARGIN_MS;
/** The longest wait for the lock of another tool. */
const WAIT_MS = 60_000;
const PAUSE = { leastMs: 250, mostMs: 2_000 };

const HELD = [409, 423];
/** The method or the address does not exist. */
const UNABLE = [404, 405, 501];
/** Nothing was done. */
const KEPT_OUT = [401, 403, 404, 405, 413];

export function openHttpStates(place: Place): StatesAt {
  return {
    storeOf: (owner) => openHttpStore(place, owner),
    // The connections belong to the run's HTTP client.
    close: async () => {},
  };
}

/** What a request for the state needs. */
interface Access {
  readonly io: Place["io"];
  readonly server: Server;
  readonly call: ReturnType<typeof callerOf>;
  /** The lock's description for the server, the same for all writes of this store. */
  readonly lockInfo: string;
  readonly recovery: string;
  readonly notice: (sentence: string) => void;
}

function openHttpStore(where: Place, { portal, file, notice }: StateOwner): StateStore {
  const { io } = where;
  const server = serverOf(where, portal.key);
  const { place } = server;
  const recovery = recoveryOf(server);
  const access: Access = {
    io,
    server,
    call: callerOf(where, server),
    lockInfo: lockInfoFor(where),
    recovery,
    notice: notice ?? (() => {}),
  };
  return {
    place,
    recovery: () => recovery,
    memoryName: async () => `${where.address} ${portal.key}`,
    async read() {
      const found = await look(access);
      if (!found) return { state: undefined, version: undefined };
      const state = parseState(found.text, { place, recovery, portal });
      // If either was edited, so was the other: every write changes both.
      if (found.serial !== state.serial || found.lineage !== state.lineage) {
        const why = "its serial or lineage was changed by something other than Lintel";
        throw damaged({ place, recovery }, why);
      }
      return { state, version: found.version };
    },
    async write(state, version) {
      const isLocked = await lock(access);
      const over = { version, isLocked, lockedMs: io.machine.elapsedMs() };
      // After that time, the lock may belong to another run.
      const isOurs = () => isLocked && io.machine.elapsedMs() - over.lockedMs < LOCK_LASTS_MS;
      try {
        const written = await swap(state, version, {
          io,
          place,
          file,
          send: (text) => put(state, text, over, access),
          look: () => look(access, true),
        });
        if (isLocked && !isOurs()) throw overtaken(place);
        return written;
      } finally {
        if (isOurs()) await unlock(access);
      }
    },
    unlock: () => unlockByHand(access),
    async probe() {
      if (await lock(access)) await unlock(access);
    },
  };
}

interface StoredDocument extends StoredText {
  readonly serial: unknown;
  readonly lineage: unknown;
}

async function look(
  { server, call, recovery }: Access,
  mustFinish?: true,
): Promise<StoredDocument | undefined> {
  const { place, address } = server;
  const how = { repeats: "freely", ...(mustFinish && { mustFinish }) } as const;
  const answer = await call({ method: "GET", address }, how);
  const { status, text } = answer;
  const isNone = status === 404 && !isNoProject(server, answer);
  if (isNone || status === 204 || (status === 200 && text === "")) return undefined;
  if (status !== 200) throw refused(server, "read", answer);
  if (answer.strayByteAt !== undefined) throw damaged({ place, recovery }, "it is not UTF-8 text");
  if (isWebPage(answer)) throw notOurs(place, "it is a web page, such as a sign-in page");
  const { document, serial, lineage } = unwrap(text, place);
  return { text: document, version: digestOfText(document), serial, lineage };
}

/** False if the server does not support locks. */
async function lock({ io, server, call, lockInfo, notice }: Access): Promise<boolean> {
  const { place } = server;
  const startedMs = io.machine.elapsedMs();
  let seen = { id: "", sinceMs: startedMs };
  for (let times = 1; ; times++) {
    // Repeating the request is safe: after a lost answer, the lock has our own id.
    const answer = await call(server.lock, { repeats: "freely" }, lockInfo);
    const taken = isTaken(answer, server);
    if (taken !== undefined) return taken;
    const held = heldIn(answer.text, server);
    if (held.id === idOf(lockInfo)) return true;
    const nowMs = io.machine.elapsedMs();
    if (held.id !== seen.id) seen = { id: held.id, sinceMs: nowMs };
    const isLeft = held.isGone(io.machine) || nowMs - seen.sinceMs >= LOCK_LASTS_MS;
    if (held.isOurs && isLeft) {
      notice(`Removed the lock of a killed run on "${place}".`);
      await call(server.unlock, { repeats: "unsent" }, answer.text);
      continue;
    }
    if (!held.isOurs && nowMs - startedMs >= WAIT_MS) throw stillLocked(server, held, io);
    if (times === 1) notice(`Waiting for the lock of ${held.who} on "${place}".`);
    await pause(backOffMs(times, PAUSE, io.random()), io);
  }
}

/** The result of LOCK: false without support for locks; undefined if it is held. */
function isTaken(answer: Answer, server: Server): boolean | undefined {
  const { status } = answer;
  if (status === 200 || status === 201) return true;
  if (server.dialect === "terraform" && UNABLE.includes(status)) return false;
  if (HELD.includes(status)) return undefined;
  throw refused(server, "locked", answer);
}

async function unlock({ server, call, lockInfo, notice }: Access): Promise<void> {
  try {
    const answer = await call(server.unlock, { repeats: "unsent" }, lockInfo);
    if (answer.status < 300 || HELD.includes(answer.status)) return;
    throw refused(server, "locked", answer);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notice(
      `The lock on "${server.place}" may still be set: the next run of Lintel ends it. ${error.message}`,
    );
  }
}

async function unlockByHand(access: Access): Promise<Unlocked> {
  const { server, call, lockInfo } = access;
  const answer = await call(server.lock, { repeats: "freely" }, lockInfo);
  const taken = isTaken(answer, server);
  if (taken) await unlock(access);
  if (taken !== undefined) return "none";
  const held = heldIn(answer.text, server);
  if (!held.isOurs) return { heldBy: held.who };
  const ended = await call(server.unlock, { repeats: "unsent" }, answer.text);
  if (ended.status >= 300 && !HELD.includes(ended.status)) throw refused(server, "locked", ended);
  return "ended";
}

async function put(state: State, text: string, over: Over, access: Access): Promise<Sent> {
  const { io, server, call, lockInfo } = access;
  const before = await look(access, true);
  if (before?.version !== over.version) return "conflict";
  // A lock that is too old is ended by others, and some servers accept a write without one. Checked right before the
  // first byte, because connecting can take long.
  const assertMaySend = () => {
    if (io.machine.elapsedMs() - over.lockedMs > BEGIN_MS) throw tooLate(server.place);
  };
  const query = over.isLocked ? { query: { ID: idOf(lockInfo) } } : {};
  const target = { method: server.writeMethod, address: server.address };
  try {
    const answer = await call(
      target,
      { repeats: "unsent", assertMaySend, ...query },
      wrap(state, text),
    );
    if (KEPT_OUT.includes(answer.status)) throw refused(server, "written", answer);
    if (answer.status >= 300) return { unclear: refused(server, "written", answer) };
  } catch (error) {
    if (error instanceof CallFailure && error.sent) return { unclear: error };
    throw error;
  }
  const now = await look(access, true);
  return now?.text === text ? { version: now.version } : "conflict";
}

interface Over {
  readonly version: Version | undefined;
  readonly isLocked: boolean;
  readonly lockedMs: number;
}

function callerOf({ http: shared }: Place, server: Server) {
  const http = shared.with(server.terms);
  const { written, authorization, secrets } = server;
  type More = Pick<Request, "repeats" | "query" | "mustFinish" | "assertMaySend">;
  return (target: Target, more: More, body?: string): Promise<Answer> =>
    http.call({
      method: target.method,
      url: target.address.href,
      ...(written !== undefined && { written }),
      headers: {
        ...(authorization && { authorization }),
        ...(body !== undefined && { "content-md5": md5(body) }),
      },
      ...(body !== undefined && { body: { text: body, contentType: "application/json" } }),
      secrets,
      ...more,
      // Completes a request that was started, so that its outcome is known.
      ...(target.method !== "GET" && { mustFinish: true as const }),
    });
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("base64");
}

/** The format of Terraform and OpenTofu with all keys, because GitLab requires them. */
function lockInfoFor({ io }: Place): string {
  return JSON.stringify({
    ID: OWN_IDS + randomUUID().slice(OWN_IDS.length),
    Operation: "write the state",
    Info: JSON.stringify(processOf(io.machine)),
    Who: `${systemUser(io) ?? "lintel"}@${io.machine.host}`,
    Version: "Lintel",
    Created: new Date(io.now()).toISOString(),
    Path: "",
  });
}

function idOf(info: string): string {
  return (JSON.parse(info) as { ID: string }).ID;
}

type Held = ReturnType<typeof heldIn>;

/**
 * The holder of a lock, from the answer to another LOCK. GitLab echoes operation, info, version and path of the
 * request. Only the id, the account and the time are the holder's.
 */
function heldIn(text: string, { dialect, secrets }: Server) {
  const json = parseJson(text);
  const held: JsonObject = isJsonObject(json) ? json : {};
  const word = (key: string) => {
    const value = held[key];
    return typeof value === "string" && value !== "" ? unlessEcho(value, secrets) : undefined;
  };
  const id = typeof held["ID"] === "string" ? held["ID"] : "";
  const isOurs = id.startsWith(OWN_IDS);
  const shownId = showForeign(word("ID") ?? "ID", [], 80);
  const who = showForeign(word("Who") ?? "an unknown holder", [], 200);
  const since = word("Created");
  const running = isOurs && dialect !== "gitlab" ? parseJson(word("Info") ?? "") : undefined;
  const host = /@(.+)$/s.exec(who)?.[1] ?? "";
  return {
    id,
    shownId,
    isOurs,
    since,
    who: isOurs ? `${who} (Lintel)` : who,
    isGone: (machine: Place["io"]["machine"]) =>
      isJsonObject(running) &&
      typeof running["pid"] === "number" &&
      isGone({ ...(running as ReturnType<typeof processOf> & JsonObject), host }, machine),
  };
}

function stillLocked(server: Server, { shownId, who, since }: Held, io: Place["io"]): Failure {
  const time =
    since === undefined ? "" : ` since ${showForeign(showTime(since, zoneOf(io)), [], 40)}`;
  return new Failure(
    "state-locked",
    `The state "${server.place}" is locked by ${who}${time}.`,
    `Wait until that run has ended. If it was killed, remove its lock with the tool that set it:\n  terraform force-unlock ${shownId}`,
  );
}

function tooLate(place: string): Failure {
  return new Failure(
    "state-not-writable",
    `The state "${place}" was not written: ${BEGIN_MS / 1000} s passed since it was locked.`,
    "Run the command again.",
  );
}

/** Another run may have written meanwhile, and this write may have replaced that. So nothing may be sent. */
function overtaken(place: string): Failure {
  return new Failure(
    "state-not-writable",
    `The state "${place}" was written too late: its lock had ended, so another run may have written in between.`,
    "Check the last apply, then run the command again:\n  lintel history\n  lintel drift",
  );
}

/** GitLab answers the same for a project that the account may not see. Then it is unknown what was applied. */
function isNoProject({ dialect }: Server, answer: Answer): boolean {
  if (dialect !== "gitlab" || answer.status !== 404) return false;
  return parseObject(answer)?.["message"] === "404 Project Not Found";
}

function refused(server: Server, doing: "read" | "written" | "locked", answer: Answer): Failure {
  const { status } = answer;
  const cause: Cause | undefined =
    [401, 403].includes(status) || isNoProject(server, answer)
      ? "not-allowed"
      : [404, 405].includes(status)
        ? "not-found"
        : undefined;
  const json = parseObject(answer);
  const text = json && [json["message"], json["error"]].find((each) => typeof each === "string");
  const said = typeof text === "string" ? showForeign(text, server.secrets, 200) : "";
  const why = `the server answers ${status}${said ? `, "${said}"` : ""}`;
  const help = status === 413 ? "Raise the server's limit for the size of a state." : undefined;
  return refusedAt("http", server.place, doing, { why, cause, help });
}

function recoveryOf({ place, dialect, written }: Server): string {
  if (dialect !== "gitlab") return "Restore an older version from the server, or a backup.";
  const address = written === undefined ? place : "ADDRESS";
  return `GitLab keeps every version (Operate › Terraform states). Delete the damaged one by its serial, so that the one before is current:\n  curl --user "$TF_HTTP_USERNAME:$TF_HTTP_PASSWORD" --request DELETE ${address}/versions/SERIAL`;
}
