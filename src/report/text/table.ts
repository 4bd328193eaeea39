// A heading and rows of cells → columns for a terminal, or each row's cells below each other where it is too narrow.
import { flow, painted, plainly, widthOfPieces, type Piece } from "./flow.js";
import type { Paint } from "./paint.js";

export type Cell = readonly Piece[];

/** Less than this is too narrow for a last column of sentences. */
const NARROWEST = 28;

/** All columns are as wide as their widest cell, but for the last, which is wrapped. */
export function tableLines(
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  paint: Paint,
  narrowest = NARROWEST,
): string[] {
  const bold = head.map((cell) => cell.map((piece) => ({ ...piece, paint: paint.bold })));
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOfPieces(row[column] ?? []))),
  );
  const left = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  if (paint.width - left < narrowest) return rows.flatMap((row) => stacked(row, bold, paint));
  return [bold, ...rows].flatMap((row) => {
    const start = row
      .slice(0, -1)
      .map((cell, at) => painted(cell) + " ".repeat((widths[at] ?? 0) + 2 - widthOfPieces(cell)))
      .join("");
    return flow(row.at(-1) ?? [], paint.width - left).map((line, at) =>
      ((at === 0 ? start : " ".repeat(left)) + painted(line)).trimEnd(),
    );
  });
}

/** What begins a line, and the rest beside it. */
export function hanging(mark: string, pieces: Cell, { width }: Pick<Paint, "width">): string[] {
  return flow(pieces, width - mark.length).map(
    (line, at) => (at === 0 ? mark : " ".repeat(mark.length)) + painted(line),
  );
}

/** Each cell below the first, with the name of its column. */
function stacked(row: readonly Cell[], head: readonly Cell[], paint: Paint): string[] {
  const [first = [], ...others] = row;
  const rest = others.flatMap((cell, at) =>
    cell.length === 0
      ? []
      : hanging("  ", [...(head[at + 1] ?? []), { text: ": ", paint: plainly }, ...cell], paint),
  );
  return [...hanging("", first, paint), ...rest];
}
