// Files without errors → one HTML file that shows their homes and asks nothing of any server.
import type { Checked } from "../document/check/check.js";
import type { Card } from "../pages/client/news.js";
import { toFile } from "../pages/page.js";
import { cardOf } from "./card.js";
import { homesAsFiles } from "./homes.js";
import { previewView } from "./page.js";
import { sightOf } from "./sight.js";

export function previewFile(checks: readonly Checked[]): string {
  const framedStyles: string[] = [];
  const cards = checks.map((checked, at): [number, Card] => {
    const sight = sightOf(checked);
    if (!sight.seen) return [at, cardOf(sight, undefined)];
    const { homes, styles } = homesAsFiles(sight.seen);
    framedStyles.push(...styles);
    return [at, cardOf(sight, sight.seen, homes)];
  });
  return toFile({ ...previewView(), data: cards, framedStyles });
}
