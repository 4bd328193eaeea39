// A file's bytes → its text, or what keeps them from being text: size, encoding, control characters.
import { realpathSync } from "node:fs";
import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { aboutFile, type Diagnostic, type DiagnosticCode } from "../../diagnostic.js";
import { NotPlain, readFile, reasonOf } from "../../lib/files.js";
import { nearbyFiles } from "./nearby.js";
import { isOpenTo, repositoryOf } from "./repository.js";
import { lineStartsOf, type Source, type Span } from "./source.js";
import { diagnose } from "./tree.js";
import { shellWord } from "../../lib/text.js";

/** Far more than settings need, and little enough to be parsed in a moment. */
export const LARGEST_FILE = 4 * 1024 * 1024;

const UTF_8 = new TextDecoder();

export type Reading =
  | { readonly source: Source; readonly problem?: undefined }
  | { readonly source?: undefined; readonly problem: Diagnostic };

interface Asked {
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
    if (problem.code !== "file-not-found" || extendedAt) return { problem };
    return { problem: { ...problem, help: nearbyFiles(file, cwd) ?? problem.help } };
  }
  // A link that leaves the repository would bring in what its review does not show.
  const repository = real === path ? undefined : repositoryOf(path);
  if (repository && !isOpenTo(repository, real)) {
    const message = `"${file}" is a link to a file that a review of this repository does not show.`;
    const help = "Put the file itself into the repository.";
    return { problem: about("outside-repository", file, extendedAt, message, help) };
  }
  return decode(bytes, file, real, extendedAt);
}

/** Standard input, which has no path. */
export function readInput(bytes: Uint8Array): Reading {
  return decode(bytes, "-");
}

/** A text that is about to be written as this file. */
export function readDraft(text: string, { file, cwd }: Asked): Reading {
  return decode(Buffer.from(text), file, resolve(cwd, file));
}

export function readBytes(path: string): Uint8Array {
  return readFile(path, { largest: LARGEST_FILE, links: "followed" });
}

function decode(bytes: Uint8Array, file: string, path?: string, extendedAt?: Span): Reading {
  const whole = (code: DiagnosticCode, message: string, help: string): Reading => ({
    problem: about(code, file, extendedAt, message, help),
  });
  if (bytes.length > LARGEST_FILE) {
    const message = `"${file}" is larger than ${LARGEST_FILE / 1024 / 1024} MiB.`;
    const help = "A desired-state file holds settings alone. Check that this is the right file.";
    return whole("file-too-large", message, help);
  }
  if (bytes.length === 0) {
    const help =
      'An empty file says nothing about a portal. To begin one, write:\n  targetVersion: "11.5"';
    return whole("empty-file", `"${file}" is empty.`, help);
  }
  const utf16 = utf16Of(bytes);
  if (utf16) {
    const message = `"${file}" is written in ${utf16}, not in UTF-8.`;
    const help = `Save it as UTF-8, or run:\n  iconv -f ${utf16} -t UTF-8 ${shellWord(file)} > utf-8.yaml`;
    return whole("wrong-encoding", message, help);
  }
  const isText = isUtf8(bytes);
  // Latin-1 gives every byte one character, so that the place of a bad byte can be shown.
  const text = isText ? UTF_8.decode(bytes) : Buffer.from(bytes).toString("latin1");
  const lineStarts = lineStartsOf(text);
  const source = { file, path, text, lineStarts, ...(extendedAt && { extendedAt }) };
  const at = (start: number) => ({ span: { source, start, end: start + 1 } });
  if (!isText) {
    const offset = firstBadByte(bytes);
    const message = `The byte 0x${(bytes[offset] ?? 0).toString(16)} is not UTF-8.`;
    const help = `Save the file as UTF-8. Where it came from Windows:\n  iconv -f WINDOWS-1252 -t UTF-8 ${shellWord(file)} > utf-8.yaml`;
    return { problem: diagnose("wrong-encoding", at(offset), message, help) };
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (!control) return { source };
  const hex = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const message = `The control character U+${hex} may not stand in YAML.`;
  const help = `Remove it; inside double quotes it can be written "\\x${hex.slice(2)}".`;
  return { problem: diagnose("control-character", at(control.index), message, help) };
}

function utf16Of(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  const [first = 0, second = 0, third, fourth] = bytes;
  const isMarked = (one: number, other: number) => first === one && second === other;
  if (isMarked(0xff, 0xfe) || (first !== 0 && second === 0 && fourth === 0)) return "UTF-16LE";
  if (isMarked(0xfe, 0xff) || (first === 0 && second !== 0 && third === 0)) return "UTF-16BE";
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
  const tell = (code: DiagnosticCode, message: string, help: string) =>
    about(code, file, extendedAt, message, help);
  if (error instanceof NotPlain) {
    const code = error.oddity === "too-large" ? "file-too-large" : "file-not-readable";
    const help = ODD[error.oddity] ?? "Name a file.";
    return tell(code, `"${file}" cannot be read: ${error.message}.`, help);
  }
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR": {
      const help = extendedAt
        ? "Check the path; it starts from the folder of the file that extends it."
        : "Check the spelling, and the folder you are in. To begin a new file:\n  lintel init";
      return tell("file-not-found", `There is no file "${file}".`, help);
    }
    case "EACCES":
    case "EPERM": {
      const help = `Ask for permission, or run:\n  chmod u+r ${shellWord(file)}`;
      return tell("file-not-readable", `You may not read "${file}".`, help);
    }
    default: {
      const message = `"${file}" cannot be read: ${reasonOf(error) ?? String(error)}.`;
      return tell("file-not-readable", message, "Check the disk and the path.");
    }
  }
}

const ODD: Readonly<Partial<Record<NotPlain["oddity"], string>>> = {
  "too-large": "Check that this is the right file.",
  folder: "Name a file inside it.",
  pipe: "Files are looked at more than once, and a pipe gives what it holds once. Hand it over on standard input, and write - for its name.",
};

/** A problem of a whole file; of one that another file extends, it is told where that one says so. */
function about(
  code: DiagnosticCode,
  file: string,
  extendedAt: Span | undefined,
  message: string,
  help: string,
): Diagnostic {
  return extendedAt
    ? diagnose(code, { span: extendedAt }, message, help)
    : aboutFile(code, file, message, help);
}
