// Renders the banner or a notice that changes: how it looked and how it will look, side by side.
import type { ParameterName } from "../../schemas/names.js";
import { AA_CONTRAST, formatContrast } from "../colour.js";
import { isJsonObject, type Json, type JsonObject } from "../lib/json.js";
import { bannerStyle, isShown, legibilityOf, renderBannerPicture } from "../preview/banner.js";
import { html, type Html, renderText } from "../lib/html.js";
import { isAsked, renderNoticePicture } from "../preview/notice.js";
import type { Change } from "../plan/diff.js";
import { isSent, withLeaf } from "../settings.js";
import { counted, shortened } from "../lib/text.js";
import type { PortalEntry } from "./portal-entry.js";

const BANNER = "informationalBanner" satisfies ParameterName;

const PICTURED = [
  BANNER,
  "anonymousAccessNotice",
  "authenticatedAccessNotice",
] as const satisfies readonly ParameterName[];

/** The banner or a notice before and after. */
export interface Sides {
  readonly parameter: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Of those that change. */
export function sidesOf({ result: { plan }, isDrift, changes, sides }: PortalEntry): Sides[] {
  const all = changes.map(({ change }) => change);
  return sidesBetween(all.filter(isSent), () => {
    if (!plan) return sides;
    // What is sent is whole; else only what the file sets is known.
    const sent = plan.request?.settings ?? {};
    const others = plan.leaves.filter(({ path }) => !Object.hasOwn(sent, String(path[0])));
    const wanted = others.reduce(withLeaf, sent);
    const live = withSide(wanted, plan.changes, "before");
    if (!isDrift) return { before: live, after: wanted };
    return { before: withSide(live, all, "before"), after: withSide(live, all, "after") };
  });
}

/** The settings before and after are computed only where one of them is pictured. */
export function sidesBetween(
  changes: readonly Pick<Change, "path">[],
  both: () => Readonly<Record<"before" | "after", JsonObject>> | undefined,
): Sides[] {
  const changed = new Set(changes.map(({ path }) => path[0]));
  const pictured = PICTURED.filter((name) => changed.has(name));
  const sides = pictured.length > 0 ? both() : undefined;
  if (!sides) return [];
  return pictured.map((parameter) => ({
    parameter,
    before: fitToDraw(sides.before[parameter]),
    after: fitToDraw(sides.after[parameter]),
  }));
}

function withSide(settings: JsonObject, changes: readonly Change[], side: "before" | "after") {
  return changes.reduce(
    (held, each) => withLeaf(held, { path: each.path, value: each[side] }),
    settings,
  );
}

/** Live settings are not checked: what cannot be drawn is left out. */
function fitToDraw(value: Json | undefined): JsonObject {
  const held = Object.entries(isJsonObject(value) ? value : {}).filter(
    ([name, each]) => typeof each === "string" || (name === "enabled" && typeof each === "boolean"),
  );
  return Object.fromEntries(held);
}

const LONGEST_TITLE = 120;
const LONGEST_TEXT = 480;
const MOST_LINES = 12;

/** Colours stand in the page's one style sheet, whose hash the policy names: a class for each pair of them. */
export type Palette = ReturnType<typeof openPalette>;

export function openPalette() {
  const rules = new Map<string, string>();
  return {
    classOf(banner: JsonObject) {
      const rule = bannerStyle(banner, "");
      const name = rules.get(rule) ?? `c${rules.size}`;
      rules.set(rule, name);
      return name;
    },
    style: () => [...rules].map(([rule, name]) => `.${name} .banner${rule}`).join(""),
  };
}

/** By parameter. */
export type Pictures = ReadonlyMap<string, Html>;

export type Captions = readonly [before: string, after: string];

export function captionsOf({ isDrift, sides }: Pick<PortalEntry, "isDrift" | "sides">): Captions {
  return sides?.captions ?? (isDrift ? ["As applied", "Now"] : ["Before", "After"]);
}

export function picturesOf(
  all: readonly Sides[],
  [first, second]: Captions,
  palette: Palette,
): Pictures {
  return new Map(
    all.flatMap(({ parameter, before, after }) => {
      const isVisible = parameter === BANNER ? isShown : isAsked;
      if (!(isVisible(before) || isVisible(after))) return [];
      const figure = (caption: string, side: JsonObject) =>
        html`<figure>
          <figcaption>${renderText(shortened(caption, LONGEST_TITLE))}</figcaption>
          ${parameter === BANNER ? drawBanner(side, palette) : drawNotice(side)}
        </figure>`;
      const figures = [figure(first, before), figure(second, after)];
      return [[parameter, html`<div class="pictures">${figures}</div>`]];
    }),
  );
}

function drawBanner(banner: JsonObject, palette: Palette): Html {
  if (!isShown(banner)) return html`<p class="nothing">No banner is shown.</p>`;
  return html`<div class="picture ${palette.classOf(banner)}">
      ${renderBannerPicture({ ...banner, text: shortOf(banner["text"], LONGEST_TEXT) })}
    </div>
    ${renderContrast(banner)}`;
}

function renderContrast(banner: JsonObject): Html {
  const found = legibilityOf(banner);
  if ("unknown" in found) {
    return html`<p class="legibility">
      Contrast not measured: “${renderText(shortened(found.unknown, LONGEST_TITLE))}” is an unknown
      colour.
    </p>`;
  }
  const ratio = `Contrast ${formatContrast(found.ratio)}:1`;
  return found.ratio < AA_CONTRAST
    ? html`<p class="legibility bad">✕ ${ratio}; WCAG AA needs ${AA_CONTRAST}:1.</p>`
    : html`<p class="legibility">✓ ${ratio}, enough for WCAG AA.</p>`;
}

function drawNotice(notice: JsonObject): Html {
  if (!isAsked(notice)) return html`<p class="nothing">No notice is shown.</p>`;
  const title = shortOf(notice["title"], LONGEST_TITLE);
  const text = shortOf(notice["text"], LONGEST_TEXT);
  return html`<div class="picture">${renderNoticePicture({ ...notice, title, text })}</div>`;
}

/** Of many lines the first, and how many more there are. */
function shortOf(value: Json | undefined, most: number): string {
  if (typeof value !== "string") return "";
  const lines = value.split("\n");
  const left = lines.length - MOST_LINES;
  const shown =
    left > 0 ? [...lines.slice(0, MOST_LINES), `… (${counted(left, "more line")})`] : lines;
  return shortened(shown.join("\n"), most);
}
