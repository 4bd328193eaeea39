// The form with the token → a cookie that tells it was right, and the way to what was asked for.
import type { IncomingMessage } from "node:http";
import { toPage } from "../../lib/html-document.js";
import { cookieName, TOO_MANY_GUESSES, type Door } from "./access.js";
import { tokenPage } from "./html/token.js";
import type { Answer } from "./server.js";
import type { Gate } from "./token.js";

/** In bytes; many times what the form sends. */
const LONGEST_FORM = 16 * 1024;

export async function letIn(request: IncomingMessage, gate: Gate, door: Door): Promise<Answer> {
  const form = new URLSearchParams(await readForm(request));
  const to = ownPath(form.get("to"));
  const isRight = gate.isToken(form.get("token") ?? "", request.socket.remoteAddress ?? "");
  if (!isRight) {
    const [status, wrong] =
      isRight === undefined
        ? [TOO_MANY_GUESSES.status, TOO_MANY_GUESSES.message]
        : [401, "This is not the token."];
    const { text: body, contentSecurityPolicy: policy } = toPage(tokenPage(to, wrong));
    return { status, type: "text/html; charset=utf-8", body, policy };
  }
  const { value, maxAgeS } = gate.makeCookie();
  const name = cookieName(door);
  const secure = name.startsWith("__Host-") ? "; Secure" : "";
  const cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
  const headers = { location: to, "set-cookie": cookie };
  return { status: 303, type: "text/plain; charset=utf-8", body: "", headers };
}

/** Empty for what is longer than any form of this page. */
async function readForm(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.byteLength;
    if (length <= LONGEST_FORM) pieces.push(piece);
    // Whoever goes on without an end is not listened to.
    else if (length > 10 * LONGEST_FORM) request.destroy();
  }
  return length > LONGEST_FORM ? "" : Buffer.concat(pieces).toString("utf8");
}

/** A path of this page, and never the address of another one. */
function ownPath(text: string | null): string {
  const own = "http://page.example.com";
  if (text === null || !URL.canParse(text, own)) return "/";
  const { origin, pathname, search } = new URL(text, own);
  return origin === own && !pathname.startsWith("//") ? pathname + search : "/";
}
