// Computes SHA-256 digests in hexadecimal. Separate from json.ts, because node:crypto loads slowly.
import { createHash } from "node:crypto";
import { canonicalText, type Json } from "./json.js";

/** Equal values have equal digests. */
export function digest(value: Json): string {
  return digestOfText(canonicalText(value));
}

export function digestOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function digestOfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
