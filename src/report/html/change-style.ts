// The look of what is told inside a portal: changes, pictures, guards, failures, the request.

export const CHANGE_STYLE = `
.report .group { gap: 0.25rem; }
.report h4 { margin: 0; font-size: 0.9375rem; font-weight: 650; }
.group h4 code { font-size: 0.9375rem; }
.change { display: grid; grid-template-columns: 1.4rem minmax(9rem, 15rem) minmax(0, 1fr) auto; gap: 0.2rem 0.75rem; align-items: baseline; padding: 0.55rem 0; border-top: 1px solid var(--line); }
.change > * { min-width: 0; }
.mark { font: 700 0.9375rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; text-align: center; border-radius: 5px; }
.mark.new { color: var(--good); background: var(--good-tint); }
.mark.changed { color: var(--accent); background: var(--tint); }
.mark.released { color: var(--bad); background: var(--bad-tint); }
.mark.adopted { color: var(--quiet); background: var(--ground); }
.what { display: grid; gap: 0.45rem; justify-items: start; }
.what > * { max-width: 100%; }
.what code { white-space: pre-wrap; }
.what > p > .quiet { margin-left: 0.6rem; font-size: 0.9375rem; }
.what > p > .quiet:first-child { margin-left: 0; }
.at { color: var(--quiet); font-size: 0.8125rem; text-align: right; }
.arrow { padding: 0 0.2rem; color: var(--quiet); }
del, ins { padding: 0.05em 0.2em; border-radius: 4px; color: var(--ink); -webkit-box-decoration-break: clone; box-decoration-break: clone; }
del { background: var(--bad-tint); text-decoration-color: var(--bad); text-decoration-thickness: 1px; }
ins { background: var(--good-tint); text-decoration-color: var(--good); text-decoration-thickness: 2px; text-underline-offset: 0.22em; }
del.whole, ins.whole { text-decoration: none; }
.words { width: 100%; padding: 0.7rem 0.95rem; line-height: 1.7; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); border-radius: 10px; }
.entries { width: 100%; padding: 0.35rem 0.95rem; background: var(--ground); border-radius: 10px; font-size: 0.9375rem; }
.entries li { padding: 0.25rem 0; overflow-wrap: anywhere; }
.entries .words { margin-top: 0.35rem; background: var(--sheet); }
.note { color: var(--quiet); font-size: 0.9375rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.note.unmeant { width: 100%; padding: 0.45rem 0.8rem; color: var(--ink); background: var(--mark); border-radius: 8px; }
.callout { display: grid; gap: 0.5rem; padding: 0.9rem 1.1rem; overflow-wrap: anywhere; background: var(--ground); border-left: 4px solid var(--edge); border-radius: 4px 12px 12px 4px; }
.callout > * { min-width: 0; }
.callout.failed { border-left-color: var(--bad); }
.callout.failed h4 { color: var(--bad); }
.callout.guarded, .callout.held { border-left-color: var(--warn); }
.callout .help { color: var(--quiet); }
.copy { padding: 0.6rem 0.9rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.copy code { white-space: pre-wrap; }
.guards li { display: grid; grid-template-columns: 1.25rem minmax(0, auto) minmax(0, 1fr); gap: 0 0.6rem; padding: 0.15rem 0; }
.guards li::before { content: "✓" / "open"; color: var(--good); font-weight: 700; }
.guards .is-closed::before { content: "✕" / "closed"; color: var(--bad); }
.guards .quiet { grid-column: 2 / -1; }
.request { font-size: 0.9375rem; }
.request > summary { position: relative; padding-left: 1.1rem; display: flex; flex-wrap: wrap; gap: 0.15rem 0.75rem; align-items: baseline; min-height: 32px; cursor: pointer; list-style: none; }
.request > summary::-webkit-details-marker { display: none; }
.request .copy { margin-top: 0.6rem; background: var(--ground); }
.request b { font-weight: 650; }
.pictures { margin: 0.4rem 0 0.6rem; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem 1.5rem; padding: clamp(0.9rem, 2vw, 1.25rem); background: var(--ground); border-radius: 12px; }
figure { display: grid; grid-template-rows: auto 1fr; gap: 0.5rem; min-width: 0; margin: 0; align-content: start; }
figcaption { font-size: 0.8125rem; font-weight: 600; color: var(--quiet); }
.picture { align-self: start; overflow: hidden; border-radius: 10px; box-shadow: 0 0 0 1px var(--line); }
.picture .banner { padding: 0.6rem 1rem; max-height: 12rem; overflow: hidden; text-align: center; font-weight: 600; white-space: pre-line; overflow-wrap: anywhere; }
.nothing { display: grid; place-items: center; align-self: stretch; min-height: 3rem; padding: 0.75rem; text-align: center; color: var(--quiet); border: 1px dashed var(--edge); border-radius: 10px; }
.legibility { font-size: 0.8125rem; color: var(--quiet); overflow-wrap: anywhere; }
.legibility.bad { color: var(--bad); font-weight: 600; }
.notice { background: var(--sheet); overflow-wrap: anywhere; }
.notice-title { padding: 1.1rem 1.25rem 0.4rem; font-size: 1.125rem; line-height: 1.3; font-weight: 650; }
.notice-text { padding: 0 1.25rem 1rem; max-height: 16rem; overflow: hidden; white-space: pre-line; }
.answers { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.5rem; padding: 0.7rem 1.25rem; border-top: 1px solid var(--line); }
.answer { padding: 0.35rem 1rem; font-size: 0.875rem; font-weight: 600; border: 1px solid var(--edge); border-radius: 8px; }
.answer.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
@media (max-width: 48rem) {
  .change { grid-template-columns: 1.4rem minmax(0, 1fr); }
  .guards li { grid-template-columns: 1.25rem minmax(0, 1fr); }
  .guards li > * { grid-column: 2; }
  .change > .what, .change > .at { grid-column: 2; text-align: left; }
}
`;
