// The look of the preview's page: a bar of choices, the portal's home on a stage, and what is to be said of it.

export const PREVIEW_STYLE = `
body { background: var(--ground); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 1.75rem; padding: 0.75rem clamp(1rem, 2.5vw, 1.75rem); background: var(--sheet); border-bottom: 1px solid var(--line); }
.bar h1 { display: flex; align-items: center; gap: 0.6rem; font-size: 1.0625rem; }
.contours { flex: none; width: 1.6rem; height: 1.6rem; border-radius: 50%; background: repeating-radial-gradient(circle at 62% 40%, var(--accent) 0 2px, var(--tint) 2px 5px); }
#choices { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 1.75rem; min-width: 0; }
#fold { display: none; }
.switch { display: flex; align-items: center; gap: 0.6rem; min-height: 44px; font-weight: 500; cursor: pointer; }
.switch input { flex: none; cursor: pointer; }
.which, .choice { display: flex; align-items: center; gap: 0.6rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.which label, .choice legend { float: left; padding: 0; font-size: 0.875rem; font-weight: 400; color: var(--quiet); }
.which select { width: auto; min-width: 0; max-width: min(22rem, 60vw); text-overflow: ellipsis; }
.single .which select { appearance: none; border-color: transparent; background: none; padding: 0; font-weight: 600; pointer-events: none; }
.segments { display: flex; flex-wrap: wrap; padding: 3px; background: var(--ground); border: 1px solid var(--edge); border-radius: 10px; }
.segments label { position: relative; font-weight: 500; }
.segments input { position: absolute; inset: 0; width: 100%; min-height: 0; margin: 0; opacity: 0; cursor: pointer; }
.segments span { display: grid; place-items: center; min-height: 36px; padding: 0 0.8rem; border-radius: 7px; text-transform: capitalize; }
.segments input:checked + span { background: var(--accent); color: var(--on-accent); }
.segments input:focus-visible + span { outline: 3px solid var(--accent); outline-offset: 3px; }
#status { flex: 1 1 0; min-width: 11rem; text-align: right; font-size: 0.875rem; line-height: 1.35; color: var(--quiet); }
#status.bad { color: var(--bad); font-weight: 600; }
.desk { flex: 1; display: grid; gap: 1.25rem; padding: 1.25rem clamp(1rem, 2.5vw, 1.75rem); align-content: start; }
.desk > * { min-width: 0; }
#stage { display: grid; gap: 1.25rem; align-items: start; }
.pane { display: grid; justify-items: center; gap: 0.6rem; min-width: 0; }
.pane > * { max-width: 100%; }
.pane h2 { justify-self: start; font-size: 0.9375rem; }
.pane .problem { text-align: left; color: var(--ink); }
body:not(.comparing) .beside { display: none; }
.glass { --tall: min(52rem, max(32rem, calc(100vh - 7rem))); width: 100%; height: var(--tall); overflow: hidden; border: 1px solid var(--line); border-radius: 14px; background: var(--sheet); box-shadow: var(--shadow); }
.glass[hidden] { display: none; }
.glass iframe { --scale: 1; display: block; width: calc(100% / var(--scale)); height: calc(100% / var(--scale)); border: 0; transform: scale(var(--scale)); transform-origin: 0 0; }
#stage[data-screen="narrow"] .glass { --tall: min(44rem, max(32rem, calc(100vh - 7rem))); width: min(100%, 377px); border-radius: 22px; }
#stage.before #home, #stage.ended #live-home { opacity: 0.4; filter: grayscale(0.7); }
.empty { padding: 4rem 1rem; text-align: center; color: var(--quiet); }
#facts { display: grid; gap: 1.25rem; align-content: start; }
#facts section { display: grid; gap: 0.75rem; padding: 1.1rem 1.25rem 1.25rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; }
#facts section > * { min-width: 0; }
#facts h2 { font-size: 0.9375rem; }
.facts { margin: 0; }
.facts div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.45rem 0; border-top: 1px solid var(--line); font-size: 0.9375rem; }
.facts dd { margin: 0; text-align: right; }
.small { font-size: 0.8125rem; }
.before > section, .before .passes, .before .fails, #facts .off .passes, #facts .off .fails { color: var(--quiet); }
#facts.before > section { background: none; }
.before svg { opacity: 0.4; filter: grayscale(0.7); }
@media (min-width: 48rem) { .comparing #stage { grid-template-columns: 1fr 1fr; } }
@media (min-width: 68rem) {
  body:not(.comparing) .desk { grid-template: "stage problems" auto "stage warnings" auto "stage facts" 1fr / 1fr 23rem; gap: 0 1.5rem; }
  body:not(.comparing) .desk #problems { grid-area: problems; margin-bottom: 1.25rem; }
  body:not(.comparing) .desk #warnings { grid-area: warnings; margin-bottom: 1.25rem; }
  body:not(.comparing) #stage { grid-area: stage; position: sticky; top: 1.25rem; align-self: start; }
  body:not(.comparing) .desk #facts { grid-area: facts; }
  .comparing #facts { align-items: start; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
  .comparing #facts > p { grid-column: 1 / -1; }
}
@media (max-width: 40rem) {
  .bar > *, #choices > * { flex-basis: 100%; }
  .bar h1 { flex: none; }
  #fold { display: block; flex: 1; min-width: 0; padding: 0.4rem 0.9rem; overflow: hidden; text-align: left; text-overflow: ellipsis; white-space: nowrap; font-size: 0.875rem; }
  #fold::before { content: "▾ "; content: "▾ " / ""; }
  .folded #choices { display: none; }
  .bar { gap: 0.6rem; }
  .which label, .choice legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .which select { flex: 1; max-width: 100%; }
  .segments { flex: 1; flex-wrap: nowrap; font-size: 0.875rem; }
  .segments label { flex: auto; }
  .segments span { padding: 0 0.3rem; }
  #status { flex: 1 0 100%; text-align: left; }
}
@media (prefers-reduced-motion: no-preference) { #stage iframe { transition: opacity 0.15s, filter 0.15s; } }
@media (forced-colors: active) { .segments input:checked + span { outline: 2px solid Highlight; } .contours { forced-color-adjust: none; } }
@media print { #choices, #fold { display: none; } #stage { position: static; } .desk { display: block; } .problem, #facts section { break-inside: avoid; margin-top: 1rem; } }
`;
