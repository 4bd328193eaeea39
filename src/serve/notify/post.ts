// A message for a webhook → posted once; or why that came to nothing, and how long the receiver asks to be left alone.
import type { Webhook } from "../config/config.js";
import type { Message } from "./message.js";
import { asFailure, Failure } from "../../failure.js";
import { CallFailure, type Http } from "../../http/http.js";
import { askedDelay } from "../../http/retry.js";

export interface Refusal {
  readonly failure: Failure;
  readonly askedMs?: number | undefined;
  /** A shorter one may be taken. */
  readonly isTooLong: boolean;
}

/** Undefined where it was taken. */
export async function post(
  http: Pick<Http, "call">,
  { name, url, written }: Pick<Webhook, "name" | "url" | "written">,
  { body, headers }: Message,
  nowMs: number,
): Promise<Refusal | undefined> {
  try {
    const answer = await http.call({
      method: "POST",
      url,
      ...(written !== undefined && { written }),
      headers,
      body: { text: body, contentType: "application/json; charset=utf-8" },
      // Each event has an id, by which a receiver knows it again.
      repeats: "freely",
      // What was taken is noted, so that it is not posted once more.
      mustFinish: true,
    });
    const { status } = answer;
    if (status >= 200 && status < 300) return undefined;
    const help = "Check its address, its secret and what the receiver says of it.";
    const failure = new Failure("not-taken", `The webhook "${name}" answered ${status}.`, help);
    return { failure, askedMs: askedDelay(answer, nowMs), isTooLong: status === 413 };
  } catch (error) {
    const failure = asFailure(error, false);
    const askedMs = error instanceof CallFailure ? error.askedMs : undefined;
    return { failure, askedMs, isTooLong: false };
  }
}
