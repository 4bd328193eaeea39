// The files of a run that does not end → the same read anew, once they have changed and nobody writes there any more.
import { comingMs } from "../due.js";
import { readFiles, type Followed, type NameOf } from "./files.js";
import { digestOfText } from "../../lib/digest.js";
import { caught, type Failure } from "../../failure.js";
import { marksOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import type { RunContext } from "../../apply/run-context.js";

export type Files = ReadonlyMap<string, Followed>;

/** Looked at again and again, because the notices of file systems fail on network drives and in containers. */
const EVERY_MS = 10_000;
/** It takes no more than such a part of the time. */
const SHARE = 100;
const AT_REST_AFTER_MS = 500;

export interface Following {
  /** When to look next. */
  readonly nextMs: number;
  /** Something may have been changed. */
  soon(): void;
  /** Undefined where nothing has changed. `isMeant`: everything is read anew, changed or not. */
  look(tools: RunContext, isMeant: boolean): Promise<Files | Failure | undefined>;
}

export function openFollowing(
  io: Io,
  find: () => Promise<readonly string[]>,
  nameOf: NameOf,
): Following {
  let [setMs, waitMs, known, restless] = [0, 0, "", ""];
  const nextMs = () => comingMs(setMs, io.now(), waitMs);
  const wait = (ms: number) => {
    waitMs = ms;
    setMs = io.now() + ms;
  };
  let files: Files = new Map();

  /** As it stands now. */
  function marks(names: readonly string[]): string {
    const paths = new Set([...files.values()].flatMap((each) => [...each.marks.keys()]));
    return digestOfText([...names, "", ...[...paths].map(marksOf)].join("\n"));
  }

  return {
    get nextMs() {
      return nextMs();
    },
    soon: () => {
      if (nextMs() > io.now() + AT_REST_AFTER_MS) wait(AT_REST_AFTER_MS);
    },
    async look(tools, isMeant) {
      const beganMs = io.machine.elapsedMs();
      try {
        const names = await find();
        const now = marks(names);
        const isAtRest = now === restless || isMeant;
        restless = now;
        if (now === known && !isMeant) return undefined;
        if (!isAtRest) {
          wait(AT_REST_AFTER_MS);
          return undefined;
        }
        files = await readFiles(names, tools, isMeant ? new Map() : files, nameOf);
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
