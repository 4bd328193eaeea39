// Events of journals that are over → files that nobody adds to, read when somebody is behind, and removed when their time is over.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { Numbered } from "./book.js";
import { lineOf, readLines } from "./lines.js";
import type { Event } from "../news/event.js";
import { overwriteFile } from "../../lib/files.js";
import { isJsonObject, type Json } from "../../lib/json.js";
import { counted, grouped } from "../../lib/text.js";

/** The oldest go when there are more, whoever has not got them. */
const MOST_BYTES = 256 * 1024 * 1024;

interface Part {
  readonly path: string;
  /** Of the journal that the events were recorded in. */
  readonly journal: number;
  readonly first: number;
  readonly last: number;
  /** When the last of them happened. */
  readonly untilMs: number;
  readonly bytes: number;
}

const NAME = /^events-(\d{1,15})\.lines$/;

export type Archive = ReturnType<typeof openArchive>;

/** The journal that is written now: what stands here of it was put here by a run that was killed meanwhile. */
interface Current {
  readonly number: number;
  /** The number of its first event. */
  readonly first: number;
}

export function openArchive(folder: string, current: Current, warn: (sentence: string) => void) {
  let parts: Part[] = [];
  const journals = fs.readdirSync(folder).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  let { first: next } = current;
  for (const journal of journals.map(Number).toSorted((one, other) => other - one)) {
    const path = join(folder, `events-${journal}.lines`);
    const part = journal < current.number ? partAt(path, journal, next, warn) : undefined;
    if (part) parts.unshift(part);
    else fs.rmSync(path);
    next = part?.first ?? next;
  }
  return {
    /** Those of a journal, in place as a whole when it returns. */
    add(journal: number, events: readonly Numbered[]): void {
      const last = events.at(-1);
      if (!last) return;
      const contents = { last: last.number, events: events.map(({ event }) => event) };
      const part = write(folder, journal, contents);
      parts = [...parts.filter((each) => each.journal !== journal), part];
    },
    /** Those after a number, in their order. */
    *after(number: number): Generator<Numbered> {
      for (const part of parts) {
        if (part.last > number) yield* numberedIn(part).filter((each) => each.number > number);
      }
    },
    /** The newest first. */
    *back(): Generator<Numbered> {
      for (const part of parts.toReversed()) yield* numberedIn(part).toReversed();
    },
    /** Those go of which nothing is newer than a moment, and that nobody waits for any more. */
    prune(beforeMs: number, gotBefore: number): void {
      let bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      parts = parts.filter((part) => {
        const isOver = part.untilMs < beforeMs && part.last < gotBefore;
        if (!isOver && bytes <= MOST_BYTES) return true;
        bytes -= part.bytes;
        fs.rmSync(part.path, { force: true });
        return false;
      });
    },
  };
}

interface Contents {
  /** Numbers end there without a gap: where one before is lost, a receiver gets an event twice rather than never. */
  readonly last: number;
  readonly events: readonly Event[];
}

/** In place as a whole when it returns. */
function write(folder: string, journal: number, { last, events }: Contents): Part {
  const path = join(folder, `events-${journal}.lines`);
  const untilMs = events.reduce((newest, { timeMs }) => Math.max(newest, timeMs), 0);
  const head = { first: last - events.length + 1, last, untilMs };
  overwriteFile(path, [lineOf(head), ...events.map(lineOf)], { mode: 0o600 });
  return { path, journal, ...head, bytes: fs.statSync(path).size };
}

/**
 * Undefined where no event in it can be read. What is damaged is written anew, so that it is told once. `next`: the
 * number of the first event of the file after it.
 */
function partAt(
  path: string,
  journal: number,
  next: number,
  warn: (sentence: string) => void,
): Part | undefined {
  const { lines, damaged } = readLines(path);
  const events = eventsIn(lines);
  const [head] = lines;
  if (isHead(head) && damaged === 0 && events.length === head.last - head.first + 1) {
    const { first, last, untilMs } = head;
    return { path, journal, first, last, untilMs, bytes: fs.statSync(path).size };
  }
  const lost = isHead(head) ? head.last - head.first + 1 - events.length : damaged - 1;
  if (events.length === 0) warn(`"${path}" was damaged: none of the events in it can be read.`);
  else if (lost > 0) {
    const all = counted(events.length + lost, "event");
    const kept = "All others are kept.";
    warn(`"${path}" was damaged: of the ${all} in it ${grouped(lost)} cannot be read. ${kept}`);
  }
  const last = isHead(head) ? head.last : next - 1;
  return events.length > 0 ? write(dirname(path), journal, { last, events }) : undefined;
}

function isHead(line: Json | undefined): line is { first: number; last: number; untilMs: number } {
  return isJsonObject(line) && typeof line["first"] === "number";
}

function eventsIn(lines: readonly Json[]): readonly Event[] {
  return lines.filter((line) => !isHead(line)) as unknown as readonly Event[];
}

function numberedIn({ path, last }: Part): Numbered[] {
  const events = eventsIn(readLines(path).lines);
  return events.map((event, at) => ({ number: last - events.length + 1 + at, event }));
}
