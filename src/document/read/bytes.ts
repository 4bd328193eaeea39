// A file's bytes → its text, or what keeps them from being text: size, encoding, control characters.
import { realpathSync } from "node:fs";
import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { aboutFile, type Diagnostic, type DiagnosticCode } from "../../diagnostic.js";
import { NotPlain, readFile, reasonOf } from "../../file.js";
import { nearbyFiles } from "./nearby.js";
import { isOpenTo, repositoryOf } from "./repository.js";
import { lineStartsOf, type Source, type Span } from "./source.js";
import { diagnose } from "./tree.js";
import { shellWord } from "../../text.js";

/** Far more than settings need, and little enough to be parsed in a moment. */
export const LARGEST_FILE = 4 * 1024 * 1024;

const UTF_8 = new TextDecoder();

export type Reading =
  | { readonly source: Source; readonly problem?: undefined }
  | { readonly source?: undefined; readonly problem: Diagnostic };

export interface Asked {
  /** As people name it, resolved against `cwd`. */
  readonly file: string;
  readonly cwd: string;
  readonly extendedAt?: Span;
}

export function readSource({ file, cwd, extendedAt }: Asked): Reading {
  const path = resolve(cwd, file);
  let bytes: Uint8Array;
  let real: string;
  try {
    bytes = readBytes(path);
    // Asked of the system, which answers at once what Node looks up folder by folder.
    real = realpathSync.native(path);
  } catch (error) {
    const problem = unreadable(file, error, extendedAt);
    const isMissed = problem.code === "file-not-found" && !extendedAt;
    const near = isMissed ? nearbyFiles(file, cwd) : undefined;
    return { problem: near === undefined ? problem : { ...problem, help: near } };
  }
  // A link that leaves the repository would bring in what its review does not show.
  const repository = real === path ? undefined : repositoryOf(path);
  if (repository && !isOpenTo(repository, real)) {
    const problem = aboutFile(
      "outside-repository",
      file,
      `"${file}" is a link to a file that a review of this repository does not show.`,
      "Put the file itself into the repository.",
    );
    return { problem: { ...problem, ...(extendedAt && related(extendedAt)) } };
  }
  return decode(bytes, { file, path: real, extendedAt });
}

/** Standard input, which has no path. */
export function readInput(bytes: Uint8Array): Reading {
  return decode(bytes, { file: "-", path: undefined, extendedAt: undefined });
}

/** A text that is about to be written as this file. */
export function readDraft(text: string, { file, cwd }: Asked): Reading {
  return decode(Buffer.from(text), { file, path: resolve(cwd, file), extendedAt: undefined });
}

export function readBytes(path: string): Uint8Array {
  return readFile(path, { largest: LARGEST_FILE, links: "followed" });
}

