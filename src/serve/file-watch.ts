// Reads the files of the portals again after they changed and their writer has finished.
import { comingMs } from "./poll-times.js";
import { readFiles, type LastPortalOf, type PortalFile } from "./portal-files.js";
import type { RunContext } from "../apply/run-context.js";
import { caught, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { digestOfText } from "../lib/digest.js";
import { marksOf } from "../lib/files.js";

export type Files = ReadonlyMap<string, PortalFile>;

/** Polls, because file system notifications fail on network drives and in containers. */
const EVERY_MS = 10_000;
/** Polling takes at most this fraction (1/n) of the time. */
const SHARE = 100;
const AT_REST_AFTER_MS = 500;

export type FileWatch = ReturnType<typeof openFileWatch>;

export function openFileWatch(
  io: Io,
  find: () => Promise<readonly string[]>,
  lastPortalOf: LastPortalOf,
) {
  let [setMs, waitMs, known, restless] = [0, 0, "", ""];
  let files: Files = new Map();
  const nextMs = () => comingMs(setMs, io.now(), waitMs);
  const wait = (ms: number) => {
    waitMs = ms;
    setMs = io.now() + ms;
  };

  /** The marks of all files on the disk now. */
  function marks(names: readonly string[]): string {
    const paths = new Set([...files.values()].flatMap((each) => [...each.marks.keys()]));
    return digestOfText([...names, "", ...[...paths].map(marksOf)].join("\n"));
  }

  return {
    get nextMs() {
      return nextMs();
    },
    /** Files may have changed: reads soon, and returns when. */
    soon(): number {
      if (nextMs() > io.now() + AT_REST_AFTER_MS) wait(AT_REST_AFTER_MS);
      return nextMs();
    },
    /** Undefined if nothing changed. `isForced` reads all files again. */
    async read(run: RunContext, isForced: boolean): Promise<Files | Failure | undefined> {
      const beganMs = io.machine.elapsedMs();
      try {
        const names = await find();
        const now = marks(names);
        const isAtRest = now === restless || isForced;
        restless = now;
        if (now === known && !isForced) return undefined;
        if (!isAtRest) {
          wait(AT_REST_AFTER_MS);
          return undefined;
        }
        files = await readFiles(names, run, isForced ? new Map() : files, lastPortalOf);
        known = marks(names);
        return files;
      } catch (error) {
        return caught(error, io);
      } finally {
        const tookMs = io.machine.elapsedMs() - beganMs;
        if (nextMs() <= io.now()) wait(Math.max(EVERY_MS, SHARE * tookMs));
      }
    },
  };
}
