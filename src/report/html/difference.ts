// What differs → before and after for a page: values beside each other, texts word by word, lists entry by entry.
import type { Json } from "../../json.js";
import { html, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import { formatPath } from "../../settings.js";
import { differenceOfPart, shownValue, type Difference } from "../model/change.js";
import type { Entry, Part, Segment } from "../model/diff.js";
import { sizeText, withSpacesShown } from "../text/difference.js";
import { shortenedSegments } from "../model/shorten.js";
import { counted, shortened } from "../../text.js";

/** How much of a portal is told, so that a report over many is still opened at once. */
export interface Limits {
  /** In characters: of a text that is compared, and of a value. */
  readonly text: number;
  readonly value: number;
  readonly entries: number;
  readonly changes: number;
  /** The longest request that is shown whole, in characters. */
  readonly request: number;
  readonly isPictured: boolean;
}

const LONGEST_NAME = 100;

const ARROW = html` <span class="arrow" aria-label="becomes" role="img">→</span> `;

/** On the line of the name. */
export function renderValue(difference: Difference, limits: Limits): Html | undefined {
  if (difference.kind === "value") return renderPair(difference.before, difference.after, limits);
  const size = sizeText(difference);
  return size ? html`<span class="quiet">${size}</span>` : undefined;
}

/** Below that line. */
export function renderInside(difference: Difference, limits: Limits): Html | undefined {
  switch (difference.kind) {
    case "value":
      return undefined;
    case "text":
      return renderSegments(difference.segments, limits);
    case "list":
      return renderEntries(difference.entries, limits);
    default:
      throw difference satisfies never;
  }
}

function renderPair(
  before: Json | undefined,
  after: Json | undefined,
  { value }: Limits,
): Html | undefined {
  const [gone, come] = [before, after].map((each) =>
    each === undefined ? undefined : shownValue(each, value),
  );
  if (gone === undefined) return come === undefined ? undefined : html`<code>${come}</code>`;
  if (come === undefined) return html`<del><code>${gone}</code></del>`;
  return html`<span
    ><del class="whole"><code>${gone}</code></del
    >${ARROW}<ins class="whole"><code>${come}</code></ins></span
  >`;
}

/** Line ends are kept, so that nothing but the text may stand inside the element. */
function renderSegments(segments: readonly Segment[], { text: most }: Limits): Html {
  const shown = shortenedSegments(segments, most);
  const isWhole = segments.length === 1;
  const parts = shown.map(({ kind, text }) => {
    if (isWhole || kind === "same") return renderText(text);
    const marked = renderText(withSpacesShown(text));
    return kind === "removed" ? html`<del>${marked}</del>` : html`<ins>${marked}</ins>`;
  });
  return html`<p class="words" dir="auto">${parts}</p>`;
}

function renderEntries(entries: readonly Entry[], limits: Limits): Html {
  const lines: Html[] = [];
  let [same, changed] = [0, 0];
  const flush = () => {
    if (same > 0) lines.push(html`<li class="quiet">… ${same} unchanged</li>`);
    same = 0;
  };
  for (const entry of entries) {
    if (entry.kind === "same") {
      same++;
      continue;
    }
    if (changed < limits.entries) {
      flush();
      lines.push(...linesOf(entry, limits));
    }
    changed++;
  }
  const left = changed - limits.entries;
  if (left > 0) lines.push(html`<li class="quiet">… ${counted(left, "more change")}</li>`);
  else flush();
  return html`<ul class="entries">
    ${lines}
  </ul>`;
}

function linesOf(entry: Exclude<Entry, { kind: "same" }>, limits: Limits): Html[] {
  switch (entry.kind) {
    case "added":
      return [
        html`<li>
          <ins><code>${shownValue(entry.value, limits.value)}</code></ins>
        </li>`,
      ];
    case "removed":
      return [
        html`<li>
          <del><code>${shownValue(entry.value, limits.value)}</code></del>
        </li>`,
      ];
    case "changed":
      return entry.parts.slice(0, limits.entries).map((part) => renderPart(part, entry.at, limits));
    default:
      throw entry satisfies never;
  }
}

/** An entry that is still the same thing: what of it is another. */
function renderPart(part: Part, at: number, limits: Limits): Html {
  const difference = differenceOfPart(part);
  const name = shownName([at, ...part.path]);
  return html`<li>
    <code class="name">${name}</code>
    ${renderValue(difference, limits)}${renderInside(difference, limits)}
  </li>`;
}

function shownName(path: Part["path"]): Html {
  return renderText(shortened(formatPath(path), LONGEST_NAME));
}
