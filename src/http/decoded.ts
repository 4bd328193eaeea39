// The bytes of an answer → its text, and where it stops being UTF-8.
import { isUtf8 } from "node:buffer";
import type { Answer } from "../request.js";

export function decoded(chunks: readonly Buffer[]): Pick<Answer, "text" | "strayByteAt"> {
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  if (isUtf8(bytes)) return { text };
  // Each stray byte became a mark of three others, so that the text written anew differs from there on.
  const anew = Buffer.from(text);
  return { text, strayByteAt: bytes.findIndex((byte, at) => byte !== anew[at]) };
}
