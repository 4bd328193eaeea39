// A template and plain values → HTML in which every value is text; only what this template made itself counts as markup.

// A symbol, because no JSON can hold one: settings cannot pass themselves off as markup.
const markup = Symbol("markup");

export interface Html {
  readonly [markup]: string;
}

export type Part = Html | string | number | undefined | readonly Part[];

/** Text stands escaped, undefined stands for nothing, a list for its parts one after another. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  assertQuoted(texts);
  let text = texts[0] ?? "";
  for (const [at, part] of parts.entries()) text += render(part) + (texts[at + 1] ?? "");
  return { [markup]: text };
}

/** Looked at once, however often a template is filled. */
const quoted = new WeakSet<TemplateStringsArray>();

/** Escaping saves an attribute only within quotes. */
function assertQuoted(texts: TemplateStringsArray): void {
  if (quoted.has(texts)) return;
  if (texts.slice(0, -1).some((text) => /\s[\w:-]+=$/.test(text))) {
    throw new TypeError("the value of an attribute stands in quotes");
  }
  quoted.add(texts);
}

/** For text that a page's own code wrote: a style sheet, a script. */
export function trusted(text: string): Html {
  return { [markup]: text };
}

export function toText(content: Html): string {
  return content[markup];
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escape(String(part));
  return markup in part ? part[markup] : part.map(render).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // Not allowed in HTML at all, not even as a number.
  "\0": "\uFFFD",
};

function escape(text: string): string {
  // oxlint-disable-next-line no-control-regex -- NUL is one of the characters to be replaced.
  return text.replace(/[&<>"'\0]/g, (character) => ENTITIES[character] ?? "");
}

/** Facts with their names; those without a value are left out. */
export function renderFacts(facts: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="made">
    ${facts.map(
      ([name, value]) =>
        value &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
