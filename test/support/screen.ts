// Computes what a terminal shows of a program's output: lines, cursor movements and erased parts.
const ESCAPE = String.fromCodePoint(0x1b);
const WRITTEN = new RegExp(`${ESCAPE}\\[(\\d+)A|${ESCAPE}\\[(J)|[^]`, "gu");

export function openScreen(columns: number) {
  let rows = [""];
  let [row, column] = [0, 0];
  const put = (letter: string) => {
    if (column === columns) [row, column] = [row + 1, 0];
    while (rows.length <= row) rows.push("");
    const line = (rows[row] ?? "").padEnd(column);
    rows[row] = line.slice(0, column) + letter + line.slice(column + 1);
    column++;
  };
  return {
    write(text: string): void {
      for (const [all, up, wipe] of text.matchAll(WRITTEN)) {
        if (up !== undefined) row = Math.max(0, row - Number(up));
        else if (wipe !== undefined) {
          rows = rows.slice(0, row + 1);
          rows[row] = (rows[row] ?? "").slice(0, column);
        } else if (all === "\r") column = 0;
        else if (all === "\n") [row, column] = [row + 1, 0];
        else put(all);
      }
    },
    lines: () => rows.map((line) => line.trimEnd()).filter((line, at) => line || at < row),
  };
}
