// Words and pairs of words → lines of a width that a terminal shows whole.

export const WIDTH = 96;

export function wrap(text: string, width = WIDTH): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

/** The left sides in a column as wide as the widest, the right sides wrapped beside them. */
export function inColumns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrap(right, WIDTH - width - 2).map((line, at) =>
      `${(at === 0 ? left : "").padEnd(width)}  ${line}`.trimEnd(),
    ),
  );
}
