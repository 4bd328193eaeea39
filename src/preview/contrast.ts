// Computes the contrast of the banner's colours, whether it meets WCAG, and the nearest colours that do.
import type { InformationalBanner } from "../../schemas/names.js";
import {
  AAA_CONTRAST,
  AA_CONTRAST,
  contrast,
  formatColour,
  formatContrast,
  nearestWithContrast,
  type Colour,
} from "../colour.js";
import { legibilityOf, type Legibility } from "./banner.js";
import { html, type Html, renderText } from "../lib/html.js";
import { shortened } from "../lib/text.js";

const LEVELS = [
  { name: "AA", least: AA_CONTRAST },
  { name: "AAA", least: AAA_CONTRAST },
];

/** Longer than any colour name. */
const LONGEST_COLOUR = 40;

export function renderContrast(banner: InformationalBanner): Html {
  const found = legibilityOf(banner);
  if ("unknown" in found) {
    return html`<p>
      <strong>Contrast not measured.</strong>
      “${renderText(shortened(found.unknown, LONGEST_COLOUR))}” is neither a CSS colour name nor a
      hexadecimal colour, so what a browser makes of it is not known.
    </p>`;
  }
  const { letters, ground, ratio } = found;
  return html`<div class="contrast">
    ${renderSample(letters, ground)}
    <div>
      <p class="ratio">${formatContrast(ratio)}:1</p>
      <ul class="verdicts" aria-label="Contrast after WCAG 2">
        ${LEVELS.map(({ name, least }) =>
          ratio >= least
            ? html`<li class="passes">${name} passes</li>`
            : html`<li class="fails">${name} needs ${least}:1</li>`,
        )}
      </ul>
    </div>
    ${renderAdvice(found)}
  </div>`;
}

/** For the lowest level that is missed. */
function renderAdvice({ letters, ground, ratio }: Legibility): Html | undefined {
  const missed = LEVELS.find(({ least }) => ratio < least);
  if (!missed) return undefined;
  const { name, least } = missed;
  const font = nearestWithContrast(letters, ground, least);
  const background = nearestWithContrast(ground, letters, least);
  const found = [
    ...(font ? [{ property: FONT, colour: font, ratio: contrast(font, ground) }] : []),
    ...(background
      ? [{ property: BACKGROUND, colour: background, ratio: contrast(background, letters) }]
      : []),
  ];
  return html`<div class="advice">
    <p>The nearest colours that reach ${name}${found.length > 1 ? ", either of the two" : ""}:</p>
    <ul>
      ${found.map(
        ({ property, colour, ratio }) =>
          html`<li>
            ${renderSwatch(colour)}
            <code>${property}: "${formatColour(colour)}"</code>
            <span class="quiet">${formatContrast(ratio)}:1</span>
          </li>`,
      )}
    </ul>
  </div>`;
}

const BACKGROUND = "bgColor" satisfies keyof InformationalBanner;
const FONT = "fontColor" satisfies keyof InformationalBanner;

// Colours are attributes of an SVG, because the content security policy blocks style attributes.
function renderSample(letters: Colour, ground: Colour): Html {
  return html`<svg class="sample" viewBox="0 0 72 56" aria-hidden="true" focusable="false">
    <rect width="72" height="56" rx="8" fill="${formatColour(ground)}" />
    <text
      x="36"
      y="37"
      text-anchor="middle"
      font-size="26"
      font-weight="600"
      fill="${formatColour(letters)}"
    >
      Aa
    </text>
  </svg>`;
}

function renderSwatch(colour: Colour): Html {
  return html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <rect width="16" height="16" rx="3" fill="${formatColour(colour)}" />
  </svg>`;
}
