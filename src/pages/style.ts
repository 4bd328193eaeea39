// The look that every page shares: its colours by day and by night, its letters, its controls.

// Each pair of letters and ground has a contrast of at least 4.5:1, and each edge of a control of 3:1.
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f5f1; --sheet: #ffffff; --ink: #1d2528; --quiet: #56646a; --line: #d9d8d1;
  --edge: #7d888c; --accent: #0d5f63; --on-accent: #ffffff; --tint: #e3efed; --contour: #0d5f6322; --height: #0d5f6338;
  --bad: #a3201d; --bad-tint: #fbeae7; --good: #1c6636; --warn: #b98300; --mark: #fbe9b7; --veil: #10181a99; --shadow: 0 1px 2px #1d252814, 0 8px 28px #1d252814;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12181a; --sheet: #1a2225; --ink: #e8ecea; --quiet: #a3b0b3; --line: #2d383c;
    --edge: #76858a; --accent: #6fcdc4; --on-accent: #08201f; --tint: #1d3433; --contour: #6fcdc41f; --height: #6fcdc433;
    --bad: #ff9d94; --bad-tint: #3a2422; --good: #7fd39a; --warn: #d9a93a; --mark: #4d3f14; --veil: #05090abf; --shadow: 0 1px 2px #0006, 0 8px 28px #0006;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; overflow-wrap: break-word; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
h1, h2, h3 { line-height: 1.2; margin: 0; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
p { margin: 0; }
ul { margin: 0; padding: 0; list-style: none; }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
button, .button {
  display: inline-block; min-height: 44px; padding: 0.6rem 1.3rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--ink); background: transparent; border: 1px solid var(--edge); border-radius: 8px; text-decoration: none;
}
button:hover, .button:hover { background: var(--tint); }
button.primary, .button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button.primary:hover, .button.primary:hover { filter: brightness(1.12); }
label { display: block; font-weight: 600; }
input, select, textarea {
  width: 100%; min-height: 44px; padding: 0.55rem 0.75rem; font: inherit; color: var(--ink); background: var(--sheet);
  border: 1px solid var(--edge); border-radius: 8px;
}
input[type="checkbox"] { width: 1.25rem; min-height: 1.25rem; vertical-align: -0.25rem; }
textarea, pre, code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875rem; }
textarea { min-height: 9.5rem; resize: vertical; }
pre { margin: 0; padding: 1rem; overflow: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
.quiet { color: var(--quiet); }
.bad { color: var(--bad); }
.narrow { width: 100%; max-width: 46rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 3rem) clamp(1rem, 4vw, 2rem); display: grid; gap: 1.25rem; }
.narrow > * { min-width: 0; }
.slim { max-width: 26rem; padding-top: clamp(2rem, 14vh, 9rem); }
.sheet > div { display: grid; gap: 0.4rem; justify-items: start; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); padding: clamp(1rem, 4vw, 1.75rem); display: grid; gap: 1rem; }
@media (prefers-reduced-motion: no-preference) { button, .button { transition: background-color 0.12s, filter 0.12s; } }
`;
