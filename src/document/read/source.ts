// Finds the line, column and excerpt of an offset, and hides secrets in the excerpt.
import type { Place } from "../../diagnostic.js";
import { lineOf, placeIn, type SourceText } from "../../lib/source-text.js";
import type { Spot } from "../../settings.js";

export interface Source extends SourceText {
  /** With links resolved; undefined for standard input. */
  readonly path: string | undefined;
  /** The `extends` entry for this file. */
  readonly extendedAt?: Span;
}

/** A range of offsets in a source, without its end. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** A place without its excerpt, which is slow to make: hiding secrets reads many lines above. */
export function spotOf({ source, start }: Span): Spot {
  const from = Math.min(start, source.text.length);
  const line = lineOf(source, from);
  return { file: source.file, line, column: from - (source.lineStarts[line - 1] ?? 0) + 1 };
}

export function placeOf(span: Span): Place {
  const { source } = span;
  return placeIn(source, span, (from, to, lineStart) =>
    hideSecrets(source.text, lineStart, from, to),
  );
}

/** Names of secrets in files and interfaces, including common misspellings. */
const SECRET_NAME =
  /(?<![A-Za-z])(?:beid|token|cookie|\w{0,40}(?:password|passwd|secret|(?:services?|api)_?key))["']?\s*[:=]\s*/gi;

/** Sign-in fields that are not secret, and plain references. */
const HARMLESS =
  /^\s*(?:- )?["']?(?:signIn|method|url|carry|referer|expiration|username|clientId)["']?\s*:/;
const REFERENCE =
  /^["']?\$\{(?:env:\w{1,100}|(?:file|command):(?:\$\{portal\.key\}|[^}]){1,256})\}["']?\s*(?:$|[#,}])/;

/** The user and password of an address. */
const IN_ADDRESS = /(:\/\/)([^/?#\s@]{1,256})@/g;

/** How far before the excerpt a secret's name may be. */
const LOOK_BACK = 200;

/** A secret in the file must not appear in a log that shows the line. */
function hideSecrets(text: string, lineStart: number, start: number, end: number): string {
  const from = Math.max(lineStart, start - LOOK_BACK);
  const shown = text.slice(from, end);
  const hidden = isInSignIn(text, lineStart) ? hideSignIn(shown) : hideAfter(shown, SECRET_NAME);
  return hidden
    .replace(IN_ADDRESS, (_, sign: string, user: string) => `${sign}${stars(user)}@`)
    .slice(start - from);
}

/** Hides everything after a name, unless it is a reference. */
function hideAfter(line: string, names: RegExp): string {
  for (const found of line.matchAll(names)) {
    const at = found.index + found[0].length;
    if (!REFERENCE.test(line.slice(at))) return line.slice(0, at) + stars(line.slice(at));
  }
  return line;
}

/** Below "signIn", shows only names, references and known harmless values. */
function hideSignIn(line: string): string {
  if (HARMLESS.test(line)) return hideAfter(line, SECRET_NAME);
  const at = /^\s*(?:- )?["']?[\w-]{1,60}["']?\s*:\s*/.exec(line)?.[0].length ?? 0;
  return REFERENCE.test(line.slice(at)) ? line : line.slice(0, at) + stars(line.slice(at));
}

/** Whether the nearest unindented line above begins a sign-in; searches no further than a sign-in is long. */
function isInSignIn(text: string, lineStart: number): boolean {
  let at = lineStart;
  for (let lines = 0; lines < 60; lines++) {
    if (!/[\s#]/.test(text.charAt(at)) || at === 0)
      return /^["']?signIn\b/.test(text.slice(at, at + 10));
    at = text.lastIndexOf("\n", at - 2) + 1;
  }
  return false;
}

function stars(text: string): string {
  return text.replace(/\S/g, "*");
}
