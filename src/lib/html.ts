// Builds HTML with a template that escapes every value, shows hidden characters, and allows only safe addresses.
import { codePointOf, misleading } from "./text.js";

// A symbol cannot occur in JSON, so settings cannot pass as markup.
const markup = Symbol("markup");

export interface Html {
  readonly [markup]: string;
}

export type Part = Html | string | number | undefined | readonly Part[];

/** Escapes text, omits undefined, and joins lists. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  assertQuoted(texts);
  let text = texts[0] ?? "";
  for (const [at, part] of parts.entries()) text += render(part) + (texts[at + 1] ?? "");
  return { [markup]: text };
}

/** Each template is checked only once. */
const quoted = new WeakSet<TemplateStringsArray>();

/** Escaping protects an attribute only within quotes. */
function assertQuoted(texts: TemplateStringsArray): void {
  if (quoted.has(texts)) return;
  if (texts.slice(0, -1).some((text) => /\s[\w:-]+=$/.test(text))) {
    throw new TypeError("the value of an attribute stands in quotes");
  }
  quoted.add(texts);
}

/** For text from the page's own code: a style sheet or a script. */
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
};

function escape(text: string): string {
  // HTML allows no NUL, not even as a character reference.
  const allowed = text.replaceAll("\0", "\uFFFD");
  return allowed.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Names with values; those without a value are omitted. */
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

const JOINERS = ["\u200c", "\u200d"];

/** Keeps line breaks. Several hidden characters in a row become one mark. */
export function renderText(text: unknown): Html {
  if (typeof text !== "string") return html``;
  const plain = text.replaceAll("\r\n", "\n");
  const parts: (string | Html)[] = [];
  let from = 0;
  for (const { 0: run, index } of plain.matchAll(runs())) {
    if (isAtHome(plain, index, run)) continue;
    const mark = html`<span class="hidden-mark" dir="ltr">${nameOf(run)}</span>`;
    parts.push(plain.slice(from, index), mark);
    from = index + run.length;
  }
  return html`${[...parts, plain.slice(from)]}`;
}

const runs = () => new RegExp(`(?:${misleading().source})+`, "gu");

/** Its first character, and how many there are. */
function nameOf(run: string): string {
  const { length } = Array.from(run);
  return length === 1 ? codePointOf(run) : `${codePointOf(run)} +${length - 1}`;
}

/** Persian, Hindi and emoji need joiners; between Latin letters a joiner only hides something. */
function isAtHome(text: string, index: number, run: string): boolean {
  const before = /[^]$/u.exec(text.slice(Math.max(0, index - 2), index))?.[0] ?? "";
  return (
    JOINERS.includes(run) && /[\p{L}\p{M}\p{Emoji}]/u.test(before) && /[^ -\u024f]/.test(before)
  );
}

const SAFE = ["http:", "https:", "mailto:"];

/** Undefined for javascript:, data: and other addresses that are neither web nor mail; show those as text. */
export function safeHref(address: unknown): string | undefined {
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  // Only the parsed form is safe to check: browsers drop tabs and line breaks, so "java\nscript:" runs.
  const { protocol, href } = new URL(address);
  return SAFE.includes(protocol) ? href : undefined;
}

export function mailHref(email: unknown): string | undefined {
  if (typeof email !== "string" || !/^[^\s@]+@[^\s@]+$/.test(email)) return undefined;
  // An unpaired surrogate cannot be encoded.
  if (/[\ud800-\udfff]/u.test(email)) return undefined;
  // Encoded, because a "?" would start headers of the message.
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
