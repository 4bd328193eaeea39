// Bytes that hold all pieces, as comments → each of them, when it is asked for.
import type { Pieces } from "./pieces.js";

/** How far from the end each piece begins, and how long it is; put here by what makes a package. */
declare const PLACES: Readonly<Record<string, readonly [fromEnd: number, length: number]>>;

export function piecesIn(name: string, read: () => Buffer): Pieces {
  let whole: Buffer | undefined;
  return {
    name,
    read(piece) {
      whole ??= read();
      const [fromEnd, length] = PLACES[piece] ?? [0, 0];
      const begin = whole.length - fromEnd;
      const text = whole.subarray(begin, begin + length);
      // Each line of it is a comment, of which only ASCII is written.
      if (!text.includes("\n")) return text;
      return Buffer.from(text.toString("latin1").replaceAll("\n//", "\n"), "latin1");
    },
  };
}
