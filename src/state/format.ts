// Prints and parses states. Refuses text that is damaged, written by another program, or for another portal.
import { digestOfText } from "../lib/digest.js";
import {
  isJsonList,
  isJsonObject,
  parseExact,
  printJson,
  type Json,
  type JsonObject,
} from "../lib/json.js";
import type { PortalIdentity } from "./key.js";
import { anotherPortal, damaged, newer, unmerged, type Origin } from "./refusal.js";
import { STATE, type State } from "./state.js";
import { sidesOf } from "./unmerged.js";

/** In bytes: a hundred times a long history. */
export const LARGEST_STATE = 64 * 1024 * 1024;

/** Increases with every added key, because an older Lintel would lose unknown keys. */
export const FORMAT = 4;

/** `write` identifies this write, so that its writer can find it again. */
export function printState(state: State, write?: string): string {
  // Checks the shape first: a state that cannot be read again must never replace one that can.
  const { signature, ...held } = STATE(state);
  const digest = digestText(held);
  // The signature is for another content.
  if (signature && signature.over !== digest)
    throw new TypeError("the signature belongs to another state");
  const head = {
    format: FORMAT,
    digest,
    ...(signature && { signature: signature.hmac }),
    ...(write !== undefined && { write }),
  };
  return `${printJson({ ...head, ...held }, 2)}\n`;
}

/** SHA-256 of the state without its signature, in hexadecimal. */
export function digestOf(state: State): string {
  const { signature: _apart, ...held } = STATE(state);
  return digestText(held);
}

/** The portal that the state must belong to. */
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
  // Checked first, because a newer format can have any shape.
  if (typeof format === "number" && format > FORMAT) throw newer(origin.place, format);
  if (typeof format !== "number" || !Number.isInteger(format) || format < 1)
    throw damaged(origin, "it does not contain its format");
  if (format < FORMAT)
    throw damaged(origin, `it has format ${format}, which this version does not read`);
  const signed = signature !== undefined && {
    signature: { over: digest ?? null, hmac: signature },
  };
  try {
    const state = STATE({ ...rest, ...signed });
    const { signature: _apart, ...held } = state;
    if (digestText(held) === digest) return state;
  } catch (error) {
    // Either a TypeError from the shape, or a RangeError for values that are nested too deeply.
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
  throw damaged(origin, `it is ${what}, not a JSON object`);
}

/** A digest of the values, not of the text, so formatting does not matter. */
function digestText(held: unknown): string {
  return digestOfText(printJson(held));
}
