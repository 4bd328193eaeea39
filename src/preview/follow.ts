// Watches files, and reports each change of their previews.
import { checkFile } from "../document/check/check-file.js";
import type { Checked } from "../document/check/check.js";
import type { Io } from "../io.js";
import { marksOf } from "../lib/files.js";
import { isEqual } from "../lib/json.js";
import { cardOf, previewOf, ANYWHERE, type Preview } from "./card.js";
import type { CardUpdates } from "./client/updates.js";
import { homesByAddress } from "./homes.js";

/** Polls, because file system events miss network drives, containers and editors that replace files. */
const POLL_MS = 100;

export interface FollowOptions {
  readonly files: readonly string[];
  /** The shown moment, in milliseconds since 1970; by default, the time of the last change. */
  readonly asOf?: number | undefined;
}

interface Shown {
  readonly card: ReturnType<typeof cardOf>;
  /** The last content without errors. */
  readonly preview?: Preview | undefined;
  readonly paths: readonly string[];
  /** The marks of these paths before they were read. */
  readonly marks: string;
}

export async function followFiles(
  io: Io,
  { files, asOf }: FollowOptions,
  signal: AbortSignal,
  onUpdate: (updates: CardUpdates) => void,
) {
  const shown: Shown[] = [];
  // Standard input can be read only once.
  const input = files.includes("-") ? await checkFile("-", io, ANYWHERE) : undefined;
  const check = async (file: string) =>
    (file === "-" && input) || (await checkFile(file, io, ANYWHERE));

  async function showFile(at: number): Promise<void> {
    const before = shown[at];
    const [checked, marks] = await checkMarked(() => check(files[at] ?? ""), before?.paths ?? []);
    const preview = previewOf(checked, asOf ?? io.now()) ?? before?.preview;
    const card = cardOf(checked, preview, preview && homesByAddress(at, preview));
    shown[at] = { card, preview, paths: checked.paths, marks };
  }

  async function follow(): Promise<void> {
    const last: string[] = [];
    while (!signal.aborted) {
      await io.sleep(POLL_MS, signal);
      for (const [at, { paths, marks }] of shown.entries()) {
        const now = marksOfAll(paths);
        // Unchanged for two polls: the editor has finished writing.
        const isAtRest = now === last[at];
        last[at] = now;
        if (now === marks || !isAtRest) continue;
        await showFile(at);
        onUpdate(updatesOf([at]));
      }
    }
  }

  const updatesOf = (places: Iterable<number>): CardUpdates =>
    [...places].flatMap((at) => {
      const card = shown[at]?.card;
      return card ? [[at, card] as const] : [];
    });

  for (const at of files.keys()) await showFile(at);
  return {
    /** The previews of all files. */
    updates: () => updatesOf(files.keys()),
    preview: (at: number) => shown[at]?.preview,
    /** Runs until the signal is aborted. */
    follow: () =>
      follow().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
  };
}

/** Takes the marks before the read, so that an edit in between counts as a change. */
async function checkMarked(
  check: () => Promise<Checked>,
  paths: readonly string[],
): Promise<[checked: Checked, marks: string]> {
  const marks = marksOfAll(paths);
  const checked = await check();
  const isKnown = isEqual([...checked.paths], [...paths]);
  return isKnown ? [checked, marks] : checkMarked(check, checked.paths);
}

function marksOfAll(paths: readonly string[]): string {
  return paths.map(marksOf).join("\n");
}
