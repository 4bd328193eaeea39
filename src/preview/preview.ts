// Files → a page on this machine that shows their homes and follows them as they are edited.
import type { Checked } from "../document/check.js";
import { VIEWERS, type Viewer } from "../pages/home.js";
import { answerIn } from "../pages/notice.js";
import { toPage, type Page } from "../pages/page.js";
import { cardOf, type Card } from "./card.js";
import { follow } from "./follow.js";
import { addressOf, homeView, homesByAddress } from "./homes.js";
import { previewView } from "./page.js";
import { serve } from "./server.js";
import { sightOf, type Seen } from "./sight.js";

export interface PreviewOptions {
  readonly files: readonly string[];
  /** 0 for any that is free. */
  readonly port: number;
  readonly check: (file: string) => Promise<Checked>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Preview {
  readonly url: string;
  /** Rejects where following the files fails, and ends with `close`. */
  readonly following: Promise<void>;
  close(): Promise<void>;
}

interface Shown {
  readonly card: Card;
  /** What the file said when it was last right. */
  readonly seen: Seen | undefined;
  readonly paths: readonly string[];
}

export async function startPreview(options: PreviewOptions): Promise<Preview> {
  const { files, port, check, sleep } = options;
  const closing = new AbortController();
  const shown: Shown[] = [];
  const watch = follow({ signal: closing.signal, sleep, onChange });

  async function look(at: number): Promise<void> {
    const file = files[at] ?? "";
    let checked = await check(file);
    // A path is followed from before it is read, so that no edit falls between the two.
    while (checked.paths.map((path) => watch.add(path)).includes(true)) checked = await check(file);
    const sight = sightOf(checked);
    const seen = sight.seen ?? shown[at]?.seen;
    const card = cardOf(sight, seen, seen && homesByAddress(at, seen));
    shown[at] = { card, seen, paths: checked.paths };
  }

  async function onChange(changed: ReadonlySet<string>): Promise<void> {
    for (const [at, { paths }] of shown.entries()) {
      if (!paths.some((path) => changed.has(path))) continue;
      await look(at);
      server.tell(newsOf([at]));
    }
  }

  const newsOf = (places: readonly number[]) =>
    places.flatMap((at): [number, Card][] => {
      const card = shown[at]?.card;
      return card ? [[at, card]] : [];
    });

  const page = toPage({ ...previewView(), isLive: true });
  function pageAt(path: string, query: URLSearchParams): Page | undefined {
    if (path === "/") return page;
    const [, home, at, name] = path.split("/");
    const viewer = VIEWERS.find((each): each is Viewer => each === name);
    const seen = home === "home" ? shown[Number(at)]?.seen : undefined;
    if (!seen || !viewer || path !== addressOf(Number(at), viewer, seen)) return undefined;
    return toPage(homeView(seen, viewer, path, answerIn(query).answer));
  }

  for (const at of files.keys()) await look(at);
  const server = await serve({ pageAt, news: () => newsOf([...files.keys()]) }, port);
  const following = watch.run().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    url: server.url,
    following,
    async close() {
      closing.abort();
      // Whether following failed is told by `following` itself.
      await Promise.allSettled([following]);
      await server.close();
    },
  };
}
