// A text that anybody may have written → the same, with a mark wherever it holds what nobody would see.
import { codePointOf, misleading } from "../lib/text.js";
import { html, type Html } from "./html.js";

const JOINERS = ["\u200c", "\u200d"];

/** Line ends stay line ends; a run of hidden characters is one mark. */
export function renderText(text: unknown): Html {
  if (typeof text !== "string") return html``;
  const plain = text.replaceAll("\r\n", "\n");
  const parts: (string | Html)[] = [];
  let from = 0;
  for (const { 0: run, index } of plain.matchAll(runs())) {
    if (isAtHome(plain, index, run)) continue;
    const mark = html`<span class="hidden-mark" dir="ltr">${nameOf(run)}</span>`;
    parts.push(plain.slice(from, index), mark);
    from = index + run.length;
  }
  return html`${[...parts, plain.slice(from)]}`;
}

const runs = () => new RegExp(`(?:${misleading().source})+`, "gu");

/** Its first character, and how many there are. */
function nameOf(run: string): string {
  const { length } = Array.from(run);
  return length === 1 ? codePointOf(run) : `${codePointOf(run)} +${length - 1}`;
}

/** Persian, Hindi and pictures of families are written with joiners; between Latin letters they only hide. */
function isAtHome(text: string, index: number, run: string): boolean {
  const before = /[^]$/u.exec(text.slice(Math.max(0, index - 2), index))?.[0] ?? "";
  return (
    JOINERS.includes(run) && /[\p{L}\p{M}\p{Emoji}]/u.test(before) && /[^ -\u024f]/.test(before)
  );
}
