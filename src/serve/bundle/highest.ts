// A queue → the highest revision of it that this machine has seen, kept where the yes to a host is.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOfText } from "../../lib/digest.js";
import { Failure } from "../../failure.js";
import { overwriteFile, readFile, reasonOf, statOf } from "../../lib/files.js";
import { configurationFolder, type Io } from "../../io.js";
import { isJsonObject, parseJson } from "../../lib/json.js";
import { shellWord } from "../../lib/text.js";

const LIMITS = { largest: 64 * 1024, links: "refused" } as const;

export interface SeenRevision {
  /** Which queue it was: another one may stand at the same address by now. */
  readonly queue: string;
  readonly number: number;
}

export interface Highest {
  /** Undefined where none was seen. Fails with queue-not-trusted where nobody can tell what was. */
  seen(): SeenRevision | undefined;
  /** Never goes back. */
  note(seen: SeenRevision): void;
  /** The file; undefined for somebody without a home, whose memory ends with the process. */
  readonly path: string | undefined;
}

/** `place` is the queue's address as this machine knows it, without any password. */
export function openHighest(place: string, io: Io): Highest {
  const folder = configurationFolder(io);
  const path = folder && join(folder, "revisions", `${digestOfText(place)}.json`);
  let own: SeenRevision | undefined;
  let isWarned = false;
  // Another process of this machine may have seen more.
  const seen = () => (own = higher(own, path === undefined ? undefined : readSeen(path, place)));
  return {
    path,
    seen,
    note(next) {
      const before = seen();
      own = before?.queue === next.queue ? higher(before, next) : next;
      if (path === undefined || (own?.queue === before?.queue && own === before)) return;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        overwriteFile(path, `${JSON.stringify({ place, ...own }, null, 2)}\n`, {
          mode: 0o600,
          machine: io.machine,
        });
      } catch (error) {
        const why = reasonOf(error) ?? String(error);
        if (!isWarned) {
          io.stderr.write(
            `warning: The number of the revision could not be kept in "${path}" (${why}), so that an older one would not be noticed after a new start.\n`,
          );
        }
        isWarned = true;
      }
    },
  };
}

function higher(
  one: SeenRevision | undefined,
  other: SeenRevision | undefined,
): SeenRevision | undefined {
  return one && other && one.number >= other.number ? one : (other ?? one);
}

function readSeen(path: string, place: string): SeenRevision | undefined {
  let text: string;
  try {
    text = readFile(path, LIMITS).toString("utf8");
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    if (!statOf(path)) return undefined;
    text = "";
  }
  const json = parseJson(text);
  const { queue, number } = isJsonObject(json) && json["place"] === place ? json : {};
  if (typeof queue === "string" && typeof number === "number" && Number.isSafeInteger(number)) {
    return { queue, number };
  }
  throw new Failure(
    "queue-not-trusted",
    `"${path}" does not say which revision of the queue was seen last, so that an older one would not be noticed.`,
    forgetting(path),
  );
}

/** For whoever knows why. */
export function forgetting(path: string): string {
  return `Where that is meant, as after the database was restored, let this machine forget what it has seen:\n  rm ${shellWord(path)}`;
}
