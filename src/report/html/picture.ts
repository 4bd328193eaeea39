// The banner or a notice that changes → how it looked and how it will look, side by side.
import { AA_CONTRAST, formatContrast } from "../../colour.js";
import type { Json, JsonObject } from "../../lib/json.js";
import { bannerStyle, isShown, legibilityOf, renderBannerPicture } from "../../pages/banner.js";
import { html, type Html } from "../../pages/html.js";
import { isAsked, renderNoticePicture } from "../../pages/notice.js";
import { renderText } from "../../pages/text.js";
import { counted, shortened } from "../../lib/text.js";
import { BANNER, type Sides } from "../model/picture.js";

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

export function picturesOf(all: readonly Sides[], isDrift: boolean, palette: Palette): Pictures {
  const [first = "", second = ""] = isDrift ? ["As applied", "Now"] : ["Before", "After"];
  return new Map(
    all.flatMap(({ parameter, before, after }) => {
      const isVisible = parameter === BANNER ? isShown : isAsked;
      if (!(isVisible(before) || isVisible(after))) return [];
      const figure = (caption: string, side: JsonObject) =>
        html`<figure>
          <figcaption>${caption}</figcaption>
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
      Contrast not measured: “${renderText(shortened(found.unknown, LONGEST_TITLE))}” is no colour
      that is known.
    </p>`;
  }
  const ratio = `Contrast ${formatContrast(found.ratio)}:1`;
  return found.ratio < AA_CONTRAST
    ? html`<p class="legibility bad">✕ ${ratio}; WCAG AA needs ${AA_CONTRAST}:1.</p>`
    : html`<p class="legibility">✓ ${ratio}, enough for WCAG AA.</p>`;
}

function drawNotice(notice: JsonObject): Html {
  if (!isAsked(notice)) return html`<p class="nothing">Nobody is asked anything.</p>`;
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
