// Renders the informational banner at the top of a page, and describes its contrast.
import type { InformationalBanner } from "../../schemas/names.js";
import { contrast, formatColour, parseColour, type Colour } from "../colour.js";
import { html, type Html, renderText } from "../lib/html.js";

// A portal's defaults for a banner without colours.
const GROUND = "white";
const LETTERS = "black";
/** A pattern, because any plain colour could be mistaken for the one in the file. */
const UNKNOWN = "repeating-linear-gradient(135deg, white 0 9px, #d8d8d8 9px 18px)";

/** A longer text may scroll, and then the keyboard must reach it. */
const SHORT = 120;

export function isShown(banner: InformationalBanner | undefined): banner is InformationalBanner {
  return banner?.enabled === true && typeof banner.text === "string" && banner.text.trim() !== "";
}

export function renderBanner({ text = "" }: InformationalBanner): Html {
  const strip = html`<p dir="auto">${renderText(text)}</p>`;
  return text.length <= SHORT && !text.includes("\n")
    ? html`<aside class="banner" aria-label="Notice from this organisation">${strip}</aside>`
    : html`<aside class="banner" aria-label="Notice from this organisation" tabindex="0">
        ${strip}
      </aside>`;
}

/** The same as a picture, not as a part of the page. */
export function renderBannerPicture({ text }: InformationalBanner): Html {
  return html`<p class="banner" dir="auto">${renderText(text)}</p>`;
}

/** A style sheet, because the content security policy blocks style attributes. */
export function bannerStyle(
  { bgColor, fontColor }: InformationalBanner,
  selector = ".banner",
): string {
  // A transparent background shows a portal's white page, even if this page is dark.
  const [ground, letters] = [colourOf(bgColor), colourOf(fontColor)];
  const isUnknown = (!isUnsaid(bgColor) && !ground) || (!isUnsaid(fontColor) && !letters);
  if (isUnknown) return `${selector} { background: ${UNKNOWN}; color: ${LETTERS}; }\n`;
  return `${selector} { background: ${ground ? formatColour(ground) : GROUND}; color: ${letters && fontColor ? fontColor.trim() : LETTERS}; }
`;
}

export interface Legibility {
  readonly letters: Colour;
  readonly ground: Colour;
  readonly ratio: number;
}

/** The contrast of the banner, or the colour that browsers may not know. */
export function legibilityOf({
  bgColor = GROUND,
  fontColor = LETTERS,
}: InformationalBanner): Legibility | { readonly unknown: string } {
  const [ground, letters] = [bgColor, fontColor].map(colourOf);
  if (!ground) return { unknown: bgColor };
  if (!letters) return { unknown: fontColor };
  return { letters, ground, ratio: contrast(letters, ground) };
}

function isUnsaid(value: unknown): boolean {
  return value === undefined || value === null;
}

// Settings of a live portal are unchecked.
function colourOf(value: unknown): Colour | undefined {
  return typeof value === "string" ? parseColour(value) : undefined;
}
