// Files → a page on this machine that shows their homes and follows them as they are edited.
import type { Checked } from "../document/check/check.js";
import type { PortalFile } from "../document/read/desired.js";
import { isEqual } from "../lib/json.js";
import type { Card } from "./client/news.js";
import { VIEWERS, type Viewer } from "./home.js";
import { answerIn } from "./notice.js";
import { toPage, type Page } from "../lib/html-document.js";
import { cardOf } from "./card.js";
import { follow } from "./follow.js";
import { PLACES, addressOf, homeView, homesByAddress, type Place } from "./homes.js";
import { LOOKING, liveOf, type Live, type LookAtPortal } from "./live.js";
import { previewView } from "./page.js";
import { serve } from "./server.js";
import { sightOf, type Seen } from "./sight.js";

interface PreviewOptions {
  readonly files: readonly string[];
  /** 0 for any that is free. */
  readonly port: number;
  readonly check: (file: string) => Promise<Checked>;
  /** How a portal is looked at; without it none is. */
  readonly look?: LookAtPortal;
  /** The moment that is shown, in milliseconds since 1970; asked again whenever a file has changed. */
  readonly atMs: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Shown {
  readonly card: Card;
  /** What the file said when it was last right. */
  readonly seen: Seen | undefined;
  readonly desired: PortalFile | undefined;
  readonly paths: readonly string[];
}

export async function startPreview({ files, port, check, atMs, sleep, look }: PreviewOptions) {
  const closing = new AbortController();
  const shown: Shown[] = [];
  const lives: Live[] = [];
  const watch = follow(closing.signal, sleep, onChange);

  async function lookAtFile(at: number): Promise<void> {
    const file = files[at] ?? "";
    let checked = await check(file);
    // A path is followed from before it is read, so that no edit falls between the two.
    while (checked.paths.map((path) => watch.add(path)).includes(true)) checked = await check(file);
    const sight = sightOf(checked, atMs());
    const { seen, desired } = sight.seen ? sight : (shown[at] ?? sight);
    const card = cardOf(sight, seen, seen && homesByAddress("home", at, seen));
    shown[at] = { card, seen, desired, paths: checked.paths };
  }

  // Looked at whenever a page begins to listen: somebody who comes back to it may have changed the portal meanwhile.
  const looking = new Set<number>();
  async function lookAtPortal(at: number): Promise<void> {
    if (!look || looking.has(at)) return;
    looking.add(at);
    const asked = shown[at]?.desired;
    const live = await liveOf(at, asked, look);
    looking.delete(at);
    if (closing.signal.aborted) return;
    const isNews = !isEqual({ ...live.card }, { ...lives[at]?.card });
    lives[at] = live;
    if (isNews) server.tell(newsOf([at]));
    if (isMoved(asked, shown[at]?.desired)) await lookAtPortal(at);
  }

  async function onChange(changed: ReadonlySet<string>): Promise<void> {
    for (const [at, { paths }] of shown.entries()) {
      if (!paths.some((path) => changed.has(path))) continue;
      const before = shown[at]?.desired;
      await lookAtFile(at);
      server.tell(newsOf([at]));
      // Not waited for, because whoever edits does not wait for the portal.
      if (isMoved(before, shown[at]?.desired)) void lookAtPortal(at);
    }
  }

  const newsOf = (places: readonly number[]) =>
    places.flatMap((at): [number, Card][] => {
      const card = shown[at]?.card;
      const live = look && { live: (lives[at] ?? LOOKING).card };
      return card ? [[at, { ...card, ...live }]] : [];
    });

  const page = toPage({ ...previewView({ canCompare: look !== undefined }), isLive: true });
  const pageAt = (path: string, query: URLSearchParams) =>
    path === "/" ? page : homeAt(path, query, { home: shown, live: lives });

  for (const at of files.keys()) await lookAtFile(at);
  function news(): [number, Card][] {
    for (const at of files.keys()) void lookAtPortal(at);
    return newsOf([...files.keys()]);
  }
  const server = await serve({ pageAt, news }, port);
  const following = watch.run().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    url: server.url,
    /** Rejects where following the files fails, and ends with `close`. */
    following,
    close: async () => {
      closing.abort();
      // Whether following failed is told by `following` itself.
      await Promise.allSettled([following]);
      await server.close();
    },
  };
}

/** The home that stands at an address; undefined where none does, such as for a notice that was reworded since. */
function homeAt(
  path: string,
  query: URLSearchParams,
  from: Readonly<Record<Place, readonly { readonly seen?: Seen | undefined }[]>>,
): Page | undefined {
  const [, name, at, who] = path.split("/");
  const place = PLACES.find((each) => each === name);
  const viewer = VIEWERS.find((each): each is Viewer => each === who);
  const seen = place && from[place][Number(at)]?.seen;
  if (!seen || !viewer || path !== addressOf(place, Number(at), viewer, seen)) return undefined;
  return toPage(homeView(seen, viewer, path, answerIn(query).answer));
}

function isMoved(before: PortalFile | undefined, after: PortalFile | undefined): boolean {
  return JSON.stringify(before?.portal) !== JSON.stringify(after?.portal);
}
