// The informational banner → a strip at the top of a page, and the style that gives it its colours.
import type { InformationalBanner } from "../catalog/names.js";
import { html, type Html } from "./html.js";

// What a portal shows for a banner that says nothing of its colours.
const BACKGROUND = "white";
const LETTERS = "black";

export function isShown(banner: InformationalBanner | undefined): banner is InformationalBanner {
  return banner?.enabled === true && typeof banner.text === "string" && banner.text.trim() !== "";
}

export function renderBanner(banner: InformationalBanner): Html {
  return html`<aside class="banner" aria-label="Notice from this organisation">
    <p dir="auto">${banner.text}</p>
  </aside>`;
}

/** A style sheet and no style attribute, which the content security policy could not tell from a smuggled one. */
export function bannerStyle(banner: InformationalBanner): string {
  return `.banner { background: ${BACKGROUND}; color: ${LETTERS}; }
.banner { background: ${safeColour(banner.bgColor) ?? BACKGROUND}; color: ${safeColour(banner.fontColor) ?? LETTERS}; }
`;
}

// A name that no browser knows is harmless: it leaves the line before it in force.
function safeColour(colour: unknown): string | undefined {
  return typeof colour === "string" &&
    /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,24})$/i.test(colour.trim())
    ? colour.trim()
    : undefined;
}
