// Core type: a diagnostic about a file. Returned and collected, never thrown.
import { formatSpot } from "./settings.js";
import { editsBetween, counted } from "./lib/text.js";

export type Severity = "error" | "warning" | "notice";

type CodeTable = Record<string, readonly [severity: Severity, meaning: string]>;

/** Problems of the syntax and the shape of a file. */
export const PROBLEMS = {
  "file-not-found": ["error", "a file that is not there"],
  "file-not-readable": ["error", "a file that cannot be read"],
  "file-too-large": ["error", "a file that is too large"],
  "wrong-encoding": ["error", "a file that is not plain UTF-8 text"],
  "empty-file": ["error", "a file that says nothing"],
  "yaml-syntax": ["error", "a text that is not YAML"],
  "several-documents": ["error", "several YAML documents in one file"],
  "duplicate-key": ["error", "a key that stands twice"],
  "bad-tag": ["error", "a tag that is not known, or stands in a wrong place"],
  "bad-alias": ["error", "an alias or a merge that cannot be followed"],
  "too-deep": ["error", "values that are nested too deeply"],
  "unusable-number": ["error", "a number that cannot be kept exactly"],
  "null-value": ["error", "a key without a value"],
  "wrong-type": ["error", "a value of another type"],
  "wrong-format": ["error", "a text in the wrong form"],
  "unknown-key": ["error", "a key that is not known where it stands"],
  "unknown-value": ["error", "a value that is none of those allowed"],
  "missing-key": ["error", "a key that must stand there and does not"],
  "literal-secret": ["error", "a secret that is written out"],
  "bad-target": ["error", "a target that is no version"],
  "unlisted-target": ["notice", "a target that the reference does not list"],
  "bad-extends": ["error", "files that extend each other in a circle, or too many"],
  "outside-repository": ["error", "a file outside the repository, or one that git does not track"],
  "outside-secrets": ["error", "a secret's file outside the folder of secrets"],
  "undefined-variable": ["error", "a variable that is not set"],
  "unused-variable": ["warning", "a variable of the file that nothing refers to"],
  "forbidden-variable": ["error", "a variable that may not be referred to there"],
  "bad-reference": ["error", "a reference that cannot be understood"],
  "odd-reference": ["warning", "a text that looks like a reference and is none"],
  "unlikely-address": [
    "warning",
    "an address of the portal that is not that of its REST interface",
  ],
  "host-not-listed": ["warning", "a host that credentials may not go to"],
  "command-not-listed": ["warning", "a command that no configuration of this machine lists"],
  "two-spellings": ["error", "one property in two spellings"],
  "same-portal-twice": ["error", "one portal in two files of a run"],
  "same-portal-beside": ["warning", "one portal in another file beside this one"],
  "state-place-shared": ["error", "one place for the states of several portals"],
  "no-documented-default": ["error", "a default that is not documented"],
  "nothing-to-unmanage": ["warning", "a mark that drops what no base sets"],
  "unclear-time": ["error", "a time that a change of the clocks skips or repeats"],
  "default-zone": ["notice", "times of windows in UTC, because the file names no time zone"],
  "moved-time": ["notice", "a time of a recurring window that a change of the clocks skips"],
  "empty-window": ["error", "a window that closes before it opens"],
  "not-in-settings": ["error", "a setting of a window that the file itself does not set"],
  "windows-disagree": ["error", "windows that are open together and set one thing differently"],
  "policy-by-name": ["warning", "a policy that picks portals by a name that the file chooses"],
  "policy-not-usable": ["error", "a policy that cannot be used"],
  "example-fails": ["error", "an example of a policy that comes out differently"],
  "too-many-problems": ["error", "more problems than are listed"],
} as const satisfies CodeTable;

/** Problems to check in an old configuration file before relying on its values. */
const MIGRATION = {
  "js-syntax": ["error", "a text that is not JavaScript"],
  "no-configuration": ["error", "a file without a portal's configuration"],
  "not-understood": ["error", "a value that cannot be understood for certain"],
  "invalid-value": ["error", "an old value that the portal would not take"],
  "needs-newer-target": ["warning", "a property that the target does not have yet"],
  "old-encoding": ["warning", "an old file that is not UTF-8"],
  "other-name": ["warning", "a property that has another name now"],
  "repeated-name": ["warning", "a property that is set more than once"],
  "unlike-shipped": ["warning", "a text that differs a little from the one that was shipped"],
  placeholder: ["warning", "a value that stands for one to be filled in"],
  mailto: ["warning", "a mail address that is written as a link"],
  "already-set": ["error", "a setting that the file has already, with another value"],
  "no-room": ["error", "a file in which there is no place for what was migrated"],
  "near-name": ["warning", "a name that is almost that of a property"],
  "address-scheme": ["notice", "an address without a scheme, or without encryption"],
  "not-carried-over": ["warning", "a value that is not carried over"],
  "script-error": ["warning", "a script of an old file that fails, or is not run"],
  "too-much-work": ["error", "an old file that does not come to its end"],
} as const satisfies CodeTable;

