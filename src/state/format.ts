// A state ↔ its JSON text. Refuses whatever is not whole, not ours, or not about this portal.
import { digestOfText } from "../lib/digest.js";
import {
  isJsonList,
  isJsonObject,
  parseExact,
  printJson,
  type Json,
  type JsonObject,
} from "../lib/json.js";
import { upgraded } from "./text/older-formats.js";
import type { PortalIdentity } from "./key.js";
import { anotherPortal, damaged, newer, unmerged, type Origin } from "./refusal.js";
import { STATE, type State } from "./state.js";
import { sidesOf } from "./text/unmerged.js";

/** In bytes: a hundred times what a long history takes. */
export const LARGEST_STATE = 64 * 1024 * 1024;

/** Goes up with every key that is added, because an older Lintel would lose what it does not know. */
export const FORMAT = 4;
/** Read once, and written as today's. */
const FORMAT_BEFORE = 3;

/** `write` is an id of this one write, by which its writer finds it again. */
export function printState(state: State, write?: string): string {
  // What could not be read again must never take the place of what can, so that it is looked through here.
  const { signature, ...held } = STATE(state);
  const digest = digestText(held);
  // Signed for what it was before: then nobody has signed what it is now.
  if (signature && signature.over !== digest)
    throw new TypeError("the signature is of another state");
  const head = {
    format: FORMAT,
    digest,
    ...(signature && { signature: signature.hmac }),
    ...(write !== undefined && { write }),
  };
  return `${printJson({ ...head, ...held }, 2)}\n`;
}

/** SHA-256 of everything that the state holds, in hexadecimal; who signed it does not count. */
export function digestOf(state: State): string {
  const { signature: _apart, ...held } = STATE(state);
  return digestText(held);
}

/** With whose state it must be. */
export interface Expected extends Origin {
  readonly portal: PortalIdentity;
}

export function parseState(text: string | Uint8Array, expected: Expected): State {
  const { place, portal } = expected;
  const state = understand(typeof text === "string" ? text : decode(text, expected), expected);
  if (state.portal.key !== portal.key) throw anotherPortal(place, state.portal, portal);
  return state;
}

function decode(bytes: Uint8Array, origin: Origin): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw damaged(origin, "it is no UTF-8 text", error);
  }
}

function understand(text: string, origin: Origin): State {
  const { format, digest, signature, write: _id, ...rest } = parseJson(text, origin);
  // Looked at before all else: the rest of a newer format may be of any shape.
  if (typeof format === "number" && format > FORMAT) throw newer(origin.place, format);
  if (typeof format !== "number" || !Number.isInteger(format) || format < 1)
    throw damaged(origin, "it does not say its format");
  if (format < FORMAT_BEFORE)
    throw damaged(origin, `it has format ${format}, which this version does not read`);
  const isOlder = format < FORMAT;
  const signed = signature !== undefined && {
    signature: { over: digest ?? null, hmac: signature },
  };
  try {
    const state = STATE({ ...(isOlder ? upgraded(rest) : rest), ...signed });
    const { signature: _apart, ...held } = state;
    // Of an older format only the text still has what the digest is of.
    if (digestText(isOlder ? rest : held) === digest) return state;
  } catch (error) {
    // A TypeError of a shape, or a RangeError of a value that is nested too deeply to be looked through.
    const why = error instanceof TypeError ? error.message : "it is nested too deeply";
    throw damaged(origin, why, error);
  }
  throw damaged(origin, "it was changed by something other than Lintel");
}

function parseJson(text: string, origin: Origin): JsonObject {
  let json: Json;
  try {
    json = parseExact(text);
  } catch (error) {
    const sides = sidesOf(text);
    if (sides) throw unmerged(origin, sides);
    throw damaged(origin, text.trim() === "" ? "it is empty" : "it is cut off, or not JSON", error);
  }
  if (isJsonObject(json)) return json;
  const what = isJsonList(json) ? "a list" : json === null ? "null" : `a ${typeof json}`;
  throw damaged(origin, `it is ${what}, and no JSON object`);
}

/** Of the values and not of their text: a formatter does no harm. */
function digestText(held: unknown): string {
  return digestOfText(printJson(held));
}
