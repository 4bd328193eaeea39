// Draws what a command prints in a terminal as SVG.
const ESCAPE = String.fromCodePoint(0x1b);
const STYLED = new RegExp(`${ESCAPE}\\[(\\d+)m|[^${ESCAPE}]+`, "g");

const COLUMN = 8;
const LINE = 20;
const MARGIN = 20;
/** Of the window that is drawn around it. */
const TITLE = 36;

/** The codes that Lintel uses, as it sets and ends them. */
const COLOURS: Readonly<Record<number, string>> = {
  31: "#ff8a80",
  32: "#7ee2a8",
  33: "#ffd479",
  36: "#80d8ff",
};
const TEXT = "#e6e6ef";
const DIM = "#a3a3b8";

interface Style {
  readonly fill: string;
  readonly isBold: boolean;
}

const PLAIN: Style = { fill: TEXT, isBold: false };

export function terminalPicture(command: string, printed: string): string {
  const lines = `${ESCAPE}[32m$${ESCAPE}[39m ${command}\n${printed}`.trimEnd().split("\n");
  const width = 80 * COLUMN + 2 * MARGIN;
  const height = TITLE + lines.length * LINE + MARGIN;
  let style = PLAIN;
  const drawn = lines.flatMap((line, row) => {
    const y = TITLE + (row + 1) * LINE - 6;
    let column = 0;
    const pieces: string[] = [];
    for (const [piece, code] of line.matchAll(STYLED)) {
      if (code !== undefined) style = styled(style, Number(code));
      else {
        pieces.push(drawText(piece, { x: MARGIN + column * COLUMN, y }, style));
        column += piece.length;
      }
    }
    return pieces.filter(Boolean);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(command)}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<rect width="${width}" height="${height}" rx="8" fill="#1b1b26"/>
<g fill="#4a4a5e"><circle cx="22" cy="18" r="6"/><circle cx="42" cy="18" r="6"/><circle cx="62" cy="18" r="6"/></g>
${drawn.join("\n")}
</svg>
`;
}

function styled(style: Style, code: number): Style {
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, fill: DIM };
  if (code === 22) return { fill: style.fill === DIM ? TEXT : style.fill, isBold: false };
  return { ...style, fill: COLOURS[code] ?? TEXT };
}

/** Each piece has its own width, so that columns line up in any font. */
function drawText(text: string, { x, y }: { x: number; y: number }, { fill, isBold }: Style) {
  const shown = text.trimStart();
  if (shown === "") return "";
  const left = x + (text.length - shown.length) * COLUMN;
  const words = shown.trimEnd();
  const weight = isBold ? ' font-weight="bold"' : "";
  return `<text x="${left}" y="${y}" fill="${fill}"${weight} textLength="${words.length * COLUMN}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escaped(words)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
