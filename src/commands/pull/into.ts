// Reads the file that a pull writes into, or begins a new one.
import { existsSync, realpathSync } from "node:fs";
import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { isPart } from "../../document/check/check.js";
import { asLiteral } from "../../document/edit/value.js";
import { LARGEST_FILE } from "../../document/read/bytes.js";
import type { PortalFile } from "../../document/read/desired.js";
import { Failure } from "../../failure.js";
import { readFile, reasonOf, removeLeftDrafts } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { markOf } from "../../lib/source-text.js";
import { replaceFile, writeNew, writing } from "../../cli/write-file.js";

/** What a file says before its settings, so that it is fit to be planned. */
function beginningFor({ target, deployment, portal, signIn }: Omit<PortalFile, "root">): string {
  const { url = "", id } = portal;
  const text = (value: string) => JSON.stringify(asLiteral(value));
  return [
    `targetVersion: ${text(target.asked)}`,
    ...(deployment === "enterprise" ? [] : [`deployment: ${deployment}`]),
    "portal:",
    `  url: ${text(url)}`,
    ...(id === "self" ? [] : [`  id: ${text(id)}`]),
    ...(signIn === undefined ? [] : [`signIn: ${JSON.stringify(signIn)}`]),
    "settings:",
    "",
  ].join("\n");
}

interface Into {
  readonly text: string;
  /** The mark before the text, a byte like any other. */
  readonly mark: string;
  readonly isNew: boolean;
}

export function readInto(
  file: string,
  desired: Omit<PortalFile, "root">,
  { cwd, files }: Io,
): Into {
  const path = resolve(cwd, file);
  const begun = files?.get(path);
  if (begun !== undefined) return { text: begun, mark: "", isNew: true };
  if (!existsSync(path)) {
    return { text: isPart(file) ? "settings:\n" : beginningFor(desired), mark: "", isNew: true };
  }
  return readPresent(file, { cwd });
}

export function readPresent(file: string, { cwd }: Pick<Io, "cwd">): Into {
  const bytes = bytesOf(resolve(cwd, file), file);
  return { text: new TextDecoder().decode(bytes), mark: markOf(bytes), isNew: false };
}

/** What cannot be read to the last byte cannot be written back. */
function bytesOf(path: string, file: string): Uint8Array {
  const refused = (reason: string) =>
    new Failure(
      "file-invalid",
      `"${file}" cannot be read: ${reason}.`,
      "Name a desired-state file, or a new one.",
    );
  let bytes;
  try {
    bytes = readFile(path, { largest: LARGEST_FILE, links: "followed" });
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : refused(reason);
  }
  if (!isUtf8(bytes)) throw refused("it is not written in UTF-8");
  return bytes;
}

export function write(file: string, { mark, isNew }: Into, text: string, io: Io): void {
  const path = resolve(io.cwd, file);
  if (isNew) writeNew(path, file, text, io);
  else replaceFile(path, file, mark + text, io);
}

/** What a pull left that was killed, where this one has nothing to write. */
export function tidy(file: string, { isNew }: Into, { cwd, machine }: Io): void {
  const path = resolve(cwd, file);
  writing(file, () => removeLeftDrafts(isNew ? path : realpathSync(path), machine));
}
