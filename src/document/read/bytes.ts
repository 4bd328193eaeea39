// Reads a file's bytes as text, or explains why that is impossible: missing, unreadable, too large, or another encoding.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { aboutFile, didYouMean, type Diagnostic, type DiagnosticCode } from "../../diagnostic.js";
import { NotPlain, readFile, reasonOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { decodeText, encodingOf, sourceTextOf } from "../../lib/source-text.js";
import { shellWord } from "../../lib/text.js";
import { isOpenTo, repositoryOf } from "./repository.js";
import type { Source, Span } from "./source.js";
import { diagnose } from "./tree.js";

/** Far more than settings need, and still quick to parse. */
export const LARGEST_FILE = 4 * 1024 * 1024;

export type Reading =
  | { readonly source: Source; readonly problem?: undefined }
  | { readonly source?: undefined; readonly problem: Diagnostic };

interface Named {
  /** The name for messages, relative to `cwd`. */
  readonly file: string;
  readonly cwd: string;
  readonly extendedAt?: Span;
}

/** The file system and the working directory. */
export type Files = Pick<Io, "cwd" | "files">;

export function readSource({ file, cwd, files, extendedAt }: Named & Files): Reading {
  const path = resolve(cwd, file);
  const text = files?.get(path);
  if (text !== undefined) return decode(Buffer.from(text), file, path, extendedAt);
  let bytes: Uint8Array;
  let real: string;
  try {
    bytes = readBytes(path);
    real = realpathSync.native(path);
  } catch (error) {
    const problem = unreadable(file, error, extendedAt);
    if (problem.code !== "file-not-found") return { problem };
    if (lstatSync(path, { throwIfNoEntry: false })) {
      const message = `"${file}" is a link to a file that is not there.`;
      const help = "Restore that file, or remove the link.";
      return { problem: about("file-not-found", file, extendedAt, message, help) };
    }
    if (extendedAt) return { problem };
    return { problem: { ...problem, help: nearbyFiles(file, cwd) ?? problem.help } };
  }
  // A link out of the repository would include content that its review does not show.
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

/** A text to be written as this file. */
export function readDraft(text: string, { file, cwd }: Named): Reading {
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
    return whole("file-too-large", message, "Check that this is the right file.");
  }
  if (bytes.length === 0) {
    const help = "Describe a portal. To create such a file:\n  lintel init";
    return whole("empty-file", `"${file}" is empty.`, help);
  }
  const encoding = encodingOf(bytes);
  if (encoding.startsWith("UTF-16")) {
    const message = `"${file}" is written in ${encoding}, not in UTF-8.`;
    const help = `Save it as UTF-8, or run:\n  iconv -f ${encoding} -t UTF-8 ${shellWord(file)} > utf-8.yaml`;
    return whole("wrong-encoding", message, help);
  }
  // Text that is not UTF-8 is decoded leniently, to find the first invalid character.
  const source = {
    ...sourceTextOf(file, decodeText(bytes, "UTF-8")),
    path,
    ...(extendedAt && { extendedAt }),
  };
  const { text } = source;
  const at = (start: number) => ({ span: { source, start, end: start + 1 } });
  if (encoding !== "UTF-8") {
    const message = "This character is not UTF-8.";
    const help = `Save the file as UTF-8. If it comes from Windows:\n  iconv -f WINDOWS-1252 -t UTF-8 ${shellWord(file)} > utf-8.yaml`;
    return {
      problem: diagnose("wrong-encoding", at(Math.max(0, text.indexOf("\ufffd"))), message, help),
    };
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (!control) return { source };
  const hex = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const message = `YAML does not allow the control character U+${hex}.`;
  const help = `Remove it, or write it inside double quotes as "\\x${hex.slice(2)}".`;
  return { problem: diagnose("wrong-encoding", at(control.index), message, help) };
}

export function unreadable(file: string, error: unknown, extendedAt?: Span): Diagnostic {
  const report = (code: DiagnosticCode, message: string, help: string) =>
    about(code, file, extendedAt, message, help);
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") {
    const help = extendedAt
      ? "Check the path; it starts from the folder of the file that extends it."
      : "Check the spelling, and the folder you are in. To begin a new file:\n  lintel init";
    return report("file-not-found", `There is no file "${file}".`, help);
  }
  if (code === "EACCES" || code === "EPERM") {
    const help = `Ask for permission, or run:\n  chmod u+r ${shellWord(file)}`;
    return report("file-not-readable", `You may not read "${file}".`, help);
  }
  const message = `"${file}" cannot be read: ${reasonOf(error) ?? String(error)}.`;
  const oddity = error instanceof NotPlain ? error.oddity : undefined;
  if (oddity === "too-large") {
    return report("file-too-large", message, "Check that this is the right file.");
  }
  const help =
    oddity === "pipe"
      ? "Hand it over on standard input, and write - as its name."
      : "Name a plain file, and check the path.";
  return report("file-not-readable", message, help);
}

/** A problem of the whole file; for a base, reported at the `extends` entry. */
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

/** Similar names for a missing file: in its folder, in this one, and in the usual places. */
function nearbyFiles(file: string, cwd: string): string | undefined {
  const path = resolve(cwd, file);
  const [extension, wanted] = path.endsWith(".json")
    ? [/\.json$/, basename(path, ".json")]
    : [/\.ya?ml$/, basename(path).replace(/\.\w+$/, "")];
  const there = [...new Set([dirname(path), cwd, join(cwd, "portals")])].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => extension.test(name) && !name.startsWith("."))
      // Suggests bases only if the name is a base's.
      .filter((name) => wanted.startsWith("_") || !name.startsWith("_"))
      .map((name) => relative(cwd, join(folder, name))),
  );
  const same = there.filter((each) => basename(each).replace(/\.\w+$/, "") === wanted);
  if (same.length > 0) return `Did you mean ${same.map((each) => `"${each}"`).join(" or ")}?`;
  return didYouMean(file, there);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    // A missing folder has no suggestions.
    return [];
  }
}
