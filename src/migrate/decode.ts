// A file's bytes → its text, in the encoding that they are most likely in.
import { isUtf8 } from "node:buffer";

export type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "Windows-1252";

export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
}

/** A mark at the beginning tells; else strict UTF-8; else what Windows wrote in western countries. */
export function decode(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  const utf16 =
    first === 0xff && second === 0xfe
      ? "UTF-16LE"
      : first === 0xfe && second === 0xff
        ? "UTF-16BE"
        : unmarkedUtf16(bytes);
  const encoding: Encoding = utf16 ?? (isUtf8(bytes) ? "UTF-8" : "Windows-1252");
  // A mark in front of the text is none of it; the decoder takes it away.
  return { text: new TextDecoder(encoding.toLowerCase()).decode(bytes), encoding };
}

/** Of two bytes a character, that of a plain script has one that is zero. */
function unmarkedUtf16(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  const [first, second, third, fourth] = bytes;
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "UTF-16LE";
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return "UTF-16BE";
  return undefined;
}
