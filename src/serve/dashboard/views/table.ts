// Renders a table whose rows become cards on narrow screens.
import { html, type Html, type Part } from "../../../lib/html.js";

/** The first cell of a row is its header. The roles remain when CSS turns the table into blocks. */
export function renderTable(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly Part[])[],
): Html {
  return html`<table class="rows" role="table" aria-label="${label}">
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ([first, ...cells]) =>
          html`<tr role="row">
            <th scope="row" role="rowheader">${first}</th>
            ${cells.map(
              // Without whitespace inside, so that CSS can hide an empty cell.
              (cell, at) =>
                html`<td role="cell" data-label="${columns[at + 1] ?? ""}">${cell}</td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
