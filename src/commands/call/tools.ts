// A call → its files and the tools of its run, for the work that is done with them.
import packageFacts from "../../../package.json" with { type: "json" };
import { findFiles } from "../../document/find.js";
import { shellWord } from "../../text.js";
import type { Io } from "../../io.js";
import type { Tools } from "../../run/reachable.js";
import type { Call } from "../command.js";
import { watch, type Watched } from "./progress.js";
import { withNetwork, type Called, type Network, type Purpose } from "./network.js";

interface Use {
  /** Those that the call names, where it does not say otherwise. */
  readonly files?: readonly string[] | undefined;
  readonly purpose?: Purpose;
  /** A run that looks at no portal asks nobody where credentials may go. */
  readonly isLooking?: boolean;
}

type Named = Called & Pick<Call, "operands">;

export function toolsOf(
  command: string,
  { io, progress }: Pick<Watched, "io" | "progress">,
  network: Network,
  files: readonly string[],
  isLooking = true,
): Tools {
  return {
    io,
    ...network,
    progress,
    isLooking,
    toolVersion: packageFacts.version,
    run: ["lintel", command, ...files.slice(0, 3).map(shellWord)].join(" "),
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  };
}

export async function withTools<T>(
  command: string,
  io: Io,
  call: Named,
  work: (tools: Tools, files: readonly string[]) => Promise<T>,
  { files: known, purpose = "reading", isLooking }: Use = {},
): Promise<T> {
  const files = known ?? (await findFiles(call.operands, io.cwd));
  const { quiet: isQuiet = false, verbose: isVerbose = false } = call.options;
  const watched = watch(io, { isQuiet, isVerbose });
  try {
    return await withNetwork(watched.io, call, purpose, (network) =>
      work(toolsOf(command, watched, network, files, isLooking), files),
    );
  } finally {
    watched.close();
  }
}
