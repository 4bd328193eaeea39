// The look of a report on paper: dark on white whatever the screen shows, all of the table, and no controls.

export const PRINT_STYLE = `
@page { margin: 16mm 14mm; }
@media print {
  :root {
    color-scheme: light;
    --ground: #ffffff; --sheet: #ffffff; --ink: #000000; --quiet: #444444; --line: #cccccc; --edge: #777777; --accent: #0d5f63; --on-accent: #ffffff;
    --tint: #e3efed; --bad: #a3201d; --bad-tint: #fbeae7; --good: #1c6636; --good-tint: #e3f1e5; --warn: #b98300; --warn-ink: #6d4c00; --mark: #fbe9b7; --rest: #c9cec9;
  }
  body { font-size: 10pt; }
  .report { max-width: none; padding: 0; }
  .filters, .folds { display: none; }
  .box { max-height: none; overflow: visible; border: 0; }
  #matrix { min-width: 0; font-size: 8pt; }
  #matrix tr { grid-template-columns: minmax(0, 1.4fr) minmax(0, 1fr) repeat(var(--columns), minmax(0, 1fr)); }
  .many #matrix tbody tr { content-visibility: visible; }
  #matrix thead, #matrix tr > :first-child { position: static; }
  #matrix th, #matrix td { min-height: 0; padding: 2.5pt 4pt; white-space: normal; overflow-wrap: anywhere; }
  #matrix thead code { font-size: 7.5pt; }
  #matrix .pill { padding: 0 3pt; font-size: 7.5pt; white-space: normal; }
  .figures, .portal { border-radius: 0; border-width: 1px 0 0; padding-inline: 0; }
  .many .portal { content-visibility: visible; }
  .portal > summary, .inside { padding-inline: 0; }
  .portal > summary { break-after: avoid; }
  .figure, .change, .callout, .pictures, .problem, #matrix tr { break-inside: avoid; }
  .pill, .mark, del, ins, .share, .picture, .answer.primary { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
