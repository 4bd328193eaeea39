// What has changed → what a page of all portals is told of it, as JSON.
import type { PortalsNews } from "../client/news.js";
import { toText } from "../../../lib/html.js";
import type { Seen } from "../board.js";
import type { Changes } from "../feed.js";
import { renderRow } from "./row.js";
import { countsOf, verdictOf } from "./status.js";

export function renderNews({ portals, gone }: Changes, all: readonly Seen[]): string {
  const counts = countsOf(all);
  const news: PortalsNews = {
    rows: portals.map((seen) => [seen.key, toText(renderRow(seen))]),
    gone,
    verdict: verdictOf(counts),
    counts,
    pools: poolsOf(portals),
  };
  return JSON.stringify(news);
}

export function poolsOf(portals: readonly Seen[]): readonly string[] {
  return [...new Set(portals.flatMap(({ pool }) => pool ?? []))].toSorted();
}
