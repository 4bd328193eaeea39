// Renders sentences with commands: each command on its own line, with a copy button.
import { html, renderText, type Html } from "../../../lib/html.js";
import { shortened } from "../../../lib/text.js";

const LONGEST = 1_000;

/** The button is visible only if the page's script can copy. */
export function renderCommand(command: string): Html {
  return html`<p class="command">
    <code>${renderText(shortened(command, LONGEST))}</code
    ><button type="button" class="copy-button" aria-label="Copy: ${shortened(command, 120)}">
      Copy
    </button>
  </p>`;
}

/** The help of an error: sentences, with indented commands or lines of YAML. */
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
