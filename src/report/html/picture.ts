// The banner or a notice that changes → how it looked and how it will look, side by side.
import type { ParameterName } from "../../../schemas/names.js";
import { AA_CONTRAST, formatContrast } from "../../colour.js";
import { isJsonObject, type Json, type JsonObject } from "../../json.js";
import { bannerStyle, isShown, legibilityOf, renderBannerPicture } from "../../pages/banner.js";
import { html, type Html } from "../../pages/html.js";
import { isAsked, renderNoticePicture } from "../../pages/notice.js";
import { renderText } from "../../pages/text.js";
import type { Change } from "../../plan/diff.js";
import { isSent, withLeaf } from "../../settings.js";
import { shortened } from "../../text.js";
import type { PortalReport } from "../model/portal.js";

const BANNER = "informationalBanner" satisfies ParameterName;

const PICTURED = [
  BANNER,
  "anonymousAccessNotice",
  "authenticatedAccessNotice",
] as const satisfies readonly ParameterName[];

const LONGEST_TITLE = 120;
const LONGEST_TEXT = 480;

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

export function picturesOf(report: PortalReport, palette: Palette): Pictures {
  const changes = report.changes.map(({ change }) => change);
  const sides = sidesOf(report, changes);
  if (!sides) return new Map();
  const changed = new Set(changes.filter(isSent).map(({ path }) => path[0]));
  const [first = "", second = ""] = report.isDrift ? ["As applied", "Now"] : ["Before", "After"];
  return new Map(
    PICTURED.filter((name) => changed.has(name)).flatMap((name) => {
      const [before, after] = [sides.before, sides.after].map((side) => fitToDraw(side[name]));
      const isVisible = name === BANNER ? isShown : isAsked;
      if (!before || !after || !(isVisible(before) || isVisible(after))) return [];
      const figure = (caption: string, side: JsonObject) =>
        html`<figure>
          <figcaption>${caption}</figcaption>
          ${name === BANNER ? drawBanner(side, palette) : drawNotice(side)}
        </figure>`;
      const figures = [figure(first, before), figure(second, after)];
      return [[name, html`<div class="pictures">${figures}</div>`]];
    }),
  );
}

/** The settings on both sides, as far as the plan tells: what is sent is whole, else there is what the file wants. */
function sidesOf({ result: { plan }, isDrift }: PortalReport, changes: readonly Change[]) {
  if (!plan) return undefined;
  const sent = plan.request?.settings ?? {};
  const others = plan.leaves.filter(({ path }) => !Object.hasOwn(sent, String(path[0])));
  const wanted = others.reduce(withLeaf, sent);
  const live = withSide(wanted, plan.changes, "before");
  if (!isDrift) return { before: live, after: wanted };
  return { before: withSide(live, changes, "before"), after: withSide(live, changes, "after") };
}

function withSide(settings: JsonObject, changes: readonly Change[], side: "before" | "after") {
  return changes.reduce(
    (held, each) => withLeaf(held, { path: each.path, value: each[side] }),
    settings,
  );
}

/** Settings read from a portal have not been checked: what is of no use for a picture is left out. */
function fitToDraw(value: Json | undefined): JsonObject {
  const held = Object.entries(isJsonObject(value) ? value : {}).filter(
    ([name, each]) => typeof each === "string" || (name === "enabled" && typeof each === "boolean"),
  );
  return Object.fromEntries(held);
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

function shortOf(value: Json | undefined, most: number): string {
  return typeof value === "string" ? shortened(value, most) : "";
}
