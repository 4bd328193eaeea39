// Begins a file with the live settings of its portal. Writes nothing before the portal was read.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Io } from "../../io.js";
import { openRun, type NetworkArguments } from "../../cli/open-run.js";
import { writeNew } from "../../cli/write-file.js";
import type { Result } from "../command.js";
import { pullAll } from "../pull/pull.js";

export async function writeFromPortal(
  file: string,
  text: string,
  io: Io,
  { options }: NetworkArguments & { readonly options: { readonly quiet: boolean } },
): Promise<Result> {
  const path = resolve(io.cwd, file);
  const begun = { ...io, files: new Map([[path, text]]) };
  await using run = await openRun("pull", begun, { operands: [], options }, { files: [file] });
  const pulled = await pullAll(run, run.files, { into: undefined, all: true, path: [] });
  // A portal with default values adds nothing to the file.
  if (!existsSync(path)) writeNew(path, file, text, io);
  return pulled;
}
