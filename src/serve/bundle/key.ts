// The environment → the key that signs what a queue holds; a text → its signature.
import { createHmac, timingSafeEqual } from "node:crypto";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { secret, type Secret } from "../../secret.js";

/** Read from the environment alone: no file can refer to it. */
const NAME = "LINTEL_QUEUE_KEY";
/** Whoever reads the database may try as many as they like. */
const SHORTEST = 32;

/** Fails with bad-queue-key, which never tells the key. */
export function queueKeyIn({ env }: Pick<Io, "env">): Secret {
  const key = env[NAME]?.trim();
  if (!key) {
    const state = NAME in env ? "empty" : "not set";
    throw badKey(`${NAME} is ${state}, and what nobody has signed is not carried out.`);
  }
  if (key.length < SHORTEST) {
    throw badKey(`${NAME} is shorter than ${SHORTEST} characters, and could be guessed.`);
  }
  return secret(key);
}

function badKey(message: string): Failure {
  const help =
    "Make one, once, and give the same to each serve and each worker of the queue:\n  openssl rand -hex 32";
  return new Failure("bad-variable", message, help);
}

/** Says what it signs, so that no signature of something else passes for it. */
export function signatureOf(text: string, key: Secret): string {
  return createHmac("sha256", key.reveal()).update(`lintel queue revision\n${text}`).digest("hex");
}

export function isSignedWith(key: Secret, text: string, signature: string): boolean {
  const [own, given] = [signatureOf(text, key), signature].map((each) => Buffer.from(each, "hex"));
  return own !== undefined && own.length === given?.length && timingSafeEqual(own, given);
}
