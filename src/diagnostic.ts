// Noun: what we tell people about their files. Returned and collected, never thrown.

export type Severity = "error" | "warning" | "notice";

/** What can be wrong with a file before its meaning is looked at, and in its shape. */
export const PROBLEMS = {
  "file-not-found": "error",
  "file-not-readable": "error",
  "file-too-large": "error",
  "wrong-encoding": "error",
  "control-character": "error",
  "empty-file": "error",
  "yaml-syntax": "error",
  "several-documents": "error",
  "duplicate-key": "error",
  "unknown-tag": "error",
  "misplaced-tag": "error",
  "bad-alias": "error",
  "bad-merge": "error",
  "too-deep": "error",
  "too-many-aliases": "error",
  "unusable-number": "error",
  "null-value": "error",
  "wrong-type": "error",
  "wrong-format": "error",
  "unknown-key": "error",
  "unknown-value": "error",
  "missing-key": "error",
  "literal-secret": "error",
  "bad-target": "error",
  "unlisted-target": "notice",
  "extends-cycle": "error",
  "extends-too-deep": "error",
  "outside-repository": "error",
  "outside-secrets": "error",
  "undefined-variable": "error",
  "forbidden-variable": "error",
  "bad-reference": "error",
  "odd-reference": "warning",
  "host-not-listed": "warning",
  "two-spellings": "error",
  "no-documented-default": "error",
  "nothing-to-unmanage": "warning",
  "too-many-problems": "error",
} as const satisfies Record<string, Severity>;

/** What a file says that can be read and is still unwise or impossible; a file may change these severities. */
export const RULES = {
  "misspelt-value": "error",
  "introduced-later": "error",
  deprecated: "warning",
  "advanced-unavailable": "error",
  "low-contrast": "warning",
  "unknown-colour": "warning",
  "extent-service": "warning",
  "not-an-address": "error",
  "footer-link": "error",
  "token-order": "warning",
  "not-minutes": "error",
  "not-a-host-name": "warning",
  "half-disconnected": "warning",
  "curated-content": "warning",
  "assistants-blocked": "warning",
  "empty-notice": "warning",
  "set-by-installer": "warning",
} as const satisfies Record<string, Severity>;

/** What an old configuration file has to be looked at for before its values can be relied on. */
export const MIGRATION = {
  "js-syntax": "error",
  "no-configuration": "error",
  "not-understood": "error",
  "invalid-value": "error",
  "needs-newer-target": "warning",
  "old-encoding": "warning",
  "other-name": "warning",
  "repeated-name": "warning",
  "unlike-shipped": "warning",
  placeholder: "warning",
  mailto: "warning",
  "already-set": "error",
  "no-room": "error",
  "near-name": "warning",
  "no-effect": "warning",
  "assumed-https": "notice",
} as const satisfies Record<string, Severity>;

export type RuleCode = keyof typeof RULES;
export type MigrationCode = keyof typeof MIGRATION;
export type DiagnosticCode = keyof typeof PROBLEMS | RuleCode | MigrationCode;

export const RULE_CODES = Object.keys(RULES) as RuleCode[];

export function severityOf(code: DiagnosticCode): Severity {
  return { ...PROBLEMS, ...RULES, ...MIGRATION }[code];
}

/** Lines and columns count from 1, columns in UTF-16 code units; the end is the first column that is not meant. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The line of the file that it starts on, or a window of a long one. */
  readonly excerpt: { readonly text: string; readonly from: number; readonly to: number };
}

export interface Related {
  readonly place: Place;
  /** Continues the place: "portal.yaml:3:10 …". */
  readonly message: string;
}

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One full sentence: what is wrong. */
  readonly message: string;
  /** What to do. */
  readonly help: string;
  readonly file: string;
  /** Absent where the file as a whole is meant. */
  readonly place?: Place;
  readonly related: readonly Related[];
}

/** A message may name a value or a path, and that may be a text of any length. */
const LONGEST_MESSAGE = 2000;

/** The end says what is wrong with what the middle repeats. */
export function withinReason(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  return `${text.slice(0, LONGEST_MESSAGE / 2)} … ${text.slice(-LONGEST_MESSAGE / 2)}`;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((each) => each.severity === "error");
}

/** By place within a file; the files keep the order in which they came. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const order = new Map<string, number>();
  for (const { file } of diagnostics) if (!order.has(file)) order.set(file, order.size);
  const rank = (each: Diagnostic) => order.get(each.file) ?? 0;
  return diagnostics.toSorted(
    (left, right) =>
      rank(left) - rank(right) ||
      (left.place?.line ?? 0) - (right.place?.line ?? 0) ||
      (left.place?.column ?? 0) - (right.place?.column ?? 0) ||
      (left.code < right.code ? -1 : left.code > right.code ? 1 : 0),
  );
}

/** A mistake that shows in several ways or in several files is one all the same. */
export function eachOnce(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ file, place, code, message }) => {
    const key = JSON.stringify([file, place?.line, place?.column, code, message]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** The names near enough to a misspelt one to be offered, nearest first, at most three. */
export function nearest(name: string, known: Iterable<string>): string[] {
  const word = name.toLowerCase();
  // A text this long is no slip of the keyboard, and comparing it would take long.
  if (word.length > 64) return [];
  const most = Math.max(1, Math.floor(word.length / 3));
  return [...new Set(known)]
    .map((each) => ({ each, distance: distance(word, each.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ each }) => each);
}

export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const [first, ...more] = nearest(name, known).map((each) => `"${each}"`);
  if (!first) return undefined;
  return `Did you mean ${more.length ? `${[first, ...more.slice(0, -1)].join(", ")} or ${more.at(-1)}` : first}?`;
}

/** Edits between two words, a swap of neighbours being one; anything beyond `most` is as good as infinite. */
function distance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return Infinity;
  let [before, row]: [number[], number[]] = [
    [],
    Array.from({ length: right.length + 1 }, (_, at) => at),
  ];
  for (let l = 1; l <= left.length; l++) {
    const next = [l];
    for (let r = 1; r <= right.length; r++) {
      const isSame = left[l - 1] === right[r - 1];
      const isSwap = l > 1 && r > 1 && left[l - 1] === right[r - 2] && left[l - 2] === right[r - 1];
      next[r] = Math.min(
        (row[r] ?? 0) + 1,
        (next[r - 1] ?? 0) + 1,
        (row[r - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[r - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[right.length] ?? Infinity;
}
