// Adds the live settings of the portal to a file that init has written.
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { oneLine, shellWord } from "../../lib/text.js";
import { openRun, type NetworkArguments } from "../../cli/open-run.js";
import type { Result } from "../command.js";
import { pullAll } from "../pull/pull.js";

/** The file stays when the portal cannot be read. */
export async function takeOver(
  file: string,
  io: Io,
  { options }: NetworkArguments & { readonly options: { readonly quiet: boolean } },
): Promise<Result> {
  const pulling = { into: undefined, all: true, path: [] };
  try {
    await using run = await openRun("pull", io, { operands: [], options }, { files: [file] });
    return await pullAll(run, run.files, pulling);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const word = oneLine(shellWord(file));
    throw new Failure(
      error.code,
      `${error.message} "${oneLine(file)}" was written without settings.`,
      `${error.help ?? ""}\nThen add the live settings:\n  lintel pull ${word} --all`.trim(),
      { cause: error },
    );
  }
}
