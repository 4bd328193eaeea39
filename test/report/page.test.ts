// A page of the manual is fit for a terminal.
import { expect, test } from "vitest";
import { pageText } from "../../src/report/manual-page.js";
import { PLAIN, stylesFor } from "../../src/report/styles.js";
import { readPage, TOPIC_PAGES } from "../support/manual.js";

const PAGE = `# A page

One **strong** word, \`code\`, [another topic](guards.md), [a section](#a-step) and [a file](../examples/fleet).

- the first
- the second, which has so many words that they do not fit beside the first one on the line of a terminal
1. a step

| Short | Meaning |
|---|---|
| \`a\` | the first letter |
| \`long-name\` | so many words that they do not fit beside the name on the line of a terminal, and are wrapped |

\`\`\`sh
lintel plan   # a call

lintel apply
\`\`\`
`;

test("prints headings, lists, tables, code and links without Markdown marks", () => {
  expect(pageText(PAGE, PLAIN)).toBe(`A page

One strong word, code, another topic (lintel help guards), a section and a file
(examples/fleet).

- the first
- the second, which has so many words that they do not fit beside the first one on the line of a
  terminal
1. a step

Short      Meaning
a          the first letter
long-name  so many words that they do not fit beside the name on the line of a terminal, and are
           wrapped

  lintel plan   # a call

  lintel apply
`);
});

test("prints a table that does not fit row by row", () => {
  const wide = "wide ".repeat(15).trim();
  const page = `| What | Why | How |\n|---|---|---|\n| it | ${wide} | so |\n`;
  expect(pageText(page, PLAIN)).toBe(`it\n  Why: ${wide}\n  How: so\n`);
});

test("in colour, code and headings stand out", () => {
  const coloured = pageText("# A\n\n`b`\n", stylesFor({ isColoured: true }));
  expect(coloured).toBe("\u001b[1mA\u001b[22m\n\n\u001b[36mb\u001b[39m\n");
});

test.each(TOPIC_PAGES)("%s fits, and no mark of Markdown is left", (page) => {
  const lines = pageText(readPage(page), PLAIN).split("\n");
  const prose = lines.filter((line) => !line.startsWith("  "));
  expect(prose.filter((line) => line.length > 96)).toEqual([]);
  expect(prose.filter((line) => /\]\(|^\||^#|\*\*\w|```/.test(line))).toEqual([]);
});
