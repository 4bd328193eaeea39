// Renders the informational banner as a strip at the top of a page, and says how readable it is.
import type { InformationalBanner } from "../../schemas/names.js";
import { contrast, formatColour, parseColour, type Colour } from "../colour.js";
import { html, type Html, renderText } from "../lib/html.js";

// What a portal shows for a banner that says nothing of its colours.
const GROUND = "white";
const LETTERS = "black";
/** No plain colour, because any would pass for the one that the file means. */
const UNKNOWN = "repeating-linear-gradient(135deg, white 0 9px, #d8d8d8 9px 18px)";

/** More may not fit at once, and then the strip scrolls: the keyboard must reach it. */
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

/** The same where it is no part of the page but a picture of one. */
export function renderBannerPicture({ text }: InformationalBanner): Html {
  return html`<p class="banner" dir="auto">${renderText(text)}</p>`;
}

/** A style sheet, not a style attribute, which the content security policy could not distinguish from an injected one. */
export function bannerStyle(
  { bgColor, fontColor }: InformationalBanner,
  selector = ".banner",
): string {
  // A clear ground shows the white page of a portal, also where this page is dark.
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

/** How readable the banner is, or the colour that browsers may not know. */
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

// Settings read from a portal have not been checked.
function colourOf(value: unknown): Colour | undefined {
  return typeof value === "string" ? parseColour(value) : undefined;
}
