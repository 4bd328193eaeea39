// A portal → the version that it shows, for the target of a file; and a file that was just begun → the same with the settings that were chosen there.
import { knownVersion } from "../../catalog/catalog.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { readVersion } from "../../portal/view.js";
import { oneLine, shellWord } from "../../lib/text.js";
import { withNetwork, type NetworkArguments } from "../call/network.js";
import { withTools } from "../call/tools.js";
import type { Result } from "../command.js";
import { pullAll } from "../pull/pull.js";

/** As anybody can see it; undefined where the portal tells nobody, or one that the reference does not list. */
export async function shownVersion(
  url: string,
  io: Io,
  call: NetworkArguments,
): Promise<string | undefined> {
  const portal = { name: url, url, id: "self" };
  try {
    const { version } = await withNetwork(io, call, "anonymous", ({ http }) =>
      readVersion({ http, portal }),
    );
    return version !== undefined && knownVersion(version) ? version : undefined;
  } catch (error) {
    // Whoever signs in may see more, and is told what is wrong.
    if (error instanceof Failure && error.code !== "interrupted") return undefined;
    throw error;
  }
}

/** What was written stays, whatever the portal says. */
export async function takeOver(
  file: string,
  io: Io,
  { options }: NetworkArguments & { readonly options: { readonly quiet: boolean } },
): Promise<Result> {
  const pulling = { into: undefined, all: true, path: [], concurrency: 1 };
  try {
    return await withTools(
      "pull",
      io,
      { operands: [], options },
      (tools) => pullAll([file], tools, pulling),
      { files: [file] },
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const word = oneLine(shellWord(file));
    throw new Failure(
      error.code,
      `${error.message} "${oneLine(file)}" is begun, without what the portal shows.`,
      `${error.help ?? ""}\nThen take that over:\n  lintel pull ${word} --all`.trim(),
      { cause: error },
    );
  }
}