function decode(
  bytes: Uint8Array,
  {
    file,
    path,
    extendedAt,
  }: Pick<Source, "file" | "path"> & { readonly extendedAt: Span | undefined },
): Reading {
  const whole = (code: DiagnosticCode, message: string, help: string): Reading => ({
    problem: { ...aboutFile(code, file, message, help), ...(extendedAt && related(extendedAt)) },
  });
  if (bytes.length > LARGEST_FILE) {
    return whole(
      "file-too-large",
      `"${file}" is larger than ${LARGEST_FILE / 1024 / 1024} MiB.`,
      "A desired-state file holds settings alone. Check that this is the right file.",
    );
  }
  if (bytes.length === 0) {
    return whole(
      "empty-file",
      `"${file}" is empty.`,
      'An empty file says nothing about a portal. To begin one, write:\n  targetVersion: "11.5"',
    );
  }
  const sourceOf = (text: string): Source => ({
    file,
    path,
    text,
    lineStarts: lineStartsOf(text),
    ...(extendedAt && { extendedAt }),
  });
  const at = (
    source: Source,
    offset: number,
    code: DiagnosticCode,
    message: string,
    help: string,
  ) => ({
    problem: diagnose(code, { span: { source, start: offset, end: offset + 1 } }, message, help),
  });

  const utf16 = utf16Of(bytes);
  if (utf16) {
    return whole(
      "wrong-encoding",
      `"${file}" is written in ${utf16}, not in UTF-8.`,
      `Save it as UTF-8, or run:\n  iconv -f ${utf16} -t UTF-8 ${shellWord(file)} > utf-8.yaml`,
    );
  }
  // Latin-1 gives every byte one character, so that the place of a bad byte can be shown.
  if (!isUtf8(bytes)) {
    const offset = firstBadByte(bytes);
    return at(
      sourceOf(Buffer.from(bytes).toString("latin1")),
      offset,
      "wrong-encoding",
      `The byte 0x${(bytes[offset] ?? 0).toString(16)} is not UTF-8.`,
      `Save the file as UTF-8. Where it came from Windows:\n  iconv -f WINDOWS-1252 -t UTF-8 ${shellWord(file)} > utf-8.yaml`,
    );
  }
  const source = sourceOf(UTF_8.decode(bytes));
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(source.text);
  if (control) {
    const hex = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return at(
      source,
      control.index,
      "control-character",
      `The control character U+${hex} may not stand in YAML.`,
      `Remove it; inside double quotes it can be written "\\x${hex.slice(2)}".`,
    );
  }
  return { source };
}

function utf16Of(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && bytes[3] === 0)) {
    return "UTF-16LE";
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && bytes[2] === 0)) {
    return "UTF-16BE";
  }
  return undefined;
}

function firstBadByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length];
  // A cut may split a character, so the end of a piece is forgiven the bytes of one that is not whole.
  const isGood = (length: number) => {
    for (let cut = 0; cut < 4; cut++) if (isUtf8(bytes.subarray(0, length - cut))) return true;
    return false;
  };
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isGood(middle)) good = middle;
    else bad = middle;
  }
  while (good > 0 && !isUtf8(bytes.subarray(0, good))) good--;
  return good;
}

export function unreadable(file: string, error: unknown, extendedAt?: Span): Diagnostic {
  const [problem, message, help] =
    error instanceof NotPlain ? explainOdd(file, error) : explain(file, error, extendedAt);
  return { ...aboutFile(problem, file, message, help), ...(extendedAt && related(extendedAt)) };
}

function explainOdd(file: string, { oddity, message }: NotPlain): [DiagnosticCode, string, string] {
  const said = `"${file}" cannot be read: ${message}.`;
  switch (oddity) {
    case "too-large":
      return ["file-too-large", said, "Check that this is the right file."];
    case "folder":
      return ["file-not-readable", said, "Name a file inside it."];
    case "pipe":
      return [
        "file-not-readable",
        said,
        "Files are looked at more than once, and a pipe gives what it holds once. Hand it over on standard input, and write - for its name.",
      ];
    default:
      return ["file-not-readable", said, "Name a file."];
  }
}

function explain(
  file: string,
  error: unknown,
  extendedAt: Span | undefined,
): [DiagnosticCode, string, string] {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return [
        "file-not-found",
        `There is no file "${file}".`,
        extendedAt
          ? "Check the path; it starts from the folder of the file that extends it."
          : "Check the spelling, and the folder you are in. To begin a new file:\n  lintel init",
      ];
    case "EACCES":
    case "EPERM":
      return [
        "file-not-readable",
        `You may not read "${file}".`,
        `Ask for permission, or run:\n  chmod u+r ${shellWord(file)}`,
      ];
    default:
      return [
        "file-not-readable",
        `"${file}" cannot be read: ${reasonOf(error) ?? String(error)}.`,
        "Check the disk and the path.",
      ];
  }
}

/** A file that another one extends is missed where that one says so. */
function related(extendedAt: Span): Partial<Diagnostic> {
  const { place, related } = diagnose("file-not-found", { span: extendedAt }, "", "");
  return place ? { file: place.file, place, related } : {};
}