/** Codes of rules are not among these. */
export type DiagnosticCode = keyof typeof PROBLEMS | keyof typeof MIGRATION;

export const DIAGNOSTICS: Readonly<Record<DiagnosticCode, readonly [Severity, string]>> = {
  ...PROBLEMS,
  ...MIGRATION,
};

export function severityOf(code: DiagnosticCode): Severity {
  return DIAGNOSTICS[code][0];
}

/** Codes about a file as a whole. */
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
  /** Absent for the file as a whole. */
  readonly place?: Place;
  readonly related: readonly Related[];
  /** The same, at the line that would fix it for every file that extends that one. */
  readonly inBase?: Diagnostic;
  /** A host that LINTEL_ALLOWED_HOSTS does not list. A terminal shows these in one last line. */
  readonly unlistedHost?: string;
}

/** Limits the length, because a message may name a value or a path of any length. */
const LONGEST_MESSAGE = 2000;

/** "portal.yaml:7:3", or only the file. */
export function formatPlace({ file, place }: Pick<Diagnostic, "file" | "place">): string {
  return place ? formatSpot({ ...place, file }) : file;
}

/** Cuts the middle, because the end states the problem. */
export function withinReason(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  return `${text.slice(0, LONGEST_MESSAGE / 2)} … ${text.slice(-LONGEST_MESSAGE / 2)}`;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((each) => each.severity === "error");
}

/** The severities that occur, the worst first. */
export function severitiesIn(diagnostics: readonly Diagnostic[]) {
  return (["error", "warning", "notice"] as const)
    .map((kind) => ({ kind, count: diagnostics.filter((each) => each.severity === kind).length }))
    .filter(({ count }) => count > 0);
}

/** "2 errors, 1 warning"; empty without any. */
export function problemsIn(diagnostics: readonly Diagnostic[]): string {
  return severitiesIn(diagnostics)
    .map(({ kind, count }) => counted(count, kind))
    .join(", ");
}

/** Sorted by place within a file; files keep their order. */
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

/** The first item of each key. */
export function eachOnce<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const found = new Map<unknown, T>();
  for (const each of items) if (!found.has(keyOf(each))) found.set(keyOf(each), each);
  return [...found.values()];
}

/** An error of a base occurs in every file that extends it: reports it once, with the number of files. */
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
    // Not in the message, because some systems identify a problem by its message.
    return { ...shared, help: `This concerns ${count} files. ${help}` };
  });
}

/** A problem that shows in several ways is still one. */
export function mistakeOf({ file, place, code, message }: Diagnostic): string {
  return JSON.stringify([file, place?.line, place?.column, code, message]);
}

/** The most similar names for a misspelt one, nearest first, at most three. */
export function nearest(name: string, known: Iterable<string>): string[] {
  const word = name.toLowerCase();
  // A text this long is no typo, and slow to compare.
  if (word.length > 64) return [];
  const most = Math.max(1, Math.floor(word.length / 3));
  return (
    [...new Set(known)]
      .map((each) => ({ each, distance: editsBetween(word, each.toLowerCase(), most) }))
      .filter(({ distance }) => distance <= most)
      .toSorted((left, right) => left.distance - right.distance)
      // A name that differs only in case is the intended one.
      .filter(({ distance }, _, [first]) => distance === 0 || first?.distance !== 0)
      .slice(0, 3)
      .map(({ each }) => each)
  );
}

export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  return offer(nearest(name, known));
}

/** The same, and the end of the name may be missing. */
export function didYouBegin(name: string, known: readonly string[]): string | undefined {
  const begun = known.filter((each) => name.length > 2 && each.startsWith(name));
  return offer([...new Set([...nearest(name, known), ...begun])].slice(0, 3));
}

function offer(names: readonly string[]): string | undefined {
  const [first, ...more] = names.map((each) => `"${each}"`);
  if (!first) return undefined;
  return `Did you mean ${more.length ? `${[first, ...more.slice(0, -1)].join(", ")} or ${more.at(-1)}` : first}?`;
}
