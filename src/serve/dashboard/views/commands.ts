// Renders sentences with commands: each command has a line of its own and a button that copies it.
import { html, renderText, type Html } from "../../../lib/html.js";
import { shortened } from "../../../lib/text.js";

const LONGEST = 1_000;

/** The button appears where the script of the page can copy. */
export function renderCommand(command: string): Html {
  return html`<p class="command">
    <code>${renderText(shortened(command, LONGEST))}</code
    ><button type="button" class="copy-button" aria-label="Copy: ${shortened(command, 120)}">
      Copy
    </button>
  </p>`;
}

/** A help as errors have it: sentences, and commands or lines of YAML, which are indented. */
export function renderSteps(help: string): Html {
  const lines = shortened(help, LONGEST).split("\n");
  return html`${lines.map((line) => {
    if (YAML.test(line)) return html`<p class="help"><code>${renderText(line)}</code></p>`;
    if (/^\s+\S/.test(line)) return renderCommand(line.trim());
    return html`<p class="help">${renderText(line)}</p>`;
  })}`;
}

/** "  portal:" or "  - read: never". */
const YAML = /^\s+(?:- )?\S*:(?:\s|$)/;
