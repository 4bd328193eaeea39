// What is wrong in files → a section of a page, file by file: those with errors first, and those without problems in one list.
import { severitiesIn, type Diagnostic } from "../../diagnostic.js";
import { html, type Html } from "../../pages/html.js";
import { renderProblems } from "../../pages/problems.js";
import { renderText } from "../../pages/text.js";
import { counted, shortened } from "../../lib/text.js";
import { renderMore } from "./change.js";
import { renderFolds } from "./folds.js";

/** More are counted; each is a paragraph. */
const MOST_PROBLEMS = 300;
const MOST_FILES = 1_000;

/** Beyond it, a file is folded, so that the page begins with their names. */
const MOST_OPEN = 5;
const LONGEST_NAME = 200;

const LOOKS = { error: "failed", warning: "drift", notice: "" } as const;

export function renderFound(diagnostics: readonly Diagnostic[], isAll: boolean): Html | undefined {
  if (diagnostics.length === 0) return undefined;
  const byFile = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) {
    const known = byFile.get(each.file);
    if (known) known.push(each);
    else byFile.set(each.file, [each]);
  }
  const hasError = (held: readonly Diagnostic[]) =>
    held.some(({ severity }) => severity === "error");
  const files = [...byFile].toSorted(
    ([, one], [, other]) => Number(hasError(other)) - Number(hasError(one)),
  );
  let room = MOST_PROBLEMS;
  const sections = files.slice(0, MOST_FILES).map(([file, held], at) => {
    const shown = held.slice(0, room);
    room -= shown.length;
    const open = files.length <= MOST_OPEN ? html` open` : undefined;
    return html`<details class="portal" id="f${at + 1}" ${open}>
      <summary>
        <h3><code>${nameOf(file)}</code></h3>
        ${severitiesIn(held).map(({ kind, count }) => html`<span class="pill ${LOOKS[kind]}">${counted(count, kind)}</span>`)}
      </summary>
      <div class="inside">
        ${shown.length > 0 ? renderProblems(shown) : undefined}
        ${renderMore(held.length - shown.length, "problem")}
      </div>
    </details>`;
  });
  return html`<section class="details">
    ${isAll ? renderFolds("In the files") : html`<h2>In the files</h2>`} ${sections}
    ${renderMore(files.length - sections.length, "file")}
  </section>`;
}

/** Of those looked at. */
export function renderFine(
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
): Html | undefined {
  const wrong = new Set(diagnostics.map(({ file }) => file));
  const fine = files.filter((file) => !wrong.has(file));
  if (fine.length === 0) return undefined;
  return html`<section>
    <h2>Without problems of their own</h2>
    <ul class="files">
      ${fine.slice(0, MOST_FILES).map((file) => html`<li><code>${nameOf(file)}</code></li>`)}
    </ul>
    ${renderMore(fine.length - MOST_FILES, "file")}
  </section>`;
}

function nameOf(file: string): Html {
  return renderText(shortened(file, LONGEST_NAME));
}
