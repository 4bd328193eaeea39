// A server of states → the five requests of Terraform's protocol, and what their answers mean; other answers become failures with what to do.
import { createHash } from "node:crypto";
import { CallFailure, type Http } from "../../http/http.js";
import { isWebPage, type Answer, type Request } from "../../request.js";
import { damaged, notOurs } from "../refusal.js";
import { isNoProject, notLockable, originOf, refused } from "./refusal.js";
import type { Server, Target } from "./server.js";

export interface Protocol {
  /** What is stored; undefined where nothing is. */
  read(mustFinish: boolean): Promise<string | undefined>;
  /** Anything but a success is for the caller to judge, who knows what it may have done. */
  write(text: string, id: string | undefined): Promise<Answer>;
  /** "taken", or what the server tells of the lock that is there. */
  lock(info: string): Promise<"taken" | { readonly held: string }>;
  /** Whether the lock is gone; false where the server names another one. */
  unlock(info: string | undefined): Promise<boolean>;
}

const HELD = [409, 423];
/** No such method, or nothing of the kind at this address. */
const UNABLE = [404, 405, 501];
/** Who asks is not let in, or asks for too much: nothing was done. */
const KEPT_OUT = [401, 403, 404, 405, 413];

export function openProtocol(server: Server, http: Http): Protocol {
  const { dialect, address, written, authorization, secrets, place } = server;
  const client = http.with(server.terms);
  type More = Pick<Request, "repeats" | "query" | "mustFinish">;
  const send = (target: Target, more: More, body?: string) =>
    client.call({
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
      // Begun on behalf of a lock: what is under way is finished, so that its outcome is known.
      ...(target.method !== "GET" && { mustFinish: true as const }),
    });

  return {
    async read(mustFinish) {
      const how = { repeats: "freely", ...(mustFinish && { mustFinish }) } as const;
      const answer = await send({ method: "GET", address }, how);
      const { status, text } = answer;
      const isNone = status === 404 && !isNoProject(server, answer);
      if (isNone || status === 204 || (status === 200 && text === "")) return undefined;
      if (status !== 200) throw refused(server, "read", answer);
      if (answer.strayByteAt !== undefined) throw damaged(originOf(server), "it is no UTF-8 text");
      if (isWebPage(answer)) throw notOurs(place, "it is a web page, such as one to sign in");
      return text;
    },

    write: (text, id) =>
      send(
        { method: server.writeMethod, address },
        { repeats: "unsent", ...(id !== undefined && { query: { ID: id } }) },
        text,
      ),

    async lock(info) {
      // The same lock asked for twice is one lock: an answer that was lost comes back as a lock with our own id.
      const answer = await send(server.lock, { repeats: "freely" }, info);
      if (answer.status === 200 || answer.status === 201) return "taken";
      if (HELD.includes(answer.status)) return { held: answer.text };
      if (dialect === "terraform" && UNABLE.includes(answer.status)) {
        throw notLockable(place, answer.status);
      }
      const failure = refused(server, "lock", answer);
      if (KEPT_OUT.includes(answer.status)) throw failure;
      // It may have locked all the same, and failed after that, or whatever stands in front of it.
      const { code, message, help = "" } = failure;
      throw new CallFailure(code, message, help, { sent: true });
    },

    async unlock(info) {
      const answer = await send(server.unlock, { repeats: "unsent" }, info);
      if (answer.status >= 200 && answer.status < 300) return true;
      if (HELD.includes(answer.status)) return false;
      throw refused(server, "unlock", answer);
    },
  };
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("base64");
}
