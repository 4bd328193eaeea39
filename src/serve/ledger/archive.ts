// Events of journals that are over → files that nobody adds to, read when somebody is behind, and removed when their time is over.
import * as fs from "node:fs";
import { join } from "node:path";
import type { Numbered } from "./book.js";
import { lineOf, readLines } from "./lines.js";
import type { Event } from "../news/event.js";
import { overwriteFile } from "../../file.js";
import { isJsonObject } from "../../json.js";

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

/** `journal` is the one that is written now: what stands here of it was put here by a run that was killed meanwhile. */
export function openArchive(folder: string, journal: number) {
  let parts: Part[] = [];
  for (const name of fs.readdirSync(folder)) {
    const [, number] = NAME.exec(name) ?? [];
    if (number === undefined) continue;
    const path = join(folder, name);
    const part = Number(number) < journal ? partAt(path, Number(number)) : undefined;
    if (part) parts.push(part);
    else fs.rmSync(path);
  }
  parts.sort((one, other) => one.journal - other.journal);
  return {
    /** Those of a journal, in place as a whole when it returns. */
    add(journal: number, events: readonly Numbered[]): void {
      const [first, last] = [events[0], events.at(-1)];
      if (!first || !last) return;
      const path = join(folder, `events-${journal}.lines`);
      const untilMs = Math.max(...events.map(({ event }) => event.timeMs));
      const head = { first: first.number, last: last.number, untilMs };
      const lines = [lineOf(head), ...events.map(({ event }) => lineOf(event))];
      overwriteFile(path, lines, 0o600);
      parts = parts.filter((part) => part.journal !== journal);
      parts.push({ path, journal, ...head, bytes: fs.statSync(path).size });
    },
    /** Those after a number, in their order. */
    *after(number: number): Generator<Numbered> {
      for (const part of parts) {
        if (part.last > number) yield* eventsIn(part).filter((each) => each.number > number);
      }
    },
    /** The newest first. */
    *back(): Generator<Numbered> {
      for (const part of parts.toReversed()) yield* eventsIn(part).toReversed();
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

/** Undefined for what is no such file, which tells nobody anything. */
function partAt(path: string, journal: number): Part | undefined {
  const [head, ...events] = readLines(path).lines;
  if (!isJsonObject(head)) return undefined;
  const { first, last, untilMs } = head;
  const isWhole = typeof first === "number" && typeof last === "number";
  if (!isWhole || typeof untilMs !== "number" || events.length !== last - first + 1)
    return undefined;
  return { path, journal, first, last, untilMs, bytes: fs.statSync(path).size };
}

function eventsIn({ path, first }: Part): Numbered[] {
  const [, ...events] = readLines(path).lines;
  return events.map((event, at) => ({ number: first + at, event: event as unknown as Event }));
}
