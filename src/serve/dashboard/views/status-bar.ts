// Renders a bar whose segments are as wide as their shares.
import { html, type Html } from "../../../lib/html.js";

export function renderShares(
  parts: readonly { readonly kind: string; readonly count: number }[],
  label: string,
): Html {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  const drawn = parts.map(({ kind, count }) => {
    const width = (count / all) * 1000;
    const [x, wide] = [from, width].map((each) => each.toFixed(1));
    from += width;
    return html`<rect class="${kind}" x="${x}" width="${wide}" height="10" />`;
  });
  return html`<svg
    class="share"
    viewBox="0 0 1000 10"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${drawn}
  </svg>`;
}
