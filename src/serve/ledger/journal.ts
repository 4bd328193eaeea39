// A folder → the journal in it: what was recorded, and what is written to it lasts before it counts.
import * as fs from "node:fs";
import { join } from "node:path";
import { openArchive, type Archive } from "./archive.js";
import {
  countIn,
  emptyBook,
  enter,
  FORMAT,
  linesOf,
  withNumber,
  type Book,
  type Line,
} from "./book.js";
import { lineOf, openLines, readLines, type Appending } from "./lines.js";
import { Failure } from "../../failure.js";
import { overwriteFile, reasonOf } from "../../lib/files.js";
import { isJsonObject } from "../../lib/json.js";
import { syncFolder } from "../../lib/shared-folder.js";
import { grouped } from "../../lib/text.js";

// How it works. The journal with the highest number counts. It begins with all that was known when it was begun, and each
// line after that is one record, on the disk before anybody is told. When it has grown to a multiple of what is known, its
// events go to a file of their own, then the next journal is put in place as a whole, then the old one goes: whoever is
// killed in between leaves either journal whole, and the next start clears away the rest. Of a file that is damaged all
// that can be read is kept and written anew, so that the damage is told once.

const NAME = /^journal-(\d{1,15})\.lines$/;
const LEAST_BYTES = 1024 * 1024;
/** As a multiple of what a journal begins with. */
const MOST_GROWTH = 2;

export interface Journal {
  readonly book: Book;
  readonly archive: Archive;
  /** Lasting when it returns, and then in the book; where it throws, neither. */
  write(lines: readonly Line[]): Promise<void>;
  close(): Promise<void>;
}

interface Journaling {
  /** Fails where this process may not write any more. */
  readonly assertHeld: () => void;
  /** Of events that nobody waits for: what happened before this goes. */
  readonly keptSinceMs: () => number;
  /** What was lost, in a sentence. */
  readonly warn: (sentence: string) => void;
}

interface Waiting {
  readonly lines: readonly Line[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export async function openJournal(
  folder: string,
  { assertHeld, keptSinceMs, warn }: Journaling,
): Promise<Journal> {
  let part = await usable(folder, () => openNewest(folder));
  const { book } = part;
  const archive = await usable(folder, () => openArchive(folder, part, warn));
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      try {
        await usable(folder, () => append(all.flatMap((each) => each.lines)));
        for (const { done } of all) done();
      } catch (error) {
        for (const { failed } of all) failed(error);
      }
      // Where that fails, this one goes on growing, and the next write says what is wrong with the disk.
      if (isLong(part)) await usable(folder, turn).catch(() => undefined);
    }
  }

  async function append(lines: readonly Line[]): Promise<void> {
    assertHeld();
    let { next } = book;
    const numbered = lines.map((line) => {
      const written = withNumber(line, next);
      next += countIn(line);
      return written;
    });
    await part.file.append(numbered.map(lineOf).join(""));
    for (const line of numbered) enter(book, line);
  }

  /** At a moment when nothing is being written. */
  async function turn(): Promise<void> {
    archive.add(part.number, book.events);
    const next = begin(folder, part.number + 1, book);
    await syncFolder(folder);
    part.file.close();
    fs.rmSync(part.path);
    part = next;
    book.events = [];
    archive.prune(keptSinceMs(), Math.min(book.next, ...book.receivers.values()) + 1);
  }

  if (part.damaged > 0) {
    warn(damagedText(part));
    await usable(folder, turn);
  }

  return {
    book,
    archive,
    // Of many that ask at once, all lines are written together, so that the disk is waited for once.
    write(lines) {
      const written = new Promise<void>((done, failed) => waiting.push({ lines, done, failed }));
      writing ??= writeAll().finally(() => (writing = undefined));
      return written;
    },
    async close() {
      await writing;
      part.file.close();
    },
  };
}

interface Part {
  readonly number: number;
  readonly path: string;
  readonly file: Appending;
  /** What it began with. */
  readonly begunBytes: number;
  /** The number of its first event. */
  readonly first: number;
  readonly book: Book;
  /** How many of its records cannot be read, and how many can. */
  readonly damaged: number;
  readonly whole: number;
}

function damagedText({ path, damaged, whole }: Part): string {
  const of = grouped(damaged + whole);
  return `"${path}" was damaged: ${grouped(damaged)} of its ${of} records cannot be read. What is lost with that may be told once more, or never. All others are kept.`;
}

function isLong({ file, begunBytes }: Part): boolean {
  return file.bytes > Math.max(LEAST_BYTES, MOST_GROWTH * begunBytes);
}

function openNewest(folder: string): Part {
  const [number, ...older] = fs
    .readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => other - one);
  if (number === undefined) return begin(folder, 1, emptyBook());
  // Their successor is whole.
  for (const each of older) fs.rmSync(pathOf(folder, each));
  const path = pathOf(folder, number);
  const { lines, bytes, damaged } = readLines(path);
  const [first] = lines;
  if (!isJsonObject(first) || first["is"] !== "begin" || first["format"] !== FORMAT) {
    const isNewer = isJsonObject(first) && Number(first["format"]) > FORMAT;
    throw notUsable(folder, isNewer ? "a newer Lintel has written it" : `"${path}" is damaged`);
  }
  const book = emptyBook();
  for (const line of lines) enter(book, line as unknown as Line);
  // The record that says so may be one of those that cannot be read.
  if (!book.isWhole && damaged === 0) throw notUsable(folder, `"${path}" is damaged`);
  const file = openLines(path, bytes);
  const { next } = first as Line & { is: "begin" };
  return { number, path, file, begunBytes: bytes, first: next, book, damaged, whole: lines.length };
}

function begin(folder: string, number: number, book: Book): Part {
  const path = pathOf(folder, number);
  try {
    overwriteFile(path, linesIn(book), { mode: 0o600 });
    const begunBytes = fs.statSync(path).size;
    const file = openLines(path, begunBytes);
    return { number, path, file, begunBytes, first: book.next, book, damaged: 0, whole: 0 };
  } catch (error) {
    // Left there, it would count from the next start on.
    fs.rmSync(path, { force: true });
    throw error;
  }
}

function* linesIn(book: Book): Generator<string> {
  for (const each of linesOf(book)) yield lineOf(each);
}

function pathOf(folder: string, number: number): string {
  return join(folder, `journal-${number}.lines`);
}

/** Does something that the folder may refuse. */
export async function usable<T>(folder: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const why = error instanceof Failure ? undefined : reasonOf(error);
    throw why === undefined ? error : notUsable(folder, why, error);
  }
}

function notUsable(folder: string, why: string, cause?: unknown): Failure {
  return new Failure(
    "not-writable",
    `The folder "${folder}" of this run cannot be used: ${why}.`,
    "Mend that, or begin anew in another one, where what is so is told once more:\n  lintel serve --data DIR",
    { cause },
  );
}
