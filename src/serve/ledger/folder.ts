// A folder → a ledger that outlives its process, whenever that is killed.
import type { Line, Numbered } from "./book.js";
import { openJournal, usable } from "./journal.js";
import type { Ledger } from "./ledger.js";
import { takeFolder } from "./lock.js";
import { isSameButTimes } from "../known.js";
import type { Io } from "../../io.js";

export interface FolderOptions {
  readonly folder: string;
  /** How long events are kept that everybody has got. */
  readonly keepMs: number;
  readonly notice: (sentence: string) => void;
  /** The same for what somebody should know even where little is told. */
  readonly warn: (sentence: string) => void;
}

export async function openFolder(io: Io, options: FolderOptions): Promise<Ledger> {
  const { folder, keepMs, notice, warn } = options;
  const lock = await usable(folder, () => takeFolder(io, folder, notice));
  const assertHeld = () => lock.assertHeld();
  const keptSinceMs = () => io.now() - keepMs;
  const opening = openJournal(folder, { assertHeld, keptSinceMs, warn });
  const journal = await opening.catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  const { book, archive } = journal;

  /** Those that a receiver has not got. */
  function* left(receiver: string): Generator<Numbered> {
    const after = book.receivers.get(receiver) ?? Infinity;
    const [first] = book.events;
    if (after + 1 < (first?.number ?? book.next)) yield* archive.after(after);
    for (const each of book.events) if (each.number > after) yield each;
  }

  function* back(): Generator<Numbered> {
    yield* book.events.toReversed();
    yield* archive.back();
  }

  return {
    portals: async () => new Map(book.portals),
    async record(key, known, events) {
      const before = book.portals.get(key);
      const isNews = events.length > 0 || !before || !isSameButTimes(before, known);
      if (isNews) await journal.write([{ is: "known", key, known, events }]);
      else book.portals.set(key, known);
    },
    async forget(key) {
      if (book.portals.has(key)) await journal.write([{ is: "gone", key }]);
    },
    async receivers(names) {
      const gone = [...book.receivers.keys()].filter((name) => !names.includes(name));
      const added = names.filter((name) => !book.receivers.has(name));
      const after = book.next - 1;
      await journal.write([
        ...gone.map((name): Line => ({ is: "receiver", name, after: null })),
        ...added.map((name): Line => ({ is: "receiver", name, after })),
      ]);
    },
    unsent: async (receiver, most) => firstOf(left(receiver), most).map(({ event }) => event),
    async settle(receiver, ids) {
      const first = firstOf(left(receiver), ids.length);
      const isFirst =
        first.length === ids.length && first.every(({ event }, at) => event.id === ids[at]);
      if (!isFirst) throw new TypeError("what is settled is not what comes first");
      const after = first.at(-1)?.number;
      if (after !== undefined) await journal.write([{ is: "receiver", name: receiver, after }]);
    },
    async events(most, key) {
      const isMeant = ({ event }: Numbered) => key === undefined || event.key === key;
      return firstOf(back(), most, isMeant).map(({ event }) => event);
    },
    async close() {
      await journal.close();
      await lock.release();
    },
  };
}

function firstOf(
  events: Iterable<Numbered>,
  most: number,
  isMeant: (each: Numbered) => boolean = () => true,
): Numbered[] {
  const found: Numbered[] = [];
  if (most <= 0) return found;
  for (const each of events) {
    if (isMeant(each)) found.push(each);
    if (found.length === most) break;
  }
  return found;
}
