// Pieces to be put into a text, each around a stretch of it → the text with all of them.

export interface Insertion {
  readonly at: number;
  readonly rank: number;
  readonly text: string;
}

/** Of two at one place, what ends a smaller stretch comes first, and what begins a larger one. */
export function around(
  { start, end }: { readonly start: number; readonly end: number },
  open: string,
  close: string,
  nth: number,
): Insertion[] {
  const rank = 1e14 - (end - start) * 1e7 + nth;
  const both = [
    { at: start, rank, text: open },
    { at: end, rank: -rank, text: close },
  ];
  return both.filter(({ text }) => text !== "");
}

/** Each with a mark on both sides, so that it can be taken out again. */
export function inserted(text: string, insertions: Insertion[], mark: string): string {
  insertions.sort((one, other) => one.at - other.at || one.rank - other.rank);
  const parts: string[] = [];
  let done = 0;
  for (const each of insertions) {
    parts.push(text.slice(done, each.at), mark, each.text, mark);
    done = each.at;
  }
  return parts.join("") + text.slice(done);
}
