// The lines of a journal, one after the other → what is known of each portal, what happened since it was begun, and who has got what.
import type { Known } from "../known.js";
import type { Event } from "../news/event.js";

/** Events are numbered in the order in which they were recorded. */
export type Line =
  | { readonly is: "begin"; readonly format: number; readonly next: number }
  | {
      readonly is: "known";
      readonly key: string;
      readonly known: Known;
      readonly events?: readonly Event[];
      /** The number of the first of them, so that a record which is lost before it changes no number. */
      readonly first?: number;
    }
  | { readonly is: "gone"; readonly key: string }
  /** Has got all up to this number; null for one that is forgotten. */
  | { readonly is: "receiver"; readonly name: string; readonly after: number | null }
  /** All that was known when the journal was begun stands before it. */
  | { readonly is: "whole" };

export interface Numbered {
  readonly number: number;
  readonly event: Event;
}

/** A record as it is written. */
export function withNumber(line: Line, next: number): Line {
  return line.is === "known" && countIn(line) > 0 ? { ...line, first: next } : line;
}

export function countIn(line: Line): number {
  return line.is === "known" ? (line.events?.length ?? 0) : 0;
}

export interface Book {
  readonly portals: Map<string, Known>;
  readonly receivers: Map<string, number>;
  /** Those of this journal alone. */
  events: Numbered[];
  /** The number of the next event. */
  next: number;
  isWhole: boolean;
}

export const FORMAT = 1;

export function emptyBook(): Book {
  return { portals: new Map(), receivers: new Map(), events: [], next: 1, isWhole: false };
}

export function enter(book: Book, line: Line): void {
  switch (line.is) {
    case "begin":
      book.next = line.next;
      return;
    case "known":
      book.portals.set(line.key, line.known);
      book.next = line.first ?? book.next;
      for (const event of line.events ?? []) book.events.push({ number: book.next++, event });
      return;
    case "gone":
      book.portals.delete(line.key);
      return;
    case "receiver":
      if (line.after === null) book.receivers.delete(line.name);
      else book.receivers.set(line.name, line.after);
      // Where the last events are lost, the next ones must not look as if this one had got them.
      book.next = Math.max(book.next, (line.after ?? 0) + 1);
      return;
    case "whole":
      book.isWhole = true;
      return;
    default:
      throw line satisfies never;
  }
}

/** What a new journal begins with. */
export function* linesOf({ portals, receivers, next }: Book): Generator<Line> {
  yield { is: "begin", format: FORMAT, next };
  for (const [key, known] of portals) yield { is: "known", key, known };
  for (const [name, after] of receivers) yield { is: "receiver", name, after };
  yield { is: "whole" };
}
