// The look of a report: its head, figures, filters, the table of portals, and each portal's section.

import { MOST_COLUMNS } from "./matrix.js";

// Pairs of letters and ground that the shared look does not have yet keep a contrast of 4.5:1, too.
export const REPORT_STYLE = `
${Array.from({ length: MOST_COLUMNS }, (_, at) => `.of-${at + 1} { --columns: ${at + 1}; }`).join(" ")}
:root { --good-tint: #e3f1e5; --warn-ink: #6d4c00; --bar-drift: #d9a022; --bar-held: #8a6bb0; --rest: #c9cec9; }
@media (prefers-color-scheme: dark) { :root { --good-tint: #1b3324; --warn-ink: #f0cf7d; --bar-drift: #d9a93a; --bar-held: #a98bd0; --rest: #3c494d; } }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.report { width: 100%; max-width: 82rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 3rem) clamp(1rem, 4vw, 2.5rem) 4rem; }
.report main, .report section, .portals { display: grid; gap: 1rem; }
.report main, .portals { gap: clamp(2rem, 5vw, 3rem); }
.report main { margin-top: clamp(1.5rem, 4vw, 2.5rem); }
.report main > *, .portals > *, .report section > * { min-width: 0; }
.report code { overflow-wrap: anywhere; }
.brand { display: flex; align-items: center; gap: 0.55rem; font-weight: 650; font-size: 0.9375rem; color: var(--quiet); }
.contours { flex: none; width: 1.35rem; height: 1.35rem; border-radius: 50%; background: repeating-radial-gradient(circle at 62% 40%, var(--accent) 0 2px, var(--tint) 2px 5px); }
.head h1 { margin-top: 1.25rem; font-size: clamp(2rem, 5vw, 3rem); letter-spacing: -0.025em; }
.verdict { margin-top: 0.5rem; max-width: 60ch; font-size: clamp(1.125rem, 2.2vw, 1.375rem); line-height: 1.4; text-wrap: pretty; }
.made { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; margin: 1.25rem 0 0; font-size: 0.875rem; color: var(--quiet); }
.made div { display: flex; gap: 0.5rem; min-width: 0; }
.made dt { flex: none; }
.made dd { margin: 0; min-width: 0; color: var(--ink); overflow-wrap: anywhere; }
.report h2 { font-size: 1.25rem; }
.figures { display: grid; gap: 1.5rem; padding: clamp(1.1rem, 3vw, 1.75rem); background: var(--sheet); border: 1px solid var(--line); border-radius: 16px; }
.figures dl { display: flex; flex-wrap: wrap; gap: 1.25rem clamp(1.5rem, 4vw, 3.25rem); margin: 0; }
.figure { display: grid; align-content: start; min-width: 4rem; }
.figure dt { grid-row: 2; font-size: 0.875rem; color: var(--quiet); }
.figure dd { margin: 0; font-size: clamp(1.75rem, 4vw, 2.5rem); line-height: 1.1; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.figure.failed dd, .figure.error dd { color: var(--bad); }
.figure.changes dd { color: var(--accent); }
.figure.applied dd { color: var(--good); }
.figure.guarded dd, .figure.drift dd, .figure.warning dd, .figure.held dd { color: var(--warn-ink); }
.share { width: 100%; height: 0.625rem; border-radius: 99px; }
.share rect { fill: var(--rest); }
.share .failed { fill: var(--bad); } .share .held { fill: var(--bar-held); } .share .drift { fill: var(--bar-drift); }
.share .changes { fill: var(--accent); } .share .applied { fill: var(--good); } .share .skipped { fill: var(--edge); }
.pill { display: inline-block; padding: 0.1rem 0.6rem; border-radius: 99px; font-size: 0.8125rem; font-weight: 550; white-space: nowrap; background: var(--ground); color: var(--quiet); }
.pill.failed { background: var(--bad-tint); color: var(--bad); }
.pill.changes { background: var(--tint); color: var(--accent); }
.pill.applied { background: var(--good-tint); color: var(--good); }
.pill.held, .pill.guarded, .pill.drift { background: var(--mark); color: var(--ink); }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem 1rem; }
.filter { flex: 1 1 12rem; min-width: 0; }
.filter.wide { flex: 2 1 16rem; }
.filter label { font-size: 0.875rem; font-weight: 500; color: var(--quiet); padding-bottom: 0.25rem; }
.filters button { padding-block: 0.5rem; }
.found { min-width: 9.5rem; min-height: 44px; display: grid; align-items: center; color: var(--quiet); font-variant-numeric: tabular-nums; }
.box { overflow: auto; max-height: min(44rem, 80vh); background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; }
#matrix, #matrix > * { display: block; }
#matrix { min-width: calc(21rem + var(--columns) * 8.75rem); font-size: 0.875rem; }
#matrix tr { display: grid; grid-template-columns: minmax(11rem, 1.5fr) 8.5rem repeat(var(--columns), minmax(8.75rem, 1fr)); border-top: 1px solid var(--line); }
.many #matrix tbody tr { content-visibility: auto; contain-intrinsic-block-size: auto 2.65rem; }
#matrix th, #matrix td { display: grid; align-content: center; justify-items: start; min-width: 0; min-height: 2.6rem; padding: 0.4rem 0.75rem; text-align: left; background: var(--sheet); }
#matrix thead { position: sticky; top: 0; z-index: 2; border-bottom: 1px solid var(--edge); }
#matrix thead tr { border-top: 0; }
#matrix tbody tr:first-child { border-top: 0; }
#matrix thead th { padding-block: 0.65rem; font-weight: 600; line-height: 1.35; overflow-wrap: anywhere; }
#matrix thead code { font-size: 0.8125rem; }
#matrix tbody th { font-weight: 550; white-space: nowrap; }
#matrix tbody th > * { max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
#matrix tbody a { text-decoration-color: var(--edge); }
#matrix tbody a:focus-visible { outline-offset: -1px; }
#matrix tbody tr:hover > * { background: var(--ground); }
#matrix .equal, #matrix .none { color: var(--quiet); }
#matrix .why { grid-column: 3 / -1; color: var(--bad); overflow-wrap: anywhere; }
.legend { font-size: 0.8125rem; }
@media (min-width: 48rem) { #matrix tr > :first-child { position: sticky; left: 0; z-index: 1; } }
.details .bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; }
.folds { display: flex; gap: 0.5rem; }
.folds button { min-height: 36px; padding: 0.3rem 0.9rem; font-size: 0.875rem; }
.many .portal { content-visibility: auto; contain-intrinsic-size: auto 3.5rem; }
.portal { scroll-margin-top: 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; }
.portal > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.35rem 0.9rem; min-height: 44px; position: relative; padding: 0.8rem clamp(1rem, 3vw, 1.5rem) 0.8rem calc(clamp(1rem, 3vw, 1.5rem) + 1.1rem); cursor: pointer; list-style: none; border-radius: 14px; overflow-wrap: anywhere; }
.portal > summary::-webkit-details-marker { display: none; }
.portal > summary::before, .request > summary::before { content: "›" / ""; position: absolute; margin-left: -1.1rem; width: 0.6em; text-align: center; color: var(--quiet); font-weight: 600; }
.portal[open] > summary::before, .request[open] > summary::before { rotate: 90deg; }
.portal > summary:hover { background: var(--tint); }
.portal h3 { font-size: 1.0625rem; min-width: 0; }
.counts { color: var(--quiet); font-size: 0.9375rem; }
.inside { display: grid; gap: 1.25rem; padding: 0.25rem clamp(1rem, 3vw, 1.5rem) clamp(1.1rem, 3vw, 1.75rem); }
.inside > * { min-width: 0; }
.basis { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; color: var(--quiet); font-size: 0.875rem; }
.basis code { font-size: 0.8125rem; }
.files { columns: 28rem; font-size: 0.9375rem; }
.files li { break-inside: avoid; padding: 0.2rem 0; overflow-wrap: anywhere; }
.files li::before { content: "✓" / ""; display: inline-block; width: 1.4em; color: var(--good); font-weight: 700; }
.files .wrong::before { content: "✕" / ""; color: var(--bad); }
@media (forced-colors: active) { .pill { border: 1px solid CanvasText; } .share rect { stroke: Canvas; } }
`;
