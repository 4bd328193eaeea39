// Follows files and their portals: what the preview shows of each, and a call whenever that has changed.
import { checkFile } from "../document/check/check-file.js";
import type { Checked } from "../document/check/check.js";
import type { PortalFile } from "../document/read/desired.js";
import type { Io } from "../io.js";
import { marksOf } from "../lib/files.js";
import { isEqual } from "../lib/json.js";
import { cardOf, sightOf, ANYWHERE, type Seen } from "./card.js";
import type { News } from "./client/news.js";
import { homesByAddress, type Place } from "./homes.js";
import { LOOKING, liveOf, type Live, type LookAtPortal } from "./live.js";

/** File systems do not notify of changes on network drives, in containers, and for files that an editor replaces. */
const POLL_MS = 100;

export interface FollowOptions {
  readonly files: readonly string[];
  /** The moment that is shown, in milliseconds since 1970; without it the time of the last change. */
  readonly asOf?: number | undefined;
  /** Reads a portal; without it none is shown. */
  readonly look?: LookAtPortal | undefined;
}

interface Shown {
  readonly card: ReturnType<typeof cardOf>;
  /** What the file said when it was last right. */
  readonly seen?: Seen | undefined;
  readonly desired?: PortalFile | undefined;
  readonly paths: readonly string[];
  /** Of what stood at these paths before they were read. */
  readonly marks: string;
}

export async function followFiles(
  io: Io,
  { files, asOf, look }: FollowOptions,
  signal: AbortSignal,
  onNews: (news: News) => void,
) {
  const shown: Shown[] = [];
  const lives: Live[] = [];
  // Standard input can be read once.
  const input = files.includes("-") ? await checkFile("-", io, ANYWHERE) : undefined;
  const check = async (file: string) =>
    (file === "-" && input) || (await checkFile(file, io, ANYWHERE));

  async function showFile(at: number): Promise<void> {
    const before = shown[at];
    const [checked, marks] = await checkMarked(() => check(files[at] ?? ""), before?.paths ?? []);
    const sight = sightOf(checked, asOf ?? io.now());
    const { seen, desired } = sight ?? before ?? {};
    const card = cardOf(checked, seen, seen && homesByAddress("home", at, seen));
    shown[at] = { card, seen, desired, paths: checked.paths, marks };
  }

  const looking = new Set<number>();
  async function lookAtPortal(at: number): Promise<void> {
    if (!look || looking.has(at)) return;
    looking.add(at);
    const asked = shown[at]?.desired;
    const live = await liveOf(at, asked, look);
    looking.delete(at);
    if (signal.aborted) return;
    const isNews = !isEqual({ ...live.card }, { ...lives[at]?.card });
    lives[at] = live;
    if (isNews) onNews(newsOf([at]));
    if (isMoved(asked, shown[at]?.desired)) await lookAtPortal(at);
  }

  async function follow(): Promise<void> {
    const last: string[] = [];
    while (!signal.aborted) {
      await io.sleep(POLL_MS, signal);
      for (const [at, { paths, marks, desired }] of shown.entries()) {
        const now = marksOfAll(paths);
        // Seen twice: the editor has finished writing.
        const isAtRest = now === last[at];
        last[at] = now;
        if (now === marks || !isAtRest) continue;
        await showFile(at);
        onNews(newsOf([at]));
        // Not waited for: an edit does not wait for the portal.
        if (isMoved(desired, shown[at]?.desired)) void lookAtPortal(at);
      }
    }
  }

  const newsOf = (places: Iterable<number>): News =>
    [...places].flatMap((at) => {
      const card = shown[at]?.card;
      const live = look && { live: (lives[at] ?? LOOKING).card };
      return card ? [[at, { ...card, ...live }] as const] : [];
    });

  for (const at of files.keys()) await showFile(at);
  return {
    /** News of all files. Reads the portals again: they may have changed since the last visit. */
    news(): News {
      for (const at of files.keys()) void lookAtPortal(at);
      return newsOf(files.keys());
    },
    seen: (place: Place, at: number) => (place === "home" ? shown : lives)[at]?.seen,
    /** Until the signal is aborted. */
    follow: () =>
      follow().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
  };
}

/** Marks are taken before the read: an edit between the two is seen as a change. */
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

function isMoved(before: PortalFile | undefined, after: PortalFile | undefined): boolean {
  return JSON.stringify(before?.portal) !== JSON.stringify(after?.portal);
}
