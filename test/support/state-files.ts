// The states that a folder keeps, as files: the newest revision of a portal's state, read and put in its place by hand.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Of the newest revision; undefined where none was ever written. */
export function stateFileIn(folder: string, key: string): string | undefined {
  const revisions = join(folder, key);
  if (!existsSync(revisions)) return undefined;
  const newest = readdirSync(revisions)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .at(-1);
  return newest && join(revisions, newest);
}

export function readStateIn(folder: string, key: string): string | undefined {
  const path = stateFileIn(folder, key);
  return path && readFileSync(path, "utf8");
}

/** As the only revision, in the place of all that were there; none, where there is no text. */
export function writeStateIn(folder: string, key: string, text: string | Uint8Array | undefined) {
  const revisions = join(folder, key);
  rmSync(revisions, { recursive: true, force: true });
  if (text === undefined) return;
  mkdirSync(revisions, { recursive: true });
  writeFileSync(join(revisions, "000001.json"), text);
}
