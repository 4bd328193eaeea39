// Nothing → the lines of equal height around a hill, which stand for a map wherever a page shows none.
import { html, type Html } from "../lib/html.js";

const RINGS = 13;
const POINTS = 28;

/** Not to be seen by a screen reader; drawn in the colour of the text around it. */
export function renderContours(className: string): Html {
  const rings = Array.from({ length: RINGS }, (_, at) => {
    const width = at % 4 === 2 ? 2 : 1;
    return html`<path d="${ringAt(at)}" stroke-width="${width}" />`;
  });
  return html`<svg
    class="${className}"
    viewBox="0 0 800 500"
    preserveAspectRatio="xMaxYMid slice"
    fill="none"
    stroke="currentColor"
    aria-hidden="true"
    focusable="false"
  >
    ${rings}
  </svg>`;
}

/** Each ring leans a little further than the one within it, as a slope does that is steeper on one side. */
function ringAt(at: number): string {
  const radius = 26 + at * 30;
  const pointAt = (point: number): [number, number] => {
    const angle = ((point % POINTS) / POINTS) * 2 * Math.PI;
    const bulge =
      1 + 0.16 * Math.cos(2 * angle + 0.7 + at * 0.09) + 0.09 * Math.cos(3 * angle - at * 0.14);
    return [
      570 - at * 7 + radius * 1.25 * bulge * Math.cos(angle),
      215 + at * 4 + radius * 0.85 * bulge * Math.sin(angle),
    ];
  };
  // From the middle between two points to the next such middle: one curve without a corner.
  const middleAfter = (point: number) => {
    const [[x, y], [nextX, nextY]] = [pointAt(point), pointAt(point + 1)];
    return pair((x + nextX) / 2, (y + nextY) / 2);
  };
  const curves = Array.from(
    { length: POINTS },
    (_, point) => `Q${pair(...pointAt(point))} ${middleAfter(point)}`,
  );
  return `M${middleAfter(POINTS - 1)}${curves.join("")}Z`;
}

function pair(x: number, y: number): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}
