// The look of a portal's home page: banner, header, contour lines, cards, footer, and the notice above them.

export const HOME_STYLE = `
.banner { position: sticky; top: 0; z-index: 3; max-height: 40vh; overflow: auto; padding: 0.6rem 1rem; text-align: center; font-weight: 600; overflow-wrap: anywhere; }
.banner:focus-visible { outline: 3px solid currentColor; outline-offset: -4px; }
.banner p { max-width: 80ch; margin: 0 auto; white-space: pre-line; }
.screen, .front { flex: 1; display: flex; flex-direction: column; min-width: 0; }
.asking { flex: none; height: 100vh; min-height: 28rem; overflow: hidden; }
.front { position: relative; min-height: 0; overflow: hidden; }
.site { flex: 1; display: flex; flex-direction: column; min-width: 0; }
.site main { flex: 1; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 0.6rem clamp(1rem, 4vw, 2.5rem); background: var(--sheet); border-bottom: 1px solid var(--line); }
.mark { display: flex; align-items: center; gap: 0.65rem; min-width: 0; min-height: 44px; color: var(--ink); font-weight: 650; text-decoration: none; overflow-wrap: anywhere; }
.name { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; max-width: 24ch; }
.contours { flex: none; width: 1.75rem; height: 1.75rem; border-radius: 50%; background: repeating-radial-gradient(circle at 62% 40%, var(--accent) 0 2px, var(--tint) 2px 5px); }
.top nav { flex: 1; min-width: 0; }
.top nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.top nav a, .top nav span { display: block; padding: 0.6rem 0; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; }
.top nav a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.doors { display: flex; align-items: center; gap: 0.75rem; margin-left: auto; }
.launcher { position: relative; }
.launcher summary { width: 44px; height: 44px; display: grid; place-items: center; list-style: none; cursor: pointer; border-radius: 8px; }
.launcher summary::-webkit-details-marker { display: none; }
.launcher summary:hover, .launcher[open] summary { background: var(--tint); }
.dots { width: 21px; height: 21px; background: radial-gradient(circle, var(--ink) 0 2.4px, transparent 2.9px) 0 0 / 7px 7px; }
.apps { position: absolute; right: 0; top: calc(100% + 0.5rem); z-index: 2; width: min(20rem, calc(100vw - 2rem)); padding: 1.1rem 1.25rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); }
.apps h2 { font-size: 1rem; padding-bottom: 0.5rem; }
.apps .long { max-height: 55vh; overflow: auto; }
.apps li { padding: 0.5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.hero { position: relative; overflow: hidden; padding: clamp(3rem, 10vw, 7rem) clamp(1rem, 4vw, 2.5rem); border-bottom: 1px solid var(--line); }
.hill { position: absolute; inset: 0; width: 100%; height: 100%; color: var(--height); -webkit-mask: linear-gradient(90deg, transparent 15%, black 70%); mask: linear-gradient(90deg, transparent 15%, black 70%); }
.hero > div { position: relative; max-width: 72rem; margin: 0 auto; }
.hero h1 { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 4; max-width: 18ch; padding-bottom: 0.1em; font-size: clamp(2rem, 5vw, 3.25rem); line-height: 1.12; letter-spacing: -0.02em; overflow-wrap: anywhere; }
.hero p { margin-top: 0.75rem; max-width: 38ch; font-size: 1.125rem; color: var(--quiet); }
.cards { max-width: 77rem; margin: 0 auto; padding: clamp(1.5rem, 4vw, 3rem) clamp(1rem, 4vw, 2.5rem); display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
.cards article { background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; padding-bottom: 1.1rem; }
.cards h2 { font-size: 1.1rem; padding: 1rem 1.1rem 0.25rem; }
.cards p { padding: 0 1.1rem; }
.sketch { height: 7rem; background: repeating-radial-gradient(ellipse at 30% 120%, var(--tint) 0 11px, var(--contour) 11px 13px), var(--tint); }
.cards article:nth-child(2) .sketch { background: linear-gradient(115deg, transparent 48%, var(--contour) 48% 50%, transparent 50%), linear-gradient(20deg, transparent 55%, var(--contour) 55% 57%, transparent 57%), linear-gradient(75deg, transparent 30%, var(--contour) 30% 32%, transparent 32%), var(--tint); }
.cards article:nth-child(3) .sketch { background: radial-gradient(circle at 70% 45%, var(--accent) 0 6px, transparent 7px), radial-gradient(circle at 35% 60%, var(--accent) 0 6px, transparent 7px), repeating-linear-gradient(0deg, transparent 0 18px, var(--contour) 18px 19px), repeating-linear-gradient(90deg, transparent 0 18px, var(--contour) 18px 19px), var(--tint); }
.foot { padding: 1.5rem clamp(1rem, 4vw, 2.5rem); border-top: 1px solid var(--line); background: var(--sheet); }
.foot ul { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 2rem; overflow-wrap: anywhere; }
.foot li { min-width: 0; padding: 0.5rem 0; }
.foot p { text-align: center; }
.veil { position: absolute; inset: 0; z-index: 2; display: grid; grid-template-rows: minmax(0, 1fr); place-items: center; padding: 1rem; background: var(--veil); }
dialog { position: static; margin: 0; width: 100%; max-width: 34rem; max-height: min(100%, 44rem); overflow: hidden; display: flex; flex-direction: column; padding: 0; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 16px; box-shadow: var(--shadow); }
.words { min-height: 0; overflow: auto; padding: clamp(1.25rem, 5vw, 2rem) clamp(1.25rem, 5vw, 2rem) 1.25rem; overflow-wrap: anywhere; }
.words:focus-visible { outline-offset: -4px; border-radius: 16px; }
dialog h2 { font-size: 1.375rem; padding-bottom: 0.75rem; text-wrap: pretty; }
.notice-text { white-space: pre-line; }
.answers { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.75rem; padding: 1rem clamp(1.25rem, 5vw, 2rem) clamp(1rem, 4vw, 1.5rem); border-top: 1px solid var(--line); }
.answers button { min-width: 6.5rem; }
.declined { display: grid; align-content: center; justify-items: center; gap: 1rem; padding: 3rem 1rem; text-align: center; }
@media (max-width: 40rem) {
  .top nav { order: 3; flex-basis: 100%; overflow-x: auto; }
  .top nav ul { flex-wrap: nowrap; white-space: nowrap; }
  .top { position: relative; }
  .launcher { position: static; }
  .apps { left: 1rem; right: 1rem; width: auto; top: calc(100% + 0.25rem); }
  .top { column-gap: 0.75rem; }
  .mark { flex: 1; min-width: 7rem; overflow-wrap: break-word; }
  .doors { gap: 0.25rem; }
  .doors .button { padding-inline: 0.9rem; }
  .doors .quiet { display: none; }
  .answers button { flex: 1; }
}
@media (forced-colors: active) {
  dialog, .cards article, .launcher summary { border-color: CanvasText; }
  .launcher summary { border: 1px solid; }
  .dots { forced-color-adjust: none; background-image: radial-gradient(circle, CanvasText 0 2.4px, transparent 2.9px); }
  .contours, .sketch { forced-color-adjust: none; }
  .top nav a:not([aria-current]), .top nav span { border-color: Canvas; }
}
`;
