// Noun: what we tell people about their files. Returned and collected, never thrown.
import { formatSpot } from "./settings.js";
import { editsBetween, counted } from "./lib/text.js";

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
  "unlikely-address": "warning",
  "host-not-listed": "warning",
  "two-spellings": "error",
  "same-portal-twice": "error",
  "same-portal-beside": "warning",
  "state-place-shared": "error",
  "no-documented-default": "error",
  "nothing-to-unmanage": "warning",
  "skipped-time": "error",
  "repeated-time": "error",
  "empty-window": "error",
  "not-in-settings": "error",
  "windows-disagree": "error",
  "policy-by-name": "warning",
  "policy-not-usable": "error",
  "example-not-found": "error",
  "example-refused": "error",
  "too-many-problems": "error",
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
  "over-http": "notice",
  "not-carried-over": "warning",
  "script-error": "warning",
  "written-script": "warning",
  "too-much-work": "error",
} as const satisfies Record<string, Severity>;

/** A rule says its own code, and is no part of these. */
export type DiagnosticCode = keyof typeof PROBLEMS | keyof typeof MIGRATION;

export function severityOf(code: DiagnosticCode): Severity {
  return { ...PROBLEMS, ...MIGRATION }[code];
}

/** What is said of a file as a whole. */
export function aboutFile(
  code: DiagnosticCode,
  file: string,
  message: string,
  help: string,
): Diagnostic {
  return { code, severity: severityOf(code), message, help, file, related: [] };
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
  /** A DiagnosticCode, the code of a rule, or `policy/` and the name of a policy. */
  readonly code: string;
  readonly severity: Severity;
  /** One full sentence: what is wrong. */
  readonly message: string;
  readonly help: string;
  readonly file: string;
  /** Absent where the file as a whole is meant. */
  readonly place?: Place;
  readonly related: readonly Related[];
  /** The same, told where one line would mend it for every file that extends that one. */
  readonly inBase?: Diagnostic;
  /** A host that LINTEL_ALLOWED_HOSTS does not list. A terminal shows these in one last line. */
  readonly unlistedHost?: string;
}

/** A message may name a value or a path, and that may be a text of any length. */
const LONGEST_MESSAGE = 2000;

/** "portal.yaml:7:3", or the file alone where nothing in it is meant. */
export function formatPlace({ file, place }: Pick<Diagnostic, "file" | "place">): string {
  return place ? formatSpot({ ...place, file }) : file;
}

/** The end says what is wrong with what the middle repeats. */
export function withinReason(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  return `${text.slice(0, LONGEST_MESSAGE / 2)} … ${text.slice(-LONGEST_MESSAGE / 2)}`;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((each) => each.severity === "error");
}

/** Those of which there are any, the worst first. */
export function severitiesIn(diagnostics: readonly Diagnostic[]) {
  return (["error", "warning", "notice"] as const)
    .map((kind) => ({ kind, count: diagnostics.filter((each) => each.severity === kind).length }))
    .filter(({ count }) => count > 0);
}

/** "2 errors, 1 warning"; empty where there are none. */
export function problemsIn(diagnostics: readonly Diagnostic[]): string {
  return severitiesIn(diagnostics)
    .map(({ kind, count }) => counted(count, kind))
    .join(", ");
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

/** The first of each key. */
export function eachOnce<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const found = new Map<unknown, T>();
  for (const each of items) if (!found.has(keyOf(each))) found.set(keyOf(each), each);
  return [...found.values()];
}

/** A mistake of a base shows in every file that extends it, and is told once with how many those are. */
export function acrossFiles(ofFiles: readonly (readonly Diagnostic[])[]): Diagnostic[] {
  const found = new Map<string, { first: Diagnostic; count: number }>();
  for (const diagnostics of ofFiles) {
    for (const each of eachOnce(diagnostics, mistakeOf)) {
      const key = mistakeOf(each.inBase ?? each);
      const { first = each, count = 0 } = found.get(key) ?? {};
      found.set(key, { first, count: count + 1 });
    }
  }
  return [...found.values()].map(({ first, count }) => {
    if (count === 1) return first;
    const { help, ...shared } = first.inBase ?? first;
    // Not in the message, by which some systems know a problem again.
    return { ...shared, help: `This concerns ${count} files. ${help}` };
  });
}

/** One that shows in several ways is one all the same. */
export function mistakeOf({ file, place, code, message }: Diagnostic): string {
  return JSON.stringify([file, place?.line, place?.column, code, message]);
}

/** The names near enough to a misspelt one to be offered, nearest first, at most three. */
export function nearest(name: string, known: Iterable<string>): string[] {
  const word = name.toLowerCase();
  // A text this long is no slip of the keyboard, and comparing it would take long.
  if (word.length > 64) return [];
  const most = Math.max(1, Math.floor(word.length / 3));
  return [...new Set(known)]
    .map((each) => ({ each, distance: editsBetween(word, each.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ each }) => each);
}

export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  return offer(nearest(name, known));
}

/** The same where somebody may have left out how a name goes on. */
export function didYouBegin(name: string, known: readonly string[]): string | undefined {
  const begun = known.filter((each) => name.length > 2 && each.startsWith(name));
  return offer([...new Set([...nearest(name, known), ...begun])].slice(0, 3));
}

function offer(names: readonly string[]): string | undefined {
  const [first, ...more] = names.map((each) => `"${each}"`);
  if (!first) return undefined;
  return `Did you mean ${more.length ? `${[first, ...more.slice(0, -1)].join(", ")} or ${more.at(-1)}` : first}?`;
}
