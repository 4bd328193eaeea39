// The form with the token → a cookie that tells it was right, and the way to what was asked for.
import type { IncomingMessage } from "node:http";
import { toPage } from "../../lib/html-document.js";
import { answerPage, answerText, ownPath, readBody } from "../../lib/local-server.js";
import { cookieName, TOO_MANY_GUESSES, type Door } from "./access.js";
import { tokenPage } from "./html/token.js";
import type { Answer } from "./server.js";
import type { Gate } from "./token.js";

/** In bytes; many times what the form sends. */
const LONGEST_FORM = 16 * 1024;

export async function letIn(request: IncomingMessage, gate: Gate, door: Door): Promise<Answer> {
  const form = new URLSearchParams(await readBody(request, LONGEST_FORM));
  const to = ownPath(form.get("to"));
  const isRight = gate.isToken(form.get("token") ?? "", request.socket.remoteAddress ?? "");
  if (!isRight) {
    const [status, wrong] =
      isRight === undefined
        ? [TOO_MANY_GUESSES.status, TOO_MANY_GUESSES.message]
        : [401, "This is not the token."];
    return answerPage(toPage(tokenPage(to, wrong)), status);
  }
  const { value, maxAgeS } = gate.makeCookie();
  const name = cookieName(door);
  const secure = name.startsWith("__Host-") ? "; Secure" : "";
  const cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
  return answerText(303, "", { location: to, "set-cookie": cookie });
}
